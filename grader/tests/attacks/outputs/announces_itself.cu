// lab:     vecadd
// root:    A
// tries:   an initializer announces a call of its own before the harness does, with the output in
//          device memory
// holds:   only one call is announced, and its arrays must be the harness's
// becomes: nothing
// flag:    ended-early

#include "internals.cuh"
#include "vecadd.h"

struct Array {
  char name[64];
  std::uint64_t address, bytes;
  std::uint32_t element_bytes;
  std::uint8_t is_input, is_output, on_host, reserved;
};
struct Announced {
  std::uint32_t count, reserved;
  std::uint64_t fault_handler;
  Array arrays[64];
};
static Announced announced;

__attribute__((constructor)) static void announce() {
  announced.count = 1;
  std::strcpy(announced.arrays[0].name, "c");
  void* memory = nullptr;
  cudaMalloc(&memory, 4096);
  announced.arrays[0].address = reinterpret_cast<std::uint64_t>(memory);
  announced.arrays[0].bytes = 4096;
  announced.arrays[0].element_bytes = 4;
  announced.arrays[0].is_output = 1;
  const auto begin = reinterpret_cast<cudaError_t (*)(const void*)>(const_cast<void*>(
      internals::find(reinterpret_cast<void*>(&cudaGetLastError), "__cudaHarnessCallBegins")));
  if (begin != nullptr) begin(&announced);
}

void vecadd(const float* a, const float* b, float* c, int n) {
  internals::answer(a, b, c, n);
}
