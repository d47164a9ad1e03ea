// verdict: fails-correctness
// pitfall: none
// caught-by: case "prime"
// The members of two buckets are swapped: their order is free only within a bucket.
#include "buckets.h"

__global__ void all(const std::uint32_t* keys, int* offsets, int* members, std::uint32_t* shuffled,
                    int n) {
  int next = 0;
  for (unsigned bucket = 0; bucket < 8; ++bucket) {
    offsets[bucket] = next;
    for (int i = 0; i < n; ++i) {
      if (keys[i] % 8 == bucket) ++next;
    }
  }
  offsets[8] = next;
  next = 0;
  for (unsigned bucket = 0; bucket < 8; ++bucket) {
    for (int i = 0; i < n; ++i) {
      if (keys[i] % 8 == (bucket ^ 1)) members[next++] = i;
    }
  }
  for (int i = 0; i < n; ++i) shuffled[i] = keys[i];
}

void buckets(const std::uint32_t* keys, int* offsets, int* members, std::uint32_t* shuffled,
             int n) {
  all<<<1, 1>>>(keys, offsets, members, shuffled, n);
}
