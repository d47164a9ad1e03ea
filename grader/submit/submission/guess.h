#pragma once

#include <set>
#include <string>
#include <vector>

#include "grader/submit/submission/submission.h"
#include "harness/lab/lab.h"

namespace warpgrade {

/// The labs that files may be taken for.
struct GuessScope {
  std::vector<const Lab*> labs;  // that are graded
  std::vector<std::string> ids;  // of all labs: their files belong to no other lab
  /// The labs that the course lists or the command names. Only for these is a file taken for what
  /// it contains: otherwise each program with a `main()` would be a submission for a lab of whole
  /// programs that was never assigned.
  std::set<std::string> assigned;
  bool one_asked = false;  // all work is for the one lab in `labs`
};

/// Finds files of a lab with unexpected names, in every attempt of a class, and adds guesses: a
/// file with the lab's name in another folder, with other case or a copy suffix ("Vecadd.cu",
/// "vecadd (1).cu", "hw1/vecadd.cu"); otherwise the only one that defines the lab's function;
/// otherwise, if all work is for one lab, the only .cu file. If several qualify, none is taken and
/// the listing has a question. Files in build folders are never taken.
void guess_files(ClassListing& listing, const GuessScope& scope);

/// "ada: main.cu is used for vecadd: the only file that defines vecadd"
[[nodiscard]] std::string guess_note(const Guess& guess);

/// Whether a student submitted a file under the lab's name, in whatever folder and with any copy
/// suffix; files in build folders do not count.
[[nodiscard]] bool is_submitted_by_name(const StudentEntry& entry, const Lab& lab);

/// A student's programs that belong to none of these labs, those in build folders left out.
[[nodiscard]] std::vector<std::string> left_out(const StudentEntry& entry,
                                                const std::vector<const Lab*>& labs);

/// A file's stem in lower case without copy suffixes: "vecadd" for "Vecadd (2)", "vecadd-2",
/// "vecadd - Copy".
[[nodiscard]] std::string plain_stem(const std::string& file_name);

}  // namespace warpgrade
