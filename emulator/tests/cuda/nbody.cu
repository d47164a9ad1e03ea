#include "emulator/tests/support/program.h"

// Gravity between all pairs, with tiles of bodies in shared memory as float4. Three steps of the
// device against three steps in double on the host.

namespace {

constexpr int kTile = 64;
constexpr float kSoftening = 0.05f, kStep = 0.01f;

__device__ float3 attraction(float4 body, float4 other, float3 sum) {
  const float3 r = make_float3(other.x - body.x, other.y - body.y, other.z - body.z);
  const float distance2 = r.x * r.x + r.y * r.y + r.z * r.z + kSoftening;
  const float inverse = rsqrtf(distance2);
  const float scale = other.w * inverse * inverse * inverse;
  return make_float3(sum.x + r.x * scale, sum.y + r.y * scale, sum.z + r.z * scale);
}

__global__ void step(const float4* bodies, float4* moved, float4* velocities, int n) {
  __shared__ float4 tile[kTile];
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  const float4 body = i < n ? bodies[i] : make_float4(0, 0, 0, 0);
  float3 sum = make_float3(0, 0, 0);
  for (int first = 0; first < n; first += kTile) {
    const int from = first + int(threadIdx.x);
    tile[threadIdx.x] = from < n ? bodies[from] : make_float4(0, 0, 0, 0);
    __syncthreads();
#pragma unroll 8
    for (int j = 0; j < kTile; ++j) sum = attraction(body, tile[j], sum);
    __syncthreads();
  }
  if (i >= n) return;
  float4 v = velocities[i];
  v.x += sum.x * kStep, v.y += sum.y * kStep, v.z += sum.z * kStep;
  velocities[i] = v;
  moved[i] = make_float4(body.x + v.x * kStep, body.y + v.y * kStep, body.z + v.z * kStep, body.w);
}

struct Body {
  double position[3], velocity[3], mass;
};

void step_on_host(std::vector<Body>& bodies) {
  const std::vector<Body> old = bodies;
  for (Body& body : bodies) {
    double sum[3] = {};
    for (const Body& other : old) {
      double r[3], distance2 = double(kSoftening);
      for (int d = 0; d < 3; ++d) {
        r[d] = other.position[d] - body.position[d];
        distance2 += r[d] * r[d];
      }
      for (int d = 0; d < 3; ++d) sum[d] += other.mass * r[d] / (distance2 * std::sqrt(distance2));
    }
    for (int d = 0; d < 3; ++d) body.velocity[d] += sum[d] * double(kStep);
  }
  for (Body& body : bodies) {
    for (int d = 0; d < 3; ++d) body.position[d] += body.velocity[d] * double(kStep);
  }
}

void simulate(int n) {
  const std::vector<float> random = testing::random_floats(std::size_t(4 * n), 9);
  std::vector<float4> bodies, velocities(std::size_t(n), make_float4(0, 0, 0, 0));
  std::vector<Body> host;
  for (std::size_t i = 0; i < std::size_t(n); ++i) {
    const float mass = std::fabs(random[4 * i + 3]);
    bodies.push_back(make_float4(random[4 * i], random[4 * i + 1], random[4 * i + 2], mass));
    host.push_back({{random[4 * i], random[4 * i + 1], random[4 * i + 2]}, {}, mass});
  }
  testing::Buffer<float4> from(bodies), to(bodies.size()), v(velocities);
  float4 *current = from.get(), *next = to.get();
  for (int i = 0; i < 3; ++i) {
    step<<<testing::blocks_for(std::size_t(n), kTile), kTile>>>(current, next, v.get(), n);
    std::swap(current, next);
    step_on_host(host);
  }
  FINISH_LAUNCH();
  // After three steps the last result is in `to`.
  const std::vector<float4> moved = to.download();
  std::vector<float> got;
  std::vector<double> want;
  for (std::size_t i = 0; i < std::size_t(n); ++i) {
    for (const float x : {moved[i].x, moved[i].y, moved[i].z}) got.push_back(x);
    want.insert(want.end(), host[i].position, host[i].position + 3);
  }
  testing::expect_close(got, want, 1e-4 * n / 100 + 1e-5);
}

void run() {
  simulate(1);
  simulate(100);
  simulate(256);
}

}  // namespace

int main(int argc, char** argv) {
  return testing::run_program(argc, argv, run);
}
