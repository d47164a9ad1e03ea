#include "harness/golden/golden.h"

#include <cmath>

WARPGRADE_GOLDEN(call) {
  const auto x = call.input<warpgrade::Float16>("x");
  const double a = static_cast<double>(call.dim("factor")) / 8;
  for (const char* name : {"y", "z"}) {
    const auto out = call.floats(name);
    for (std::size_t i = 0; i < x.size(); ++i) {
      out.want[i] = a * x[i];
      out.condition[i] = std::abs(out.want[i]);
    }
  }
}
