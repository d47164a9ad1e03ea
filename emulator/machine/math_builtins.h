#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

// The mathematical functions that CUDA's device library has under the names __nv_<name> for double
// and __nv_<name>f for float, for programs that bring no device library (clang with the headers in
// ../include). Their list is include/warpgrade/math_names.h.
//
// Each is evaluated in a wider format of the host (float in double, double in long double) and
// rounded once: results are correctly rounded but for rare cases next to the middle of two numbers,
// and the same on every host whose C library does so. A NaN is always the same one. A call counts
// as one instruction, `call`; what a GPU would execute for it depends on the arguments.

namespace warpsim {

inline constexpr std::size_t kMaxMathArguments = 4;

struct MathFunction {
  std::string_view name;  // "__nv_sinf"
  std::size_t arguments = 0;
  /// @param arguments  bits of each, zero-extended
  /// @returns the result's bits, zero-extended
  std::uint64_t (*evaluate)(const std::array<std::uint64_t, kMaxMathArguments>& arguments) =
      nullptr;
};

/// The function of this name, or null.
[[nodiscard]] const MathFunction* find_math_function(std::string_view name);

}  // namespace warpsim
