#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <set>
#include <string>

#include "grader/class/table/class_record.h"
#include "grader/class/table/gradebook.h"
#include "grader/core/installation.h"

namespace warpgrade {

/// Writes one grade's files: <out>/<student>/<lab>/grade.json and feedback.html. Moves the grade of
/// an earlier attempt to attempts/.
/// @throws EnvironmentError  if they cannot be written
void write_results(const std::filesystem::path& out, const Grade& grade, const ClassRecord& record,
                   const Installation& installation);

/// Writes a grade with `write`. If it cannot be written, because it violates docs/grade.schema.json
/// or has invalid UTF-8, writes the grade that `failed` makes from the reason, so that other grades
/// are not affected.
/// @return what was written
/// @throws EnvironmentError, Interrupted
[[nodiscard]] Grade write_or_fail(Grade grade, const std::function<void(const Grade&)>& write,
                                  const std::function<Grade(const std::string&)>& failed);

/// Adds the grades of other labs in `out`, by earlier runs: a class may be graded lab by lab into
/// one folder. Damaged ones are left out.
/// @param labs  of the rows that are there
/// @param jobs  grades at a time
[[nodiscard]] Gradebook with_other_labs(const std::filesystem::path& out, Gradebook book,
                                        const std::set<std::string>& labs, std::size_t jobs);

/// Writes grades.json, grades.csv and index.html, with the grades that were given by hand, and
/// notes in the submission log which attempts count.
/// @throws EnvironmentError  if they cannot be written
void write_class_files(const std::filesystem::path& out, const Gradebook& graded,
                       const Installation& installation);

/// Makes every page and table again from the grade.json files below `out`.
/// @param jobs  grades at a time
/// @throws UsageError  if there are none, or one is damaged
Gradebook rebuild_pages(const std::filesystem::path& out, const Installation& installation,
                        std::size_t jobs);

/// Writes the pages of a class for assistants who are not to know the students: with aliases in
/// place of names, in `folder`. The aliases are in aliases.csv among the course's decisions, which
/// may name students by them.
/// @throws UsageError  if there are no grades, or no course
Gradebook write_anonymous_pages(const std::filesystem::path& out,
                                const std::filesystem::path& folder,
                                const Installation& installation);

}  // namespace warpgrade
