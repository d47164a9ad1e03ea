#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "grader/build/compile/build_site.h"
#include "grader/record/grade/grade.h"

namespace warpgrade {

/// How one source of a submission was compiled.
struct CompiledSource {
  ProcessResult result;  // of the process that failed, else of the last one
  ProcessLimits limits;  // of that process
  std::string tool;  // its name: "nvcc"
  std::string log;  // what all of them said, each message once
  double cpu_seconds = 0;  // of all of them
  /// Inline assembly in host code (grader/build/inspection/host_assembly.h); empty for none,
  /// nothing where it could not be looked for.
  std::optional<std::string> host_assembly;
};

/// What compiles a source: nvcc or clang. Both give an object with the host's code and PTX, which
/// registers its kernels as nvcc's do, with line tables for both.
class CompileStep {
 public:
  CompileStep() = default;
  CompileStep(const CompileStep&) = delete;
  CompileStep& operator=(const CompileStep&) = delete;
  virtual ~CompileStep() = default;

  /// @param file            one of the submission's, in site.sources()
  /// @param object          what to write, in site.scratch
  /// @param trusts_markers  whether `# 12 "file"` in the preprocessed source can be believed
  /// @throws EnvironmentError  where the compiler itself is at fault
  [[nodiscard]] virtual CompiledSource compile(const SourceFile& file,
                                               const std::filesystem::path& object,
                                               bool trusts_markers) const = 0;

  /// The command that writes the preprocessed source.
  [[nodiscard]] virtual std::vector<std::string> preprocess_command(
      const SourceFile& file, const std::filesystem::path& output) const = 0;

  /// The command that compiles the kernels of a source to PTX, without line tables; the host's code
  /// is only parsed, if at all.
  [[nodiscard]] virtual std::vector<std::string> kernels_command(
      const SourceFile& file, const std::filesystem::path& output) const = 0;

  /// A header's or function's absence from this compiler's headers, and which compiler has it;
  /// empty if the messages are of another kind.
  [[nodiscard]] virtual std::string needs_other_compiler(const std::string& /*log*/) const {
    return {};
  }
  /// What to add to the messages of a failed compilation; may be empty.
  [[nodiscard]] virtual std::string note(const std::string& /*log*/) const { return {}; }
};

/// Macros of every compilation.
///
/// NVTX, which CUB and Thrust bring along, looks for a profiler in the environment and loads it: a
/// submission may do neither, and needs neither. Defined as nothing, as students define it.
[[nodiscard]] std::vector<std::string> common_definitions();

/// Words of the command line that both compilers take.
[[nodiscard]] std::vector<std::string> common_words(const BuildSite& site, const SourceFile& file);

[[nodiscard]] std::unique_ptr<CompileStep> make_nvcc_step(const BuildSite& site);
[[nodiscard]] std::unique_ptr<CompileStep> make_clang_step(const BuildSite& site);
/// That of the site's compiler.
[[nodiscard]] std::unique_ptr<CompileStep> make_compile_step(const BuildSite& site);

}  // namespace warpgrade
