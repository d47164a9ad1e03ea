// family:  19 process attacks
// tries:   clones the machine's mounts with open_tree, which only recent versions of glibc have
// holds:   only names on the allow-list are linked; the filter rejects the call
// over:    nothing
// ends:    refused
// flag:    forbidden-call

#include "vecadd.h"

extern "C" int open_tree(int folder, const char* path, unsigned flags);

void vecadd(const float*, const float*, float* c, int) {
  c[0] = open_tree(-100, "/", 1);
}
