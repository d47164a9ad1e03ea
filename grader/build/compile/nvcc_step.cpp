#include <fmt/core.h>

#include <cctype>
#include <string_view>

#include "grader/build/compile/compile_step.h"
#include "grader/build/inspection/host_assembly.h"
#include "grader/core/files.h"
#include "grader/core/remove_tree.h"
#include "grader/core/source_names.h"
#include "harness/case/untrusted_file.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

/// Whether a text may have a lambda for the device: "[=] __device__ (int i) {", perhaps by a macro.
bool may_have_device_lambda(std::string_view text) {
  for (std::size_t at = text.find(']'); at != text.npos; at = text.find(']', at + 1)) {
    const std::size_t next = text.find_first_not_of(" \t\r\n\\", at + 1);
    if (next == text.npos) return false;
    if (std::isalpha(static_cast<unsigned char>(text[next])) != 0 || text[next] == '_') return true;
  }
  return false;
}

class NvccStep : public CompileStep {
 public:
  explicit NvccStep(const BuildSite& site) : site_(site) {}

  /// With --extended-lambda nvcc reads a part of the standard library first, which takes longer
  /// than everything else in a small file. So it is given only where it is needed, which a failure
  /// may be the first to tell: a lambda in a header, or a name from that part of the library.
  CompiledSource compile(const SourceFile& file, const fs::path& object,
                         bool trusts_markers) const override {
    const bool lambdas = may_have_device_lambda(file.text);
    CompiledSource made = compile(file, object, trusts_markers, lambdas);
    if (lambdas || made.result.end != ProcessEnd::exited || made.result.ok()) return made;
    const double before = made.cpu_seconds;
    made = compile(file, object, trusts_markers, true);
    made.cpu_seconds += before;
    return made;
  }

  std::vector<std::string> preprocess_command(const SourceFile& file,
                                              const fs::path& output) const override {
    return command(file, {"-E", "-o", output.string()}, true);
  }

  std::vector<std::string> kernels_command(const SourceFile& file,
                                           const fs::path& output) const override {
    return command(file, {"-ptx", "-o", output.string()}, may_have_device_lambda(file.text));
  }

 private:
  [[nodiscard]] CompiledSource compile(const SourceFile& file, const fs::path& object,
                                       bool trusts_markers, bool lambdas) const {
    // What lies between the steps is written anyway: kept, it can be looked at.
    const fs::path kept = fs::path(object).replace_extension("kept");
    fs::create_directories(kept);
    // Relative to the source folder, so that messages name the file as the student does. g++'s
    // unique symbols, such as the digits in std::to_string, would stay global in isolate().
    const ProcessSpec spec =
        site_.tool(command(file,
                           {"-c", "-cudart", "shared", site_.debugged.empty() ? "-lineinfo" : "-G",
                            "-Xcompiler=-g1,-fno-gnu-unique", "--keep", "--keep-dir", kept.string(),
                            "-o", object.string()},
                           lambdas),
                   site_.sources());
    CompiledSource made;
    made.result = run_step(spec);
    made.limits = spec.limits;
    made.tool = "nvcc";
    made.log = made.result.out + made.result.err;
    made.cpu_seconds = made.result.cpu_seconds;
    const std::string name = fs::path(file.name).filename().string();
    const std::optional<std::string> code = read_untrusted_file(
        kept / (name.substr(0, name.rfind('.')) + ".cudafe1.cpp"), kCompileFile);
    remove_tree(kept);
    if (code) {
      made.host_assembly = host_assembly(*code, site_.sources().string() + "/", trusts_markers);
    }
    return made;
  }

  [[nodiscard]] std::vector<std::string> command(const SourceFile& file,
                                                 const std::vector<std::string>& step,
                                                 bool lambdas) const {
    const Compiler& nvcc = site_.toolchain.compiler;
    std::vector<std::string> argv = {
        (site_.toolchain.sandbox.on() ? nvcc.program_in_sandbox() : nvcc.program).string()};
    argv.insert(argv.end(), step.begin(), step.end());
    const std::string& own = site_.lab.nvcc_architecture;
    if (own.empty()) {
      argv.push_back(fmt::format("-arch=compute_{}", site_.lab.architecture));
    } else {  // -arch would compile for 9.0 in general, too, which lacks the instructions
      argv.insert(argv.end(), {"-gencode", fmt::format("arch=compute_{0},code=compute_{0}", own)});
    }
    argv.push_back(fmt::format("-std={}", slug(site_.lab.standard)));
    if (lambdas) argv.emplace_back("--extended-lambda");
    if (is_hip_program(file.name)) {
      // HIP's names stand beside our CUDA headers, which the toolkit's come before.
      argv.insert(argv.end(), {"-x", "cu", "-isystem", nvcc.cuda_headers.string()});
    }
    const std::vector<std::string> words = common_words(site_, file);
    argv.insert(argv.end(), words.begin(), words.end());
    return argv;
  }

  const BuildSite& site_;
};

}  // namespace

std::unique_ptr<CompileStep> make_nvcc_step(const BuildSite& site) {
  return std::make_unique<NvccStep>(site);
}

}  // namespace warpgrade
