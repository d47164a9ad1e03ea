#include "letters.h"

__device__ bool is_vowel(char c) {
  return c == 'a' || c == 'e' || c == 'i' || c == 'o' || c == 'u';
}

__global__ void examine(const char* text, unsigned long long* hashes, bool* vowels, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  hashes[i] = (text[i] + 1ULL) * 0x9e3779b97f4a7c15ULL;
  vowels[i] = is_vowel(text[i]);
}

void letters(const char* text, unsigned long long* hashes, bool* vowels, int n) {
  examine<<<(n + 127) / 128, 128>>>(text, hashes, vowels, n);
}
