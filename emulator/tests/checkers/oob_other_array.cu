#include "emulator/tests/checkers/pair.h"

// An index that is too large by far leads into another array. Which one was meant follows from the
// pointer that the address was computed from.

struct Arrays {
  const float* from;
  float* to;
  int step;
};

__device__ float table[100];
__device__ float behind_table[4096];

__global__ void read(const float* a, float* b, int step) {
  b[threadIdx.x] = a[int(threadIdx.x) * step];  // expect: oob-global-read
}

__global__ void write(float* a, int step) {
  a[int(threadIdx.x) * step] = 1;  // expect: oob-global-write
}

__global__ void read_before(const float* a, float* b, int step) {
  b[threadIdx.x] = a[-int(threadIdx.x) * step];  // expect: oob-global-read
}

__global__ void read_members(Arrays arrays) {
  arrays.to[threadIdx.x] = arrays.from[int(threadIdx.x) * arrays.step];  // expect: oob-global-read
}

__global__ void walk(const float* a, float* b, int step) {
  float sum = 0;
  for (int i = 0; i < 20; ++i) {
    sum += *a;  // expect: oob-global-read
    a += step;
  }
  b[threadIdx.x] = sum;
}

__global__ void read_variable(float* b, int step) {
  b[threadIdx.x] = table[int(threadIdx.x) * step] +  // expect: oob-global-read
                   behind_table[threadIdx.x];
}

__global__ void count(int* counts, int step) {
  atomicAdd(&counts[int(threadIdx.x) * step], 1);  // expect: oob-global-write
}

/// @param step  of 32 threads; arrays have 100 elements, and the next one begins at 256
void run(int step) {
  float *before = zeros<float>(4096), *a = zeros<float>(100), *b = zeros<float>(4096);
  int *counts = zeros<int>(100), *c = zeros<int>(4096);
  const int from_end = step > 3 ? 0 : 99;
  read<<<1, 32>>>(a, b, step);
  write<<<1, 32>>>(a, step);
  read_before<<<1, 32>>>(a + from_end, b, step);
  read_members<<<1, 32>>>({a, b, step});
  walk<<<1, 32>>>(a, b, step);
  read_variable<<<1, 32>>>(b, step);
  count<<<1, 32>>>(counts, step);
  finish();
  release(before, a, b, counts, c);
}

// Where an address may come from several arrays, each of them is right.
__global__ void select(const float* a, const float* b, float* c, int which) {
  const float* from = (int(threadIdx.x) & 1) == which ? a : b;
  c[threadIdx.x] = from[threadIdx.x];
}

__global__ void exchange(float* a, float* b, int rounds) {
  for (int i = 0; i < rounds; ++i) {
    b[threadIdx.x] = a[threadIdx.x] + 1;
    float* other = a;
    a = b;
    b = other;
  }
}

__global__ void through_table(float* const* rows, float* c) {
  c[threadIdx.x] = rows[threadIdx.x % 2][threadIdx.x];
}

__global__ void from_end(const float* end, float* c) {
  c[threadIdx.x] = end[-1 - int(threadIdx.x)];
}

void several() {
  float *a = zeros<float>(100), *b = zeros<float>(100), *c = zeros<float>(100);
  float** rows = zeros<float*>(2);
  float* host[] = {a, b};
  look(cudaMemcpy(rows, host, sizeof host, cudaMemcpyHostToDevice));
  select<<<1, 32>>>(a, b, c, 1);
  exchange<<<1, 32>>>(a, b, 5);
  through_table<<<1, 32>>>(rows, c);
  from_end<<<1, 32>>>(a + 100, c);
  finish();
  release(a, b, c, rows);
}

void bug() {
  run(40);
}
void clean() {
  run(3);
  several();
}
