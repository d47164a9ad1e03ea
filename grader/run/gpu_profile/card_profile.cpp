#include "grader/run/gpu_profile/card_profile.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <set>
#include <system_error>
#include <tuple>
#include <utility>

#include "grader/core/remove_tree.h"
#include "grader/record/counters/card_counts.h"
#include "grader/record/counters/ncu_table.h"
#include "grader/run/gpu_profile/profiler.h"
#include "grader/run/gpu_profile/sanitizer_log.h"
#include "grader/run/gpu_profile/tools.h"
#include "grader/run/worker/worker.h"
#include "harness/case/case.h"
#include "harness/case/timed_case.h"
#include "harness/case/untrusted_file.h"
#include "harness/core/plural.h"
#include "harness/data/element_type.h"
#include "harness/lab/shapes.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

constexpr std::array kSanitizerTools = {"memcheck", "racecheck", "initcheck", "synccheck"};
/// Total size of the arrays of a case for compute-sanitizer, which makes a kernel a hundred times
/// slower.
constexpr std::uint64_t kSmallBytes = std::uint64_t{1} << 20;
constexpr std::uint64_t kLongestLog = std::uint64_t{64} << 20;
/// ncu replays each launch about ten times.
constexpr std::size_t kMostLaunches = 256;

std::set<std::string> kinds_found(const CaseOutcome& outcome) {
  std::set<std::string> kinds;
  if (outcome.emulator) {
    for (const ReportedFinding& finding : outcome.emulator->findings) {
      kinds.insert(finding.kind);
    }
  }
  return kinds;
}

/// Whether the program completed, right or wrong.
bool ended(const CaseOutcome& outcome) {
  const CaseVerdict verdict = outcome.report.verdict;
  return verdict == CaseVerdict::passed || verdict == CaseVerdict::wrong ||
         verdict == CaseVerdict::broke_contract;
}

class Profiling {
 public:
  Profiling(LabSession& session, const fs::path& scratch)
      : session_(session),
        scratch_(scratch / "profile"),
        ncu_(find_tool("ncu", session.toolchain())),
        sanitizer_(find_tool("compute-sanitizer", session.toolchain())) {
    if (!ncu_.program.empty()) {
      metrics_ = known_metrics(ncu_.program, card_metrics());
    }
  }

  CardProfile take() {
    remove_tree(scratch_);
    return std::move(profile_);
  }

  void not_run(const std::string& tool, const std::string& name, const std::string& why) {
    profile_.runs.push_back({.tool = tool, .name = name, .end = ToolEnd::not_run, .message = why});
  }

  /// Counts the case as it was judged, for comparison with the emulator.
  void count_case(const BuildResult& submission, const Evidence& evidence, const Secret& personal) {
    const std::string& name = session_.lab().performance_case;
    const CaseOutcome* outcome = evidence.find_case(name);
    if (outcome == nullptr) {
      return not_run("ncu", name, "This lab has no performance case, and thus no case to profile.");
    }
    if (!ended(*outcome)) {
      return not_run("ncu", name, "Not run: the program does not complete there.");
    }
    const PreparedCase prepared =
        prepare_case(session_.data(*outcome->spec, personal), scratch_ / "counted");
    count({.program = "submission", .name = name, .shape = outcome->spec->data.dims, .kernels = {}},
          submission, prepared.request, prepared.folder, {});
  }

  /// Counts the timed call. Its commands are written before the process starts: no warm-up, one
  /// call, stop.
  std::optional<CardCounts> count_timed(const std::string& who, const BuildResult& program,
                                        const TimedInputs& inputs) {
    const PreparedTiming prepared = prepare_timing(inputs, scratch_ / ("timed-" + who),
                                                   session_.device().kind == DeviceKind::cuda);
    give_turn(inputs, prepared, "run", {});
    give_turn(inputs, prepared, "stop", {});
    const fs::path folder =
        inputs.files.empty() ? fs::path() : inputs.files.begin()->second.path.parent_path();
    return count({.program = who,
                  .name = inputs.spec.name,
                  .timed = true,
                  .shape = inputs.spec.data.dims,
                  .kernels = {}},
                 program, prepared.request, prepared.folder, folder);
  }

