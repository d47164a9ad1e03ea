#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/socket.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "emulator/changes/changes.h"
#include "emulator/debug/adapter.h"
#include "emulator/debug/messages.h"
#include "emulator/isa/row.h"
#include "emulator/recording/page.h"
#include "emulator/recording/recording.h"
#include "emulator/recording/selection.h"
#include "emulator/remote/protocol.h"
#include "emulator/report/report.h"
#include "emulator/report/settings.h"
#include "emulator/warpsim/numba.h"
#include "emulator/warpsim/program.h"

// warpsim: runs a CUDA program with the emulator instead of the CUDA runtime. It only sets up the
// environment and executes the program in its own process, so that exit code, signals, input and
// output are the program's.

namespace warpsim {
namespace {

namespace fs = std::filesystem;

constexpr int kUsage = 2;
constexpr int kEnvironment = 3;
constexpr int kErrorExitcode = 99;

struct Options {
  std::string checks = "all";
  std::string card = default_card().id;
  int devices = 1;
  std::string json;
  std::string format;
  std::string output;
  std::string trace;
  std::string record;
  std::string record_what;
  std::string show;
  std::uint64_t seed = 0;
  unsigned threads = 0;
  std::string jit;  // empty: as WARPSIM_JIT says
  std::uint64_t budget = 0;
  std::string changes;
  int error_exitcode = kErrorExitcode;
  bool counters = false;
  bool lines = false;
  bool instructions = false;
  bool ptxas = false;
  bool list_instructions = false;
  bool quiet = false;
  bool separate = false;
  bool dap = false;
  std::vector<std::string> command;
};

/// The description has the usage line, because CLI11's cannot include `--`.
class Help : public CLI::Formatter {
 public:
  std::string make_usage(const CLI::App*, std::string) const override { return {}; }
};

void add_options(CLI::App& app, Options& options) {
  app.add_option(
         "--check", options.checks,
         fmt::format("Checks: all, none, or a list of bounds, uninitialized, races, barriers,\n"
                     "leaks, counters, cache; not in all: {}",
                     fmt::join(checks_on_request(), ", ")))
      ->check([](const std::string& list) {
        std::string error;
        (void)parse_checks(list, error);
        return error;
      })
      ->type_name("LIST");
  app.add_option("--card", options.card, "The card to emulate: t4, a100, h200, ...")
      ->check([](const std::string& id) {
        std::string error;
        (void)parse_card(id, error);
        return error;
      })
      ->type_name("NAME");
  app.add_option("--devices", options.devices, "How many such cards the program sees")
      ->check(CLI::Range(1, kMostDevices))
      ->capture_default_str()
      ->type_name("N");
  app.add_option("--json", options.json, "Write the report to this file (docs/warpsim.schema.json)")
      ->type_name("FILE");
  app.add_option("--format", options.format,
                 "What is printed about the findings: text, json (the report of --json), sarif\n"
                 "or github (annotations of GitHub's workflows)")
      ->check([](const std::string& name) {
        std::string error;
        (void)parse_format(name, error);
        return error;
      })
      ->type_name("FORMAT");
  app.add_option("--output", options.output,
                 "Write it to this file instead of printing it on standard error")
      ->type_name("FILE");
  app.add_option("--trace", options.trace,
                 "Write the modelled timeline to this file, for Perfetto or chrome://tracing")
      ->type_name("FILE");
  app.add_option("--record", options.record,
                 "Record what a block does, step by step, to this file; to one that ends in .html\n"
                 "as a page with pictures (docs/recordings.md)")
      ->type_name("FILE");
  app.add_option("--record-what", options.record_what,
                 "Which block: launch=N,kernel=NAME,block=X:Y:Z, and bytes=N as the limit of its\n"
                 "size; by default those that findings name, or else block 0 of the first launch")
      ->check([](const std::string& text) {
        std::string error;
        (void)recording::parse_selection(text, error);
        return error;
      })
      ->type_name("LIST");
  app.add_option("--show", options.show,
                 "Write the page of a recording to the file of --output, or beside it, and exit")
      ->type_name("FILE");
  app.add_option("--seed", options.seed, "Seed of the schedule; 0 is the default schedule")
      ->type_name("N");
  app.add_option("--jit", options.jit,
                 "Compile hot runs of instructions for this processor: on (the default), off, or a "
                 "number of executions (docs/native-code.md)")
      ->type_name("on|off|N");
  app.add_option("--threads", options.threads, "Host threads; 0 for one per core")->type_name("N");
  app.add_option(
         "--budget", options.budget,
         "Maximum instructions per warp before a kernel is stopped as endless; 0 for the default")
      ->type_name("N");
  app.add_option("--change", options.changes,
                 "Change one thing in this run, to see whether its results become correct:\n"
                 "barrier-after=LINE, start=0, in-turn=LINE, ... (docs/emulator.md)")
      ->check([](const std::string& text) {
        std::string error;
        (void)parse_changes(text, error);
        return error;
      })
      ->type_name("LIST");
  app.add_option("--error-exitcode", options.error_exitcode,
                 "Exit code when there is a finding of severity error; 0 keeps the program's own")
      ->check(CLI::Range(0, 255))
      ->capture_default_str()
      ->type_name("N");
  app.add_flag("--counters", options.counters, "Print what every kernel did");
  app.add_flag("--lines", options.lines, "Also print the source lines with the highest counts");
  app.add_flag("--instructions", options.instructions,
               "Put every PTX instruction's counters into the report of --json");
  app.add_flag("--ptxas", options.ptxas,
               "Ask the toolkit's ptxas for registers instead of estimating them");
  app.add_flag("--list-instructions", options.list_instructions,
               "Print the supported forms of PTX instructions, and exit");
  app.add_flag("--separate", options.separate,
               "Run the device in a separate process, as the grader does: the program cannot\n"
               "access its results");
  app.add_flag("--dap", options.dap,
               "Serve a debugger on standard input and output, by the Debug Adapter Protocol\n"
               "(docs/debugging.md); the client may name the program");
  app.add_flag("--quiet", options.quiet, "Print nothing; for use with --json");
}

/// The folder of the runtime libraries: relative to the launcher, in the build and when installed.
fs::path library_folder() {
  std::error_code ignored;
  const fs::path launcher = fs::read_symlink("/proc/self/exe", ignored);
  const fs::path libraries = launcher.parent_path().parent_path() / "lib";
  const fs::path installed = libraries / "warpgrade" / "warpsim";
  return fs::is_directory(installed, ignored) ? installed : libraries / "warpsim";
}

void prepend(const char* variable, const std::string& value) {
  const char* old = std::getenv(variable);
  const std::string joined = old == nullptr || *old == '\0' ? value : value + ":" + old;
  ::setenv(variable, joined.c_str(), 1);
}

void set(const char* variable, const std::string& value) {
  ::setenv(variable, value.c_str(), 1);
}

void export_settings(const Options& options) {
  set("WARPSIM_CHECK", options.checks);
  set("WARPSIM_CARD", options.card);
  set("WARPSIM_DEVICES", std::to_string(options.devices));
  set("WARPSIM_SEED", std::to_string(options.seed));
  if (!options.jit.empty()) set("WARPSIM_JIT", options.jit);
  set("WARPSIM_THREADS", std::to_string(options.threads));
  set("WARPSIM_BUDGET", std::to_string(options.budget));
  set("WARPSIM_CHANGE", options.changes);
  set("WARPSIM_COUNTERS", options.counters ? "1" : "0");
  set("WARPSIM_LINES", options.lines ? "1" : "0");
  set("WARPSIM_INSTRUCTIONS", options.instructions ? "1" : "0");
  set("WARPSIM_PTXAS", options.ptxas ? "1" : "0");
  set("WARPSIM_QUIET", options.quiet ? "1" : "0");
  set("WARPSIM_JSON", options.json.empty() ? "" : fs::absolute(options.json).string());
  set("WARPSIM_FORMAT", options.format.empty() ? "text" : options.format);
  set("WARPSIM_OUTPUT", options.output.empty() ? "" : fs::absolute(options.output).string());
  set("WARPSIM_RECORD", options.record.empty() ? "" : fs::absolute(options.record).string());
  set("WARPSIM_RECORD_WHAT", options.record_what);
  set("WARPSIM_TRACE", options.trace.empty() ? "" : fs::absolute(options.trace).string());
  if (options.error_exitcode != 0) {
    set("WARPSIM_ERROR_EXITCODE", std::to_string(options.error_exitcode));
  } else {
    ::unsetenv("WARPSIM_ERROR_EXITCODE");
  }
}

int fail(int code, const std::string& message) {
  fmt::print(stderr, "warpsim: {}\n", message);
  return code;
}

/// The instruction table, one form per line; unsupported forms with the reason.
int list_instructions() {
  std::vector<std::string> lines;
  for (const Family& family : instruction_table(best_simd_level())) {
    for (const Row& row : family) {
      std::istringstream forms{std::string(row.forms)};
      for (std::string form; std::getline(forms, form);) {
        lines.push_back(row.unsupported.empty()
                            ? form
                            : fmt::format("{}  (not supported: {})", form, row.unsupported));
      }
    }
  }
  std::ranges::sort(lines);
  for (const std::string& line : lines) fmt::print("{}\n", line);
  return 0;
}

/// Writes the page of a recording.
int show_recording(const Options& options) {
  std::error_code failure;
  if (const auto size = fs::file_size(options.show, failure);
      failure || size > recording::kMostBytes) {
    return fail(kEnvironment, fmt::format("cannot read '{}': {}", options.show,
                                          failure ? failure.message() : "larger than 4 MiB"));
  }
  std::ifstream stream(options.show, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(stream), {}};
  const std::string path = options.output.empty() ? options.show + ".html" : options.output;
  try {
    const std::string page = recording::to_page(recording::decode(bytes));
    if (const std::string why = write_atomically(path, page); !why.empty()) {
      return fail(kEnvironment, why);
    }
  } catch (const recording::BadRecording& error) {
    return fail(kEnvironment, fmt::format("{}: {}", options.show, error.what()));
  }
  fmt::print("{}\n", path);
  return 0;
}

/// Starts the device's process and makes this one its client.
/// @returns an error, or nothing
std::string start_device(const fs::path& folder, const ProgramFile& program) {
  const bool is_12 = !program.runtimes.empty() && program.runtimes.front() == "libcudart.so.12";
  const fs::path device = folder / (is_12 ? "device-12" : "device-13");
  int ends[2] = {-1, -1};
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends) != 0) {
    return fmt::format("cannot make a socket: {}", std::strerror(errno));
  }
  const pid_t child = ::fork();
  if (child < 0) return fmt::format("cannot start a process: {}", std::strerror(errno));
  if (child == 0) {
    ::close(ends[0]);
    const std::string socket = std::to_string(ends[1]);
    ::execl(device.c_str(), device.c_str(), "--socket", socket.c_str(), nullptr);
    fmt::print(stderr, "warpsim: cannot run '{}': {}\n", device.string(), std::strerror(errno));
    ::_exit(kEnvironment);
  }
  ::close(ends[1]);
  set(remote::kSocketVariable, std::to_string(ends[0]));
  return {};
}

