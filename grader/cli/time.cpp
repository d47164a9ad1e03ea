#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "grader/build/compile/build.h"
#include "grader/cli/commands.h"
#include "grader/cli/options.h"
#include "grader/core/files.h"
#include "grader/judge/rubric/score.h"
#include "grader/run/gpu_timing/measure.h"
#include "grader/run/session/open_session.h"
#include "grader/submit/submission/submission.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

/// Between repeats, so that other processes waiting for the GPU get it.
constexpr std::chrono::milliseconds kPause{200};

struct TimeOptions {
  std::string lab;
  fs::path file;
  fs::path json;
  std::size_t repeats = 1;
  SandboxMode sandbox = SandboxMode::automatic;
};

nlohmann::json to_json(const Timing& timing, const std::vector<IntegrityFlag>& flags) {
  nlohmann::json kinds = nlohmann::json::array();
  for (const IntegrityFlag& flag : flags) kinds.push_back(flag.kind);
  return {{"ratio", timing.ratio},
          {"ratio_low", timing.runs->ratio_low.value()},
          {"ratio_high", timing.runs->ratio_high.value()},
          {"points", performance_points(timing)},
          {"submission_ms", timing.submission_ms},
          {"reference_ms", timing.reference_ms},
          {"submission_runs_ms", timing.runs->submission_ms},
          {"reference_runs_ms", timing.runs->reference_ms},
          {"rounds", timing.runs->rounds},
          {"flags", std::move(kinds)}};
}

void print_card(const CardRecord& card) {
  fmt::print("{}, driver {}\n", card.name, card.driver.empty() ? "unknown" : card.driver);
  if (card.peaks) {
    fmt::print("copies {:.0f} GB/s, {:.1f} TFLOP/s of multiply-adds in float\n",
               card.peaks->copy_bytes_per_second / 1e9, 2 * card.peaks->fma_per_second / 1e12);
  }
  if (!card.after) {
    fmt::print("clocks and temperature unknown: libnvidia-ml.so.1 not found\n");
  }
}

void print_run(const Timing& timing, const std::vector<IntegrityFlag>& flags, double seconds) {
  const MeasuredRuns& runs = timing.runs.value();
  fmt::print(
      "{:10.4f} ms {:10.4f} ms   {:7.4f}   {:.4f} to {:.4f} {:2} rounds {:4} pairs {:4.1f} s",
      timing.submission_ms, timing.reference_ms, timing.ratio, runs.ratio_low.value(),
      runs.ratio_high.value(), runs.rounds.size(), runs.submission_ms.size(), seconds);
  fmt::print(" {:3g} points", performance_points(timing));
  if (timing.card && timing.card->after) {
    const CardState& state = *timing.card->after;
    fmt::print("   {:.0f} MHz {:.0f} C {:.0f} W {}", state.sm_mhz, state.celsius, state.watts,
               state.throttle);
  }
  fmt::print("\n");
  for (const IntegrityFlag& flag : flags) {
    fmt::print("  {}: {} ({})\n", flag.kind, flag.message, flag.evidence);
  }
  std::fflush(stdout);
}

void write_runs(const fs::path& file, const LabSession& session, const nlohmann::json& runs) {
  const nlohmann::json document = {
      {"schema", 1}, {"lab", session.lab().id}, {"device", session.device().name}, {"runs", runs}};
  write_file_atomically(file, document.dump(1) + "\n");
}

ExitCode time_submission(const TimeOptions& options) {
  const Installation installation = find_installation();
  Lab lab = load_code_lab(installation, options.lab);
  if (lab.program) {
    throw UsageError(fmt::format(
        "{} is a lab whose students write programs; their time is modelled, not measured: see "
        "`warpgrade check`",
        lab.id));
  }
  const Submission submission = submission_of_file(options.file, lab);
  const DeviceRequest wanted =
      measures_time(Device{}) ? DeviceRequest::emulator : DeviceRequest::cuda;
  const std::unique_ptr<LabSession> session =
      open_session(installation, std::move(lab), {.device = wanted, .sandbox = options.sandbox});
  if (!submission.problem.empty()) {
    throw UsageError(submission.problem);
  }
  const ScratchFolder scratch;
  const BuildResult build = session->build(submission.files, scratch.path() / "build");
  if (!build.ok()) {
    fmt::print("It does not build: {}\n{}", build.message, build.log);
    return ExitCode::not_yet;
  }
  nlohmann::json runs = nlohmann::json::array();
  std::vector<double> ratios;
  std::map<double, std::size_t> points;  // how often
  for (std::size_t i = 0; i < options.repeats; ++i) {
    if (i > 0) std::this_thread::sleep_for(kPause);
    const auto begin = std::chrono::steady_clock::now();
    const Measurement found = measure(*session, build, "", scratch.path());
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    if (!found.timing) {
      fmt::print("{}\n", found.problem.empty() ? found.fault : found.problem);
      return found.problem.empty() ? ExitCode::environment : ExitCode::not_yet;
    }
    if (i == 0) {
      if (found.timing->card) print_card(*found.timing->card);
      fmt::print("{:>13} {:>13} {:>9}   {}\n", "submission", "reference", "ratio",
                 "95 % confidence interval");
    }
    print_run(*found.timing, found.flags, seconds.count());
    ratios.push_back(found.timing->ratio);
    ++points[performance_points(*found.timing)];
    runs.push_back(to_json(*found.timing, found.flags));
    // After every repeat, so that nothing is lost if the user interrupts.
    if (!options.json.empty()) write_runs(options.json, *session, runs);
  }
  const auto [low, high] = std::minmax_element(ratios.begin(), ratios.end());
  if (ratios.size() > 1) {
    fmt::print("{} repeats: ratio {:.4f} to {:.4f}, a spread of {:.2f} %;", ratios.size(), *low,
               *high, 100 * (*high / *low - 1));
    for (const auto& [earned, count] : points) fmt::print(" {:g} points {} times", earned, count);
    fmt::print("\n");
  }
  return ExitCode::passed;
}

}  // namespace

void add_time_command(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("time", "Measure one file against the reference on a GPU");
  const auto options = std::make_shared<TimeOptions>();
  command->add_option("lab", options->lab, "the lab's id, as `warpgrade labs` lists it")
      ->required();
  command->add_option("file", options->file, "the .cu file; headers it includes are copied along")
      ->required();
  command->add_option("--repeats", options->repeats, "number of measurements, each as for a grade")
      ->check(CLI::Range(1, 1000));
  command->add_option("--json", options->json, "write the figures to this file");
  add_sandbox_option(*command, options->sandbox);
  command->callback(
      [&action, options] { action = [options] { return time_submission(*options); }; });
}

}  // namespace warpgrade
