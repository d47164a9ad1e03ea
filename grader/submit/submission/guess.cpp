#include "grader/submit/submission/guess.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <optional>
#include <regex>
#include <utility>

#include "grader/core/comments.h"
#include "grader/core/error.h"
#include "grader/core/source_names.h"
#include "grader/core/text.h"
#include "grader/submit/submission/code_text.h"
#include "grader/submit/submission/other_names.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kNamed = 5;  // files in a line of the listing

/// The copy suffix at the end of a stem, and its number: 0 for a suffix without one.
struct CopyMark {
  std::size_t begin;
  int number;
};

std::optional<CopyMark> copy_mark(const std::string& stem) {
  static const std::regex kMark(
      R"(^(.+?)( ?\((\d{1,3})\)|[-_](\d{1,3})|[ _-]+(copy|kopie|copie|copia)( \d+)?)$)",
      std::regex::icase);
  std::smatch m;
  if (!std::regex_match(stem, m, kMark)) return std::nullopt;
  const std::string digits = m[3].matched ? m[3].str() : m[4].matched ? m[4].str() : "0";
  return CopyMark{.begin = static_cast<std::size_t>(m.length(1)), .number = std::stoi(digits)};
}

/// "Copy of vecadd" without what a system has put in front.
std::string without_copy_prefix(const std::string& stem) {
  static const std::regex kPrefix(R"(^(copy of|kopie von|copie de|copia di|copia de) +(.+)$)",
                                  std::regex::icase);
  std::smatch m;
  return std::regex_match(stem, m, kPrefix) ? m[2].str() : stem;
}

/// The number of a file's copy suffix; -1 if it has none.
int copy_number(const std::string& path) {
  const auto mark = copy_mark(fs::path(path).stem().string());
  return mark ? mark->number : -1;
}

/// The last of several cells of one notebook (notebook.h), which a student wrote last; empty if
/// these are not such.
std::string last_cell(const std::vector<std::string>& paths) {
  static const std::regex kCell(R"(^(.+)-cell(\d{1,6})\.cu$)");
  std::string notebook;
  std::string last;
  int number = -1;
  for (const std::string& path : paths) {
    std::smatch m;
    if (!std::regex_match(path, m, kCell) || (!last.empty() && m[1] != notebook)) return {};
    notebook = m[1];
    if (std::stoi(m[2]) > number) {
      number = std::stoi(m[2]);
      last = path;
    }
  }
  return last;
}

std::string base_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? "" : path.substr(0, slash + 1);
}

LabFiles only(const std::string& path) {
  return {.base = base_of(path), .names = {path.substr(base_of(path).size())}};
}

/// Whether a file defines a function; not for one that cannot be read, which is reported when it is
/// read as a submission.
bool file_defines(const SourceTree::Entry& file, const std::string& function) {
  try {
    return defines_function(without_comments(SourceTree::read_text(file).text), function);
  } catch (const UsageError&) {
    return false;
  }
}

std::string some_of(std::vector<std::string> paths) {
  const std::size_t all = paths.size();
  paths.resize(std::min(all, kNamed));
  for (std::string& path : paths) path = one_line(path).substr(0, 120);
  if (all > kNamed) paths.push_back(fmt::format("{} more", all - kNamed));
  return join_and(paths);
}

/// Whether an entry is a program outside of build folders.
bool is_program_file(const std::string& path, const SourceTree::Entry& file) {
  return file.kind == SourceTree::Kind::file && is_program(path) && !is_in_build_folder(path);
}

/// Whether a stem is a lab's name and more, as in "vecadd_final", "vecadd-v2" or "vecadd neu".
bool is_version_of(const std::string& stem, const std::string& lab) {
  return stem.size() > lab.size() + 1 && stem.starts_with(lab) &&
         std::string_view("-_ .").find(stem[lab.size()]) != std::string_view::npos;
}

/// Without those in folders that development environments write to, such as x64/Debug; but all of
/// them if there are no others, because a student may have a folder of such a name.
std::vector<std::string> without_outputs(const std::vector<std::string>& paths) {
  std::vector<std::string> found;
  std::copy_if(paths.begin(), paths.end(), std::back_inserter(found),
               [](const std::string& path) { return !is_in_output_folder(path); });
  return found.empty() ? paths : found;
}

