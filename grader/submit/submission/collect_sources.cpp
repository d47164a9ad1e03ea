#include "grader/submit/submission/collect_sources.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <deque>
#include <filesystem>
#include <iterator>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "grader/build/inspection/includes.h"
#include "grader/core/source_names.h"
#include "grader/core/text.h"
#include "grader/submit/submission/other_names.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kLongestStep = 200;  // bytes of a path component; leaves room for suffixes

/// Why a file with this name is rejected, or empty: names appear in messages and on command lines
/// of a compiler that passes them to a shell.
std::string name_problem(const std::string& name) {
  if (!is_one_line(name)) {
    return fmt::format("the name of {} contains unprintable characters; rename it", one_line(name));
  }
  // nvcc runs its steps in a shell, with names in double quotes.
  if (name.find_first_of("\"`$\\") != std::string::npos || name.front() == '-' ||
      name.front() == '@') {
    return fmt::format("{} has a name that a compiler would misinterpret; rename it", name);
  }
  for (const fs::path& step : fs::path(name)) {
    if (step.native().size() > kLongestStep) {
      return fmt::format("{}... has a name of {} bytes; rename it", name.substr(0, 40),
                         step.native().size());
    }
  }
  return {};
}

/// Why a source cannot be read as text, or empty.
std::string text_problem(const std::string& name, const std::string& text) {
  if (text.find_first_not_of(" \t\r\n") == std::string::npos) {
    return fmt::format("{} is empty", name);
  }
  if (const std::size_t at = text.find('\0'); at != std::string::npos) {
    return fmt::format("{} is not a text file (a zero byte at offset {}); submit the source", name,
                       at);
  }
  return {};
}

bool same_content(const SourceTree::Entry& a, const SourceTree::Entry& b) {
  return a.size == b.size && a.size <= kMaxFileBytes && SourceTree::read(a) == SourceTree::read(b);
}

class Collector {
 public:
  /// @param base  folder with '/' that names are relative to, or empty: the top
  Collector(const SourceTree& tree, std::string base, const Lab& lab, Submission& submission)
      : tree_(tree), base_(std::move(base)), lab_(lab), submission_(submission) {}

  void add(const std::string& name) {
    if (!is_given(name) && seen_.insert(name).second) {
      waiting_.push_back(name);
    }
  }

  /// @returns false if a header is in the tree, but outside of `base`
  [[nodiscard]] bool run() {
    for (; !waiting_.empty() && submission_.problem.empty(); waiting_.pop_front()) {
      take(waiting_.front());
      if (needs_top_) return false;
    }
    if (!submission_.problem.empty()) {
      return true;
    }
    refuse_file_as_folder();
    std::stable_partition(submission_.files.begin(), submission_.files.end(),
                          [](const SourceFile& f) { return is_program(f.name); });
    return true;
  }

 private:
  void take(const std::string& name) {
    const std::optional<SourceTree::Entry> entry = tree_.find(base_ + name);
    if (!entry) {
      return;  // from the toolkit, or missing: the compiler reports the line
    }
    submission_.problem = name_problem(name);
    if (submission_.problem.empty()) {
      submission_.problem = entry_problem(name, *entry);
    }
    if (!submission_.problem.empty()) {
      return;
    }
    submission_.files.push_back({.name = name, .text = text_of(name, *entry)});
    std::string& text = submission_.files.back().text;
    submission_.problem = text_problem(name, text);
    if (submission_.problem.empty()) {
      follow_includes(name, text);
    }
  }

  std::string text_of(const std::string& name, const SourceTree::Entry& entry) {
    SourceText text = SourceTree::read_text(entry);
    if (!text.from.empty()) {
      submission_.notes.push_back(fmt::format(
          "{} is in {}, and is read as if it were saved as UTF-8", one_line(name), text.from));
    }
    return std::move(text.text);
  }

  /// An archive can contain both `a` and `a/b`; a file system cannot.
  void refuse_file_as_folder() {
    for (const SourceFile& file : submission_.files) {
      for (fs::path folder = fs::path(file.name).parent_path(); !folder.empty();
           folder = folder.parent_path()) {
        const auto is_folder = [&](const SourceFile& f) {
          return f.name == folder.generic_string();
        };
        if (std::any_of(submission_.files.begin(), submission_.files.end(), is_folder)) {
          submission_.problem =
              fmt::format("{} is both a file and the folder of {}; rename one of them",
                          folder.generic_string(), file.name);
          return;
        }
      }
    }
  }

