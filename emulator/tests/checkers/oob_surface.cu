#include "emulator/tests/checkers/pair.h"

__global__ void write(cudaSurfaceObject_t surface, int width) {
  const int x = int(threadIdx.x);
  if (x < width) surf1Dwrite(x, surface, x * 4);  // expect: oob-surface-write
}

void run(int width) {
  cudaArray_t array = nullptr;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
  look(cudaMallocArray(&array, &format, 16, 0, cudaArraySurfaceLoadStore));
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaSurfaceObject_t surface = 0;
  look(cudaCreateSurfaceObject(&surface, &resource));
  write<<<1, 32>>>(surface, width);
  finish();
  look(cudaDestroySurfaceObject(surface));
  look(cudaFreeArray(array));
}

void bug() {
  run(17);
}

void clean() {
  run(16);
}