  void count_timed_both(const BuildResult& submission, const std::string& secret) {
    if (!profile_.runs.empty() && profile_.runs.back().end == ToolEnd::not_permitted) {
      return;  // once is enough
    }
    const TimedInputs& inputs = session_.timed_inputs(secret);
    if (!count_timed("submission", submission, inputs)) {
      return;
    }
    const BuildResult* reference = session_.reference_program();
    if (reference == nullptr) {
      return;
    }
    const std::size_t runs = profile_.runs.size();
    const std::optional<CardCounts>& counts = session_.reference_counts([&] {
      auto counted = count_timed("reference", *reference, inputs);
      if (counted) {
        profile_.counts.pop_back();
      }
      return counted;
    });
    if (counts) {
      profile_.runs.resize(runs);  // remarks that do not concern the submission
      profile_.counts.push_back(*counts);
    }
  }

  void check_all(const BuildResult& submission, const Evidence& evidence) {
    if (sanitizer_.program.empty()) {
      profile_.runs.push_back(missing_tool("compute-sanitizer"));
      return;
    }
    const CaseOutcome* outcome = case_to_check(evidence);
    if (outcome == nullptr) {
      return not_run("compute-sanitizer", "", "Not run: no small visible case completes.");
    }
    for (const char* tool : kSanitizerTools) {
      check(tool, submission, *outcome->spec);
    }
  }

  [[nodiscard]] bool has_ncu() {
    if (ncu_.program.empty()) {
      profile_.runs.push_back(missing_tool("ncu"));
    }
    return !ncu_.program.empty();
  }

 private:
  [[nodiscard]] bool in_sandbox() const { return session_.device().sandbox.on(); }

  /// The session's device, in a sandbox that allows profilers.
  [[nodiscard]] Device watched_device() const {
    Device device = session_.device();
    device.sandbox.for_profilers = true;
    return device;
  }

  std::optional<CardCounts> count(CardCounts counts, const BuildResult& program,
                                  const fs::path& request, const fs::path& folder,
                                  const fs::path& inputs) {
    const fs::path csv = folder / "ncu.csv";
    Watcher watcher{.words = profiler_command(ncu_.program, metrics_, csv),
                    .readable = ncu_.readable};
    watcher.words.insert(watcher.words.end(), {"--launch-count", std::to_string(kMostLaunches)});
    const ProcessResult process =
        run_watched_worker(program.program, request, folder, inputs, watched_device(), watcher);
    const std::string log = read_untrusted_file(csv, kLongestLog).value_or("");
    remove_tree(folder);
    const auto launches = read_profile(log);
    const std::string what = !counts.timed                   ? ""
                             : counts.program == "reference" ? "the reference's timed call"
                                                             : "the timed call";
    ToolRun run{.tool = "ncu", .name = {}, .end = ToolEnd::done, .message = {}};
    const bool complete = launches && !launches->empty() && process.end == ProcessEnd::exited;
    if (complete) {
      counts.kernels = kernels_of(*launches);
      run.seconds = process.seconds;
      run.message = fmt::format("{} of {}{}{}.", plural(launches->size(), "launch", "es"),
                                plural(counts.kernels.size(), "kernel"),
                                launches->size() >= kMostLaunches ? ", and no more counted" : "",
                                what.empty() ? "" : ", in " + what);
    } else {
      run = failed_ncu(process, log + "\n" + process.out + "\n" + process.err, in_sandbox());
      run.message += what.empty() ? "" : " That was " + what + ".";
    }
    run.name = counts.name;
    profile_.runs.push_back(std::move(run));
    if (!complete) {
      return std::nullopt;
    }
    profile_.counts.push_back(counts);
    return counts;
  }

