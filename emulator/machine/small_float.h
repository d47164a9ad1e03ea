#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace warpsim {

/// A floating-point number of 16 bits. A sum of two is exact in double, and rounded once.
template <int kExponentBits, int kMantissaBits>
struct SmallFloat {
  std::uint16_t bits = 0;

  static constexpr int kBias = (1 << (kExponentBits - 1)) - 1;
  static constexpr std::uint16_t kInfinity = ((1 << kExponentBits) - 1) << kMantissaBits;

  [[nodiscard]] double value() const {
    const int field = (bits & kInfinity) >> kMantissaBits;
    const int mantissa = bits & ((1 << kMantissaBits) - 1);
    double size = std::ldexp(mantissa, 1 - kBias - kMantissaBits);
    if ((bits & kInfinity) == kInfinity) {
      size = mantissa == 0 ? std::numeric_limits<double>::infinity()
                           : std::numeric_limits<double>::quiet_NaN();
    } else if (field != 0) {
      size = std::ldexp(mantissa + (1 << kMantissaBits), field - kBias - kMantissaBits);
    }
    return (bits & 0x8000) != 0 ? -size : size;
  }
  [[nodiscard]] static SmallFloat of(double value) {
    const std::uint16_t sign = std::signbit(value) ? 0x8000 : 0;
    if (std::isnan(value)) return {0x7fff};
    if (std::isinf(value)) return {static_cast<std::uint16_t>(kInfinity | sign)};
    int exponent = 0;
    std::frexp(value, &exponent);  // of a fraction below 1
    const int last = std::max(exponent - 1, 1 - kBias) - kMantissaBits;
    const auto steps = static_cast<int>(std::nearbyint(std::ldexp(std::fabs(value), -last)));
    // A significand that grows by a bit carries into the exponent.
    const int field = last + kMantissaBits - 1 + kBias;
    const int size = std::min((field << kMantissaBits) + steps, int{kInfinity});
    return {static_cast<std::uint16_t>(size | sign)};
  }
  friend SmallFloat operator+(SmallFloat a, SmallFloat b) { return of(a.value() + b.value()); }
  friend bool operator<(SmallFloat a, SmallFloat b) { return a.value() < b.value(); }
};

}  // namespace warpsim
