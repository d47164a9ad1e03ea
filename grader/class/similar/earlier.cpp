#include "grader/class/similar/earlier.h"

#include <fmt/core.h>

#include <algorithm>
#include <system_error>
#include <utility>

#include "grader/core/error.h"
#include "grader/core/text.h"
#include "grader/submit/submission/other_names.h"
#include "grader/submit/submission/source_tree.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

/// Whether a file is a program by its name, or may be one by its content: "solution.cpp".
bool may_be_program(const std::string& name) {
  return is_source_name(name) || !usual_name(name).empty();
}

class Programs {
 public:
  explicit Programs(std::vector<std::string>& notes) : notes_(notes) {}

  void add_tree(const SourceTree& tree, const std::string& under) {
    for (const auto& [path, entry] : tree.entries()) {
      if (entry.kind == SourceTree::Kind::file && may_be_program(path)) {
        add_file(under + "/" + path, entry);
      }
    }
  }

  void add_file(std::string name, const SourceTree::Entry& entry) {
    const bool is_named = is_source_name(name) || is_named_like_program(name);
    if (entry.size > kMaxFileBytes) {
      if (!is_named) return;  // data
      leave_out(name, fmt::format("it is larger than {} MiB", kMaxFileBytes >> 20));
      return;
    }
    try {
      SourceFile file{.name = name, .text = SourceTree::read_text(entry).text};
      const bool is_cuda = file.text.find("__global__") != std::string::npos;
      if (!is_named && !is_cuda) return;
      found_.push_back({.name = std::move(name), .file = std::move(file)});
    } catch (const UsageError& error) {
      leave_out(name, one_line(error.what()));
    }
  }

  void leave_out(const std::string& name, const std::string& why) {
    notes_.push_back(fmt::format("{} is not compared: {}", printable(name), why));
  }

  std::vector<EarlierProgram> sorted() {
    std::sort(found_.begin(), found_.end(),
              [](const EarlierProgram& a, const EarlierProgram& b) { return a.name < b.name; });
    return std::move(found_);
  }

 private:
  std::vector<EarlierProgram> found_;
  std::vector<std::string>& notes_;
};

}  // namespace

std::vector<EarlierProgram> earlier_programs(const fs::path& folder,
                                             std::vector<std::string>& notes) {
  std::error_code error;
  if (!fs::is_directory(folder, error)) {
    throw UsageError(
        fmt::format("{} is not a folder; --against takes an earlier class or a "
                    "folder of programs",
                    folder.string()));
  }
  const std::string top = fs::canonical(folder).filename().string();
  Programs programs(notes);
  const auto options = fs::directory_options::skip_permission_denied;
  for (auto it = fs::recursive_directory_iterator(folder, options, error);
       it != fs::recursive_directory_iterator(); it.increment(error)) {
    const fs::path& path = it->path();
    if (path.filename().string().starts_with(".")) {
      it.disable_recursion_pending();
      continue;
    }
    if (!it->is_regular_file(error) || it->is_symlink(error)) continue;
    const std::string name = top + "/" + path.lexically_relative(folder).generic_string();
    std::string stem;
    if (is_archive(path, stem)) {
      const TreeResult archive = tree_of_archive(path);
      const std::string& why = archive.problem.empty() ? archive.fault : archive.problem;
      if (!why.empty()) programs.leave_out(name, why);
      programs.add_tree(archive.tree, name);
    } else if (may_be_program(path.filename().string())) {
      programs.add_file(name, {.kind = SourceTree::Kind::file,
                               .size = it->file_size(error),
                               .disk = path,
                               .content = {}});
    }
  }
  std::vector<EarlierProgram> found = programs.sorted();
  if (found.empty()) {
    throw UsageError(fmt::format("{} has no source file (.cu, .hip, .cuh, .h, ...) to compare with",
                                 folder.string()));
  }
  return found;
}

}  // namespace warpgrade
