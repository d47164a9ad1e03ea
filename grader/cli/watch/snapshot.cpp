#include "grader/cli/watch/snapshot.h"

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kMostFiles = 2000;  // as many as a submission may have
constexpr int kMostDepth = 8;
constexpr std::array<std::string_view, 8> kSources = {".cu",  ".cuh", ".hip", ".h",
                                                      ".hpp", ".cpp", ".c",   ".toml"};

bool is_source(const fs::path& file) {
  return std::ranges::find(kSources, file.extension().string()) != kSources.end();
}

}  // namespace

void Snapshot::add(const fs::path& file) {
  struct stat info = {};
  if (::stat(file.c_str(), &info) != 0) return;
  files_[file.string()] = {
      info.st_ino, static_cast<std::uint64_t>(info.st_size),
      std::int64_t{info.st_mtim.tv_sec} * 1'000'000'000 + info.st_mtim.tv_nsec};
}

Snapshot Snapshot::of(const fs::path& work) {
  Snapshot now;
  std::error_code error;
  const bool is_folder = fs::is_directory(work, error);
  if (!is_folder) now.add(work);
  if (!is_folder && !is_source(work)) return now;  // an archive
  if (!is_folder && now.empty()) return now;
  const fs::path folder = is_folder ? work : work.has_parent_path() ? work.parent_path() : ".";
  // Without exceptions: files come and go while an editor saves.
  fs::recursive_directory_iterator it(folder, fs::directory_options::skip_permission_denied, error);
  for (; !error && it != fs::recursive_directory_iterator(); it.increment(error)) {
    const std::string name = it->path().filename().string();
    std::error_code ignored;
    if (it->is_directory(ignored)) {
      if (name.starts_with('.') || it.depth() >= kMostDepth) it.disable_recursion_pending();
    } else if (is_source(it->path()) && !name.starts_with('.') && now.files_.size() < kMostFiles) {
      now.add(it->path());
    }
  }
  return now;
}

}  // namespace warpgrade
