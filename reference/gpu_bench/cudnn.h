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

/// The softmax of each row of rows x columns floats, in the mode that subtracts the largest value.
///
/// @throws std::runtime_error  as cudnn_convolution
[[nodiscard]] Contender cudnn_softmax(int rows, int columns);

/// Whether it can be used, and the reason if not.
[[nodiscard]] bool cudnn_found(std::string& why_not);

}  // namespace against
