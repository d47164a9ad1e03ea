// family:  3 timer tampering
// tries:   defines write, memcmp, clock_gettime and main
// holds:   all symbols but the lab's function are local
// over:    nothing
// ends:    any
// flag:    own-runtime

#include "vecadd.h"

extern "C" {
long no_write(int, const void*, unsigned long n) asm("write");
int always_equal(const void*, const void*, unsigned long) asm("memcmp");
int no_clock(int, void*) asm("clock_gettime");
long no_write(int, const void*, unsigned long n) {
  return static_cast<long>(n);
}
int always_equal(const void*, const void*, unsigned long) {
  return 0;
}
int no_clock(int, void*) {
  return 0;
}
}
int main() {
  return 0;
}
void vecadd(const float*, const float*, float*, int) {}
