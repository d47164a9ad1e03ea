#pragma once

#include <optional>

#include "harness/case/case.h"

namespace warpgrade {

/// An output as the worker wrote it; nothing if it is missing or incomplete.
[[nodiscard]] std::optional<Array> read_output(const PreparedCase& prepared,
                                               const Parameter& parameter);

/// An output compared with its expected values; says what a wrong one has in common.
[[nodiscard]] OutputResult compare_output(const CaseData& data, const Parameter& parameter,
                                          const Array& got);

/// A wrong output, as one sentence and its pattern's.
[[nodiscard]] std::string wrong_message(const OutputResult& output);

}  // namespace warpgrade
