#include "grader/submit/submission/source_tree.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <system_error>

#include "grader/core/encoding.h"
#include "grader/core/files.h"
#include "grader/core/source_names.h"
#include "grader/core/text.h"
#include "grader/submit/submission/archive.h"
#include "grader/submit/submission/build_definitions.h"
#include "grader/submit/submission/other_names.h"
#include "harness/lab/lab.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

/// Whether the target of a path, after following links, is inside `root` (canonical).
bool stays_inside(const fs::path& path, const fs::path& root) {
  std::error_code error;
  const fs::path target = fs::canonical(path, error);
  if (error) {
    return false;  // dangling link, or a loop
  }
  const fs::path relative = target.lexically_relative(root);
  return !relative.empty() && *relative.begin() != "..";
}

/// Why a folder cannot be listed, or empty.
std::string folder_fault(const fs::path& folder) {
  return ::faccessat(AT_FDCWD, folder.c_str(), R_OK | X_OK, AT_EACCESS) == 0
             ? ""
             : fmt::format("{} cannot be read: {}", folder.string(), std::strerror(errno));
}

SourceTree::Entry look_at(const fs::path& path, const fs::path& root) {
  std::error_code error;
  SourceTree::Entry entry;
  entry.disk = path;
  if (!stays_inside(path, root)) {
    entry.kind = SourceTree::Kind::link_outside;
  } else if (fs::is_directory(path, error)) {
    entry.kind = SourceTree::Kind::folder;
  } else if (fs::is_regular_file(path, error)) {
    entry.size = fs::file_size(path, error);
  } else {
    entry.kind = SourceTree::Kind::special;
  }
  return entry;
}

}  // namespace

void SourceTree::add(std::string path, Entry entry) {
  entries_.insert_or_assign(std::move(path), std::move(entry));
}

std::optional<SourceTree::Entry> SourceTree::find(const std::string& path) const {
  if (const auto it = entries_.find(path); it != entries_.end()) {
    return it->second;
  }
  std::error_code error;
  if (root_.empty() || !fs::exists(fs::symlink_status(root_ / path, error))) {
    return std::nullopt;
  }
  return look_at(root_ / path, root_);
}

std::string SourceTree::read(const Entry& entry) {
  if (entry.disk.empty()) {
    return entry.content;
  }
  return entry.content.empty() ? read_file(entry.disk, kMaxFileBytes)
                               : read_archive_entry(entry.disk, entry.content);
}

SourceText SourceTree::read_text(const Entry& entry) {
  std::string bytes = read(entry);
  std::optional<DecodedText> decoded = decode_text(bytes);
  if (!decoded || decoded->from.empty()) return {.text = std::move(bytes), .from = {}};
  return {.text = std::move(decoded->text), .from = std::move(decoded->from)};
}

bool is_source_name(const std::string& path) {
  static constexpr std::array<std::string_view, 5> kEndings = {".cuh", ".h", ".hpp", ".hh", ".inl"};
  const std::string ending = lower(fs::path(path).extension().string());
  return is_program(path) || std::find(kEndings.begin(), kEndings.end(), ending) != kEndings.end();
}

/// Not the packages of an environment that was submitted along.
static bool is_python_work(const std::string& path) {
  return is_python(path) && std::count(path.begin(), path.end(), '/') <= 2 &&
         path.find("site-packages/") == std::string::npos;
}

bool is_submitted_name(const std::string& path) {
  return is_source_name(path) || is_python_work(path) || !usual_name(path).empty() ||
         is_build_file(path) || fs::path(path).filename() == kAnswersFile;
}

bool is_of_packages(std::string_view path) {
  return is_in_build_folder(path) || is_in_output_folder(path);
}

std::string depth_problem(const std::string& path, bool is_folder) {
  int folders = is_folder ? 0 : -1;
  for (const fs::path& step : fs::path(path)) {
    if (step.empty() || step == ".") continue;
    if (step.string().starts_with('.')) return {};
    ++folders;
  }
  if (folders <= kMaxTreeDepth) return {};
  constexpr std::size_t kShown = 200;
  return fmt::format(
      "'{}' is in more than {} nested folders; move your files nearer to the top, and submit again",
      one_line(path).substr(0, kShown), kMaxTreeDepth);
}

TreeResult tree_of_folder(const fs::path& folder) {
  TreeResult result;
  std::error_code error;
  const fs::path root = fs::canonical(folder, error);
  if (!error) {
    result.fault = folder_fault(root);
  }
  fs::recursive_directory_iterator it(root, fs::directory_options::skip_permission_denied, error);
  if (error) {
    result.problem =
        fmt::format("{} cannot be read: {}", one_line(folder.filename().string()), error.message());
    return result;
  }
  std::uint64_t students = 0;
  std::uint64_t packages = 0;
  for (; it != fs::recursive_directory_iterator(); it.increment(error)) {
    if (error) {
      result.problem = fmt::format("{} cannot be read: {}", one_line(folder.filename().string()),
                                   error.message());
      return result;
    }
    const fs::directory_entry& found = *it;
    if (found.path().filename().string().starts_with('.')) {
      it.disable_recursion_pending();
      continue;
    }
    const std::string path = found.path().lexically_relative(root).generic_string();
    const bool is_folder = found.is_directory(error) && !found.is_symlink(error);
    if (const std::string why = depth_problem(path, is_folder); !why.empty()) {
      result.problem =
          fmt::format("{} was rejected: {}", one_line(folder.filename().string()), why);
      return result;
    }
    if (result.fault.empty() && is_folder) {
      result.fault = folder_fault(found.path());
    }
    const bool is_students = !is_of_packages(path);
    std::uint64_t& count = is_students ? students : packages;
    if (++count > kMaxTreeFiles && !is_students) {
      it.disable_recursion_pending();
      continue;
    }
    result.tree.add(path, look_at(found.path(), root));
    if (students > kMaxTreeFiles) {
      result.problem = fmt::format("{} contains more than {} files; submit only the sources",
                                   one_line(folder.filename().string()), kMaxTreeFiles);
      return result;
    }
  }
  return result;
}

}  // namespace warpgrade