  /// @param text  where an include names a file otherwise than the submission does, it is corrected
  void follow_includes(const std::string& name, std::string& text) {
    for (const IncludeDirective& include : find_includes(text)) {
      const Included in{.file = name, .line = include.line, .quoted = include.quoted};
      const fs::path written = replace_all(include.path, "\\", "/");
      const fs::path from = include.quoted ? fs::path(name).parent_path() : fs::path();
      const std::string target = (from / written).lexically_normal().generic_string();
      std::string in_tree = (fs::path(base_) / from / written).lexically_normal().generic_string();
      const std::string path = written.lexically_normal().generic_string();
      std::string given = path;
      if (include.quoted && !tree_.find(in_tree)) {
        if (const std::string same = in_other_case(in_tree); !same.empty()) {
          in_tree = same;
          given = fs::path(same).lexically_relative(fs::path(base_) / from).generic_string();
        } else if (const std::string flat = flattened(path); !flat.empty() && flat != name) {
          in_tree = base_ + flat;
          given = flat;
        }
      }
      const bool is_there = include.quoted && tree_.find(in_tree).has_value();
      if (written.is_absolute() || leads_out(in_tree) || (leads_out(target) && !is_there)) {
        submission_.problem = fmt::format(
            "{}:{} includes '{}', which is outside the submission; submit every file that is used, "
            "and include it by its name",
            name, include.line, one_line(include.path));
        return;
      }
      if (is_there && !in_tree.starts_with(base_)) {
        needs_top_ = true;
        return;
      }
      if (is_there) {
        if (given != path) note(in, include.path, in_tree.substr(base_.size()));
        add(in_tree.substr(base_.size()));
      } else {
        given = search(in, path);
      }
      if (given != include.path) correct(text, include, given);
    }
  }

  /// An include directive, for messages.
  struct Included {
    std::string file;
    std::uint32_t line;
    bool quoted;
  };
  void note(const Included& in, const std::string& written, const std::string& used) {
    submission_.notes.push_back(
        fmt::format("{}:{} includes '{}': {} is used", in.file, in.line, one_line(written), used));
  }

  /// Replaces the path of a directive, if it is written in one line.
  static void correct(std::string& text, const IncludeDirective& include,
                      const std::string& given) {
    std::size_t start = 0;
    for (std::uint32_t line = 1; line < include.line && start != std::string::npos; ++line) {
      start = text.find('\n', start);
      if (start != std::string::npos) ++start;
    }
    if (start == std::string::npos) return;
    const std::size_t end = std::min(text.find('\n', start), text.size());
    const std::size_t at = text.find(include.path, start);
    if (at != std::string::npos && at + include.path.size() <= end) {
      text.replace(at, include.path.size(), given);
    }
  }

  /// The one file whose path differs in case only, as Windows and macOS find it; empty: none.
  [[nodiscard]] std::string in_other_case(const std::string& path) const {
    std::string found;
    for (const auto& [candidate, entry] : tree_.entries()) {
      if (entry.kind != SourceTree::Kind::file || lower(candidate) != lower(path)) continue;
      if (!found.empty()) return {};
      found = candidate;
    }
    return found;
  }

  /// The file of this name, if the submission has lost its folders, as files that are uploaded one
  /// by one do. Not for headers of the toolkit. Empty: none.
  [[nodiscard]] std::string flattened(const std::string& path) const {
    static constexpr std::array<std::string_view, 5> kToolkit = {"cooperative_groups", "cub",
                                                                 "cuda", "hip", "thrust"};
    const std::string name = fs::path(path).filename().string();
    const std::string first = fs::path(path).begin()->string();
    const bool has_folders =
        std::any_of(tree_.entries().begin(), tree_.entries().end(),
                    [](const auto& e) { return e.first.find('/') != std::string::npos; });
    if (name == path || has_folders || fs::path(path).is_absolute() ||
        std::find(kToolkit.begin(), kToolkit.end(), first) != kToolkit.end()) {
      return {};
    }
    return tree_.find(name) ? name : in_other_case(name);
  }

