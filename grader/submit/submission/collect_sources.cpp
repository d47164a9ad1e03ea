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
#include "grader/core/comments.h"
#include "grader/core/source_names.h"
#include "grader/core/text.h"
#include "grader/submit/submission/build_definitions.h"
#include "grader/submit/submission/code_text.h"
#include "grader/submit/submission/other_names.h"
#include "harness/core/identifier.h"

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

/// What a file is instead of a program, if its first characters say so; empty otherwise.
std::string other_format(std::string_view text) {
  text = trimmed(text, " \t\r\n");
  constexpr std::size_t kLongestMark = 16;
  const std::string first = lower(text.substr(0, kLongestMark));
  if (text.starts_with("version https://git-lfs.github.com/spec/")) {
    return "a pointer of Git LFS to the file, which was not downloaded; run `git lfs pull`";
  }
  if (first.starts_with("{\\rtf")) return "a document in RTF; save it as plain text";
  if (first.starts_with("<!doctype html") || first.starts_with("<html")) {
    return "a web page; submit the file itself";
  }
  return {};
}

/// Why a source cannot be read as text, or empty. A header may be empty.
std::string text_problem(const std::string& name, const std::string& text) {
  if ((is_program(name) || is_python(name)) &&
      text.find_first_not_of(" \t\r\n") == std::string::npos) {
    return fmt::format("{} is empty", name);
  }
  if (const std::size_t at = text.find('\0'); at != std::string::npos) {
    return fmt::format("{} is not a text file (a zero byte at offset {}); submit the source", name,
                       at);
  }
  if (const std::string what = other_format(text); !what.empty()) {
    return fmt::format("{} is {}", name, what);
  }
  return {};
}

bool has_outside_comments(const std::string& text, std::string_view what) {
  return without_comments(text).find(what) != std::string::npos;
}

