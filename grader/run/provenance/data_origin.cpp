#include "grader/run/provenance/data_origin.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <string>

#include "grader/run/provenance/telling_outputs.h"
#include "harness/core/plural.h"

namespace warpgrade {
namespace {

/// Smaller parts of inputs that the host copies are not recognised reliably.
constexpr std::size_t kFewestInputBytes = 4096;

std::string place(const warpsim::SourceLine& from) {
  return from.line == 0 ? "" : fmt::format(" ({}:{})", from.file, from.line);
}

std::size_t input_bytes(const CaseData& data) {
  std::size_t bytes = 0;
  for (const auto& [name, input] : data.inputs) {
    bytes += input.bytes.size();
  }
  return bytes;
}

/// One entry per kind and case, with the first evidence.
class Found {
 public:
  void add(const std::string& kind, const std::string& message, const std::string& evidence,
           const CaseOutcome& outcome) {
    OddOrigin& origin = by_kind_[kind];
    origin.kind = kind;
    origin.message = message;
    if (origin.seen.empty() || origin.seen.back().outcome != &outcome) {
      origin.seen.push_back({.outcome = &outcome, .evidence = evidence});
    }
  }
  [[nodiscard]] bool empty() const { return by_kind_.empty(); }
  [[nodiscard]] std::vector<OddOrigin> take() {
    std::vector<OddOrigin> all;
    for (auto& [kind, origin] : by_kind_) all.push_back(std::move(origin));
    return all;
  }

 private:
  std::map<std::string, OddOrigin> by_kind_;
};

void look_at(const CaseOutcome& outcome, Found& found) {
  const warpsim::CallReport& call = *outcome.emulator->call;
  for (const warpsim::OutputOrigin& output : call.outputs) {
    for (const warpsim::OutputWriter& writer : output.writers) {
      const std::string odd = odd_writer(output, writer);
      if (odd.empty()) continue;
      const bool by_kernel = writer.kind == warpsim::WriterKind::kernel;
      found.add(by_kernel ? "output-without-inputs" : "output-from-host",
                by_kernel ? "A kernel that read no input wrote an output."
                          : "An output was copied from host memory.",
                odd, outcome);
    }
  }
  for (const warpsim::InputCopy& copy : call.input_copies) {
    found.add(
        "inputs-copied-back", "Inputs were copied to the host before the kernels ran.",
        fmt::format("{} bytes of `{}` by {}{}", copy.bytes, copy.input, copy.api, place(copy.from)),
        outcome);
  }
}

}  // namespace

std::string odd_writer(const warpsim::OutputOrigin& output, const warpsim::OutputWriter& writer) {
  // A constant value everywhere is an initial fill of the output.
  const bool says_something = writer.varied || writer.bytes == output.bytes;
  const bool explained = writer.host_bytes > 0 && writer.unexplained_bytes == 0;
  if (!says_something || !writer.inputs.empty() || explained) {
    return "";
  }
  const std::string what =
      fmt::format("`{}`: {} of {} bytes", output.name, writer.bytes, output.bytes);
  if (writer.kind == warpsim::WriterKind::kernel) {
    const std::string instead =
        writer.host_bytes == 0
            ? "nothing but its arguments"
            : fmt::format("no input except {} bytes from the host", writer.unexplained_bytes);
    return fmt::format("{} were last written by `{}`{}, which read {}", what, writer.name,
                       place(writer.from), instead);
  }
  if (writer.kind == warpsim::WriterKind::host_copy) {
    return fmt::format(
        "{} were copied from host memory by {}{}, more than the host had received from kernels",
        what, writer.name, place(writer.from));
  }
  return "";
}

std::vector<OddOrigin> find_odd_origins(LabSession& session, const Secret& secret,
                                        const std::vector<CaseOutcome>& cases) {
  Found found;
  for (const CaseOutcome& outcome : cases) {
    const bool known = outcome.report.verdict == CaseVerdict::passed && outcome.emulator &&
                       outcome.emulator->call && outcome.emulator->call->followed;
    if (!known) continue;
    Found here;
    look_at(outcome, here);
    if (here.empty()) continue;
    const std::shared_ptr<const CaseData> data = session.data(*outcome.spec, secret);
    if (is_telling(*data) && input_bytes(*data) >= kFewestInputBytes) look_at(outcome, found);
  }
  return found.take();
}

IntegrityFlag to_flag(const OddOrigin& origin) {
  const OddOrigin::Seen& first = origin.seen.front();
  return {.kind = origin.kind,
          .message = origin.message,
          .evidence = fmt::format("{}; in {}, the first: \"{}\"", first.evidence,
                                  plural(origin.seen.size(), "case"), first.outcome->report.name)};
}

}  // namespace warpgrade
