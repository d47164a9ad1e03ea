#include "grader/run/cases/kept_outputs.h"

#include <fmt/core.h>

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <span>
#include <system_error>
#include <utility>

#include "harness/case/output.h"
#include "harness/case/program_run.h"
#include "harness/case/request.h"
#include "harness/lab/arguments.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

constexpr std::uintmax_t kMostKeptBytes = std::uintmax_t{1} << 24;  // of one output

/// Writes an output that is not too large.
void keep(std::span<const std::byte> bytes, const fs::path& file) {
  if (bytes.size() > kMostKeptBytes) return;
  std::ofstream(file, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()),
             static_cast<std::streamsize>(bytes.size()));
}

/// The elements of a program's files, as a worker would have written them.
void keep_program_outputs(const PreparedCase& prepared, const fs::path& place) {
  const Lab& lab = *prepared.data->lab;
  std::map<std::string, Array> outputs;
  for (const Parameter& parameter : lab.parameters) {
    if (!parameter.is_written()) continue;
    std::optional<Array> output =
        complete_program_output(*prepared.data, parameter, prepared.folder);
    if (!output) return;
    outputs.emplace(output_file(argument_with(lab, parameter).name), *std::move(output));
  }
  std::error_code error;
  fs::create_directories(place, error);
  for (const auto& [file, output] : outputs) {
    keep(output.bytes, place / file);
  }
}

}  // namespace

fs::path kept_outputs_folder(const fs::path& scratch, const Lab& lab, const Case& spec) {
  std::size_t position = 0;
  while (position < lab.cases.size() && lab.cases[position].name != spec.name) ++position;
  return scratch / "wrong" / fmt::format("{}", position);
}

void keep_outputs(const PreparedCase& prepared, const fs::path& scratch) {
  const Lab& lab = *prepared.data->lab;
  const fs::path place = kept_outputs_folder(scratch, lab, *prepared.data->spec);
  if (lab.program) return keep_program_outputs(prepared, place);
  std::error_code error;
  fs::create_directories(place, error);
  for (const Parameter& parameter : lab.parameters) {
    if (!parameter.is_written()) continue;
    const std::string name = argument_with(lab, parameter).name;
    const std::string file = output_file(name);
    if (prepared.delivers()) {
      if (const auto* const bytes = prepared.delivered_bytes(name)) keep(*bytes, place / file);
      continue;
    }
    const std::uintmax_t size = fs::file_size(prepared.folder / file, error);
    // A field of a record may have gone with its record.
    if (!error && size <= kMostKeptBytes) fs::rename(prepared.folder / file, place / file, error);
  }
}

std::optional<std::map<std::string, Array>> kept_outputs(
    const std::shared_ptr<const CaseData>& data, const fs::path& scratch) {
  const PreparedCase kept{.data = data,
                          .folder = kept_outputs_folder(scratch, *data->lab, *data->spec),
                          .request = {},
                          .nonce = {},
                          .delivered = nullptr};
  std::map<std::string, Array> outputs;
  for (const Parameter& parameter : data->lab->parameters) {
    if (!parameter.is_written()) continue;
    std::optional<Array> output = read_output(kept, parameter);
    if (!output) return std::nullopt;
    outputs.emplace(parameter.name, *std::move(output));
  }
  return outputs;
}

}  // namespace warpgrade
