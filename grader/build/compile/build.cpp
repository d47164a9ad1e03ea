#include "grader/build/compile/build.h"

#include <cxxabi.h>
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <memory>
#include <optional>
#include <system_error>
#include <thread>

#include "grader/build/compile/build_site.h"
#include "grader/build/compile/compile_step.h"
#include "grader/build/compile/compiler_messages.h"
#include "grader/build/compile/object_cache.h"
#include "grader/build/inspection/host_assembly.h"
#include "grader/build/inspection/includes.h"
#include "grader/build/inspection/object_scan.h"
#include "grader/build/inspection/symbol_origin.h"
#include "grader/build/toolchain/clang_messages.h"
#include "grader/build/toolchain/find_sandbox.h"
#include "grader/core/disk.h"
#include "grader/core/error.h"
#include "grader/core/files.h"
#include "grader/core/sha256.h"
#include "grader/core/source_names.h"
#include "grader/core/text.h"
#include "grader/core/user_cache.h"
#include "grader/process/usage.h"
#include "harness/case/untrusted_file.h"
#include "harness/lab/glue.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kDisassemblyBytes = std::size_t{64} << 20;

/// "vecadd(float const*, int)"; a name that is not mangled is returned unchanged.
std::string demangled(const std::string& symbol) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> name(
      abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), &std::free);
  return status == 0 && name ? std::string(name.get()) : symbol;
}

class Builder {
 public:
  Builder(BuildSite site, const std::vector<SourceFile>& files)
      : site_(std::move(site)), files_(files), step_(make_compile_step(site_)) {
    result_.source_folder = site_.sources();
  }
  Builder(const Builder&) = delete;  // the step refers to the site
  Builder& operator=(const Builder&) = delete;

  BuildResult run() {
    const auto started = std::chrono::steady_clock::now();
    write_sources();
    result_.flags = scan_sources(files_, lab().allowed_libraries);
    if (make_object() && link()) {
      result_.end = BuildEnd::built;
    } else if (result_.end != BuildEnd::not_allowed) {
      require_room(scratch());
    }
    result_.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
    return std::move(result_);
  }

 private:
  void write_sources() {
    if (!site_.debugged.empty()) return;
    for (const SourceFile& file : files_) {
      write_file_atomically(result_.source_folder / file.name, file.text);
    }
  }

  /// The submission's object, ready to be linked.
  bool make_object() {
    const std::string& key = site_.object_key;
    const fs::path object = scratch() / "student.o";
    if (!key.empty()) {
      if (std::optional<CachedBuild> kept = load_object(key, object)) {
        result_.flags = std::move(kept->flags);
        result_.log = std::move(kept->log);
        result_.source_folder = kept->source_folder;
        return true;
      }
    }
    if (!(compile() && merge() && inspect() && isolate())) {
      return false;
    }
    if (!key.empty()) {
      store_object(key, object,
                   {.flags = result_.flags,
                    .log = result_.log,
                    .source_folder = result_.source_folder.string()});
    }
    return true;
  }

  bool compile() {
    const std::set<std::string> included = included_programs(files_);
    for (const SourceFile& file : files_) {
      if (is_program(file.name) && !included.contains(file.name)) {
        compiled_.push_back(&file);
        objects_.push_back((scratch() / fmt::format("part{}.o", objects_.size())).string());
      }
    }
    const bool trusts_markers =
        std::none_of(files_.begin(), files_.end(),
                     [](const SourceFile& file) { return writes_line_markers(file.text); });
    made_.resize(compiled_.size());
    std::vector<std::exception_ptr> errors(compiled_.size());
    {
      std::vector<std::jthread> threads;
      for (std::size_t i = 0; i < compiled_.size(); ++i) {
        threads.emplace_back([&, i] {
          try {
            made_[i] = step_->compile(*compiled_[i], objects_[i], trusts_markers);
          } catch (...) {
            errors[i] = std::current_exception();
          }
        });
      }
    }
    for (const std::exception_ptr& error : errors) {
      if (error) {
        std::rethrow_exception(error);
      }
    }
    for (const CompiledSource& made : made_) {
      count_processor_time(Work::compiler, made.cpu_seconds);
    }
    return std::all_of(made_.begin(), made_.end(),
                       [this](const CompiledSource& made) { return accept_compilation(made); });
  }

