#include "emulator/tests/checkers/pair.h"

// expect on the host: double-free
void bug() {
  int* a = zeros<int>(10);
  release(a, a);
}

// Freeing the null pointer twice is fine.
void clean() {
  int *a = zeros<int>(10), *none = nullptr;
  release(a, none, none);
}
