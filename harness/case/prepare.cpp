#include <sys/random.h>

#include <array>
#include <cerrno>
#include <fstream>
#include <map>
#include <span>
#include <string>
#include <system_error>

#include <fmt/format.h>

#include "harness/case/case.h"
#include "harness/case/program_run.h"
#include "harness/case/request.h"
#include "harness/lab/arguments.h"

namespace warpgrade {

namespace {

void write_file(const std::filesystem::path& file, std::span<const std::byte> bytes) {
  errno = 0;
  std::ofstream out(file, std::ios::binary | std::ios::trunc);
  out.write(reinterpret_cast<const char*>(bytes.data()),
            static_cast<std::streamsize>(bytes.size()));
  out.close();
  if (!out) {
    throw std::filesystem::filesystem_error("cannot write", file,
                                            std::error_code(errno, std::generic_category()));
  }
}

}  // namespace

std::string make_nonce() {
  std::array<unsigned char, 16> bytes{};
  if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) {
    throw std::system_error(errno, std::generic_category(), "getrandom");
  }
  std::string text;
  for (const unsigned char byte : bytes) text += fmt::format("{:02x}", byte);
  return text;
}

namespace {

/// The number of the shared inputs' descriptor in a worker; smaller ones are its streams, the
/// device's and the sandbox's.
constexpr int kSharedInputs = 200;

PreparedCase prepare(std::shared_ptr<const CaseData> data, const std::filesystem::path& folder,
                     const std::string& first, OutputStart outputs = OutputStart::poison,
                     InputsBy by = InputsBy::files) {
  std::filesystem::create_directories(folder);
  PreparedCase prepared{.data = std::move(data),
                        .folder = folder,
                        .request = folder / kRequestFile,
                        .nonce = make_nonce(),
                        .delivered = std::make_shared<DeliveredOutputs>()};
  // A record or outputs of an earlier run must not be taken for this one's.
  std::filesystem::remove(folder / kRecordFile);
  if (prepared.data->lab->program) {
    lay_out_program(*prepared.data, folder);
    return prepared;
  }
  const SharedInputs* const shared =
      by == InputsBy::descriptor ? prepared.data->shared.get() : nullptr;
  SharedPlaces places;
  if (shared != nullptr && shared->descriptor() >= 0) {
    places = {.descriptor = kSharedInputs, .offsets = shared->offsets()};
    prepared.descriptors.emplace(kSharedInputs, shared->descriptor());
  }
  for (const CallArgument& argument : arguments_of(*prepared.data->lab)) {
    if (argument.first().is_written()) std::filesystem::remove(folder / output_file(argument.name));
    if (argument.first().is_array() && argument.first().is_read()) {
      if (places.offsets.contains(argument.name)) continue;
      write_file(folder / input_file(argument.name), bytes_of(argument, prepared.data->inputs));
    }
  }
  const std::string request = make_request(*prepared.data, prepared.nonce, first, outputs, places);
  write_file(prepared.request, std::as_bytes(std::span(request)));
  return prepared;
}

}  // namespace

PreparedCase prepare_case(std::shared_ptr<const CaseData> data, const std::filesystem::path& folder,
                          OutputStart outputs, InputsBy inputs) {
  return prepare(std::move(data), folder, "", outputs, inputs);
}

PreparedCase prepare_second_call(std::shared_ptr<const CaseData> first,
                                 std::shared_ptr<const CaseData> second,
                                 const std::filesystem::path& folder) {
  const std::string name = "first";
  (void)prepare_case(std::move(first), folder / name);
  return prepare(std::move(second), folder, name + "/" + kRequestFile);
}

}  // namespace warpgrade
