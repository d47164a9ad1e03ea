#include "grader/build/build.h"

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

#include "grader/build/compiler_messages.h"
#include "grader/core/error.h"
#include "grader/core/files.h"
#include "grader/core/remove_tree.h"
#include "grader/core/text.h"
#include "grader/inspection/host_assembly.h"
#include "grader/inspection/object_scan.h"
#include "grader/inspection/symbol_origin.h"
#include "grader/process/process.h"
#include "grader/process/usage.h"
#include "harness/case/untrusted_file.h"
#include "harness/lab/glue.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

constexpr std::chrono::seconds kCompileLimit{60};
constexpr std::uint64_t kCompileMemory = std::uint64_t{4} << 30;
constexpr std::uint64_t kCompileFile = std::uint64_t{1} << 29;
constexpr std::chrono::seconds kCompileCpu{100};  // of each of the compiler's programs
constexpr std::uint64_t kCompileFolder = std::uint64_t{1} << 30;
constexpr std::uint64_t kCompileAddresses = std::uint64_t{8} << 30;
constexpr std::size_t kCompileProcesses = 256;
constexpr std::size_t kDisassemblyBytes = std::size_t{64} << 20;
constexpr std::size_t kLogBytes = 256 * 1024;

/// A step of the build: it sees only the build folder.
ProcessSpec plain_tool(std::vector<std::string> argv, const fs::path& folder) {
  ProcessSpec spec;
  spec.argv = std::move(argv);
  spec.folder = folder;
  spec.environment = base_environment();
  std::erase_if(spec.environment, [](const auto& entry) { return entry.first == "TMPDIR"; });
  spec.environment.emplace_back("TMPDIR", folder.string());  // goes with the scratch folder
  spec.limits.wall = kCompileLimit;
  spec.limits.resident_bytes = kCompileMemory;
  spec.limits.file_bytes = kCompileFile;
  spec.limits.output_bytes = kLogBytes;
  spec.limits.cpu = kCompileCpu;
  spec.limits.processes = kCompileProcesses;
  spec.limits.folder_bytes = kCompileFolder;
  return spec;
}

/// "vecadd(float const*, int)"; a name that is not mangled is returned unchanged.
std::string demangled(const std::string& symbol) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> name(
      abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), &std::free);
  return status == 0 && name ? std::string(name.get()) : symbol;
}

/// Whether a step was killed by somebody else, or a program that it started, as nvcc, g++ and
/// collect2 say it.
bool was_killed(const ProcessResult& result) {
  if (result.end == ProcessEnd::signalled) return result.code == SIGKILL;
  const std::string said = result.ok() ? "" : result.out + result.err;
  return said.find("signal 9") != std::string::npos ||
         said.find("Killed signal") != std::string::npos;
}

/// Runs a step, and once more if it was killed: twice is its own doing.
ProcessResult run_step(const ProcessSpec& spec) {
  ProcessResult result = run_process(spec);
  return was_killed(result) ? run_process(spec) : result;
}

/// For steps that no submission can make fail.
void run_own_step(const ProcessSpec& spec) {
  const ProcessResult result = run_step(spec);
  if (!result.ok()) {
    throw EnvironmentError(fmt::format("{} {}: {}", fs::path(spec.argv[0]).filename().string(),
                                       describe_end(result, spec.limits), printable(result.err)));
  }
}

class Builder {
 public:
  Builder(const Toolchain& toolchain, const Installation& installation, const Lab& lab,
          const std::vector<SourceFile>& files, const fs::path& glue, const fs::path& scratch)
      : toolchain_(toolchain),
        installation_(installation),
        lab_(lab),
        files_(files),
        glue_(glue),
        scratch_(scratch) {
    result_.source_folder = scratch / "src";
  }

  BuildResult run() {
    const auto started = std::chrono::steady_clock::now();
    write_sources();
    result_.flags = scan_sources(files_, lab_.allowed_libraries);
    if (compile() && merge() && inspect() && isolate() && link()) {
      result_.end = BuildEnd::built;
    } else if (result_.end != BuildEnd::not_allowed) {
      require_room();
    }
    result_.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
    return std::move(result_);
  }

