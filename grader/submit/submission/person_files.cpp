#include "grader/submit/submission/person_files.h"

#include <fmt/core.h>

#include <algorithm>
#include <system_error>

#include "grader/core/text.h"
#include "grader/submit/course/student_name.h"

namespace warpgrade {
namespace fs = std::filesystem;

bool PersonFiles::add(const fs::path& path) {
  const std::string own = path.filename().string();
  std::optional<PersonFile> named = parse_person_file(own);
  std::error_code error;
  const bool is_link = fs::is_symlink(path, error);  // which may lead anywhere
  if (!named && roster_ != nullptr && is_submitted_name(own)) {
    named = person_file_in(*roster_, own);
    if (named && !is_link) {
      listing_.notes.push_back(fmt::format("{} is taken for {}, whose name is in its own",
                                           one_line(own), one_line(named->person)));
    }
  }
  if (!named || is_link || !is_submitted_name(named->file)) return false;
  const std::string student = safe_student_name(named->person);
  auto entry = std::ranges::find(listing_.students, student, &StudentEntry::student);
  if (entry == listing_.students.end()) {
    entry = listing_.students.emplace(listing_.students.end());
    names_.insert(student);
    entry->student = student;
  }
  const auto [time, is_first] = times_.try_emplace({student, named->file}, named->at);
  if (!is_first && !is_newer(*named, *time, one_line(own))) return true;
  time->second = named->at;
  entry->came_as = own;
  entry->uploads[named->file] = own;
  if (named->at) entry->local_time = std::max(entry->local_time, named->at);
  const std::uintmax_t size = fs::file_size(path, error);
  entry->tree.add(named->file, {.kind = SourceTree::Kind::file,
                                .size = error ? 0 : static_cast<std::uint64_t>(size),
                                .disk = path,
                                .content = {}});
  return true;
}

bool PersonFiles::is_newer(const PersonFile& named, const Times::value_type& before,
                           const std::string& own) {
  const std::string student = one_line(before.first.first);
  if (!named.at || !before.second || *named.at == *before.second) {
    listing_.unclear.push_back(
        {.what = fmt::format("{}: there are several {}, and {} is not graded", student,
                             one_line(named.file), own),
         .say = "leave only the one that counts"});
    return false;
  }
  listing_.notes.push_back(fmt::format("{}: of several {}, the one of {} counts", student,
                                       one_line(named.file),
                                       instant_text(std::max(*named.at, *before.second))));
  return *named.at > *before.second;
}

}  // namespace warpgrade
