#include "emulator/tests/checkers/pair.h"

__global__ void fetch(cudaTextureObject_t texture, int* out) {
  out[threadIdx.x] = tex1Dfetch<int>(texture, int(threadIdx.x));  // expect: invalid-texture
}

void run(bool too_early) {
  int *values = zeros<int>(128), *out = zeros<int>(32);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = values;
  resource.res.linear.desc = cudaCreateChannelDesc<int>();
  resource.res.linear.sizeInBytes = 128 * sizeof(int);
  const cudaTextureDesc description = {};
  cudaTextureObject_t texture = 0;
  look(cudaCreateTextureObject(&texture, &resource, &description, nullptr));
  if (too_early) look(cudaDestroyTextureObject(texture));
  fetch<<<1, 32>>>(texture, out);
  finish();
  if (!too_early) look(cudaDestroyTextureObject(texture));
  release(values, out);
}

void bug() {
  run(true);
}

void clean() {
  run(false);
}
