#include "emulator/tests/checkers/pair.h"

// Textures and surfaces beside other threads' accesses to the same memory.

namespace texture {

// The row behind the texture is written by the kernel that reads it.
__global__ void shift(cudaTextureObject_t texture, int* to) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const int next = tex1Dfetch<int>(texture, int((i + 32) % 128));  // expect: race-global
  to[i] = next;
}

void run(bool apart) {
  int *a = zeros<int>(128), *b = zeros<int>(128);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = a;
  resource.res.linear.desc = cudaCreateChannelDesc<int>();
  resource.res.linear.sizeInBytes = 128 * sizeof(int);
  const cudaTextureDesc description = {};
  cudaTextureObject_t texture = 0;
  look(cudaCreateTextureObject(&texture, &resource, &description, nullptr));
  shift<<<2, 64>>>(texture, apart ? b : a);
  finish();
  look(cudaDestroyTextureObject(texture));
  release(a, b);
}

}  // namespace texture

namespace surface {

// Each thread takes its neighbour's texel, which that one overwrites.
template <bool kBarrier>
__global__ void shift(cudaSurfaceObject_t surface) {
  const unsigned i = threadIdx.x;
  const int next = surf1Dread<int>(surface, int((i + 1) % 64 * 4));  // expect: race-global
  if (kBarrier) __syncthreads();
  __syncwarp();
  surf1Dwrite(next, surface, int(i * 4));
}

template <bool kBarrier>
void run() {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
  cudaArray_t array = nullptr;
  look(cudaMallocArray(&array, &format, 64, 0, cudaArraySurfaceLoadStore));
  const int values[64] = {};
  look(cudaMemcpy2DToArray(array, 0, 0, values, sizeof values, sizeof values, 1,
                           cudaMemcpyHostToDevice));
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaSurfaceObject_t surface = 0;
  look(cudaCreateSurfaceObject(&surface, &resource));
  shift<kBarrier><<<1, 64>>>(surface);
  finish();
  look(cudaDestroySurfaceObject(surface));
  look(cudaFreeArray(array));
}

}  // namespace surface

void bug() {
  texture::run(false);
  surface::run<false>();
}
void clean() {
  texture::run(true);
  surface::run<true>();
}
