#pragma once

#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>

// A pair is one mistake and the nearest program without it. `bug()` must be reported exactly as the
// comments in its file say, `clean()` must be silent:
//
//   x = a[i];  // expect: oob-global-read     a finding of this kind on this line, and no other
//   s = t[i];  // expect: race-shared P23     ... of this pitfall
//   // expect on the host: leak               a finding in host code
//   // options: --budget 100000               passed to warpsim
//   // status: signal 11                      how the program ends, when it is not the usual:
//                                             99 after an error finding, else 0
//
// A warning is written "expect warning: kind", a note likewise; "// detail: D" after it adds the
// finding's detail ("-": none). See checker_test.cpp.

void bug();
void clean();

/// Looks at an error, as a careful program does.
inline void look(cudaError_t error) {
  if (error != cudaSuccess) std::printf("%s\n", cudaGetErrorName(error));
}

/// Waits for the kernels and looks at their error.
inline void finish() {
  look(cudaDeviceSynchronize());
  cudaGetLastError();
}

/// `count` elements on the device with every byte 0; nothing else in these programs allocates.
template <class T>
T* zeros(std::size_t count) {
  T* pointer = nullptr;
  if (cudaMalloc(&pointer, count * sizeof(T)) != cudaSuccess) return nullptr;
  if (cudaMemset(pointer, 0, count * sizeof(T)) != cudaSuccess) return nullptr;
  return pointer;
}

/// Frees and looks at the error.
template <class... T>
void release(T*... pointers) {
  for (void* pointer : {static_cast<void*>(pointers)...}) look(cudaFree(pointer));
}

int main(int argc, char** argv) {
  if (argc == 2 && std::strcmp(argv[1], "clean") == 0) {
    clean();
  } else {
    bug();
  }
  return 0;
}