/// Removes what editors and web pages leave in a program and no compiler accepts: zero bytes and
/// Control-Z at the end, spaces that do not break a line, spaces without width.
/// @returns  whether there was any
bool clean(std::string& text) {
  const std::size_t size = text.size();
  text.erase(text.find_last_not_of(std::string_view("\0\x1A", 2)) + 1);
  bool is_changed = text.size() != size;
  static constexpr std::array<std::pair<const char*, const char*>, 9> kMarks = {{{"\u00A0", " "},
                                                                                 {"\u2002", " "},
                                                                                 {"\u2003", " "},
                                                                                 {"\u2009", " "},
                                                                                 {"\u202F", " "},
                                                                                 {"\u3000", " "},
                                                                                 {"\u200B", ""},
                                                                                 {"\u2060", ""},
                                                                                 {"\uFEFF", ""}}};
  constexpr std::string_view kOrderMark = "\uFEFF";  // at the beginning it is for the compiler
  for (const auto& [what, by] : kMarks) {
    if (text.find(what, what == kOrderMark ? 1 : 0) == std::string::npos) continue;
    // Usual in comments in Chinese and Japanese.
    if (what == std::string_view("\u3000") && !has_outside_comments(text, what)) continue;
    const std::string mark = text.starts_with("\uFEFF") ? "\uFEFF" : "";
    text = mark + replace_all(text.substr(mark.size()), what, by);
    is_changed = true;
  }
  return is_changed;
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
  /// The same for a file that is compiled, whatever its name ends with.
  void add_program(const std::string& name) {
    programs_.insert(name);
    // Also if it is named like a header that the lab gives: the student wrote the program there.
    if (seen_.insert(name).second) waiting_.push_back(name);
  }

  /// A submission in Python is one file, which is not compiled.
  void take_python(const std::string& name) {
    const std::optional<SourceTree::Entry> entry = tree_.find(base_ + name);
    if (!entry) return;
    submission_.problem = name_problem(name);
    if (submission_.problem.empty()) submission_.problem = entry_problem(name, *entry);
    if (!submission_.problem.empty()) return;
    submission_.files.push_back({.name = name, .text = text_of(name, *entry)});
    submission_.problem = text_problem(name, submission_.files.back().text);
  }

  /// @returns false if a header is in the tree, but outside of `base`
  [[nodiscard]] bool run() {
    do {
      for (; !waiting_.empty() && submission_.problem.empty(); waiting_.pop_front()) {
        take(waiting_.front());
        if (needs_top_) return false;
      }
    } while (submission_.problem.empty() && add_missing_programs());
    if (needs_top_) return false;
    if (!submission_.problem.empty()) {
      return true;
    }
    refuse_file_as_folder();
    define_macros();
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
    const std::string compiled = name_for_compiler(name);
    submission_.problem = name_problem(compiled);
    if (submission_.problem.empty()) {
      submission_.problem = entry_problem(name, *entry);
    }
    if (!submission_.problem.empty()) {
      return;
    }
    submission_.files.push_back({.name = compiled, .text = text_of(name, *entry)});
    std::string& text = submission_.files.back().text;
    submission_.problem = text_problem(compiled, text);
    if (submission_.problem.empty()) {
      follow_includes(compiled, text);
    }
  }

  /// The name of a file in the build. That of a program is another one if its ending does not say
  /// what it is, or a compiler would misinterpret it.
  std::string name_for_compiler(const std::string& name) {
    if (!programs_.contains(name)) return name;
    const fs::path path(name);
    std::string better = name;
    if (!is_program(name)) {
      better = (path.parent_path() / path.stem()).generic_string() + ".cu";
    } else if (!name_problem(path.filename().string()).empty()) {
      better = (path.parent_path() / (lab_.id + ".cu")).generic_string();
    }
    if (better == name || tree_.find(base_ + better)) return name;
    submission_.notes.push_back(
        fmt::format("{} is compiled as {}", one_line(name), one_line(better)));
    return better;
  }

  /// Adds programs that define functions which the others only declare, as a Makefile would that
  /// compiles several files.
  /// @returns whether there are any
  bool add_missing_programs() {
    std::string text;
    for (const SourceFile& file : submission_.files) text += without_comments(file.text) + "\n;";
    std::set<std::string> missing = missing_functions(text);
    missing.erase(lab_.function);
    std::vector<std::pair<std::string, std::string>> others;  // with their text
    if (!missing.empty()) others = other_programs();
    bool is_any = false;
    for (const std::string& function : missing) {
      std::vector<std::string> defining;
      for (const auto& [path, code] : others) {
        if (defines_function(code, function)) defining.push_back(path);
      }
      if (defining.size() != 1) continue;  // from the toolkit, or the linker reports it
      if (!defining.front().starts_with(base_)) {
        needs_top_ = true;
        return false;
      }
      const std::string name = defining.front().substr(base_.size());
      if (seen_.contains(name)) continue;
      submission_.notes.push_back(
          fmt::format("{} is compiled, too: it defines {}", one_line(name), function));
      add_program(name);
      is_any = true;
    }
    return is_any;
  }

  /// Programs of the submission that are not taken yet, without comments; not other versions of the
  /// lab's function.
  [[nodiscard]] std::vector<std::pair<std::string, std::string>> other_programs() const {
    std::vector<std::pair<std::string, std::string>> others;
    for (const auto& [path, entry] : tree_.entries()) {
      const bool is_taken = path.starts_with(base_) && seen_.contains(path.substr(base_.size()));
      const bool is_code = is_program(path) || (!usual_name(path).empty() && is_cpp(path));
      if (is_taken || !is_code || !entry_problem(path, entry).empty() || is_in_build_folder(path)) {
        continue;
      }
      std::string code = without_comments(SourceTree::read_text(entry).text);
      if (!defines_function(code, lab_.function)) others.emplace_back(path, std::move(code));
    }
    return others;
  }

  [[nodiscard]] static bool is_cpp(const std::string& path) {
    const std::string ending = lower(fs::path(path).extension().string());
    return ending == ".cpp" || ending == ".cc" || ending == ".cxx";
  }

  /// Gives the sources the macros that the submission's Makefile defines.
  void define_macros() {
    const auto is_used = [&](const std::string& macro) {
      return std::any_of(submission_.files.begin(), submission_.files.end(),
                         [&](const SourceFile& file) { return has_word(file.text, macro); });
    };
    for (const auto& [path, entry] : tree_.entries()) {
      if (!is_build_file(path) || is_in_build_folder(path) || !entry_problem(path, entry).empty()) {
        continue;
      }
      std::string text;
      std::vector<std::string> used;
      for (const auto& [macro, value] : build_definitions(SourceTree::read_text(entry).text)) {
        if (!is_used(macro) || std::find(used.begin(), used.end(), macro) != used.end()) continue;
        text += fmt::format("#ifndef {0}\n#define {0} {1}\n#endif\n", macro, value);
        used.push_back(macro);
      }
      if (used.empty() || tree_.find(base_ + kMakefileMacros)) continue;
      submission_.notes.push_back(fmt::format("{} is compiled with {}, as {} says",
                                              one_line(submission_.files.front().name),
                                              join_and(used), one_line(path)));
      submission_.files.push_back({.name = kMakefileMacros, .text = std::move(text)});
      return;
    }
  }

  std::string text_of(const std::string& name, const SourceTree::Entry& entry) {
    SourceText text = SourceTree::read_text(entry);
    if (!text.from.empty()) {
      submission_.notes.push_back(fmt::format(
          "{} is in {}, and is read as if it were saved as UTF-8", one_line(name), text.from));
    }
    if (clean(text.text)) {
      submission_.notes.push_back(
          fmt::format("{} contains characters that are neither text nor spaces of a program; it is "
                      "read without "
                      "them",
                      one_line(name)));
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
  std::set<std::string> programs_;  // of these, those that are compiled
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
  if (programs.size() == 1 && is_python(programs.front())) {
    collector.take_python(programs.front());
    return true;
  }
  for (const std::string& name : programs) collector.add_program(name);
  return collector.run();
}

}  // namespace warpgrade