  bool accept_compilation(const CompiledSource& made) {
    const ProcessResult& result = made.result;
    if (result.end == ProcessEnd::not_started) {
      throw EnvironmentError(fmt::format("{} {}; run `warpgrade doctor`", made.tool,
                                         describe_end(result, made.limits)));
    }
    result_.log += readable(made.log);
    if (result.ok()) {
      return true;
    }
    if (result.end != ProcessEnd::exited && result.end != ProcessEnd::signalled) {
      result_.end = BuildEnd::too_long;
      result_.message = fmt::format("the compiler {}", describe_end(result, made.limits));
      return false;
    }
    if (!names_submission()) {
      require_working_compiler(site_.toolchain);
    }
    result_.end = BuildEnd::does_not_compile;
    result_.message =
        first_error(fmt::format("{} {}", made.tool, describe_end(result, made.limits)));
    explain_failure(made.log);
    if (!names_submission()) require_no_crash(made);
    return false;
  }

  /// What a compiler crashes on may be right. It earns no points and loses none: the grader tries
  /// once more, and then a person decides.
  /// @throws EnvironmentError
  static void require_no_crash(const CompiledSource& made) {
    std::string crash = compiler_crash(made.log);
    if (crash.empty() && made.result.end == ProcessEnd::signalled && made.result.code != SIGXCPU) {
      crash = describe_end(made.result, made.limits);
    }
    if (crash.empty()) return;
    throw EnvironmentError(
        fmt::format("{} crashed ({}); the source may be right: compile it with another compiler "
                    "(--compiler), write the code that it crashes on in another way, or decide on "
                    "the points by hand (docs/course.md)",
                    made.tool, printable(crash)));
  }

  /// Adds what the compiler's messages do not say.
  /// @throws EnvironmentError  if it is not a mistake of the submission's: another compiler builds
  /// it
  void explain_failure(const std::string& log) {
    if (const std::string other = step_->needs_other_compiler(log); !other.empty()) {
      throw EnvironmentError(
          fmt::format("{}: {}; use --compiler nvcc", printable(place_of_first_error()), other));
    }
    std::vector<std::string> notes;
    if (std::string note = step_->note(log); !note.empty()) {
      notes.push_back(std::move(note));
    }
    for (const SourceFile& file : files_) {
      std::string note = shadowing_problem(site_.toolchain.compiler.cuda_headers, file.name);
      if (!note.empty()) {
        notes.push_back(std::move(note));
      }
    }
    for (const std::string& note : notes) {
      result_.message += "; " + note;
      result_.log += "note: " + note + "\n";
    }
  }

  /// Looks for inline assembly in host code, which could be anything; in device code it is PTX.
  void inspect_host_code() {
    for (std::size_t i = 0; i < made_.size(); ++i) {
      const std::optional<std::string>& found = made_[i].host_assembly;
      const std::string name = printable(compiled_[i]->name);
      if (!found) {
        result_.flags.push_back(
            {.kind = "host-assembly",
             .message = "Its host code could not be checked for inline assembly.",
             .evidence = name});
        continue;
      }
      if (found->empty()) {
        continue;
      }
      result_.flags.push_back({.kind = "host-assembly",
                               .message = fmt::format("It has {} in host code.", *found),
                               .evidence = name});
      if (!lab().host_assembly && host_refusal_.empty()) {
        host_refusal_ = fmt::format(
            "{}: inline assembly is not allowed in host code (PTX in kernels is); remove it",
            *found);
      }
    }
  }

