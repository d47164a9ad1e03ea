#pragma once

#include <string>
#include <vector>

#include "grader/submission/submission.h"
#include "harness/lab/lab.h"

namespace warpgrade {

/// Finds files that belong to a lab although they are not named so, in every
/// attempt of a class, and says so in its notes: a file of that name in another place or case or
/// with a copy's mark ("Vecadd.cu", "vecadd (1).cu", "hw1/vecadd.cu"); else the only one that
/// defines the lab's function; else, where one lab is asked for, the only .cu file. Of several that
/// it could be, none is taken: the listing asks.
///
/// @param labs       that are graded
/// @param ids        of all labs that there are: their files are nobody else's
/// @param one_asked  whether all work is said to be for the one lab of `labs`
void guess_files(ClassListing& listing, const std::vector<const Lab*>& labs,
                 const std::vector<std::string>& ids, bool one_asked);

/// A file's stem without case and the marks that copies get: "Vecadd (2)", "vecadd-2",
/// "vecadd - Copy" are "vecadd".
[[nodiscard]] std::string plain_stem(const std::string& file_name);

}  // namespace warpgrade
