#include <fmt/core.h>

#include <exception>
#include <thread>

#include "grader/build/compile/clang_target.h"
#include "grader/build/compile/compile_step.h"
#include "grader/build/inspection/ir_assembly.h"
#include "grader/build/inspection/object_file.h"
#include "grader/build/toolchain/clang_command.h"
#include "grader/build/toolchain/clang_messages.h"
#include "grader/core/error.h"
#include "grader/core/files.h"
#include "grader/core/text.h"
#include "harness/case/untrusted_file.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

constexpr const char* kFatbinSection = ".nv_fatbin";

/// What a pass says of its own warnings and errors, without its count of them: both passes read the
/// same source.
std::string without_counts(std::string_view log) {
  std::string text;
  for (const std::string_view line : split_lines(log)) {
    const bool is_count = line.ends_with(" generated.") && !line.empty() && line.front() >= '0' &&
                          line.front() <= '9';
    if (is_count || line.empty()) continue;
    // As a submission of several files sees it, included from the folder where clang runs.
    text += line.starts_with("./") ? line.substr(2) : line;
    text += '\n';
  }
  return text;
}

/// Runs steps one after the other, until one fails.
struct Pass {
  ProcessResult result;
  ProcessLimits limits;
  double cpu_seconds = 0;
  std::string log;

  bool run(const ProcessSpec& spec) {
    result = run_step(spec);
    limits = spec.limits;
    cpu_seconds += result.cpu_seconds;
    log += without_counts(result.out + result.err);
    return result.ok();
  }

  /// Runs a step that takes parsed headers. Where clang refuses them, as after a change of a header
  /// since, the step runs once more and parses them.
  template <class MakeSpec>
  bool run_with(const fs::path& headers, const MakeSpec& make_spec) {
    if (run(make_spec(headers)) || headers.empty() ||
        log.find(headers.filename().string()) == std::string::npos) {
      return result.ok();
    }
    log.clear();
    return run(make_spec(fs::path()));
  }
};

/// The device's half becomes PTX while the host's half becomes LLVM's intermediate language, in
/// which inline assembly can be told from everything else, and that an object. PTX then takes the
/// place of what the host's half had to embed.
class ClangStep : public CompileStep {
 public:
  explicit ClangStep(const BuildSite& site) : site_(site), clang_(site.toolchain.compiler) {}

  CompiledSource compile(const SourceFile& file, const fs::path& object,
                         bool trusts_markers) const override {
    const fs::path ptx = fs::path(object).replace_extension("ptx");
    const fs::path code = fs::path(object).replace_extension("ll");
    Pass device;
    Pass host;
    std::exception_ptr problem;
    {
      const std::jthread other([&] {
        try {
          for (const Variables variables : {Variables::defined, Variables::maybe_undefined}) {
            device.log.clear();
            device.run_with(site_.shared.headers.device, [&](const fs::path& headers) {
              return step(clang_device_command(clang_, clang_target(site_.lab), headers, variables),
                          {"-o", ptx.string()}, file);
            });
            if (device.result.ok() || !has_undefined_variables(clang_, device.log)) break;
          }
          if (!device.result.ok()) device.log = without_internals(std::move(device.log));
        } catch (...) {
          problem = std::current_exception();
        }
      });
      if (host.run_with(site_.shared.headers.host,
                        [&](const fs::path& headers) { return host_step(file, code, headers); })) {
        // One that reads no CUDA, and nothing of the submission's.
        host.run(site_.tool({clang_.program.string(), "-x", "ir", "-c", "-O0", "-o",
                             object.string(), code.string()},
                            site_.sources()));
      }
    }
    if (problem) std::rethrow_exception(problem);

    const Pass& failed = device.result.ok() ? host : device;
    CompiledSource made{.result = failed.result,
                        .limits = failed.limits,
                        .tool = "clang",
                        .log = device.log,
                        .cpu_seconds = device.cpu_seconds + host.cpu_seconds,
                        .host_assembly = std::nullopt};
    if (device.result.ok() && host.log != device.log) made.log += host.log;
    if (!made.result.ok()) {
      require_usable_compiler(made.log);
      return made;
    }
    if (const auto text = read_untrusted_file(code, kCompileFile)) {
      made.host_assembly = ir_assembly(*text, site_.sources().string() + "/", trusts_markers);
    }
    embed(ptx, object);
    return made;
  }

  std::vector<std::string> preprocess_command(const SourceFile& file,
                                              const fs::path& output) const override {
    std::vector<std::string> argv = clang_host_command(clang_, clang_target(site_.lab));
    argv.insert(argv.end(), {"-E", "-o", output.string()});
    const std::vector<std::string> words = common_words(site_, file);
    argv.insert(argv.end(), words.begin(), words.end());
    return argv;
  }

  std::vector<std::string> kernels_command(const SourceFile& file,
                                           const fs::path& output) const override {
    std::vector<std::string> argv = clang_device_command(
        clang_, clang_target(site_.lab), site_.shared.headers.device, Variables::maybe_undefined);
    argv.insert(argv.end(), {"-o", output.string()});
    const std::vector<std::string> words = common_words(site_, file);
    argv.insert(argv.end(), words.begin(), words.end());
    return argv;
  }

  std::string needs_other_compiler(const std::string& log) const override {
    return clang_meaning(clang_.cuda_headers, {"nvcc"}, log, {}).text;
  }

  std::string note(const std::string& log) const override {
    return clang_meaning(clang_.cuda_headers, {"note"}, log, {}).text;
  }

 private:
  [[nodiscard]] ProcessSpec step(std::vector<std::string> argv,
                                 const std::vector<std::string>& output,
                                 const SourceFile& file) const {
    argv.insert(argv.end(), output.begin(), output.end());
    const std::vector<std::string> words = common_words(site_, file);
    argv.insert(argv.end(), words.begin(), words.end());
    return site_.tool(std::move(argv), site_.sources());
  }

  /// What a pass says, without the internal data that clang's back end prints where it fails.
  [[nodiscard]] std::string without_internals(std::string log) const {
    std::string text = clang_meaning(clang_.cuda_headers, {"backend"}, log, {}).text;
    return text.empty() ? std::move(log) : text + '\n';
  }

  /// What is embedded is replaced: any file will do.
  [[nodiscard]] ProcessSpec host_step(const SourceFile& file, const fs::path& code,
                                      const fs::path& headers) const {
    return step(clang_host_command(clang_, clang_target(site_.lab), headers),
                {"-S", "-emit-llvm", "-Xclang", "-fcuda-include-gpubinary", "-Xclang",
                 (site_.sources() / file.name).string(), "-o", code.string()},
                file);
  }

  /// @throws EnvironmentError
  void require_usable_compiler(const std::string& log) const {
    if (std::string fault = clang_problem(clang_, site_.lab.architecture, log); !fault.empty()) {
      throw EnvironmentError(fault);
    }
  }

  /// An object without the section has no device code.
  static void embed(const fs::path& ptx, const fs::path& object) {
    std::optional<std::string> bytes = read_untrusted_file(object, kCompileFile);
    std::optional<std::string> text = read_untrusted_file(ptx, kCompileFile);
    if (!bytes || !text) return;
    text->push_back('\0');  // ends the text
    if (replace_section(*bytes, kFatbinSection, *text)) {
      write_file_atomically(object, *bytes);
    }
  }

  const BuildSite& site_;
  const Compiler& clang_;
};

}  // namespace

std::unique_ptr<CompileStep> make_clang_step(const BuildSite& site) {
  return std::make_unique<ClangStep>(site);
}

}  // namespace warpgrade
