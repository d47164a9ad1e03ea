#include "particles.h"

void particles(Particle* particles, VelocityArrays velocity, int n) {
  // TODO: launch a kernel.
}
