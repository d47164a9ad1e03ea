#pragma once

#include <optional>

#include "harness/case/case.h"

namespace warpgrade {

/// An output as the worker wrote it; nothing if it is missing or incomplete.
[[nodiscard]] std::optional<Array> read_output(const PreparedCase& prepared,
                                               const Parameter& parameter);

}  // namespace warpgrade
