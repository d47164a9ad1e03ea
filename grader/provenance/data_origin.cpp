#include "grader/provenance/data_origin.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <string>

#include "grader/provenance/host_computation.h"
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

/// One flag per kind, with the first evidence and the number of cases.
class Flags {
 public:
  void add(const std::string& kind, const std::string& message, const std::string& evidence,
           const std::string& name) {
    Entry& entry = entries_[kind];
    if (entry.cases.empty()) {
      entry.message = message;
      entry.evidence = evidence;
    }
    if (entry.cases.empty() || entry.cases.back() != name) {
      entry.cases.push_back(name);
    }
  }
  [[nodiscard]] bool empty() const { return entries_.empty(); }
  void append_to(std::vector<IntegrityFlag>& flags) const {
    for (const auto& [kind, entry] : entries_) {
      flags.push_back(
          {.kind = kind,
           .message = entry.message,
           .evidence = fmt::format("{}; in {}, the first: \"{}\"", entry.evidence,
                                   plural(entry.cases.size(), "case"), entry.cases.front())});
    }
  }

 private:
  struct Entry {
    std::string message;
    std::string evidence;
    std::vector<std::string> cases;
  };
  std::map<std::string, Entry> entries_;
};

void look_at(const warpsim::CallReport& call, const std::string& name, Flags& flags) {
  for (const warpsim::OutputOrigin& output : call.outputs) {
    for (const warpsim::OutputWriter& writer : output.writers) {
      const std::string odd = odd_writer(output, writer);
      if (odd.empty()) continue;
      const bool by_kernel = writer.kind == warpsim::WriterKind::kernel;
      flags.add(by_kernel ? "output-without-inputs" : "output-from-host",
                by_kernel ? "A kernel that read no input wrote an output."
                          : "An output was copied from host memory.",
                odd, name);
    }
  }
  for (const warpsim::InputCopy& copy : call.input_copies) {
    flags.add(
        "inputs-copied-back", "Inputs were copied to the host before the kernels ran.",
        fmt::format("{} bytes of `{}` by {}{}", copy.bytes, copy.input, copy.api, place(copy.from)),
        name);
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

void flag_data_origins(LabSession& session, const Secret& secret,
                       const std::vector<CaseOutcome>& cases, std::vector<IntegrityFlag>& flags) {
  Flags found;
  for (const CaseOutcome& outcome : cases) {
    const bool known = outcome.report.verdict == CaseVerdict::passed && outcome.emulator &&
                       outcome.emulator->call && outcome.emulator->call->followed;
    if (!known) continue;
    Flags here;
    look_at(*outcome.emulator->call, outcome.report.name, here);
    if (here.empty()) continue;
    const std::shared_ptr<const CaseData> data = session.data(*outcome.spec, secret);
    if (is_telling(*data) && input_bytes(*data) >= kFewestInputBytes) {
      look_at(*outcome.emulator->call, outcome.report.name, found);
    }
  }
  found.append_to(flags);
}

}  // namespace warpgrade
