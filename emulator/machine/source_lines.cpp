#include "emulator/machine/source_lines.h"

#include <string_view>

namespace warpsim {
namespace {

/// Headers that come with the compiler.
bool is_toolkit_header(std::string_view path) {
  const bool targets = path.find("/targets/") != path.npos && path.find("/include/") != path.npos;
  const bool clang = path.find("/lib/clang/") != path.npos;
  return targets || clang || path.starts_with("/usr/include/") ||
         path.starts_with("/usr/local/cuda");
}

}  // namespace

std::string file_of(const LoadedModule& module, std::uint32_t file) {
  const auto& files = module.ptx.files;
  const auto it = files.find(file);
  return it == files.end() ? module.origin : it->second;
}

const ptx::SourceLocation* own_location(const LoadedModule& module,
                                        const ptx::SourceLocation* location) {
  const auto& locations = module.ptx.locations;
  const std::string& own_folder = module.source_folder;
  const auto is_given = [&](const ptx::SourceLocation& place) {
    const std::string file = file_of(module, place.file);
    return is_toolkit_header(file) ||
           (!own_folder.empty() && file.starts_with('/') && !file.starts_with(own_folder));
  };
  const ptx::SourceLocation* own = location;
  for (int depth = 0; depth < 32 && own->inlined_at != ptx::kNoIndex; ++depth) {
    if (!is_given(*own)) return own;
    own = &locations[own->inlined_at];
  }
  return is_given(*own) ? location : own;
}

}  // namespace warpsim
