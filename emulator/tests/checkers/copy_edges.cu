#include "emulator/tests/checkers/pair.h"

#include <cstdlib>
#include <vector>

// Copies that end exactly at the end of an allocation, from its middle, with a pitch, and with
// every kind of host memory; one row too many is the mistake.

__global__ void increment(int* values) {
  values[threadIdx.x] += 1;
}

void run(std::size_t rows) {
  std::vector<int> pageable(64, 1);
  int* device = zeros<int>(64);
  // To the last byte, and from an interior pointer.
  look(cudaMemcpy(device + 60, pageable.data(), 16, cudaMemcpyHostToDevice));
  look(cudaMemcpyAsync(pageable.data() + 1, device + 1, 63 * 4, cudaMemcpyDeviceToHost, nullptr));

  // The last row of a pitched copy ends before its pitch does.
  std::size_t pitch = 0;
  char* image = nullptr;
  look(cudaMallocPitch(&image, &pitch, 100, 4));
  look(cudaMemset2D(image, pitch, 0, 100, 4));
  std::vector<char> picture(100 * 4);
  look(cudaMemcpy2D(picture.data(), 100, image, pitch, 100, 4, cudaMemcpyDeviceToHost));
  look(cudaMemcpy2D(device, 64, picture.data(), 100, 64, rows, cudaMemcpyHostToDevice));

  // Pinned, mapped, registered and managed memory are fine on both sides.
  int *pinned = nullptr, *mapped = nullptr, *alias = nullptr, *managed = nullptr;
  look(cudaMallocHost(&pinned, 128));
  look(cudaHostAlloc(&mapped, 128, cudaHostAllocMapped));
  look(cudaMallocManaged(&managed, 128));
  look(cudaHostRegister(pageable.data(), 128, cudaHostRegisterDefault));
  for (int i = 0; i < 32; ++i) pinned[i] = mapped[i] = managed[i] = i;
  look(cudaHostGetDevicePointer(&alias, mapped, 0));
  increment<<<1, 32>>>(pinned);
  increment<<<1, 32>>>(alias);
  increment<<<1, 32>>>(managed);
  increment<<<1, 32>>>(pageable.data());
  finish();
  look(cudaMemcpy(pinned, managed, 128, cudaMemcpyDefault));
  look(cudaMemcpy(pinned + 16, mapped + 16, 64, cudaMemcpyHostToHost));
  look(cudaHostUnregister(pageable.data()));
  look(cudaFreeHost(pinned));
  look(cudaFreeHost(mapped));
  release(device, image, managed);
}

// expect on the host: oob-copy
void bug() {
  run(5);
}

void clean() {
  run(4);
}
