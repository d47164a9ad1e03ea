// family:  19 process attacks
// tries:   takes the machine's file tree with open_tree, which glibc has had for a few years only
// holds:   names that nobody has allowed are refused before linking; the filter does not know the
//          call
// over:    nothing
// ends:    refused
// flag:    forbidden-call

#include "vecadd.h"

extern "C" int open_tree(int folder, const char* path, unsigned flags);

void vecadd(const float*, const float*, float* c, int) {
  c[0] = open_tree(-100, "/", 1);
}