  bool merge() {
    // Resolving section groups first keeps objcopy's local symbols out of the linker's choice
    // between equal groups, which could drop the section that they lie in.
    std::vector<std::string> merge = {site_.toolchain.ld.string(), "-r", "--force-group-allocation",
                                      "-o", "merged.o"};
    merge.insert(merge.end(), objects_.begin(), objects_.end());
    const ProcessSpec spec = tool(std::move(merge), scratch());
    const ProcessResult merged = run_step(spec);
    if (!merged.ok()) {
      result_.log += readable(merged.err);
      result_.end = BuildEnd::does_not_link;
      result_.message = first_error(fmt::format("ld {}", describe_end(merged, spec.limits)));
      return false;
    }
    return true;
  }

  /// Refuses what would get around the harness, before any of it runs.
  bool inspect() {
    inspect_host_code();
    const std::string bytes =
        read_untrusted_file(scratch() / "merged.o", kCompileFile).value_or("");
    const std::optional<ObjectFile> object = read_object(bytes);
    ObjectScan scan;
    if (!object) {
      scan.refusal = "the object file was not produced by a compiler";
    } else {
      scan = scan_symbols(
          object->symbols, files_, lab().allowed_names,
          [this](const std::string& name) { return brought_by(name); },
          lab().program ? ObjectKind::program : ObjectKind::function);
      result_.flags.insert(result_.flags.end(), scan.flags.begin(), scan.flags.end());
      const SectionScan sections = scan_sections(object->sections, object->is_arm64);
      renames_ = sections.renames;
      if (scan.refusal.empty()) {
        scan.refusal = sections.refusal;
      }
      if (scan.refusal.empty() && sections.may_call_kernel) {
        if (calls_kernel(disassembled())) {
          scan.refusal =
              "inline assembly with a system call: submissions may not make system calls; remove "
              "it";
        } else {
          // Inside of an instruction, as in a constant: chance, or a place to jump to.
          result_.flags.push_back({.kind = "system-call-bytes",
                                   .message = "The bytes of a system call occur inside an "
                                              "instruction, by chance or as a jump target.",
                                   .evidence = "machine code of its object file"});
        }
      }
    }
    const bool is_refused = !scan.refusal.empty();
    if (is_refused || !host_refusal_.empty()) {
      result_.end = BuildEnd::not_allowed;
      result_.message = is_refused ? scan.refusal : host_refusal_;
      if (is_refused && scan.flags.empty()) {
        result_.flags.push_back({.kind = "forbidden-call",
                                 .message = "It was not linked: " + scan.refusal + ".",
                                 .evidence = "its object file"});
      }
      return false;
    }
    return defines_functions(object->symbols);
  }

  /// What brings a name that stands in none of the sources.
  std::string brought_by(const std::string& name) {
    const fs::path output = scratch() / "preprocessed";
    for (const SourceFile& file : files_) {
      if (!is_program(file.name) ||
          !run_step(tool(step_->preprocess_command(file, output), site_.sources())).ok()) {
        continue;
      }
      const std::string text = read_untrusted_file(output, kCompileFile).value_or("");
      std::string origin = symbol_origin(name, text, file.name, file.text);
      if (!origin.empty()) {
        return origin;
      }
    }
    return {};
  }

  /// Machine code of one system call is enough to show that there is one, so nothing is cut off.
  std::string disassembled() {
    ProcessSpec spec = tool(
        {site_.toolchain.objdump().string(), "-d", "--no-show-raw-insn", "merged.o"}, scratch());
    spec.limits.output_bytes = kDisassemblyBytes;
    const ProcessResult result = run_step(spec);
    // What cannot be looked at is treated as what it may be.
    return result.ok() && !result.out_cut ? result.out : "\tsyscall";
  }

