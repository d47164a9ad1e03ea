#include "emulator/tests/checkers/pair.h"

__global__ void nothing() {}

// expect on the host: illegal-launch
// expect on the host warning: unchecked-error
void bug() {
  nothing<<<1, 0>>>();
}

// Not checked, but nothing failed.
void clean() {
  nothing<<<1, 1>>>();
}