/// Programs anywhere with the lab's name, except for case and copy suffixes.
std::vector<std::string> programs_named(const SourceTree& tree, const Lab& lab) {
  std::vector<std::string> found;
  for (const auto& [path, file] : tree.entries()) {
    if (is_program_file(path, file) && plain_stem(fs::path(path).filename().string()) == lab.id) {
      found.push_back(path);
    }
  }
  return without_outputs(found);
}

class Guesser {
 public:
  Guesser(ClassListing& listing, const GuessScope& scope) : listing_(listing), scope_(scope) {}

  void guess(StudentEntry& entry, const Lab& lab) {
    if (!entry.problem.empty() || !entry.fault.empty() || !lab.has_code()) return;
    if (entry.assigned.contains(lab.id)) return;  // a person has decided
    take_from_beside(entry, lab);
    const std::vector<std::string> named = programs_named(entry.tree, lab);
    if (const LabFiles files = files_of(entry, lab); !files.names.empty()) {
      tell_of_others(entry, lab, named);
      tell_of_versions(entry, lab, files.base + files.names.front());
      return;
    }
    if (std::vector<std::string> versions = versions_of(entry.tree, lab); !versions.empty()) {
      // Beside "vecadd_final.cu", "vecadd (1).cu" is a version, too.
      for (std::string& copy : that_define(entry.tree, named, lab)) {
        versions.push_back(std::move(copy));
      }
      newest(entry, lab, versions);
      return;
    }
    if (!named.empty()) {
      by_name(entry, lab, named);
      return;
    }
    if (!scope_.assigned.contains(lab.id)) return;
    const std::vector<std::string> files = of_no_lab(entry.tree);
    const std::vector<std::string> defining = that_define(entry.tree, files, lab);
    if (defining.size() == 1) {
      take(entry, lab, defining.front(),
           fmt::format("the only file that defines {}", lab.function));
    } else if (const std::string cell = last_cell(defining); !cell.empty()) {
      take(entry, lab, cell, fmt::format("the last cell that defines {}", lab.function));
    } else if (const std::string header = header_of(entry.tree, lab);
               defining.empty() && !header.empty()) {
      take(entry, lab, header, fmt::format("the only file that defines {}", lab.function));
    } else if (scope_.one_asked && files.size() == 1) {
      take(entry, lab, files.front(), "the only .cu file");
    } else if (!files.empty() && (scope_.one_asked || !defining.empty())) {
      ask(entry, lab, defining.empty() ? files : defining);
    }
  }

 private:
  /// Adds the files of archives to the tree if only they have a program of the lab's name.
  void take_from_beside(StudentEntry& entry, const Lab& lab) const {
    const auto has_files = [&](const SourceTree& tree) {
      return !programs_named(tree, lab).empty() || !versions_of(tree, lab).empty();
    };
    if (entry.beside.entries().empty() || !files_of(entry, lab).names.empty() ||
        has_files(entry.tree) || !has_files(entry.beside)) {
      return;
    }
    for (const auto& [path, file] : entry.beside.entries()) {
      if (!entry.tree.find(path)) entry.tree.add(path, file);
    }
  }

  /// Programs without a lab's name that are not in a lab's folder.
  [[nodiscard]] std::vector<std::string> of_no_lab(const SourceTree& tree) const {
    std::vector<std::string> found;
    for (const auto& [path, file] : tree.entries()) {
      if (!is_program_file(path, file)) continue;
      bool of_a_lab = is_lab(plain_stem(fs::path(path).filename().string()));
      for (const fs::path& step : fs::path(path).parent_path()) {
        of_a_lab = of_a_lab || is_lab(lower(step.string()));
      }
      if (!of_a_lab) found.push_back(path);
    }
    return without_outputs(found);
  }

  [[nodiscard]] bool is_lab(const std::string& name) const {
    return std::find(scope_.ids.begin(), scope_.ids.end(), name) != scope_.ids.end();
  }

  /// The files among these that define the lab's function.
  [[nodiscard]] static std::vector<std::string> that_define(const SourceTree& tree,
                                                            const std::vector<std::string>& files,
                                                            const Lab& lab) {
    std::vector<std::string> found;
    for (const std::string& path : files) {
      if (file_defines(*tree.find(path), lab.function)) found.push_back(path);
    }
    return found;
  }