 private:
  /// A tool that works on what the student wrote, in the sandbox.
  ProcessSpec tool(std::vector<std::string> argv, const fs::path& folder) const {
    ProcessSpec spec = plain_tool(std::move(argv), folder);
    spec.confinement =
        Confinement{.sandbox = toolchain_.sandbox,
                    .view = {.readable = {lab_.header, glue_, installation_.worker_library()},
                             .writable = {scratch_},
                             .tool = true}};
    if (toolchain_.sandbox.on()) {
      spec.limits.address_bytes = kCompileAddresses;
    }
    return spec;
  }

  void write_sources() {
    for (const SourceFile& file : files_) {
      write_file_atomically(result_.source_folder / file.name, file.text);
    }
  }

  /// What failed on a full disk is no fault of the submission's.
  /// @throws EnvironmentError
  void require_room() const {
    constexpr std::uintmax_t kLeast = std::uintmax_t{16} << 20;
    std::error_code error;
    const fs::space_info space = fs::space(scratch_, error);
    if (!error && space.available < kLeast) {
      throw EnvironmentError(fmt::format("{} is full: {} MiB free; a build needs more",
                                         scratch_.parent_path().string(), space.available >> 20));
    }
  }

  bool compile() {
    std::vector<ProcessSpec> specs;
    for (const SourceFile& file : files_) {
      if (!file.name.ends_with(".cu")) {
        continue;
      }
      const std::string object = fmt::format("part{}.o", objects_.size());
      objects_.push_back((scratch_ / object).string());
      // Relative to the source folder, so that messages name the file as the student does.
      // What lies between the steps is written anyway: kept, it can be looked at.
      kept_.push_back(scratch_ / fmt::format("kept{}", kept_.size()));
      fs::create_directories(kept_.back());
      ProcessSpec spec =
          tool(nvcc_on(file, {"-c", "-cudart", "shared", "-lineinfo", "-Xcompiler=-g1", "--keep",
                              "--keep-dir", kept_.back().string(), "-o", objects_.back()}),
               result_.source_folder);
      spec.environment.back().second = scratch_.string();
      specs.push_back(std::move(spec));
    }

    std::vector<ProcessResult> results(specs.size());
    std::vector<std::exception_ptr> errors(specs.size());
    {
      std::vector<std::jthread> threads;
      for (std::size_t i = 0; i < specs.size(); ++i) {
        threads.emplace_back([&, i] {
          try {
            results[i] = run_step(specs[i]);
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
    for (const ProcessResult& result : results) {
      count_processor_time(Work::compiler, result.cpu_seconds);
    }
    for (std::size_t i = 0; i < results.size(); ++i) {
      if (!accept_compilation(results[i], specs[i])) {
        return false;
      }
    }
    return true;
  }

  /// NVTX, which CUB and Thrust bring along, looks for a profiler in the environment and loads it:
  /// a submission may do neither, and needs neither. Defined as nothing, as students define it.
  [[nodiscard]] std::vector<std::string> nvcc_on(const SourceFile& file,
                                                 const std::vector<std::string>& step) const {
    std::vector<std::string> argv = {nvcc().string(),
                                     fmt::format("-arch=compute_{}", lab_.architecture),
                                     "-std=c++17",
                                     "--extended-lambda",
                                     "-DNVTX_DISABLE=",
                                     "-DCCCL_DISABLE_NVTX=",
                                     "-I",
                                     lab_.folder.string(),
                                     file.name};
    argv.insert(argv.begin() + 1, step.begin(), step.end());
    return argv;
  }

  [[nodiscard]] fs::path nvcc() const {
    return toolchain_.sandbox.on() ? toolchain_.real_nvcc() : toolchain_.nvcc;
  }

  bool accept_compilation(const ProcessResult& result, const ProcessSpec& spec) {
    if (result.end == ProcessEnd::not_started) {
      throw EnvironmentError(
          fmt::format("nvcc {}; run `warpgrade doctor`", describe_end(result, spec.limits)));
    }
    result_.log += readable(result.out + result.err);
    if (result.ok()) {
      return true;
    }
    if (result.end != ProcessEnd::exited && result.end != ProcessEnd::signalled) {
      result_.end = BuildEnd::too_long;
      result_.message = fmt::format("the compiler {}", describe_end(result, spec.limits));
      return false;
    }
    result_.end = BuildEnd::does_not_compile;
    result_.message = first_error(fmt::format("nvcc {}", describe_end(result, spec.limits)));
    return false;
  }

  /// Looks for inline assembly in host code, which could be anything; in device code it is PTX.
  void inspect_host_code() {
    const bool trusts_markers =
        std::none_of(files_.begin(), files_.end(),
                     [](const SourceFile& file) { return writes_line_markers(file.text); });
    std::size_t part = 0;
    for (const SourceFile& file : files_) {
      if (!file.name.ends_with(".cu")) {
        continue;
      }
      const fs::path& folder = kept_[part++];
      const std::optional<std::string> code = read_untrusted_file(
          folder / (fs::path(file.name).stem().string() + ".cudafe1.cpp"), kCompileFile);
      remove_tree(folder);
      if (!code) {
        result_.flags.push_back(
            {.kind = "host-assembly",
             .message = "Its host code could not be checked for inline assembly.",
             .evidence = printable(file.name)});
        continue;
      }
      const std::string found =
          host_assembly(*code, result_.source_folder.string() + "/", trusts_markers);
      if (found.empty()) {
        continue;
      }
      result_.flags.push_back({.kind = "host-assembly",
                               .message = fmt::format("It has {} in host code.", found),
                               .evidence = printable(file.name)});
      if (!lab_.host_assembly && host_refusal_.empty()) {
        host_refusal_ = fmt::format(
            "{}: inline assembly is not allowed in host code (PTX in kernels is); remove it",
            found);
      }
    }
  }

  bool merge() {
    // Resolving section groups first keeps objcopy's local symbols out of the linker's choice
    // between equal groups, which could drop the section that they lie in.
    std::vector<std::string> merge = {toolchain_.ld.string(), "-r", "--force-group-allocation",
                                      "-o", "merged.o"};
    merge.insert(merge.end(), objects_.begin(), objects_.end());
    const ProcessSpec spec = tool(std::move(merge), scratch_);
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
    const std::string bytes = read_untrusted_file(scratch_ / "merged.o", kCompileFile).value_or("");
    const std::optional<ObjectFile> object = read_object(bytes);
    ObjectScan scan;
    if (!object) {
      scan.refusal = "the object file was not produced by a compiler";
    } else {
      scan = scan_symbols(object->symbols, files_, lab_.allowed_names,
                          [this](const std::string& name) { return brought_by(name); });
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
    return defines_function(object->symbols);
  }

  /// What brings a name that stands in none of the sources.
  std::string brought_by(const std::string& name) {
    const fs::path output = scratch_ / "preprocessed";
    for (const SourceFile& file : files_) {
      if (!file.name.ends_with(".cu")) {
        continue;
      }
      ProcessSpec spec = tool(nvcc_on(file, {"-E", "-o", output.string()}), result_.source_folder);
      spec.environment.back().second = scratch_.string();
      if (!run_step(spec).ok()) {
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
    ProcessSpec spec =
        tool({toolchain_.objdump().string(), "-d", "--no-show-raw-insn", "merged.o"}, scratch_);
    spec.limits.output_bytes = kDisassemblyBytes;
    const ProcessResult result = run_step(spec);
    // What cannot be looked at is treated as what it may be.
    return result.ok() && !result.out_cut ? result.out : "\tsyscall";
  }

  /// Hides every symbol but the lab's function: a submission may define main, operator new or
  /// anything that the worker also has.
  bool isolate() {
    std::vector<std::string> argv = {toolchain_.objcopy.string(),
                                     "--keep-global-symbol=" + mangled_name(lab_)};
    // What runs before main runs after the harness has opened its files (harness/worker/main.cpp).
    for (const auto& [from, to] : renames_) {
      argv.push_back(fmt::format("--rename-section={}={}", from, to));
    }
    argv.insert(argv.end(), {"merged.o", "student.o"});
    const ProcessSpec spec = tool(std::move(argv), scratch_);
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

  bool defines_function(const std::vector<ObjectSymbol>& symbols) {
    std::string others;
    for (const ObjectSymbol& symbol : symbols) {
      if (!symbol.defined || symbol.local) {
        continue;
      }
      if (symbol.name == mangled_name(lab_)) {
        return true;
      }
      if (others.empty()) {
        others = same_name(symbol.name);
      }
    }
    result_.end = BuildEnd::missing_function;
    result_.message = fmt::format("no function `{}` is defined", declaration(lab_));
    result_.message += others.empty() ? fmt::format("; write it in {}", lab_.submit.front())
                                      : fmt::format("; found {}", others);
    return false;
  }

  /// A function of the lab's name that is another to the linker, and why: the likely mistake. Empty
  /// for any other symbol.
  [[nodiscard]] std::string same_name(std::string_view symbol) const {
    if (symbol == lab_.function) {
      return fmt::format("`{}` declared as extern \"C\": remove that", lab_.function);
    }
    const std::string name = demangled(std::string(symbol));
    const bool is_same =
        name.starts_with(lab_.function + "(") || name.find("::" + lab_.function + "(") != name.npos;
    return is_same ? fmt::format("`{}`: the parameters differ", name) : "";
  }

  bool link() {
    if (!fs::exists(installation_.worker_library())) {
      throw EnvironmentError(fmt::format("{} is missing; build the whole project first",
                                         installation_.worker_library().string()));
    }
    // By g++: nvcc's own link step would take half a second longer and add nothing.
    // Constants lie on pages of their own: only what is executable is searched for system calls.
    // The worker stands between a submission and the runtime's allocator: see DevicePool; and it
    // gives back what a reset would take: see device_reset.h.
    std::vector<std::string> link = {
        toolchain_.cxx.string(), "-Wl,-z,relro,-z,now,-z,noexecstack,-z,separate-code",
        "-Wl,--wrap=cudaMalloc,--wrap=cudaFree,--wrap=cudaDeviceReset"};
    if (!toolchain_.lld.empty()) {
      // A third of ld's time, most of which goes into the names of libstdc++.
      link.insert(link.end(), {"-fuse-ld=lld", "-Wl,--threads=1"});
    }
    link.insert(
        link.end(),
        {"-o", "worker", glue_.string(), "student.o", installation_.worker_library().string(),
         "-L" + toolchain_.cudart_folder.string(), "-lcudart", "-pthread", "-ldl"});
    const ProcessSpec spec = tool(std::move(link), scratch_);
    const ProcessResult linked = run_step(spec);
    if (!linked.ok()) {
      result_.log += readable(linked.err);
      result_.end = BuildEnd::does_not_link;
      result_.message =
          first_error(fmt::format("the linker {}", describe_end(linked, spec.limits)));
      return false;
    }
    result_.program = scratch_ / "worker";
    return true;
  }

  [[nodiscard]] std::string first_error(const std::string& otherwise) const {
    std::size_t errors = 0;
    std::string first;
    for (const CompilerMessage& message : parse_compiler_messages(result_.log)) {
      if (message.is_error && errors++ == 0) {
        first = message.sentence();
      }
    }
    if (errors == 0) {
      return otherwise;
    }
    return errors == 1 ? first : fmt::format("{} (the first of {} errors)", first, errors);
  }

  /// Compiler output with our scratch and lab folders replaced by what the student knows.
  [[nodiscard]] std::string readable(std::string_view output) const {
    std::string text = replace_all(output, result_.source_folder.string() + "/", "");
    text = replace_all(text, scratch_.string() + "/", "");
    return printable(replace_all(text, lab_.folder.string() + "/", ""));
  }

  const Toolchain& toolchain_;
  const Installation& installation_;
  const Lab& lab_;
  const std::vector<SourceFile>& files_;
  const fs::path& glue_;
  const fs::path& scratch_;
  std::vector<std::string> objects_;
  std::string host_refusal_;  // for inline assembly; empty for none
  std::vector<fs::path> kept_;  // nvcc's intermediate files, of each object
  std::vector<std::pair<std::string, std::string>> renames_;  // of sections
  BuildResult result_;
};

}  // namespace

fs::path compile_glue(const Toolchain& toolchain, const Lab& lab, const fs::path& folder) {
  write_file_atomically(folder / "glue.cpp", make_glue(lab));
  run_own_step(plain_tool(
      {toolchain.cxx.string(), "-c", "-O1", "-fPIC", "glue.cpp", "-o", "glue.o"}, folder));
  return folder / "glue.o";
}

BuildResult build_program(const Toolchain& toolchain, const Installation& installation,
                          const Lab& lab, const std::vector<SourceFile>& files,
                          const fs::path& glue, const fs::path& scratch) {
  return Builder(toolchain, installation, lab, files, glue, scratch).run();
}

}  // namespace warpgrade
