#pragma once

#include <cstdint>

/// Bucket b holds the indices i with keys[i] % 8 == b, in any order: members[offsets[b]] up to
/// members[offsets[b + 1] - 1]. `shuffled` holds the keys in any order. All are DEVICE pointers;
/// `offsets` has 9 elements, the other arrays n >= 1.
void buckets(const std::uint32_t* keys, int* offsets, int* members, std::uint32_t* shuffled, int n);