  /// Hides every symbol but the lab's functions, or main(): a submission may define main, operator
  /// new or anything that the worker also has.
  bool isolate() {
    std::vector<std::string> argv = {site_.toolchain.objcopy.string()};
    if (lab().program) argv.emplace_back("--keep-global-symbol=main");
    for (const Function& function : called_functions()) {
      argv.push_back("--keep-global-symbol=" + mangled_name(lab(), function));
    }
    // What runs before main runs after the harness has opened its files (harness/worker/main.cpp).
    for (const auto& [from, to] : renames_) {
      argv.push_back(fmt::format("--rename-section={}={}", from, to));
    }
    argv.insert(argv.end(), {"merged.o", "student.o"});
    const ProcessSpec spec = tool(std::move(argv), scratch());
    const ProcessResult isolated = run_step(spec);
    if (isolated.end == ProcessEnd::not_started) {
      throw EnvironmentError(fmt::format("objcopy {}", describe_end(isolated, spec.limits)));
    }
    if (!isolated.ok()) {
      // It works on nothing but the student's object: what is too large for it is the student's.
      result_.log += readable(isolated.err);
      result_.end = BuildEnd::does_not_link;
      result_.message = fmt::format("the object file cannot be used: objcopy {}",
                                    describe_end(isolated, spec.limits));
      return false;
    }
    return true;
  }

  bool defines_functions(const std::vector<ObjectSymbol>& symbols) {
    if (lab().program) return defines_main(symbols);
    const std::vector<Function> functions = called_functions();
    return std::all_of(functions.begin(), functions.end(), [&](const Function& function) {
      return defines_function(symbols, function);
    });
  }

  bool defines_main(const std::vector<ObjectSymbol>& symbols) {
    if (std::any_of(symbols.begin(), symbols.end(), [](const ObjectSymbol& symbol) {
          return symbol.defined && !symbol.local && symbol.name == "main";
        })) {
      return true;
    }
    result_.end = BuildEnd::missing_function;
    result_.message = fmt::format("no function `main` is defined; write the whole program in {}",
                                  lab().submit.front());
    return false;
  }

  bool defines_function(const std::vector<ObjectSymbol>& symbols, const Function& function) {
    std::string others;
    for (const ObjectSymbol& symbol : symbols) {
      if (!symbol.defined || symbol.local) {
        continue;
      }
      if (symbol.name == mangled_name(lab(), function)) {
        return true;
      }
      if (others.empty()) {
        others = same_name(symbol.name, function.name);
      }
    }
    result_.end = BuildEnd::missing_function;
    result_.message = fmt::format("no function `{}` is defined", declaration(lab(), function));
    result_.message += others.empty() ? fmt::format("; write it in {}", lab().submit.front())
                                      : fmt::format("; found {}", others);
    return false;
  }

  /// A function of the lab's name that is another to the linker, and why: the likely mistake. Empty
  /// for any other symbol.
  [[nodiscard]] static std::string same_name(std::string_view symbol, const std::string& function) {
    if (symbol == function) {
      return fmt::format("`{}` declared as extern \"C\": remove that", function);
    }
    const std::string name = demangled(std::string(symbol));
    const bool is_same =
        name.starts_with(function + "(") || name.find("::" + function + "(") != name.npos;
    return is_same ? fmt::format("`{}`: the parameters differ", name) : "";
  }

  bool link() {
    if (!fs::exists(site_.installation.worker_library())) {
      throw EnvironmentError(fmt::format("{} is missing; build the whole project first",
                                         site_.installation.worker_library().string()));
    }
    // By g++: nvcc's own link step would take half a second longer and add nothing.
    // Constants lie on pages of their own: only what is executable is searched for system calls.
    // The worker stands between a submission and the runtime's allocator: see DevicePool; and it
    // gives back what a reset would take: see device_reset.h.
    std::vector<std::string> link = {site_.toolchain.cxx.string(),
                                     "-Wl,-z,relro,-z,now,-z,noexecstack,-z,separate-code"};
    if (!lab().program) {
      link.emplace_back("-Wl,--wrap=cudaMalloc,--wrap=cudaFree,--wrap=cudaDeviceReset");
    }
    if (!site_.toolchain.lld.empty()) {
      // A third of ld's time, most of which goes into the names of libstdc++.
      link.insert(link.end(), {"-fuse-ld=lld", "-Wl,--threads=1"});
    }
    link.insert(link.end(), {"-o", "worker", "student.o"});
    if (!lab().program) {
      link.insert(link.end(),
                  {site_.shared.glue.string(), site_.installation.worker_library().string()});
    }
    // Even for a program that calls nothing of it, as stubs do: the runtime writes the report.
    link.insert(link.end(), {"-Wl,--push-state,--no-as-needed", site_.toolchain.cudart.string(),
                             "-Wl,--pop-state", "-pthread", "-ldl"});
    const ProcessSpec spec = tool(std::move(link), scratch());
    const ProcessResult linked = run_step(spec);
    if (!linked.ok()) {
      result_.log += readable(linked.err);
      result_.end = BuildEnd::does_not_link;
      result_.message =
          first_error(fmt::format("the linker {}", describe_end(linked, spec.limits)));
      return false;
    }
    result_.program = scratch() / "worker";
    return true;
  }

