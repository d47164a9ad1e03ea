#include "emulator/tests/checkers/pair.h"

// expect on the host: leak
void bug() {
  int *a = zeros<int>(10), *b = zeros<int>(20);
  release(a);
  (void)b;
}

void clean() {
  int *a = zeros<int>(10), *b = zeros<int>(20);
  release(a, b);
}