/// Becomes the program. @returns why it cannot
std::string become(const Options& options, const ProgramFile& program,
                   const std::vector<std::string>& command) {
  const fs::path folder = library_folder();
  export_settings(options);
  if (options.separate) {
    if (const std::string why = start_device(folder, program); !why.empty()) return why;
  }
  const fs::path libraries = options.separate ? folder / "client" : folder;
  prepend("LD_LIBRARY_PATH", libraries);
  // A program that needs no runtime library may be an interpreter, or start one.
  if (program.runtimes.empty() && !options.separate) {
    for (const auto& [variable, value] : numba_environment(folder)) set(variable.c_str(), value);
    prepend("PATH", folder / "bin");  // with an nvcc that PyCUDA's kernels need
  }
  if (program.fixed_search_path) {
    for (const std::string& library : program.needed) {
      if (fs::exists(libraries / library)) prepend("LD_PRELOAD", libraries / library);
    }
  }
  std::vector<char*> arguments;
  for (const std::string& argument : command) {
    arguments.push_back(const_cast<char*>(argument.c_str()));
  }
  arguments.push_back(nullptr);
  ::execv(program.path.c_str(), arguments.data());
  return fmt::format("cannot run '{}': {}", program.path, std::strerror(errno));
}

/// @returns what is wrong with a program, or the installation; or nothing
std::string examine(const std::string& name, ProgramFile& program) {
  std::string error;
  program = examine_program(name, error);
  if (!error.empty()) return error;
  const fs::path folder = library_folder();
  if (fs::exists(folder / "libcudart.so.13")) return {};
  return fmt::format("the emulator's libraries are not in '{}'; build or install the whole project",
                     folder.string());
}

