#include "emulator/cudart/tests/kernels.h"

#undef NDEBUG  // a release build must keep the assertion that a test is about
#include <cassert>
#include <cstdio>

// The kernels of the API tests, so that the compiler runs once; nvcc_kernels.cu has those that
// clang cannot compile. The tests themselves are plain C++.

__constant__ float constant_table[16];
__device__ int device_counter = 5;
__device__ float device_array[8];

// Static, as second_unit.cu has a kernel of this name, too.
static __global__ void same_name(int* out) {
  *out = device_counter + 1;
}

namespace {

__global__ void fill(int* out, int value) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

__global__ void __launch_bounds__(128) bounded(int* out) {
  out[threadIdx.x] = 1;
}

__global__ void uses_static_shared(int* out) {
  __shared__ int tile[256];
  tile[threadIdx.x] = static_cast<int>(threadIdx.x);
  __syncthreads();
  out[threadIdx.x] = tile[blockDim.x - 1 - threadIdx.x];
}

__global__ void uses_dynamic_shared(int* out) {
  extern __shared__ int tile[];
  tile[threadIdx.x] = 2 * static_cast<int>(threadIdx.x);
  __syncthreads();
  out[threadIdx.x] = tile[blockDim.x - 1 - threadIdx.x];
}

__global__ void scale_by_constant(float* data) {
  data[threadIdx.x] *= constant_table[threadIdx.x];
}

__global__ void count() {
  ++device_counter;
}

__global__ void write_at(int* out, long long index) {
  out[index] = 1;
}

__global__ void write_misaligned(char* out) {
  *reinterpret_cast<int*>(out + 1) = 1;
}

__global__ void assert_zero(int value) {
  assert(value == 0);
}

__global__ void spin(volatile int* flag) {
  while (*flag == 0) {
  }
}

__global__ void add(int* place, int value) {
  *place += value;
}

__global__ void print(int value) {
  printf("value %d\n", value);
}

}  // namespace

void launch_fill(int blocks, int threads, int* out, int value, cudaStream_t stream) {
  fill<<<blocks, threads, 0, stream>>>(out, value);
}
void launch_fill(dim3 grid, dim3 block, size_t shared, int* out) {
  fill<<<grid, block, shared>>>(out, 1);
}
void launch_bounded(int threads, int* out) {
  bounded<<<1, threads>>>(out);
}
void launch_static_shared(int threads, size_t dynamic_bytes, int* out) {
  uses_static_shared<<<1, threads, dynamic_bytes>>>(out);
}
void launch_dynamic_shared(int threads, size_t bytes, int* out) {
  uses_dynamic_shared<<<1, threads, bytes>>>(out);
}
void launch_scale_by_constant(int threads, float* data) {
  scale_by_constant<<<1, threads>>>(data);
}
void launch_count() {
  count<<<1, 1>>>();
}
void launch_write_at(int* out, long long index) {
  write_at<<<1, 1>>>(out, index);
}
void launch_write_misaligned(char* out) {
  write_misaligned<<<1, 1>>>(out);
}
void launch_assert_zero(int value) {
  assert_zero<<<1, 1>>>(value);
}
void launch_spin(int* flag) {
  spin<<<1, 1>>>(flag);
}
void launch_same_name(int* out) {
  same_name<<<1, 1>>>(out);
}
void launch_print(int value) {
  print<<<1, 1>>>(value);
}

const void* fill_kernel() {
  return reinterpret_cast<const void*>(fill);
}
const void* bounded_kernel() {
  return reinterpret_cast<const void*>(bounded);
}
const void* static_shared_kernel() {
  return reinterpret_cast<const void*>(uses_static_shared);
}
const void* dynamic_shared_kernel() {
  return reinterpret_cast<const void*>(uses_dynamic_shared);
}

const void* add_kernel() {
  return reinterpret_cast<const void*>(add);
}

const void* constant_table_symbol() {
  return constant_table;
}
const void* device_counter_symbol() {
  return &device_counter;
}
const void* device_array_symbol() {
  return device_array;
}
