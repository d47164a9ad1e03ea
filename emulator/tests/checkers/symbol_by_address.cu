#include "emulator/tests/checkers/pair.h"

// The variable's host shadow is not the variable.
__constant__ int table[4];

// expect on the host: symbol-copied-by-address
void bug() {
  const int values[4] = {1, 2, 3, 4};
  look(cudaMemcpy(&table, values, sizeof values, cudaMemcpyHostToDevice));
}

void clean() {
  const int values[4] = {1, 2, 3, 4};
  look(cudaMemcpyToSymbol(table, values, sizeof values));
}
