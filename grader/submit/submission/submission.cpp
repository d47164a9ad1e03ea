#include "grader/submit/submission/submission.h"

#include <fmt/core.h>

#include <algorithm>
#include <deque>
#include <set>
#include <system_error>

#include "grader/build/inspection/includes.h"
#include "grader/core/encoding.h"
#include "grader/core/error.h"
#include "grader/core/sha256.h"
#include "grader/core/source_names.h"
#include "grader/core/text.h"
#include "grader/submit/course/student_name.h"
#include "grader/submit/submission/other_names.h"
#include "harness/questions/answer_sheet.h"

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

/// Why an entry cannot be read as a source, or empty.
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

/// Follows includes from the programs, so that only files needed by the build are taken.
class Collector {
 public:
  /// @param base  folder with '/' that names are relative to, or empty: the top
  Collector(const SourceTree& tree, std::string base, const Lab& lab, Submission& submission)
      : tree_(tree), base_(std::move(base)), lab_(lab), submission_(submission) {}

  void add(const std::string& name) {
    if (fs::path(name).filename() != lab_.header.filename() && seen_.insert(name).second) {
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
    const std::string& text = submission_.files.back().text;
    submission_.problem = text_problem(name, text);
    if (submission_.problem.empty()) {
      follow_includes(name, text);
    }
  }

  /// Compilers do not read UTF-16, as some editors of Windows write it.
  std::string text_of(const std::string& name, const SourceTree::Entry& entry) {
    std::string bytes = SourceTree::read(entry);
    const std::optional<DecodedText> decoded = decode_text(bytes);
    if (!decoded || decoded->from != "UTF-16") return bytes;
    submission_.notes.push_back(
        fmt::format("{} is in UTF-16, and is read as if it were saved as UTF-8", one_line(name)));
    return decoded->text;
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

  void follow_includes(const std::string& name, const std::string& text) {
    for (const IncludeDirective& include : find_includes(text)) {
      const fs::path written = replace_all(include.path, "\\", "/");
      const fs::path from = include.quoted ? fs::path(name).parent_path() : fs::path();
      const std::string target = (from / written).lexically_normal().generic_string();
      const std::string in_tree =
          (fs::path(base_) / from / written).lexically_normal().generic_string();
      if (written.is_absolute() || leads_out(in_tree) ||
          (leads_out(target) && !tree_.find(in_tree))) {
        submission_.problem = fmt::format(
            "{}:{} includes '{}', which is outside the submission; submit every file that is used, "
            "and include it by its name",
            name, include.line, one_line(include.path));
        return;
      }
      if (leads_out(target)) {
        needs_top_ = true;
        return;
      }
      if (include.quoted && tree_.find(in_tree)) {
        add(target);
      } else {
        search(name, include, written.lexically_normal().generic_string());
      }
    }
  }

  /// Takes a header that exactly one folder of the submission has, as a Makefile with -I would.
  void search(const std::string& name, const IncludeDirective& include, const std::string& path) {
    if (leads_out(path) || fs::path(path).filename() == lab_.header.filename()) return;
    std::vector<std::string> found;
    for (const auto& [candidate, entry] : tree_.entries()) {
      if (entry.kind == SourceTree::Kind::file && !is_in_build_folder(candidate) &&
          (candidate == path || candidate.ends_with("/" + path))) {
        found.push_back(candidate);
      }
    }
    if (found.empty()) return;  // from the toolkit, or missing: the compiler reports the line
    if (found.size() > 1) {
      submission_.notes.push_back(fmt::format("{}:{} includes '{}', which several folders have: {}",
                                              name, include.line, one_line(include.path),
                                              join_and(found)));
      return;
    }
    if (!found.front().starts_with(base_)) {
      needs_top_ = true;
      return;
    }
    const std::string target = found.front().substr(base_.size());
    if (!seen_.contains(target)) {
      submission_.notes.push_back(fmt::format("{}:{} includes '{}': {} is used", name, include.line,
                                              one_line(include.path), target));
    }
    add(target);
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

/// "" or "folder/": the top of a tree's files. Archives often contain a single folder.
std::string top_folder(const SourceTree& tree) {
  std::string top;
  for (const auto& [path, entry] : tree.entries()) {
    const std::size_t slash = path.find('/');
    const bool in_folder = slash != std::string::npos || entry.kind == SourceTree::Kind::folder;
    if (!in_folder) {
      return "";
    }
    const std::string first = path.substr(0, slash) + "/";
    if (!top.empty() && first != top) {
      return "";
    }
    top = first;
  }
  return top;
}

/// Folders in which to look for a lab's file, the most likely first.
std::vector<std::string> places(const SourceTree& tree, const Lab& lab) {
  std::vector<std::string> found = {""};
  const std::string top = top_folder(tree);
  if (!top.empty() && top != lab.id + "/") {
    found.push_back(top);
  }
  return found;
}

std::vector<std::string> programs_in(const SourceTree& tree, const std::string& folder) {
  std::vector<std::string> names;
  for (const auto& [path, entry] : tree.entries()) {
    if (path.starts_with(folder) && is_program(path) &&
        path.find('/', folder.size()) == std::string::npos) {
      names.push_back(path.substr(folder.size()));
    }
  }
  return names;
}

/// Reads answers.toml; its problems cost no points but those of the questions.
SubmittedAnswers read_answers(const SourceTree& tree, const std::string& path) {
  SubmittedAnswers answers;
  const std::optional<SourceTree::Entry> entry = path.empty() ? std::nullopt : tree.find(path);
  if (!entry) {
    return answers;
  }
  if (entry->kind == SourceTree::Kind::file && entry->size > kMaxAnswerBytes) {
    answers.problem =
        fmt::format("{} has {}; at most {} are read. Submit only the answers, one line each",
                    kAnswersFile, human_bytes(entry->size), human_bytes(kMaxAnswerBytes));
    return answers;
  }
  answers.problem = entry_problem(kAnswersFile, *entry);
  if (answers.problem.empty()) {
    answers.file = SourceFile{.name = kAnswersFile, .text = SourceTree::read(*entry)};
    if (answers.file->text.find('\0') != std::string::npos ||
        answers.file->text.starts_with("\xFF\xFE")) {
      answers.problem =
          fmt::format("{} is not a text file in UTF-8; save it as plain text", kAnswersFile);
      answers.file.reset();
    }
  }
  return answers;
}

std::string nothing_found(const SourceTree& tree, const Lab& lab) {
  if (!lab.has_code()) {
    return fmt::format("no {} was submitted", kAnswersFile);
  }
  std::vector<std::string> others;
  for (const auto& [path, entry] : tree.entries()) {
    if (is_program(path) && others.size() < 5) {
      others.push_back(one_line(path).substr(0, 200));
    }
  }
  std::string text = fmt::format("no {}.cu was submitted", lab.id);
  if (!others.empty()) {
    text += fmt::format("; found {} instead: the file must be named {}.cu, or be in {}/",
                        join_and(others), lab.id, lab.id);
  }
  return text;
}

}  // namespace

std::string Submission::hash() const {
  Sha256 sha;
  sha.add_field(lab);
  sha.add_field(problem);
  for (const SourceFile& file : files) {
    sha.add_field(file.name);
    sha.add_field(file.text);
  }
  if (answers.file || !answers.problem.empty()) {
    sha.add_field(answers.file ? answers.file->text : std::string());
    sha.add_field(answers.problem);
  }
  return sha.hex();
}

ClassListing list_class(const fs::path& folder) {
  std::error_code error;
  if (!fs::is_directory(folder, error)) {
    throw UsageError(fmt::format(
        "{} is not a folder; give the folder that contains one folder or archive per student",
        folder.string()));
  }
  std::vector<fs::path> found;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    found.push_back(entry.path());
  }
  if (error) {
    throw UsageError(fmt::format("{} cannot be read: {}", folder.string(), error.message()));
  }
  std::sort(found.begin(), found.end());

  ClassListing listing;
  std::set<std::string> names;
  // A student's folder takes precedence over an archive beside it.
  for (const bool archives : {false, true}) {
    for (const fs::path& path : found) {
      const std::string name = path.filename().string();
      std::string stem = name;
      const bool is_folder = fs::is_directory(path, error);
      if (name.starts_with('.') || is_folder == archives) {
        continue;
      }
      if (!is_folder && !is_archive(path, stem)) {
        listing.notes.push_back(
            fmt::format("{} ignored: neither a student's folder nor an archive", one_line(name)));
        if (is_source_name(name)) {
          listing.unclear.push_back(
              {.what = fmt::format("{}: whose is it? It is beside the students' folders",
                                   one_line(name)),
               .say = "put it into a folder named after the student"});
        }
        continue;
      }
      std::string student = safe_student_name(stem);
      if (!names.insert(student).second) {
        listing.notes.push_back(fmt::format("{} ignored: {} has another submission beside it",
                                            one_line(name), student));
        listing.unclear.push_back(
            {.what = fmt::format("{}: {} has another submission beside it, which is graded",
                                 one_line(name), student),
             .say = "leave only the one that counts"});
        continue;
      }
      if (student != stem) {
        listing.notes.push_back(
            fmt::format("a student's submission is in '{}', which {}: graded as {}",
                        one_line(name).substr(0, 200), student_name_problem(stem), student));
      }
      TreeResult result = tree_of_work(path);
      StudentEntry entry;
      entry.student = std::move(student);
      entry.tree = std::move(result.tree);
      entry.beside = std::move(result.beside);
      entry.problem = std::move(result.problem);
      entry.fault = std::move(result.fault);
      entry.came_as = path.filename().string();
      entry.archive_time = is_folder ? std::nullopt : modified_at(path);
      listing.students.push_back(std::move(entry));
    }
  }
  if (listing.students.empty()) {
    throw UsageError(
        fmt::format("{} contains no submission; expected {}/<student>/<lab>.cu, or one .zip or "
                    ".tar.gz per student",
                    folder.string(), folder.string()));
  }
  std::sort(listing.students.begin(), listing.students.end(),
            [](const StudentEntry& a, const StudentEntry& b) { return a.student < b.student; });
  return listing;
}

LabFiles files_of(const StudentEntry& entry, const Lab& lab) {
  if (!lab.has_code()) {
    return {};
  }
  if (const auto assigned = entry.assigned.find(lab.id); assigned != entry.assigned.end()) {
    return assigned->second;
  }
  const SourceTree& tree = entry.tree;
  for (const std::string& place : places(tree, lab)) {
    for (const std::string_view ending : kProgramEndings) {
      const std::string name = lab.id + std::string(ending);
      if (tree.find(place + name)) {
        return {.base = place, .names = {name}};
      }
    }
    const std::string folder = place + lab.id + "/";
    if (std::vector<std::string> names = programs_in(tree, folder); !names.empty()) {
      return {.base = folder, .names = std::move(names)};
    }
  }
  const auto guessed = entry.taken.find(lab.id);
  return guessed == entry.taken.end() ? LabFiles{} : guessed->second;
}

std::string answers_path(const StudentEntry& entry, const Lab& lab) {
  if (lab.questions.empty()) {
    return {};
  }
  std::vector<std::string> candidates;
  if (const LabFiles place = files_of(entry, lab); !place.names.empty()) {
    candidates.push_back(place.base);
  }
  for (const std::string& place : places(entry.tree, lab)) {
    candidates.push_back(place + lab.id + "/");
    candidates.push_back(place);
  }
  for (const std::string& folder : candidates) {
    if (entry.tree.find(folder + kAnswersFile)) {
      return folder + kAnswersFile;
    }
  }
  return {};
}

bool has_submission(const StudentEntry& entry, const Lab& lab) {
  if (!files_of(entry, lab).names.empty()) {
    return true;
  }
  // Answers at the top, where several labs have theirs, may be for another one.
  const std::string path = answers_path(entry, lab);
  const std::optional<SourceFile> file = read_answers(entry.tree, path).file;
  if (!file) {
    return !path.empty();
  }
  const std::string written_for = read_answer_sheet(file->text).lab;
  return written_for.empty() || written_for == lab.id;
}

std::optional<Instant> modified_at(const SourceTree::Entry& entry) {
  if (entry.kind != SourceTree::Kind::file) return std::nullopt;
  if (entry.modified > 0) return Instant(std::chrono::seconds(entry.modified));
  return entry.disk.empty() || !entry.content.empty() ? std::nullopt : modified_at(entry.disk);
}

std::optional<Instant> newest_file(const StudentEntry& student, const Lab& lab) {
  const LabFiles place = files_of(student, lab);
  const SourceTree& tree = student.tree;
  std::optional<Instant> newest;
  std::vector<std::string> paths = {answers_path(student, lab)};
  for (const std::string& name : place.names) {
    paths.push_back(place.base + name);
  }
  for (const std::string& path : paths) {
    const std::optional<SourceTree::Entry> entry = path.empty() ? std::nullopt : tree.find(path);
    if (entry && entry->kind == SourceTree::Kind::file && !entry->disk.empty()) {
      newest = std::max(newest, modified_at(entry->disk));
    }
  }
  return newest;
}

Submission pick_submission(const StudentEntry& entry, const Lab& lab) {
  Submission submission;
  submission.student = entry.student;
  submission.lab = lab.id;
  submission.attempt = entry.attempt;
  submission.problem = entry.problem;
  if (!entry.fault.empty()) {
    throw UsageError(entry.fault);
  }
  if (!submission.problem.empty()) {
    return submission;
  }
  submission.answers = read_answers(entry.tree, answers_path(entry, lab));
  const LabFiles place = files_of(entry, lab);
  if (!lab.has_code()) {
    if (!submission.answers.file && submission.answers.problem.empty()) {
      submission.problem = nothing_found(entry.tree, lab);
    }
    return submission;
  }
  if (place.names.empty()) {
    submission.problem = nothing_found(entry.tree, lab);
    return submission;
  }
  const auto collect = [&](const std::string& base) {
    Collector collector(entry.tree, base, lab, submission);
    for (const std::string& name : place.names) {
      collector.add(place.base.substr(base.size()) + name);
    }
    return collector.run();
  };
  if (!collect(place.base)) {
    submission.files.clear();
    submission.notes.clear();
    static_cast<void>(collect(""));  // nothing of the tree is outside of its top
  }
  return submission;
}

Submission submission_of_file(const fs::path& file, const Lab& lab) {
  std::error_code error;
  if (!fs::exists(fs::symlink_status(file, error))) {
    throw UsageError(fmt::format("there is no file {}", file.string()));
  }
  if (fs::is_directory(file, error)) {
    throw UsageError(fmt::format("{} is a folder; give a .cu file", file.string()));
  }
  const fs::path absolute = fs::absolute(file);
  Submission submission;
  submission.student = "you";
  submission.lab = lab.id;
  const SourceTree tree(fs::canonical(absolute.parent_path()));
  Collector collector(tree, "", lab, submission);
  if (!lab.questions.empty()) {
    submission.answers = read_answers(tree, kAnswersFile);
  }
  if (lab.has_code()) {
    collector.add(absolute.filename().string());
    static_cast<void>(collector.run());
  }
  return submission;
}

}  // namespace warpgrade
