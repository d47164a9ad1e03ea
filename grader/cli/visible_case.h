#pragma once

#include <string>
#include <vector>

#include "harness/lab/lab.h"

namespace warpgrade {

/// The cases of a lab that students see, in the order of lab.toml.
/// @throws UsageError  if there is none
[[nodiscard]] std::vector<const Case*> visible_cases(const Lab& lab);

/// The visible case with this name.
/// @throws UsageError  if there is none; the message names the visible ones and no hidden one
[[nodiscard]] const Case& require_visible_case(const Lab& lab, const std::string& name);

}  // namespace warpgrade
