#pragma once

// Rounding modes of arithmetic on the host's own formats, f32 and f64.

#include <cfenv>

#include "emulator/isa/handlers/float_format.h"

namespace warpsim::WARPSIM_SIMD {

/// Sets the host's rounding mode for the scope. The calls are opaque to the compiler and operands
/// come from memory, so arithmetic that reads registers after the constructor and stores them
/// before the destructor is rounded as asked; values that are already in C++ variables are not
/// safe.
class RoundingScope {
 public:
  explicit RoundingScope(Rounding rounding) : before_(std::fegetround()) {
    std::fesetround(host_mode(rounding));
    __asm__ volatile("" ::: "memory");
  }
  ~RoundingScope() {
    __asm__ volatile("" ::: "memory");
    std::fesetround(before_);
  }
  RoundingScope(const RoundingScope&) = delete;
  RoundingScope& operator=(const RoundingScope&) = delete;

 private:
  static int host_mode(Rounding rounding) {
    switch (rounding) {
      case Rounding::zero:
        return FE_TOWARDZERO;
      case Rounding::down:
        return FE_DOWNWARD;
      case Rounding::up:
        return FE_UPWARD;
      default:
        return FE_TONEAREST;
    }
  }
  int before_;
};

/// A handler of f32 or f64 arithmetic, run with the rounding mode in `in.aux`.
template <Handler kHandler>
const Inst* directed(Warp& w, const Inst& in) {
  const RoundingScope scope(static_cast<Rounding>(in.aux));
  return kHandler(w, in);
}

/// What the modifiers say about rounding; `nearest_even` when they say nothing.
struct TakenRounding {
  Rounding rounding = Rounding::nearest_even;
  bool given = false;
};

inline TakenRounding take_rounding(Binder& b) {
  switch (b.take_one_of({"rn", "rz", "rm", "rp"})) {
    case 0:
      return {Rounding::nearest_even, true};
    case 1:
      return {Rounding::zero, true};
    case 2:
      return {Rounding::down, true};
    case 3:
      return {Rounding::up, true};
    default:
      return {};
  }
}

/// As take_rounding, where the form must have one.
inline Rounding require_rounding(Binder& b) {
  const TakenRounding taken = take_rounding(b);
  if (!taken.given) b.unsupported("no rounding mode");
  return taken.rounding;
}

/// Sets `kHandler` to run with `rounding`.
template <Handler kHandler>
void set_rounded(Binder& b, Rounding rounding) {
  b.inst.aux = static_cast<u8>(rounding);
  b.inst.run = rounding == Rounding::nearest_even ? kHandler : directed<kHandler>;
}

}  // namespace warpsim::WARPSIM_SIMD
