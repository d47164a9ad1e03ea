#pragma once

#include "harness/case/case_data.h"

// What the outputs of a case can show, by their values alone.

namespace warpgrade {

/// Whether outputs that are right without kernels prove that the host computed them: they are
/// neither all zero nor a copy of an input, within the tolerance.
[[nodiscard]] bool is_telling(const CaseData& data);

/// Whether most elements of the outputs, of 16 samples of each, are values of inputs: the host may
/// have moved them.
[[nodiscard]] bool moves_inputs(const CaseData& data);

}  // namespace warpgrade
