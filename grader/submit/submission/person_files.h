#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "grader/submit/course/roster.h"
#include "grader/submit/submission/person_file.h"
#include "grader/submit/submission/submission.h"

namespace warpgrade {

/// Files beside the students' folders that are named after persons, as their work.
class PersonFiles {
 public:
  /// @param roster   whose names may be in the names of files; may be null
  /// @param listing  gets the students and notes
  /// @param names    of the students so far; gets the new ones
  PersonFiles(const Roster* roster, ClassListing& listing, std::set<std::string>& names)
      : roster_(roster), listing_(listing), names_(names) {}

  /// @returns whether it is one that a grade may depend on
  bool add(const std::filesystem::path& path);

 private:
  using Times = std::map<std::pair<std::string, std::string>, std::optional<Instant>>;

  /// Of several files with one name of a student the newest counts; without times a person must
  /// say which.
  bool is_newer(const PersonFile& named, const Times::value_type& before, const std::string& own);

  const Roster* roster_;
  ClassListing& listing_;
  std::set<std::string>& names_;
  Times times_;  // by student and name: of the file that counts
};

}  // namespace warpgrade
