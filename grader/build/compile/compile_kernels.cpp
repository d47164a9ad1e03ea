#include "grader/build/compile/compile_kernels.h"

#include "grader/build/compile/build_site.h"
#include "grader/build/compile/compile_step.h"
#include "grader/core/files.h"
#include "grader/process/usage.h"
#include "harness/case/untrusted_file.h"

namespace warpgrade {

CompiledKernels compile_kernels(const Toolchain& toolchain, const Installation& installation,
                                const Lab& lab, const SourceFile& program,
                                const std::vector<SourceFile>& files, const SharedParts& shared,
                                const std::filesystem::path& scratch) {
  const BuildSite site = {.toolchain = toolchain,
                          .installation = installation,
                          .lab = lab,
                          .shared = shared,
                          .scratch = scratch};
  for (const SourceFile& file : files) write_file_atomically(site.sources() / file.name, file.text);
  write_file_atomically(site.sources() / program.name, program.text);
  const std::filesystem::path output = scratch / "kernels.ptx";
  const ProcessResult result = run_step(
      site.tool(make_compile_step(site)->kernels_command(program, output), site.sources()));
  count_processor_time(Work::compiler, result.cpu_seconds);
  CompiledKernels made = {.ptx = {}, .log = result.out + result.err};
  if (result.ok()) made.ptx = read_untrusted_file(output, kCompileFile).value_or("");
  return made;
}

}  // namespace warpgrade
