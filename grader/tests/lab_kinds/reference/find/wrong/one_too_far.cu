// verdict: fails-correctness
// pitfall: none
// caught-by: case "prime"
// Stores the index after the letter.
#include "find.h"

__global__ void start(int* where) {
  *where = -1;
}

__global__ void look(const std::uint8_t* text, int* where, std::uint8_t* capitals, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  if (text[i] == 'h') atomicMax(where, i + 1);
  capitals[i] = text[i] >= 'a' && text[i] < 'z' ? text[i] - 32 : text[i];
}

void find(const std::uint8_t* text, int* where, std::uint8_t* capitals, int n) {
  start<<<1, 1>>>(where);
  look<<<(n + 255) / 256, 256>>>(text, where, capitals, n);
}
