#pragma once

#include "reference/gpu_bench/row.h"

namespace against {

/// One convolution of a height x width image by a square mask, zeros outside, by cuDNN: the
/// algorithm that its own search finds the fastest, float arithmetic. The library is loaded when it
/// is first used.
///
/// @throws std::runtime_error  on use, where the program was built without cuDNN's headers or the
///                             library is not found
[[nodiscard]] Contender cudnn_convolution(int height, int width, int mask);

/// Whether it can be used, and the reason if not.
[[nodiscard]] bool cudnn_found(std::string& why_not);

}  // namespace against
