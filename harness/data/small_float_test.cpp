#include "harness/data/small_float.h"

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>

namespace warpgrade {

TEST_CASE("every half-precision number keeps its bits through float", "[data][small-float]") {
  int wrong = 0;
  for (unsigned bits = 0; bits < 0x10000U; ++bits) {
    const auto half = Float16::from_bits(static_cast<std::uint16_t>(bits));
    const auto upper = BFloat16::from_bits(static_cast<std::uint16_t>(bits));
    const bool half_kept = std::isnan(float{half}) || Float16(float{half}).bits() == bits;
    const bool upper_kept = std::isnan(float{upper}) || BFloat16(float{upper}).bits() == bits;
    wrong += half_kept && upper_kept ? 0 : 1;
  }
  CHECK(wrong == 0);
}

TEST_CASE("numbers round to the nearest half, ties to even", "[data][small-float]") {
  CHECK(float{Float16(1 + 0x1p-11)} == 1.0F);  // a tie: down to even
  CHECK(float{Float16(1 + 3 * 0x1p-11)} == 1 + 0x1p-9F);  // a tie: up to even
  CHECK(float{Float16(1 + 0x1.1p-11)} == 1 + 0x1p-10F);
  CHECK(float{Float16(65519.9)} == 65504.0F);
  CHECK(std::isinf(float{Float16(65520.0)}));
  CHECK(float{Float16(0x1p-25)} == 0.0F);  // a tie with 0
  CHECK(float{Float16(0x1.8p-25)} == 0x1p-24F);
  CHECK(std::signbit(float{Float16(-0.0)}));
  CHECK(std::isnan(float{Float16(std::numeric_limits<double>::quiet_NaN())}));
}

TEST_CASE("numbers round once to the nearest bfloat16, not through float", "[data][small-float]") {
  CHECK(float{BFloat16(1 + 0x1p-8)} == 1.0F);
  // Float would round this to the tie 1 + 2^-8, and then down.
  CHECK(float{BFloat16(1 + 0x1p-8 + 0x1p-40)} == 1 + 0x1p-7F);
  CHECK(std::isinf(float{BFloat16(0x1.ffp127)}));
  CHECK(float{BFloat16(0x1.feffp127)} == 0x1.fep127F);
}

}  // namespace warpgrade