  /// Takes a header that one folder of the submission has, as a Makefile with -I would.
  /// @returns the path by which it is found
  std::string search(const Included& in, const std::string& path) {
    if (leads_out(path) || is_given(path)) return path;
    std::vector<std::string> found = nearest(files_ending(path, false), base_ + in.file);
    if (found.empty()) found = nearest(files_ending(path, true), base_ + in.file);
    if (found.empty()) return path;  // from the toolkit, or missing: the compiler reports the line
    if (found.size() > 1) {
      submission_.notes.push_back(fmt::format("{}:{} includes '{}', which several folders have: {}",
                                              in.file, in.line, one_line(path), join_and(found)));
      return path;
    }
    if (!found.front().starts_with(base_)) {
      needs_top_ = true;
      return path;
    }
    const std::string target = found.front().substr(base_.size());
    if (!seen_.contains(target)) note(in, path, target);
    add(target);
    return target.substr(target.size() - path.size());
  }

  /// The files whose last folders and name are these.
  [[nodiscard]] std::vector<std::string> files_ending(const std::string& path,
                                                      bool in_any_case) const {
    std::vector<std::string> found;
    const std::string wanted = in_any_case ? lower(path) : path;
    for (const auto& [candidate, entry] : tree_.entries()) {
      const std::string name = in_any_case ? lower(candidate) : candidate;
      if (entry.kind == SourceTree::Kind::file && !is_in_build_folder(candidate) &&
          (name == wanted || name.ends_with("/" + wanted))) {
        found.push_back(candidate);
      }
    }
    return found;
  }

  /// Of several files, those that have the most folders in common with the including one; the first
  /// of copies.
  [[nodiscard]] std::vector<std::string> nearest(std::vector<std::string> found,
                                                 const std::string& including) const {
    const auto in_common = [&](const std::string& path) {
      const fs::path a = fs::path(path).parent_path();
      const fs::path b = fs::path(including).parent_path();
      return std::distance(a.begin(), std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first);
    };
    std::ptrdiff_t most = 0;
    for (const std::string& path : found) most = std::max(most, in_common(path));
    std::erase_if(found, [&](const std::string& path) { return in_common(path) < most; });
    const bool are_copies = std::all_of(found.begin(), found.end(), [&](const std::string& path) {
      return same_content(*tree_.find(path), *tree_.find(found.front()));
    });
    if (are_copies && found.size() > 1) found.resize(1);
    return found;
  }

  /// Whether a name is that of a header of the lab's, which no submission replaces.
  [[nodiscard]] bool is_given(const std::string& name) const {
    const fs::path file = fs::path(name).filename();
    return file == lab_.header.filename() ||
           std::any_of(lab_.given.begin(), lab_.given.end(),
                       [&](const fs::path& header) { return file == header.filename(); });
  }
  [[nodiscard]] static bool leads_out(const std::string& path) {
    return path == ".." || path.starts_with("../");
  }

  const SourceTree& tree_;
  const std::string base_;
  const Lab& lab_;
  Submission& submission_;
  std::set<std::string> seen_;
  std::deque<std::string> waiting_;
  bool needs_top_ = false;
};

}  // namespace

std::string entry_problem(const std::string& name, const SourceTree::Entry& entry) {
  switch (entry.kind) {
    case SourceTree::Kind::folder:
      return fmt::format("{} is a folder, not a file", name);
    case SourceTree::Kind::link_outside:
      return fmt::format("{} is a symbolic link that leads out of the submission", name);
    case SourceTree::Kind::special:
      return fmt::format("{} is not a regular file", name);
    case SourceTree::Kind::file:
      break;
  }
  if (entry.size > kMaxFileBytes) {
    return fmt::format("{} has {}; a source file may have at most {}", name,
                       human_bytes(entry.size), human_bytes(kMaxFileBytes));
  }
  return {};
}

bool collect_sources(const SourceTree& tree, const std::string& base,
                     const std::vector<std::string>& programs, const Lab& lab,
                     Submission& submission) {
  Collector collector(tree, base, lab, submission);
  for (const std::string& name : programs) collector.add(name);
  return collector.run();
}

}  // namespace warpgrade
