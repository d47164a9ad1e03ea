#include "grader/build/compile/compile_step.h"

#include "grader/core/source_names.h"

namespace warpgrade {

std::vector<std::string> common_definitions() {
  return {"-DNVTX_DISABLE=", "-DCCCL_DISABLE_NVTX="};
}

std::vector<std::string> common_words(const BuildSite& site, const SourceFile& file) {
  std::vector<std::string> words = common_definitions();
  words.insert(words.end(), {"-I", site.lab.folder.string()});
  for (const std::filesystem::path& header : site.lab.given) {
    const std::string folder = header.parent_path().string();
    if (folder != words.back()) words.insert(words.end(), {"-I", folder});
  }
  if (site.lab.program) {
    const std::string libwb = site.installation.wb_header.string();
    if (!libwb.empty()) words.insert(words.end(), {"-isystem", libwb});
  }
  for (const std::string& folder : site.include_folders) words.insert(words.end(), {"-I", folder});
  if (site.has_macros) words.insert(words.end(), {"-include", kMakefileMacros});
  words.push_back(file.name);
  return words;
}

std::unique_ptr<CompileStep> make_compile_step(const BuildSite& site) {
  return site.toolchain.compiler.kind == CompilerKind::clang ? make_clang_step(site)
                                                             : make_nvcc_step(site);
}

}  // namespace warpgrade