int run(const Options& options) {
  ProgramFile program;
  if (const std::string error = examine(options.command.front(), program); !error.empty()) {
    return fail(kEnvironment, error);
  }
  return fail(kEnvironment, become(options, program, options.command));
}

/// Serves a debugger.
int debug_program(const Options& options) {
  // The file of a program in another working directory is found there.
  const auto name_of = [](const debug::DebuggedProgram& program) {
    const fs::path name = program.command.front();
    const bool relative = !program.folder.empty() && name.is_relative() && name.has_parent_path();
    return relative ? (fs::path(program.folder) / name).string() : name.string();
  };
  return debug::serve(
      STDIN_FILENO, STDOUT_FILENO, options.command,
      [&](const debug::DebuggedProgram& program, const debug::Says&) -> std::string {
        if (program.command.empty()) {
          return "which program? Set \"program\" in the launch configuration";
        }
        std::error_code ignored;
        if (!program.folder.empty() && !fs::is_directory(program.folder, ignored)) {
          return fmt::format("the working directory '{}' does not exist", program.folder);
        }
        ProgramFile file;
        return examine(name_of(program), file);
      },
      [&](const debug::DebuggedProgram& program, int socket) {
        ProgramFile file;
        if (std::string error = examine(name_of(program), file); !error.empty()) return error;
        file.path = fs::absolute(file.path).string();
        if (!program.folder.empty() && ::chdir(program.folder.c_str()) != 0) {
          return fmt::format("cannot enter '{}': {}", program.folder, std::strerror(errno));
        }
        for (const auto& [variable, value] : program.environment) {
          ::setenv(variable.c_str(), value.c_str(), 1);
        }
        set(debug::kSessionSocket, std::to_string(socket));
        return become(options, file, program.command);
      });
}

}  // namespace
}  // namespace warpsim

