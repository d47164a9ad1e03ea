#include "emulator/cudart/edit_trials.h"

#include <algorithm>
#include <cstdint>
#include <exception>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "emulator/changes/call_edit.h"
#include "emulator/changes/code_edit.h"
#include "emulator/cudart/call_edits.h"
#include "emulator/cudart/call_sites.h"
#include "emulator/cudart/edits_file.h"
#include "emulator/cudart/replay_work.h"
#include "emulator/cudart/runtime.h"
#include "emulator/machine/code_edits.h"
#include "emulator/machine/kernel_copies.h"

namespace warpsim::cudart {
namespace {

using Outputs = std::vector<std::vector<std::byte>>;

constexpr std::size_t kMostEdits = 600;
constexpr std::size_t kMostCallEdits = 200;
/// Edits of calls get at most this part of the instructions.
constexpr std::uint64_t kPartOfCallEdits = 4;
/// Of all replays together, as the unedited call has them: a third of a second.
constexpr std::uint64_t kMostInstructions = std::uint64_t{1} << 24;
/// A call that takes longer is not tried at all.
constexpr std::uint64_t kMostOfCall = std::uint64_t{1} << 21;
/// Launches, copies and allocations cost time, too, as much as so many instructions.
constexpr std::uint64_t kCostOfStep = 500;
/// Of the process, before it begins: the program waits, and its time is limited.
constexpr double kLatestTrial = 12;
/// After which nothing is said at all: far more than it takes.
constexpr double kMostSeconds = 8;

/// Of all warps of the run.
std::uint64_t instructions_of(const Runtime& runtime) {
  std::uint64_t sum = 0;
  for (const KernelCounters& kernel : runtime.machine.counters()) sum += kernel.totals.executed;
  return sum;
}

std::vector<const Kernel*> kernels_of(const CallRecord& record) {
  std::vector<const Kernel*> kernels;
  for (const RecordedStep& step : record.steps()) {
    if (const auto* launch = std::get_if<LaunchStep>(&step)) {
      kernels.push_back(launch->request.kernel);
    }
  }
  return kernels;
}

/// @param edited  null: the work as it was
Outputs outputs_of(Runtime& runtime, const CallRecord& record, const EditedWork* edited) {
  ReplayWork work(runtime, record, nullptr);
  if (edited == nullptr) work.run();
  if (edited != nullptr) work.run(edited->steps);
  Outputs outputs;
  for (const AnnouncedArray& array : runtime.announced.arrays()) {
    if (array.is_output) outputs.push_back(work.output(array));
  }
  return outputs;
}

/// Results, each once.
class Distinct {
 public:
  explicit Distinct(EditResults& results) : results_(results) {}

  /// @returns nothing if there is no more room
  std::optional<std::int32_t> add(Outputs outputs) {
    std::uint64_t bytes = 0;
    for (const auto& output : outputs) bytes += output.size();
    const auto next = static_cast<std::int32_t>(results_.outputs.size());
    const auto it = known_.find(outputs);
    if (it != known_.end()) return it->second;
    if (bytes > edits_file::kMostBytes - bytes_) return std::nullopt;
    bytes_ += bytes;
    known_.emplace(outputs, next);
    results_.outputs.push_back(std::move(outputs));
    return next;
  }

 private:
  EditResults& results_;
  std::map<Outputs, std::int32_t> known_;
  std::uint64_t bytes_ = 0;
};

/// Changed copies of kernels, by their numbers.
struct Copies {
  KernelCopies kernels;
  std::vector<std::uint32_t> numbers;
};

/// What a file asks to try: edits or copies, or neither.
struct Request {
  std::vector<CallEdit> calls;
  std::vector<CodeEdit> edits;
  std::optional<Copies> copies;
};

/// @param numbers  "0 3 17"
/// @throws CannotReplay
Copies read_copies(const std::string& numbers, std::istream& text) {
  std::string ptx{std::istreambuf_iterator<char>(text), {}};
  auto kernels = KernelCopies::parse(std::move(ptx));
  if (!kernels) throw CannotReplay("the copies of kernels cannot be read");
  Copies copies = {*std::move(kernels), {}};
  std::istringstream words(numbers);
  for (std::uint32_t number = 0; copies.numbers.size() < kMostEdits && words >> number;) {
    copies.numbers.push_back(number);
  }
  return copies;
}

/// @throws CannotReplay
Request requested_in(const std::filesystem::path& file) {
  Request request;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line) && request.edits.size() < kMostEdits;) {
    if (line.starts_with(edits_file::kCopies)) {
      request.copies = read_copies(line.substr(edits_file::kCopies.size()), in);
      break;
    }
    if (std::optional<CallEdit> call = parse_call_edit(line)) {
      if (request.calls.size() < kMostCallEdits) request.calls.push_back(*std::move(call));
    } else if (std::optional<CodeEdit> edit = parse_code_edit(line)) {
      request.edits.push_back(*std::move(edit));
    }
  }
  return request;
}

TriedEdit entry_for(const CodeEdit& edit) {
  return {.text = to_text(edit),
          .file = edit.file,
          .line = edit.line,
          .kind = std::string(kind_of(edit)),
          .opcode = edit.opcode,
          .part = edit.part,
          .from = edit.from,
          .to = edit.to};
}