  /// Programs that define the lab's function and are called like the lab and more. Files of other
  /// labs, whose names may begin in the same way, are none.
  [[nodiscard]] std::vector<std::string> versions_of(const SourceTree& tree, const Lab& lab) const {
    std::vector<std::string> found;
    for (const auto& [path, file] : tree.entries()) {
      if (!is_program_file(path, file)) continue;
      const std::string stem = plain_stem(fs::path(path).filename().string());
      const auto is_of_other = [&](const std::string& id) {
        return id.size() > lab.id.size() && (stem == id || is_version_of(stem, id));
      };
      if (is_version_of(stem, lab.id) &&
          std::none_of(scope_.ids.begin(), scope_.ids.end(), is_of_other)) {
        found.push_back(path);
      }
    }
    return that_define(tree, without_outputs(found), lab);
  }

  /// The only header that defines the lab's function, if no program does.
  [[nodiscard]] static std::string header_of(const SourceTree& tree, const Lab& lab) {
    std::vector<std::string> headers;
    for (const auto& [path, file] : tree.entries()) {
      if (file.kind == SourceTree::Kind::file && is_source_name(path) && !is_program(path) &&
          !is_in_build_folder(path)) {
        headers.push_back(path);
      }
    }
    headers = that_define(tree, without_outputs(headers), lab);
    return headers.size() == 1 ? headers.front() : std::string();
  }

  /// Takes the newest of several versions, by the times of files.
  void newest(StudentEntry& entry, const Lab& lab, const std::vector<std::string>& versions) {
    std::string last;
    if (const std::string cell = last_cell(versions); versions.size() > 1 && !cell.empty()) {
      take(entry, lab, cell, fmt::format("the last of {}", some_of(versions)));
      return;
    }
    std::optional<Instant> at;
    bool is_known = true;
    for (const std::string& path : versions) {
      const std::optional<Instant> time = modified_at(*entry.tree.find(path));
      is_known = is_known && time && time != at;
      if (last.empty() || time > at) {
        last = path;
        at = time;
      }
    }
    if (versions.size() > 1 && !is_known) {
      ask(entry, lab, versions);
      return;
    }
    take(entry, lab, last,
         versions.size() == 1 ? fmt::format("it defines {}", lab.function)
                              : fmt::format("the newest of {}", some_of(versions)));
  }

  /// The file with the lab's name is graded; the student may have meant a later version.
  void tell_of_versions(const StudentEntry& entry, const Lab& lab, const std::string& graded) {
    const std::vector<std::string> versions = versions_of(entry.tree, lab);
    const auto submitted = entry.tree.find(graded);
    for (const std::string& path : versions) {
      if (path == graded || !submitted || same_text(entry.tree, path, graded)) continue;
      const std::optional<Instant> time = modified_at(*entry.tree.find(path));
      const bool is_newer = time && time > modified_at(*submitted);
      listing_.unclear.push_back(
          {.what = fmt::format("{}: {} is graded for {} by its name, not {}{}",
                               one_line(entry.student), one_line(graded), lab.id, one_line(path),
                               is_newer ? ", which is newer" : ""),
           .say = fmt::format("if the other one should count, write it for {} in mapping.csv "
                              "(warpgrade intake)",
                              lab.id)});
    }
  }

  /// Takes the only file with the lab's name, or the last of its numbered copies.
  void by_name(StudentEntry& entry, const Lab& lab, std::vector<std::string> named) {
    std::stable_sort(named.begin(), named.end(), [](const std::string& a, const std::string& b) {
      return copy_number(a) > copy_number(b);
    });
    const bool one_place = std::all_of(named.begin(), named.end(), [&](const std::string& path) {
      return base_of(path) == base_of(named.front());
    });
    const bool one_is_last =
        named.size() == 1 || (one_place && copy_number(named[0]) > copy_number(named[1]));
    if (!one_is_last) {
      ask(entry, lab, named);
      return;
    }
    take(entry, lab, named.front(),
         named.size() == 1 ? "by its name" : fmt::format("the last of {}", some_of(named)));
  }

