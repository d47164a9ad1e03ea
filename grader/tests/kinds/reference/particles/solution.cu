#include "particles.h"

__global__ void move(Particle* particles, VelocityArrays velocity, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  particles[i].x += velocity.x[i];
  particles[i].mass += velocity.turns[i];
}

void particles(Particle* particles, VelocityArrays velocity, int n) {
  move<<<(n + 63) / 64, 64>>>(particles, velocity, n);
}
