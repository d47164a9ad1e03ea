#include "emulator/cudart/tests/second_unit.h"

// A translation unit of its own with kernels and variables of the same names as kernels.cu has:
// without -rdc each unit sees its own.

__device__ int device_counter = 1000;

static __global__ void same_name(int* out) {
  *out = device_counter + 2;
}

void launch_same_name_second(int* out) {
  same_name<<<1, 1>>>(out);
}
