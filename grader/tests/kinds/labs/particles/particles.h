#pragma once

struct Particle {
  float x;
  double mass;
  int id;
};

struct VelocityArrays {
  float* x;
  short* turns;
};

/// Moves each particle by its velocity and adds its turns to the mass; the id stays. `particles`
/// and the arrays of `velocity` are in device memory, with n elements each.
void particles(Particle* particles, VelocityArrays velocity, int n);
