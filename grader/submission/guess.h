#pragma once

#include <string>
#include <vector>

#include "grader/submission/submission.h"
#include "harness/lab/lab.h"

namespace warpgrade {

/// Finds files of a lab with unexpected names, in every attempt of a class, and adds notes: a file
/// with the lab's name in another folder, with other case or a copy suffix ("Vecadd.cu", "vecadd
/// (1).cu", "hw1/vecadd.cu"); otherwise the only one that defines the lab's function; otherwise, if
/// all work is for one lab, the only .cu file. If several qualify, none is taken and the listing
/// has a question.
///
/// @param labs       that are graded
/// @param ids        of all labs: their files belong to no other lab
/// @param one_asked  whether all work is for the one lab in `labs`
void guess_files(ClassListing& listing, const std::vector<const Lab*>& labs,
                 const std::vector<std::string>& ids, bool one_asked);

/// A file's stem in lower case without copy suffixes: "vecadd" for "Vecadd (2)", "vecadd-2",
/// "vecadd - Copy".
[[nodiscard]] std::string plain_stem(const std::string& file_name);

}  // namespace warpgrade
