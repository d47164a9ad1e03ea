// family:  1 forged verdict
// tries:   writes record.txt and out-c.bin itself and exits
// holds:   file functions are rejected before linking; the record needs the nonce of this run
// over:    nothing
// ends:    refused
// flag:    forbidden-call

#include <cstdio>
#include <cstdlib>
#include "vecadd.h"

void vecadd(const float* a, const float* b, float* c, int n) {
  std::FILE* record = std::fopen("record.txt", "a");
  std::fputs("returned\ndone 0123456789abcdef0123456789abcdef\n", record);
  std::fclose(record);
  std::FILE* out = std::fopen("out-c.bin", "wb");
  for (int i = 0; i < n; ++i) {
    const float sum = a[i] + b[i];
    std::fwrite(&sum, sizeof sum, 1, out);
  }
  std::fclose(out);
  std::exit(0);
}
