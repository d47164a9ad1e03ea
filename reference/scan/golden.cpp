#include "harness/golden/golden.h"

#include <cmath>
#include <cstddef>
#include <limits>
#include <stdexcept>

namespace {

/// Positive and negative terms so far, apart. While neither sum leaves float's range, no order of
/// adding the terms overflows. After an infinity nothing that is finite changes the sums.
class Range {
 public:
  void add(double term) {
    if (!std::isfinite(term)) return;
    (term > 0 ? above_ : below_) += std::abs(term);
    // Half an ulp is left for the roundings of sums that stay at the largest number.
    const double limit = std::numeric_limits<float>::max();
    if (above_ > limit * (1 + 0x1p-26) || below_ > limit * (1 + 0x1p-26)) {
      throw std::range_error("the data overflow in some orders of addition and not in others");
    }
  }

 private:
  double above_ = 0;
  double below_ = 0;
};

}  // namespace

/// Sums of up to 2^29 floats of like size are exact to 2^-24 of the bound in double, sums of whole
/// numbers exactly right. The condition is what any order of addition is off by, relatively: the
/// sum of the absolute values up to and with values[i], also for exclusive sums, which may be
/// formed by taking values[i] away again.
WARPGRADE_GOLDEN(call) {
  const auto values = call.input<float>("values");
  const auto sums = call.floats("sums");
  const bool exclusive = call.dim("exclusive") != 0;
  Range range;
  double sum = 0;
  double absolute = 0;
  for (std::size_t i = 0; i < sums.want.size(); ++i) {
    const double value = values[i];
    range.add(value);
    const double before = sum;
    sum += value;
    if (std::isfinite(value)) absolute += std::abs(value);
    sums.want[i] = exclusive ? before : sum;
    sums.condition[i] = absolute;
  }
}
