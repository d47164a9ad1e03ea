// family:  3 timer tampering
// tries:   looks up the runtime's functions with dlsym to patch them
// holds:   dlsym is rejected before linking
// over:    nothing
// ends:    refused
// flag:    forbidden-call

#include <dlfcn.h>
#include <sys/mman.h>
#include "vecadd.h"

void vecadd(const float*, const float*, float*, int) {
  void* real = dlsym(RTLD_NEXT, "cudaEventElapsedTime");
  mprotect(reinterpret_cast<void*>(reinterpret_cast<unsigned long>(real) & ~4095UL), 4096, 7);
  *static_cast<unsigned char*>(real) = 0xc3;
}