int main(int argc, char** argv) {
  CLI::App app{
      "Usage: warpsim [options] -- program [arguments]\n\n"
      "Runs a CUDA program without a GPU: its kernels are executed by an emulator that\n"
      "checks every access and counts what the hardware would do.",
      "warpsim"};
  app.formatter(std::make_shared<warpsim::Help>());
  app.prefix_command();  // options after the program's name are its own
  app.footer(
      "Exit code: the program's own; --error-exitcode when there was an error finding;\n"
      "2 for a usage error; 3 when the program cannot be run under the emulator.");
  warpsim::Options options;
  warpsim::add_options(app, options);
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp& help) {
    return app.exit(help);
  } catch (const CLI::ParseError& error) {
    (void)app.exit(error);
    return warpsim::kUsage;
  }
  if (options.list_instructions) return warpsim::list_instructions();
  if (!options.show.empty()) return warpsim::show_recording(options);
  options.command = app.remaining();
  if (!options.command.empty() && options.command.front() == "--") {
    options.command.erase(options.command.begin());
  } else if (!options.command.empty() && options.command.front().starts_with('-')) {
    return warpsim::fail(
        warpsim::kUsage,
        fmt::format("unknown option '{}'; warpsim --help lists them", options.command.front()));
  }
  if (options.dap && options.separate) {
    return warpsim::fail(warpsim::kUsage, "--dap and --separate exclude each other");
  }
  if (options.dap && !options.record.empty()) {
    return warpsim::fail(warpsim::kUsage, "--dap and --record exclude each other");
  }
  if (options.dap) return warpsim::debug_program(options);
  if (options.command.empty()) {
    return warpsim::fail(warpsim::kUsage,
                         "which program? warpsim [options] -- program [arguments]");
  }
  return warpsim::run(options);
}
