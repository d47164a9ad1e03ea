#include "harness/case/replay.h"

#include <algorithm>
#include <charconv>
#include <set>
#include <sstream>

#include "emulator/cudart/replay_file.h"
#include "harness/case/request.h"
#include "harness/case/untrusted_file.h"
#include "harness/lab/arguments.h"
#include "harness/lab/shapes.h"

namespace warpgrade {
namespace {

constexpr std::uint64_t kMostText = 4096;
constexpr std::uint64_t kLeastReads = 16384;
constexpr std::uint64_t kShareOfInputs = 8;  // one in so many bytes

/// The value of a line "word value".
std::optional<std::string> value_of(const std::string& text, const std::string& word) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(word + " ")) return line.substr(word.size() + 1);
  }
  return std::nullopt;
}

std::optional<std::uint64_t> number_of(const std::string& text, const std::string& word) {
  const std::optional<std::string> value = value_of(text, word);
  std::uint64_t number = 0;
  if (!value) return std::nullopt;
  const auto [end, error] = std::from_chars(value->data(), value->data() + value->size(), number);
  if (error != std::errc() || end != value->data() + value->size()) return std::nullopt;
  return number;
}

/// Whether all bytes of the outputs are compared, so that none can have another meaning.
bool compares_all_bytes(const CaseData& data) {
  std::uint64_t compared = 0;
  std::uint64_t all = 0;
  std::set<std::string> counted;  // several outputs may be fields of one array
  for (const Parameter& parameter : data.lab->parameters) {
    if (!parameter.is_written()) continue;
    const CallArgument argument = argument_with(*data.lab, parameter);
    const std::uint64_t count =
        Array::count_of(shape_of(*data.lab, parameter, data.spec->data.dims));
    compared += count * size_of(parameter.type);
    if (counted.insert(argument.name).second) all += count * argument.element_bytes();
  }
  return compared == all;
}

}  // namespace

std::optional<CaseReplay> read_replay(const std::filesystem::path& folder,
                                      const PreparedCase& prepared, const CaseData& for_device) {
  const auto text = read_untrusted_file(folder / warpsim::cudart::replay_file::kEnd, kMostText);
  if (!text) return std::nullopt;
  const auto problem = value_of(*text, "problem");
  const auto reads = number_of(*text, "host_reads");
  const auto in_outputs = number_of(*text, "output_reads");
  const auto bytes = number_of(*text, "host_bytes");
  if (!problem || !reads || !in_outputs || !bytes) return std::nullopt;
  CaseReplay replay = {.problem = *problem, .host_reads = *reads, .host_bytes = *bytes, .fits = {}};
  for (const auto& [name, input] : prepared.data->inputs) replay.input_bytes += input.bytes.size();
  if (!compares_all_bytes(*prepared.data)) {
    replay.host_reads = std::max(replay.host_reads, replay.host_reads + *in_outputs);
  }
  if (!replay.problem.empty()) return replay;
  PreparedCase outputs = prepared;
  outputs.folder = folder;
  outputs.delivered = nullptr;
  replay.fits = count_fits(outputs, for_device);
  if (!replay.fits) replay.problem = "an output is missing";
  return replay;
}

std::uint64_t allowed_host_reads(const CaseData& data, std::uint64_t input_bytes) {
  if (!data.lab->host_reads) return std::max(kLeastReads, input_bytes / kShareOfInputs);
  const double own = evaluate(*data.lab, *data.lab->host_reads, data.spec->data.dims);
  return std::max(kLeastReads, static_cast<std::uint64_t>(std::max(own, 0.0)));
}

}  // namespace warpgrade
