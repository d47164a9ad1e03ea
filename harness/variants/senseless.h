#pragma once

#include <string>

namespace warpgrade {

/// Whether nobody writes an expression, because of a part of it: a variable that is assigned to
/// itself; something that is compared with, subtracted from or divided by itself; a division by 0;
/// a factor of 0. A change of a golden function that leads to it gives a submission's outputs by
/// chance only.
///
/// @param expression  as shown() writes it; one that cannot be read is not senseless
[[nodiscard]] bool is_senseless(const std::string& expression);

}  // namespace warpgrade
