#include <fmt/core.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "emulator/debug/adapter.h"
#include "emulator/debug/messages.h"
#include "grader/build/compile/build.h"
#include "grader/cli/attempt_log/attempt_log.h"
#include "grader/cli/commands.h"
#include "grader/cli/options.h"
#include "grader/cli/visible_case.h"
#include "grader/core/files.h"
#include "grader/core/own_command.h"
#include "grader/core/text.h"
#include "grader/process/process.h"
#include "grader/run/session/open_session.h"
#include "grader/submit/submission/checked_work.h"
#include "harness/case/case.h"

// `warpgrade debug`: a debug adapter for one case of a submission. The program is the worker that
// `check` runs, with the emulator in its own process.

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

using warpsim::debug::DebuggedProgram;
using warpsim::debug::Says;

struct DebugOptions {
  std::string lab;
  fs::path work;
  std::string case_name;
  std::optional<CompilerRequest> compiler;
};

/// The case that is asked for; else the first that failed in the last check, else the first one.
const Case& choose_case(const Lab& lab, const std::string& name) {
  if (name.empty()) {
    const std::vector<const Case*> visible = visible_cases(lab);
    const std::vector<OwnAttempt> attempts = attempts_at(lab.id);
    const std::vector<std::string> failing =
        attempts.empty() ? std::vector<std::string>{} : attempts.back().failing;
    for (const std::string& failed : failing) {
      const auto it = std::ranges::find(visible, failed, &Case::name);
      if (it != visible.end()) return **it;
    }
    return *visible.front();
  }
  return require_visible_case(lab, name);
}

/// "n = 1000, m = 3"
std::string shape_of(const Case& spec) {
  std::string text;
  for (const auto& [name, value] : spec.data.dims) {
    text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", name, value);
  }
  return text;
}

/// One case of a submission, made ready when the editor launches it: an editor that waits for the
/// compiler shows that it does, one whose adapter does not answer gives up.
class DebuggedCase {
 public:
  explicit DebuggedCase(DebugOptions options)
      : options_(std::move(options)),
        installation_(find_installation()),
        lab_(load_code_lab(installation_, options_.lab)),
        spec_(choose_case(lab_, options_.case_name)) {}

  std::string prepare(DebuggedProgram& program, const Says& says) {
    try {
      return build(program, says);
    } catch (const std::exception& error) {
      return error.what();
    }
  }

  [[nodiscard]] std::string become(const DebuggedProgram& program, int socket) const {
    const fs::path warpsim = fs::path(own_command().front()).parent_path() / "warpsim";
    const Device& device = session_->device();
    ProcessSpec spec;
    spec.argv = {warpsim.string(), "--check", device.checks, "--budget",
                 std::to_string(device.instruction_budget)};
    if (!device.card.empty()) spec.argv.insert(spec.argv.end(), {"--card", device.card});
    spec.argv.emplace_back("--");
    spec.argv.insert(spec.argv.end(), program.command.begin(), program.command.end());
    spec.folder = program.folder;
    spec.environment = base_environment();
    spec.environment.insert(spec.environment.end(), program.environment.begin(),
                            program.environment.end());
    spec.environment.emplace_back(warpsim::debug::kSessionSocket, std::to_string(socket));
    spec.descriptors = {{.ours = socket, .theirs = socket}};
    // Whoever opens somebody else's submission runs it no less safely than the grader does.
    if (device.sandbox.on()) {
      std::erase_if(spec.environment, [](const auto& entry) { return entry.first == "TMPDIR"; });
    }
    spec.confinement = Confinement{.sandbox = device.sandbox,
                                   .view = {.readable = {warpsim, device.library_folder,
                                                         program.command.front(), source_folder_},
                                            .writable = {program.folder},
                                            .device = true}};
    return become_program(spec);
  }

 private:
  std::string build(DebuggedProgram& program, const Says& says) {
    if (!program.command.empty()) {
      return "the lab and the file decide what runs: remove \"program\" and \"args\"";
    }
    const CheckedWork work = work_at(options_.work, lab_);
    if (!work.submission.problem.empty()) return work.submission.problem;
    source_folder_ = folder_with(work.submission.files);
    session_ = open_session(installation_, lab_,
                            {.compiler = options_.compiler,
                             .device = DeviceRequest::emulator,
                             .sandbox = SandboxMode::automatic});
    says(fmt::format("Compiling {} for the debugger.\n", work.submission.files.front().name));
    const BuildResult build =
        session_->build_to_debug(work.submission.files, source_folder_, scratch_.path() / "build");
    if (!build.log.empty()) says(build.log);
    if (!build.ok()) return fmt::format("it does not build: {}", build.message);
    const PreparedCase prepared =
        prepare_case(session_->data(spec_, Secret{}), scratch_.path() / "case");
    program.command = {build.program.string(), prepared.request.string()};
    program.folder = prepared.folder.string();
    says(fmt::format("Case \"{}\": {}.\n", spec_.name, shape_of(spec_)));
    return {};
  }

  /// Where the files of the submission are, with the names that it gives them.
  /// @throws UsageError  for an archive
  [[nodiscard]] fs::path folder_with(const std::vector<SourceFile>& files) const {
    std::error_code error;
    const fs::path work = fs::canonical(options_.work, error);
    for (const fs::path& folder : {work.parent_path(), work, work / lab_.id}) {
      const bool all = std::ranges::all_of(files, [&](const SourceFile& file) {
        return fs::is_regular_file(folder / file.name, error);
      });
      if (!error && all) return folder;
    }
    throw UsageError(fmt::format("{} is not a .cu file or a folder with {}: unpack it first",
                                 printable(options_.work.string()), files.front().name));
  }

  const DebugOptions options_;
  const Installation installation_;
  const Lab lab_;
  const Case& spec_;
  const ScratchFolder scratch_;
  fs::path source_folder_;  // what the editor shows
  std::unique_ptr<LabSession> session_;
};

ExitCode debug(DebugOptions options) {
  if (::isatty(STDIN_FILENO) != 0) {
    throw UsageError(
        "editors start this command and talk to it (Debug Adapter Protocol on standard input and "
        "output); docs/editors.md has their settings");
  }
  if (options.work.empty()) options.work = options.lab + ".cu";
  DebuggedCase debugged(std::move(options));
  const int code = warpsim::debug::serve(
      STDIN_FILENO, STDOUT_FILENO, {},
      [&](DebuggedProgram& program, const Says& says) { return debugged.prepare(program, says); },
      [&](const DebuggedProgram& program, int socket) { return debugged.become(program, socket); });
  return code == 0 ? ExitCode::passed : ExitCode::usage;
}

}  // namespace

void add_debug_command(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand(
      "debug", "Debug a case of your submission, from an editor: a debug adapter");
  const auto options = std::make_shared<DebugOptions>();
  command->add_option("lab", options->lab, "the lab's id, as `warpgrade labs` lists it")
      ->required();
  command->add_option("work", options->work,
                      "the .cu or .hip file, or the folder to submit (default: <lab>.cu)");
  command->add_option("case", options->case_name,
                      "a visible case (default: the first that failed in the last check, else the "
                      "first)");
  add_compiler_option(*command, options->compiler);
  command->callback([&action, options] { action = [options] { return debug(*options); }; });
}

}  // namespace warpgrade
