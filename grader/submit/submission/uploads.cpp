#include "grader/submit/submission/uploads.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>
#include <system_error>

#include "grader/core/error.h"
#include "grader/core/source_names.h"
#include "grader/core/text.h"
#include "grader/submit/course/student_name.h"

namespace warpgrade {
namespace fs = std::filesystem;

std::vector<fs::path> sorted_entries(const ListRequest& request) {
  return sorted_entries(request, request.folder);
}

std::vector<fs::path> sorted_entries(const ListRequest& request, const fs::path& folder) {
  std::error_code error;
  std::vector<fs::path> found;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    const auto& skip = request.not_submissions;
    if (!name.starts_with('.') && std::find(skip.begin(), skip.end(), name) == skip.end()) {
      found.push_back(entry.path());
    }
  }
  if (error) {
    throw UsageError(fmt::format("{} cannot be read: {}", folder.string(), error.message()));
  }
  std::sort(found.begin(), found.end());
  return found;
}

namespace {

/// The name of the file in the download, which is its alone, unlike the name that the student gave.
std::string name_on_disk(const Upload& upload) {
  return upload.path.filename().string();
}

}  // namespace

void add_tree(TreeResult part, StudentEntry& entry) {
  for (const auto& [path, source] : part.tree.entries()) {
    entry.tree.add(path, source);
  }
  for (const auto& [path, source] : part.beside.entries()) entry.beside.add(path, source);
  if (entry.problem.empty()) {
    entry.problem = std::move(part.problem);
  }
  if (entry.fault.empty()) {
    entry.fault = std::move(part.fault);
  }
}

void add_upload(const Upload& upload, StudentEntry& entry) {
  std::string stem = upload.name;
  // Stud.IP's "work.tar[1].gz" is the student's work.tar.gz.
  if (is_archive(upload.path, stem) || is_archive(upload.name, stem)) {
    TreeResult tree = tree_of_archive(upload.path);
    for (const auto& [path, source] : tree.tree.entries())
      entry.uploads[path] = name_on_disk(upload);
    add_tree(std::move(tree), entry);
    return;
  }
  entry.uploads[upload.name] = name_on_disk(upload);
  std::error_code error;
  SourceTree::Entry source;
  source.disk = upload.path;
  source.kind = fs::is_symlink(fs::symlink_status(upload.path, error))
                    ? SourceTree::Kind::link_outside
                    : SourceTree::Kind::file;
  source.size = source.kind == SourceTree::Kind::file ? fs::file_size(upload.path, error) : 0;
  if (upload.raw != upload.name && !is_program(upload.name)) {
    entry.tree.add(upload.raw, source);  // "tile-1.cuh" may be its real name
  }
  entry.tree.add(upload.name, std::move(source));
}

StudentEntry entry_at(const Person& person, int revision) {
  StudentEntry entry;
  entry.person = person.name;
  entry.platform_id = person.id;
  entry.marked_late = person.late;
  entry.attempt = revision + 1;
  if (const auto at = person.times.find(revision); at != person.times.end()) {
    entry.local_time = at->second;
  }
  std::map<std::string, const Upload*> newest;
  for (const Upload& upload : person.uploads) {
    const Upload*& slot = newest[upload.name];
    const bool is_there =
        person.keeps_files ? upload.revision <= revision : upload.revision == revision;
    if (is_there && (slot == nullptr || slot->revision < upload.revision)) {
      slot = &upload;
    }
  }
  for (const auto& [name, upload] : newest) {
    if (upload != nullptr) {
      add_upload(*upload, entry);
      entry.came_as = name_on_disk(*upload);
    }
  }
  for (const fs::path& folder : person.folders) {
    add_tree(tree_of_work(folder), entry);
    entry.came_as = folder.filename().string();
  }
  return entry;
}

std::string student_name(const Person& person, bool unique) {
  const std::string name = unique ? person.name : fmt::format("{}_{}", person.name, person.id);
  return student_name_problem(name).empty() ? name : fmt::format("student_{}", person.id);
}

std::vector<StudentEntry> entries_of(const std::map<std::string, Person>& people) {
  std::map<std::string, int> namesakes;
  for (const auto& [id, person] : people) {
    ++namesakes[person.name];
  }
  std::vector<StudentEntry> students;
  for (const auto& [id, person] : people) {
    std::set<int> revisions;
    for (const Upload& upload : person.uploads) revisions.insert(upload.revision);
    if (revisions.empty()) revisions.insert(0);
    StudentEntry last = entry_at(person, *revisions.rbegin());
    last.student = student_name(person, namesakes[person.name] == 1);
    for (auto r = revisions.begin(); *r != *revisions.rbegin(); ++r) {
      last.earlier.push_back(entry_at(person, *r));
      last.earlier.back().student = last.student;
    }
    students.push_back(std::move(last));
  }
  std::sort(students.begin(), students.end(),
            [](const StudentEntry& a, const StudentEntry& b) { return a.student < b.student; });
  return students;
}

std::string ignored(const fs::path& path, std::string_view why) {
  return fmt::format("{} ignored: {}", one_line(path.filename().string()), why);
}

Unclear not_of_platform(const fs::path& path, std::string_view platform) {
  return {.what = fmt::format("{}: whose is it? {} does not use such names",
                              one_line(path.filename().string()), platform),
          .say = fmt::format(
              "rename it as {} would, or put all files into folders named after the students",
              platform)};
}

}  // namespace warpgrade
