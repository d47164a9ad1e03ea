#include "emulator/tests/checkers/pair.h"

// expect on the host: invalid-free
// expect on the host: leak
void bug() {
  int* a = zeros<int>(10);
  release(a + 1);
}

void clean() {
  int* a = zeros<int>(10);
  release(a + 1 - 1);
}
