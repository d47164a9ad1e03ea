#include "harness/golden/golden.h"

#include <cmath>

WARPGRADE_GOLDEN(call) {
  const auto x = call.input<float>("particles.x");
  const auto mass = call.input<double>("particles.mass");
  const auto id = call.input<int>("particles.id");
  const auto speed = call.input<float>("velocity.x");
  const auto turns = call.input<std::int16_t>("velocity.turns");
  const auto new_x = call.floats("particles.x");
  const auto new_mass = call.floats("particles.mass");
  const auto new_id = call.integers("particles.id");
  for (std::size_t i = 0; i < x.size(); ++i) {
    new_x.want[i] = double{x[i]} + speed[i];
    new_x.condition[i] = std::abs(new_x.want[i]);
    new_mass.want[i] = mass[i] + turns[i];
    new_mass.condition[i] = std::abs(new_mass.want[i]);
    new_id[i] = id[i];
  }
}