TriedEdit entry_for(const CallEdit& edit) {
  return {.text = to_text(edit),
          .file = edit.file,
          .line = edit.line,
          .kind = std::string(kind_of(edit)),
          .opcode = edit.call,
          .part = edit.part,
          .from = edit.later ? "later" : "all",
          .to = edit.to};
}

/// What is tried, and how: the work that is then done, which is the recorded one where only the
/// code differs. Nothing: the edit changes nothing.
struct Trial {
  TriedEdit entry;
  bool of_call = false;
  std::function<std::optional<EditedWork>()> make;
};

/// The recorded work, if code was changed.
std::optional<EditedWork> same_work(const CallRecord& record, std::size_t changed) {
  if (changed == 0) return std::nullopt;
  EditedWork work;
  for (const RecordedStep& step : record.steps()) work.steps.push_back(&step);
  return work;
}

std::vector<Trial> trials_of(Request& request, const CallRecord& record, CodeEdits& code,
                             const CallSites& sites, const CallEdits& calls,
                             std::span<const AnnouncedArray> arrays) {
  std::vector<Trial> trials;
  if (request.copies) {
    const KernelCopies& kernels = request.copies->kernels;
    for (const std::uint32_t number : request.copies->numbers) {
      Trial& trial = trials.emplace_back();
      trial.entry.text = std::to_string(number);
      trial.make = [&, number] { return same_work(record, code.replace(kernels, number)); };
    }
    return trials;
  }
  if (request.edits.empty() && request.calls.empty()) {
    request.edits = code.possible(kMostEdits);
    request.calls = possible_call_edits(sites, arrays);
    if (request.calls.size() > kMostCallEdits) request.calls.resize(kMostCallEdits);
  }
  for (const CallEdit& edit : request.calls) {
    Trial& trial = trials.emplace_back();
    trial.entry = entry_for(edit);
    trial.of_call = true;
    trial.make = [&code, &calls, &edit] {
      code.take_back();
      return calls.make(edit);
    };
  }
  for (const CodeEdit& edit : request.edits) {
    Trial& trial = trials.emplace_back();
    trial.entry = entry_for(edit);
    trial.make = [&] { return same_work(record, code.make(edit)); };
  }
  return trials;
}

/// @throws CannotReplay
void try_all(Runtime& runtime, const CallRecord& record, Request& request, EditResults& results) {
  if (!record.problem().empty()) throw CannotReplay(record.problem());
  // With an edit they would be others, and so would what the host makes of them.
  if (record.host_reads() != 0) throw CannotReplay("the host reads results before the last work");
  if (runtime.errors.faulted()) throw CannotReplay("a kernel failed");
  if (processor_seconds() > kLatestTrial) throw CannotReplay("it takes too long");
  const auto arrays = runtime.announced.arrays();
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    if (!arrays[i].is_output) continue;
    if (record.host_wrote_output(i)) throw CannotReplay("the host wrote an output itself");
    results.names.push_back(arrays[i].name);
  }
  const std::uint64_t instructions = instructions_of(runtime);
  if (instructions > kMostOfCall) throw CannotReplay("it takes too long");
  const std::uint64_t cost = instructions + kCostOfStep * record.steps().size();

  runtime.findings.restore({});
  Distinct distinct(results);
  if (!distinct.add(outputs_of(runtime, record, nullptr))) {
    throw CannotReplay("its outputs are too large");
  }
  const bool illegal_before = runtime.findings.has_errors();
  CodeEdits code(kernels_of(record));
  // Places in the source take time to find.
  const bool has_calls = !request.calls.empty() || (request.edits.empty() && !request.copies);
  const CallSites sites = has_calls ? CallSites(runtime, record) : CallSites();
  const CallEdits calls(sites, record, arrays);
  const double start = processor_seconds();
  std::uint64_t left = kMostInstructions;
  std::uint64_t left_for_calls = kMostInstructions / kPartOfCallEdits;
  for (Trial& trial : trials_of(request, record, code, sites, calls, arrays)) {
    if (left < cost) break;
    if (trial.of_call && left_for_calls < cost) continue;
    if (trial.of_call) left_for_calls -= cost;
    if (processor_seconds() - start > kMostSeconds) throw CannotReplay("it takes too long");
    left -= cost;
    TriedEdit& tried = trial.entry;
    runtime.findings.restore({});
    try {
      // Where the call does not run the code, its result stays.
      const std::optional<EditedWork> work = trial.make();
      const auto number =
          work ? distinct.add(outputs_of(runtime, record, &*work)) : std::optional(0);
      if (!number) break;
      // Accesses outside of arrays go on where a card would not notice them.
      const bool is_illegal = runtime.findings.has_errors() && !illegal_before;
      if (!is_illegal) tried.output = *number;
    } catch (const std::exception&) {
      // It ends this edit only: a fault, a loop without an end, code that cannot be decoded.
    }
    results.edits.push_back(std::move(tried));
  }
}

}  // namespace

bool has_edits(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::string line;
  return std::getline(in, line) && line == edits_file::kFirstLine;
}

void try_edits(Runtime& runtime, const CallRecord& record, const std::filesystem::path& file) {
  EditResults results;
  const FindingLog::Content findings = runtime.findings.copy();
  try {
    Request request = requested_in(file);
    try_all(runtime, record, request, results);
  } catch (const std::exception& reason) {
    results = {};
    results.problem = reason.what();
  }
  runtime.findings.restore(findings);
  (void)write_edit_results(edits_file::results_of(file.string()), results);
}

}  // namespace warpsim::cudart