  /// The student may have meant a copy beside the file that is graded.
  void tell_of_others(const StudentEntry& entry, const Lab& lab,
                      const std::vector<std::string>& named) {
    const LabFiles files = files_of(entry, lab);
    std::vector<std::string> others;
    for (const std::string& path : named) {
      const bool graded = std::any_of(files.names.begin(), files.names.end(),
                                      [&](const auto& n) { return files.base + n == path; });
      if (!graded && !same_text(entry.tree, path, files.base + files.names.front())) {
        others.push_back(path);
      }
    }
    if (!others.empty()) {
      listing_.unclear.push_back(
          {.what = fmt::format("{}: {} is graded for {}, not {}", one_line(entry.student),
                               one_line(files.base + files.names.front()), lab.id, some_of(others)),
           .say = fmt::format("if another one should count, leave only that one there, as {}.cu",
                              lab.id)});
    }
  }

  static bool same_text(const SourceTree& tree, const std::string& a, const std::string& b) {
    try {
      return SourceTree::read(*tree.find(a)) == SourceTree::read(*tree.find(b));
    } catch (const UsageError&) {
      return false;
    }
  }

  void take(StudentEntry& entry, const Lab& lab, const std::string& path, const std::string& why) {
    if (!is_one_line(path)) {  // from an archive with a wrong encoding
      ask(entry, lab, {path});
      return;
    }
    entry.taken[lab.id] = only(path);
    // Several attempts give the same guess.
    const bool is_known =
        std::any_of(listing_.guesses.begin(), listing_.guesses.end(), [&](const Guess& guess) {
          return guess.student == entry.student && guess.lab == lab.id && guess.path == path;
        });
    if (is_known) return;
    listing_.guesses.push_back({.student = entry.student, .lab = lab.id, .path = path, .why = why});
  }

  void ask(const StudentEntry& entry, const Lab& lab, const std::vector<std::string>& paths) {
    listing_.unclear.push_back(
        {.what = fmt::format("{}: which file is for {}? There {} {}", one_line(entry.student),
                             lab.id, paths.size() == 1 ? "is" : "are", some_of(paths)),
         .say = fmt::format("name it {}.cu, or put all files that belong to it into {}/", lab.id,
                            lab.id)});
  }

  ClassListing& listing_;
  const GuessScope& scope_;
};

}  // namespace

std::string guess_note(const Guess& guess) {
  return fmt::format("{}: {} is used for {}: {}", one_line(guess.student),
                     one_line(guess.path).substr(0, 200), guess.lab, guess.why);
}

std::string plain_stem(const std::string& file_name) {
  const std::string_view ending = program_ending(file_name);
  std::string stem = ending.empty() ? fs::path(file_name).stem().string()
                                    : file_name.substr(0, file_name.size() - ending.size());
  while (const auto mark = copy_mark(stem)) stem.resize(mark->begin);
  stem = without_copy_prefix(stem);
  return lower(std::string(trimmed(stem)));
}

void guess_files(ClassListing& listing, const GuessScope& scope) {
  Guesser guesser(listing, scope);
  for (StudentEntry& student : listing.students) {
    for (const Lab* lab : scope.labs) {
      for (StudentEntry& earlier : student.earlier) guesser.guess(earlier, *lab);
      guesser.guess(student, *lab);
    }
  }
}

bool is_submitted_by_name(const StudentEntry& entry, const Lab& lab) {
  if (has_submission(entry, lab)) return true;
  if (!lab.has_code()) return false;
  if (!programs_named(entry.tree, lab).empty()) return true;
  // "vecadd_final.cu", if it is what it says: "scan_test.cu" of another lab is not.
  return std::any_of(
      entry.tree.entries().begin(), entry.tree.entries().end(), [&](const auto& found) {
        const auto& [path, file] = found;
        return is_program_file(path, file) &&
               is_version_of(plain_stem(fs::path(path).filename().string()), lab.id) &&
               file_defines(file, lab.function);
      });
}

std::vector<std::string> left_out(const StudentEntry& entry, const std::vector<const Lab*>& labs) {
  std::set<std::string> graded;
  for (const Lab* lab : labs) {
    const LabFiles files = files_of(entry, *lab);
    for (const std::string& name : files.names) graded.insert(files.base + name);
  }
  std::vector<std::string> found;
  for (const auto& [path, file] : entry.tree.entries()) {
    if (is_program_file(path, file) && !graded.contains(path)) found.push_back(path);
  }
  return found;
}

}  // namespace warpgrade
