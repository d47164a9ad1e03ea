#pragma once

#include <cfenv>
#include <cmath>

// Host arithmetic in a chosen rounding mode, for models of the intrinsics that end in _rn, _rz,
// _rd and _ru. Needs -frounding-math.

namespace differential {

/// f(args...) with `Mode` (FE_DOWNWARD, ...) in force. Operands and result go through volatile
/// objects so that nothing is computed before the mode is set or after it is restored.
template <int Mode, class R, class F, class... A>
R with_rounding(F f, A... args) {
  const int old = std::fegetround();
  std::fesetround(Mode);
  const auto opaque = [](auto value) {
    volatile auto hidden = value;
    return decltype(value)(hidden);
  };
  volatile R result = f(opaque(args)...);
  std::fesetround(old);
  return result;
}

/// An integral value, rounded as `mode` says.
template <class T>
T round_to_integer(T a, int mode) {
  switch (mode) {
    case FE_TOWARDZERO:
      return std::trunc(a);
    case FE_DOWNWARD:
      return std::floor(a);
    case FE_UPWARD:
      return std::ceil(a);
    default:
      return std::nearbyint(a);
  }
}

}  // namespace differential
