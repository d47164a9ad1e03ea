#include <curand_kernel.h>

#include <cstdio>
#include <cstring>

// Sequences of cuRAND's device functions that do not depend on the mathematical library: printed
// bit by bit, they must be the same with both compilers.

constexpr int kWords = 4096;

struct Output {
  unsigned* words;
  int used;
  __device__ void put(unsigned word) {
    if (used < kWords) words[used++] = word;
  }
  __device__ void put(float x) { put(__float_as_uint(x)); }
  __device__ void put(double x) {
    put(unsigned(__double2loint(x)));
    put(unsigned(__double2hiint(x)));
  }
};

template <class State>
__device__ void draw_all(State* state, Output& out) {
  for (int i = 0; i < 6; ++i) out.put(curand(state));
  for (int i = 0; i < 5; ++i) out.put(curand_uniform(state));
  for (int i = 0; i < 5; ++i) out.put(curand_uniform_double(state));
  out.put(curand(state));
  for (const double mean : {0.5, 5.0, 40.0}) {
    for (int i = 0; i < 4; ++i) out.put(curand_poisson(state, mean));
  }
  skipahead(1000001ull, state);
  out.put(curand(state));
  out.put(curand(state));
}

template <class State>
__global__ void sequences(unsigned* words, int* used) {
  Output out{words, 0};
  const unsigned long long seeds[] = {0, 1, 1234, 0x123456789abcdefull};
  const unsigned long long places[] = {0, 1, 5, 1000003};
  for (const unsigned long long seed : seeds) {
    for (const unsigned long long subsequence : places) {
      State state;
      curand_init(seed, subsequence, subsequence * 7 % 1000, &state);
      draw_all(&state, out);
    }
  }
  *used = out.used;
}

__global__ void philox(unsigned* words, int* used) {
  Output out{words, 0};
  curandStatePhilox4_32_10_t state;
  for (unsigned start = 0; start < 5; ++start) {
    curand_init(99, start, start, &state);
    const uint4 four = curand4(&state);
    out.put(four.x), out.put(four.y), out.put(four.z), out.put(four.w);
    out.put(curand(&state));
    const float4 reals = curand_uniform4(&state);
    out.put(reals.x), out.put(reals.y), out.put(reals.z), out.put(reals.w);
    const double2 pair = curand_uniform2_double(&state);
    out.put(pair.x), out.put(pair.y);
    skipahead_sequence(3ull, &state);
    out.put(curand(&state));
    skipahead(0xffffffffffffffffull, &state);
    out.put(curand(&state));
  }
  *used = out.used;
}

__global__ void jumps(unsigned* words, int* used) {
  Output out{words, 0};
  curandStateXORWOW xorwow;
  curandStateMRG32k3a mrg;
  curand_init(7, 0, 0, &xorwow);
  curand_init(7, 0, 0, &mrg);
  for (int bit = 0; bit < 64; bit += 3) {
    skipahead(1ull << bit, &xorwow);
    out.put(curand(&xorwow));
    skipahead_sequence(1ull << bit, &xorwow);
    out.put(curand(&xorwow));
    skipahead(1ull << bit, &mrg);
    out.put(curand(&mrg));
    skipahead_subsequence(1ull << (bit % 48), &mrg);
    out.put(curand(&mrg));
  }
  *used = out.used;
}

/// Quasi-random numbers of the first Sobol dimensions.
__global__ void sobol(curandDirectionVectors32_t* directions, unsigned* words, int* used) {
  Output out{words, 0};
  for (const unsigned start : {0u, 1u, 77u}) {
    curandStateSobol32 state;
    curand_init(directions[0], start, &state);
    for (int i = 0; i < 8; ++i) out.put(curand(&state));
    skipahead(100u, &state);
    for (int i = 0; i < 3; ++i) out.put(curand_uniform(&state));
  }
  *used = out.used;
}

template <class Launch>
void print(const char* name, Launch launch) {
  unsigned* words = nullptr;
  int* used = nullptr;
  cudaMalloc(&words, kWords * sizeof *words);
  cudaMalloc(&used, sizeof *used);
  cudaMemset(words, 0, kWords * sizeof *words);
  launch(words, used);
  const cudaError_t error = cudaDeviceSynchronize();
  unsigned host[kWords];
  int count = 0;
  cudaMemcpy(&count, used, sizeof count, cudaMemcpyDeviceToHost);
  cudaMemcpy(host, words, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%s: %s, %d words\n", name, cudaGetErrorName(error), count);
  for (int i = 0; i < count; ++i) std::printf("%4d %08x\n", i, host[i]);
  cudaFree(words);
  cudaFree(used);
}

int main() {
  print("xorwow", [](auto... to) { sequences<curandStateXORWOW><<<1, 1>>>(to...); });
  print("mrg32k3a", [](auto... to) { sequences<curandStateMRG32k3a><<<1, 1>>>(to...); });
  print("philox", [](auto... to) { sequences<curandStatePhilox4_32_10_t><<<1, 1>>>(to...); });
  print("philox by four", [](auto... to) { philox<<<1, 1>>>(to...); });
  print("jumps", [](auto... to) { jumps<<<1, 1>>>(to...); });
  curandDirectionVectors32_t numbers;
  unsigned m = 1;
  for (int i = 0; i < 32; ++i) {
    numbers[i] = m << (31 - i);  // of the polynomial x + 1
    m ^= m << 1;
  }
  curandDirectionVectors32_t* directions = nullptr;
  cudaMalloc(&directions, sizeof numbers);
  cudaMemcpy(directions, numbers, sizeof numbers, cudaMemcpyHostToDevice);
  print("sobol32", [&](auto... to) { sobol<<<1, 1>>>(directions, to...); });
  cudaFree(directions);
}
