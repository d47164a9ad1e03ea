#pragma once

#include <map>
#include <string>
#include <vector>

#include "harness/case/case.h"

namespace warpgrade {

/// Outputs compared with what is expected in the way that lab.toml says (tolerance, order, form,
/// predicate), in the order of the lab's parameters; says what wrong ones have in common.
/// @param outputs  by parameter. If some are missing, those with predicates are left out, because a
///                 predicate sees all.
/// @throws LabError  if the lab's predicate fails
[[nodiscard]] std::vector<OutputResult> judge_outputs(const CaseData& data,
                                                      const std::map<std::string, Array>& outputs);

/// Whether all outputs are right in this way. @param outputs  all of them
/// @throws LabError  if the lab's predicate fails
[[nodiscard]] bool are_right(const CaseData& data, const std::map<std::string, Array>& outputs);

/// A wrong output, as one sentence and its pattern's.
[[nodiscard]] std::string wrong_message(const OutputResult& output);

}  // namespace warpgrade
