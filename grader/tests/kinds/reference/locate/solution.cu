#include "locate.h"

__global__ void search(const int* numbers, const int* asked, int* where, int count, int questions) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= questions) return;
  int low = 0;
  int high = count;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (numbers[middle] < asked[i]) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  where[i] = low;
}

void locate(const int* numbers, const int* asked, int* where, int count, int questions) {
  search<<<(questions + 127) / 128, 128>>>(numbers, asked, where, count, questions);
}