  [[nodiscard]] std::string first_error(const std::string& otherwise) const {
    const std::vector<CompilerMessage> errors = errors_in_log();
    if (errors.empty()) {
      return otherwise;
    }
    const std::string first = errors.front().sentence();
    return errors.size() == 1 ? first
                              : fmt::format("{} (the first of {} errors)", first, errors.size());
  }

  [[nodiscard]] std::vector<CompilerMessage> errors_in_log() const {
    std::vector<CompilerMessage> messages = parse_compiler_messages(result_.log);
    std::erase_if(messages, [](const CompilerMessage& message) { return !message.is_error; });
    return messages;
  }

  /// Whether an error is reported in one of the submission's files.
  [[nodiscard]] bool names_submission() const {
    const std::vector<CompilerMessage> errors = errors_in_log();
    return std::any_of(errors.begin(), errors.end(), [this](const CompilerMessage& error) {
      return std::any_of(files_.begin(), files_.end(),
                         [&](const SourceFile& file) { return file.name == error.file; });
    });
  }

  /// "vecadd.cu:3", or the submission's first file.
  [[nodiscard]] std::string place_of_first_error() const {
    const std::vector<CompilerMessage> errors = errors_in_log();
    return errors.empty() || errors.front().file.empty()
               ? compiled_.front()->name
               : fmt::format("{}:{}", errors.front().file, errors.front().line);
  }

  /// Compiler output with our scratch and lab folders replaced by what the student knows.
  [[nodiscard]] std::string readable(std::string_view output) const {
    std::string text = replace_all(output, result_.source_folder.string() + "/", "");
    text = replace_all(text, scratch().string() + "/", "");
    return printable(replace_all(text, lab().folder.string() + "/", ""));
  }

  /// What the harness calls; nothing of a program.
  [[nodiscard]] std::vector<Function> called_functions() const {
    return lab().program ? std::vector<Function>() : functions_of(lab());
  }
  [[nodiscard]] const Lab& lab() const { return site_.lab; }
  [[nodiscard]] const fs::path& scratch() const { return site_.scratch; }
  [[nodiscard]] ProcessSpec tool(std::vector<std::string> argv, const fs::path& folder) const {
    return site_.tool(std::move(argv), folder);
  }

  const BuildSite site_;
  const std::vector<SourceFile>& files_;
  const std::unique_ptr<CompileStep> step_;
  std::vector<const SourceFile*> compiled_;
  std::vector<CompiledSource> made_;  // of each of these
  std::vector<std::string> objects_;
  std::string host_refusal_;  // for inline assembly; empty for none
  std::vector<std::pair<std::string, std::string>> renames_;  // of sections
  BuildResult result_;
};

}  // namespace

BuildResult build_program(const Toolchain& toolchain, const Installation& installation,
                          const Lab& lab, const std::vector<SourceFile>& files,
                          const SharedParts& shared, const fs::path& scratch,
                          const std::string& object_key, const fs::path& debugged) {
  return Builder({.toolchain = toolchain,
                  .installation = installation,
                  .lab = lab,
                  .shared = shared,
                  .scratch = scratch,
                  .object_key = object_key,
                  .debugged = debugged,
                  .include_folders = include_folders(files),
                  .has_macros = std::any_of(
                      files.begin(), files.end(),
                      [](const SourceFile& file) { return file.name == kMakefileMacros; })},
                 files)
      .run();
}

}  // namespace warpgrade