  void check(const std::string& tool, const BuildResult& submission, const Case& spec) {
    const PreparedCase prepared = prepare_case(session_.data(spec, Secret{}), scratch_ / tool);
    const fs::path log = prepared.folder / "sanitizer.log";
    Watcher watcher{.words = {sanitizer_.program.string(), "--tool", tool, "--log-file",
                              log.string(), "--print-limit", "200", "--show-backtrace", "no"},
                    .readable = sanitizer_.readable};
    if (tool == "memcheck") {
      watcher.words.insert(watcher.words.end(), {"--leak-check", "full"});
    }
    const ProcessResult process = run_watched_worker(
        submission.program, prepared.request, prepared.folder, {}, watched_device(), watcher);
    SanitizerLog found =
        read_sanitizer_log(read_untrusted_file(log, kLongestLog).value_or(process.out), tool,
                           submission.source_folder);
    remove_tree(prepared.folder);
    ToolRun run{.tool = tool, .name = {}, .end = ToolEnd::done, .message = {}};
    if (found.finished) {
      run.seconds = process.seconds;
      run.message = found.findings.empty()
                        ? "Nothing found."
                        : fmt::format("{}, seen {}.", plural(found.findings.size(), "finding"),
                                      plural(times(found), "time"));
    } else {
      run = failed_sanitizer(tool, process, found.problem, in_sandbox());
    }
    run.name = spec.name;
    profile_.runs.push_back(std::move(run));
    profile_.findings.insert(profile_.findings.end(), found.findings.begin(), found.findings.end());
  }

  static std::uint64_t times(const SanitizerLog& found) {
    std::uint64_t sum = 0;
    for (const ToolFinding& finding : found.findings) {
      sum += finding.count;
    }
    return std::max(sum, found.errors);
  }

  LabSession& session_;
  fs::path scratch_;
  NvidiaTool ncu_;
  NvidiaTool sanitizer_;
  std::vector<std::string> metrics_;
  CardProfile profile_;
};

}  // namespace

const CaseOutcome* case_to_check(const Evidence& evidence) {
  const CaseOutcome* best = nullptr;
  std::tuple<std::size_t, bool, std::uint64_t> most;
  for (const CaseOutcome& outcome : evidence.cases) {
    const CaseVerdict verdict = outcome.report.verdict;
    const std::uint64_t bytes = bytes_of_arrays(*evidence.lab, outcome.spec->data.dims);
    if (!outcome.spec->visible || verdict == CaseVerdict::never_ends ||
        verdict == CaseVerdict::not_run || verdict == CaseVerdict::error || bytes > kSmallBytes) {
      continue;
    }
    const std::tuple worth{kinds_found(outcome).size(), verdict != CaseVerdict::passed, bytes};
    if (best == nullptr || worth > most) {
      best = &outcome;
      most = worth;
    }
  }
  return best;
}

CardProfile profile_on_card(LabSession& session, const BuildResult& submission,
                            const Evidence& evidence, const Secret& personal,
                            const std::string& secret, const fs::path& scratch) {
  if (!measures_time(session.device())) {
    return {.runs = {{.tool = "ncu",
                      .name = {},
                      .end = ToolEnd::not_run,
                      .message = "Not run: --profile needs a GPU, and this ran on the emulator."},
                     {.tool = "compute-sanitizer",
                      .name = {},
                      .end = ToolEnd::not_run,
                      .message = "Not run: no GPU in this run; the emulator has run all of these "
                                 "checks, and more."}},
            .counts = {},
            .findings = {}};
  }
  Profiling profiling(session, scratch);
  if (profiling.has_ncu()) {
    profiling.count_case(submission, evidence, personal);
    if (evidence.measured && evidence.measured->timing) {
      profiling.count_timed_both(submission, secret);
    }
  }
  profiling.check_all(submission, evidence);
  return profiling.take();
}

}  // namespace warpgrade
