#include "fuzz/input.h"
#include "grader/submit/submission/source_tree.h"

// A student's archive. Nothing may leave the tree or be larger than a submission can be.

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const fuzz::MemoryFile file(data, size);
  const warpgrade::TreeResult result = warpgrade::tree_of_archive(file.path());
  fuzz::require(result.tree.entries().size() <= warpgrade::kMaxTreeFiles);
  for (const auto& [path, entry] : result.tree.entries()) {
    fuzz::require(!path.empty() && path.front() != '/');
    for (const auto& step : std::filesystem::path(path)) fuzz::require(step != "..");
    (void)warpgrade::SourceTree::read(entry);
  }
  return 0;
}
