#include "buckets.h"

// TODO: count the keys of each bucket, sum the counts up, and store the indices.
void buckets(const std::uint32_t* keys, int* offsets, int* members, std::uint32_t* shuffled,
             int n) {}
