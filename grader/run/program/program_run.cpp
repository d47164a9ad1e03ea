#include "grader/run/program/program_run.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "emulator/device/card.h"
#include "grader/build/compile/build.h"
#include "grader/core/error.h"
#include "grader/core/files.h"
#include "grader/core/instant.h"
#include "grader/core/source_names.h"
#include "grader/core/steps.h"
#include "grader/core/text.h"
#include "grader/run/cases/recorded_case.h"
#include "grader/run/session/identity.h"
#include "grader/run/worker/undisturbed.h"
#include "grader/run/worker/worker.h"
#include "harness/core/plural.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

/// Of standard output.
constexpr std::size_t kPrinted = std::size_t{1} << 20;
/// A recorded run takes several times as long as one that is not.
constexpr double kSlowSeconds = 8;

const warpsim::Card& card_of(const PlainProgram& program) {
  if (program.card.empty()) return warpsim::default_card();
  if (const warpsim::Card* card = warpsim::find_card(program.card)) return *card;
  std::vector<std::string> known;
  for (const warpsim::Card& card : warpsim::all_cards()) known.emplace_back(card.id);
  throw UsageError(fmt::format("there is no card '{}'; the emulator knows {}",
                               printable(program.card), join_and(known)));
}

ProgramCommand command_of(const PlainProgram& program, const fs::path& scratch,
                          const std::string& name) {
  ProgramCommand command;
  command.arguments = program.arguments;
  command.folder = scratch / name;
  fs::create_directories(command.folder);
  if (!program.input.empty()) {
    command.input = scratch / (name + ".stdin");
    write_file_atomically(command.input, program.input);
  }
  command.output_bytes = kPrinted;
  return command;
}

/// Runs it, and once more if that was disturbed.
/// @throws EnvironmentError  if it was disturbed twice, or the emulator failed
WorkerRun run_once_more_if_disturbed(const fs::path& executable, const ProgramCommand& command,
                                     const Device& device, const fs::path& sources, bool records) {
  const auto run_it = [&] {
    return run_program_of_no_lab(executable, command, device, sources, records);
  };
  WorkerRun run = run_it();
  if (was_disturbed(run)) run = run_it();
  if (!run.device_fault.empty()) throw EnvironmentError(run.device_fault);
  if (was_killed(run.process, run.limits) || run.process.end == ProcessEnd::not_started) {
    throw EnvironmentError(fmt::format("the program {}; try again when the machine is less busy",
                                       describe_end(run.process, run.limits)));
  }
  return run;
}

const ReportedFinding* first_error(const WorkerRun& run) {
  if (!run.report) return nullptr;
  if (const ReportedFinding* endless = run.never_ends()) return endless;
  const std::vector<ReportedFinding>& all = run.report->findings;
  const auto it =
      std::find_if(all.begin(), all.end(), [](const ReportedFinding& f) { return f.is_error(); });
  return it == all.end() ? nullptr : &*it;
}

std::string place_of(const ReportedFinding& finding) {
  if (finding.file.empty() || finding.line == 0) return {};
  return fmt::format("{}:{}: ", finding.file, finding.line);
}

/// One sentence about a run.
std::string summary_of(const WorkerRun& run) {
  if (const ReportedFinding* error = first_error(run)) {
    const std::string place = place_of(*error);
    return place.empty() ? as_sentence(error->message) : place + error->message + ".";
  }
  if (run.process.end != ProcessEnd::exited) {
    std::string text = fmt::format("The program {}.", describe_end(run.process, run.limits));
    if (run.progress) text += " " + describe(*run.progress);
    return text;
  }
  const std::string ended = run.process.code == 0
                                ? std::string("It ran to its end")
                                : fmt::format("It ended with exit code {}", run.process.code);
  if (!run.report || run.report->kernels.empty()) return ended + " and ran no kernel.";
  const auto warnings = static_cast<std::size_t>(
      std::ranges::count(run.report->findings, "warning", &ReportedFinding::severity));
  return warnings == 0 ? ended + ", and no error was found."
                       : fmt::format("{}, with {}.", ended, plural(warnings, "warning"));
}

std::string output_of(const ProcessResult& process) {
  std::string text = process.out;
  if (process.out_cut) text += "\n(more was printed than was kept)\n";
  if (!process.err.empty()) text += (text.empty() ? "" : "\n") + process.err;
  return text;
}

/// The program as a lab whose students write main(), for what compiles and runs programs.
/// @param folder  an empty one
Lab lab_of_program(const PlainProgram& program, const fs::path& folder) {
  const warpsim::Card& card = card_of(program);
  Lab lab;
  lab.id = "program";
  lab.title = "A program";
  lab.architecture = 10 * card.major + card.minor;
  if (card.major == 9 && card.minor == 0) lab.nvcc_architecture = "90a";
  lab.card = program.card;
  for (const SourceFile& file : program.files) {
    if (is_program(file.name)) lab.submit.push_back(file.name);
  }
  lab.function = "main";
  lab.program.emplace();
  lab.host_assembly = true;
  lab.folder = folder;
  return lab;
}

}  // namespace

ObservedProgram observe_program(const Installation& installation, const Workplace& workplace,
                                const PlainProgram& program, bool pictures) {
  const ScratchFolder scratch;
  const fs::path own = scratch.path() / "lab";
  fs::create_directories(own);
  const Lab lab = lab_of_program(program, own);
  ObservedProgram observed;
  Grade& facts = observed.facts;
  facts.lab = lab.id;
  facts.lab_title = lab.submit.empty() ? lab.title : lab.submit.front();
  facts.student = "you";
  facts.sources = program.files;
  facts.started = instant_text(now_utc());
  facts.environment["compiler"] = workplace.toolchain.compiler.name();

  begin_step("compiling");
  const SharedParts shared = make_shared_parts(workplace.toolchain, lab, scratch.path());
  const BuildResult build = build_program(workplace.toolchain, installation, lab, program.files,
                                          shared, scratch.path() / "build");
  facts.build_log = build.log;
  observed.builds = build.ok();
  if (!build.ok()) {
    facts.summary = fmt::format("It does not build: {}.", build.message);
    return observed;
  }

  begin_step("running");
  Device device = workplace.device;
  device.card = program.card;
  const WorkerRun run =
      run_once_more_if_disturbed(build.program, command_of(program, scratch.path(), "run"), device,
                                 build.source_folder, /*records=*/false);
  const ReportedFinding* error = first_error(run);
  facts.summary = summary_of(run);
  facts.output = output_of(run.process);
  facts.seconds = run.process.seconds;
  if (error != nullptr) facts.pitfall = error->pitfall;
  observed.passed = error == nullptr && run.process.ok();
  if (!run.report) return observed;
  facts.device = {.kind = "emulator", .name = run.report->device};
  facts.findings = run.report->findings;
  facts.kernels = run.report->kernels;
  facts.kernels_case = "the run";

  if (!pictures || facts.kernels.empty() || run.process.seconds > kSlowSeconds) return observed;
  begin_step("drawing pictures");
  const ProgramCommand again = command_of(program, scratch.path(), "recorded");
  static_cast<void>(
      run_program_of_no_lab(build.program, again, device, build.source_folder, /*records=*/true));
  observed.recording = with_sources(recording_of(again.folder), program.files);
  return observed;
}

}  // namespace warpgrade
