#include "grader/submit/submission/submission.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>
#include <system_error>

#include "grader/core/encoding.h"
#include "grader/core/error.h"
#include "grader/core/sha256.h"
#include "grader/core/source_names.h"
#include "grader/core/text.h"
#include "grader/submit/course/student_name.h"
#include "grader/submit/submission/collect_sources.h"
#include "grader/submit/submission/other_names.h"
#include "grader/submit/submission/person_files.h"
#include "harness/lab/python_form.h"
#include "harness/questions/answer_sheet.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

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
    std::optional<DecodedText> decoded = decode_text(SourceTree::read(*entry));
    if (decoded) {
      answers.file = SourceFile{.name = kAnswersFile, .text = std::move(decoded->text)};
    } else {
      answers.problem = fmt::format("{} is not a text file; save it as plain text", kAnswersFile);
    }
  }
  return answers;
}

std::string nothing_found(const SourceTree& tree, const Lab& lab) {
  if (!lab.has_code()) {
    return fmt::format("no {} was submitted", kAnswersFile);
  }
  const bool takes_cuda = takes_language(lab, Language::cuda);
  const bool takes_python = takes_language(lab, Language::python);
  constexpr std::size_t kListed = 5;
  std::vector<std::string> others;
  std::vector<std::string> no_programs;
  for (const auto& [path, entry] : tree.entries()) {
    const bool is_other = is_program(path) || (!takes_cuda && is_python(path));
    std::vector<std::string>& names = is_other ? others : no_programs;
    if (names.size() < kListed && (is_other || entry.kind == SourceTree::Kind::file)) {
      names.push_back(one_line(path).substr(0, 200));
    }
  }
  const std::string name = takes_cuda ? lab.id + ".cu" : python_file(lab);
  std::string text = takes_cuda && takes_python
                         ? fmt::format("neither {} nor {} was submitted", name, python_file(lab))
                         : fmt::format("no {} was submitted", name);
  if (!others.empty()) {
    text += fmt::format("; found {} instead: the file must be named {}, or be in {}/",
                        join_and(others), name, lab.id);
  } else if (!no_programs.empty()) {
    text += fmt::format("; found only {}", join_and(no_programs));
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

ClassListing list_class(const fs::path& folder, const Roster* roster) {
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
  PersonFiles person_files(roster, listing, names);
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
        if (person_files.add(path)) continue;
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
      const std::optional<PersonFile> person = parse_person_folder(name);
      if (person) entry.local_time = person->at;
      entry.is_clone = is_folder && fs::exists(path / ".git", error);
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

namespace {

/// A lab's programs in one language, by their names or by the name of their folder.
LabFiles files_in(const SourceTree& tree, const std::string& place, const Lab& lab,
                  Language language) {
  const std::string folder = place + lab.id + "/";
  if (language == Language::python) {
    const std::string name = python_file(lab);
    for (const std::string& base : {place, folder}) {
      if (!name.empty() && tree.find(base + name)) return {.base = base, .names = {name}};
    }
    return {};
  }
  for (const std::string_view ending : kProgramEndings) {
    const std::string name = lab.id + std::string(ending);
    if (tree.find(place + name)) return {.base = place, .names = {name}};
  }
  return {.base = folder, .names = programs_in(tree, folder)};
}

/// @param is_taken  in a language that the course takes; or in another one, of which the student
///                  is told
LabFiles files_by_name(const SourceTree& tree, const Lab& lab, bool is_taken) {
  for (const std::string& place : places(tree, lab)) {
    for (const Language language : {Language::cuda, Language::python}) {
      if (takes_language(lab, language) != is_taken) continue;
      LabFiles files = files_in(tree, place, lab, language);
      if (!files.names.empty()) return files;
    }
  }
  return {};
}

/// Why these programs are not graded; empty: they are in a language that the course takes.
std::string refused_language(const LabFiles& programs, const Lab& lab) {
  if (programs.names.empty()) return {};
  const std::string& name = programs.names.front();
  const bool in_python = is_python(name);
  if (takes_language(lab, in_python ? Language::python : Language::cuda)) return {};
  return fmt::format("{} is in {}, and this course takes the lab in {} only; submit {}",
                     one_line(name), in_python ? "Python" : "CUDA C++",
                     in_python ? "CUDA C++" : "Python",
                     in_python ? lab.id + ".cu" : python_file(lab));
}

}  // namespace

LabFiles files_of(const StudentEntry& entry, const Lab& lab) {
  if (!lab.has_code()) {
    return {};
  }
  if (const auto assigned = entry.assigned.find(lab.id); assigned != entry.assigned.end()) {
    return assigned->second;
  }
  if (LabFiles files = files_by_name(entry.tree, lab, true); !files.names.empty()) return files;
  const auto guessed = entry.taken.find(lab.id);
  return guessed == entry.taken.end() ? files_by_name(entry.tree, lab, false) : guessed->second;
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
  submission.problem =
      place.names.empty() ? nothing_found(entry.tree, lab) : refused_language(place, lab);
  if (!submission.problem.empty()) return submission;
  const auto collect = [&](const std::string& base) {
    std::vector<std::string> programs;
    for (const std::string& name : place.names) {
      programs.push_back(place.base.substr(base.size()) + name);
    }
    return collect_sources(entry.tree, base, programs, lab, submission);
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
  if (!lab.questions.empty()) {
    submission.answers = read_answers(tree, kAnswersFile);
  }
  if (lab.has_code()) {
    const std::string name = absolute.filename().string();
    static_cast<void>(collect_sources(tree, "", {name}, lab, submission));
    const std::string usual = usual_name(name);
    if (!usual.empty() && !submission.files.empty()) {
      submission.files.front().name = usual;
      submission.notes.push_back(fmt::format("{} is read as {}", one_line(name), one_line(usual)));
    }
  }
  return submission;
}

}  // namespace warpgrade
