// family:  11 reading the reference
// tries:   opens the golden function, the secret and other students' work
// holds:   file functions are rejected before linking; none of these files exists in the sandbox
// over:    nothing
// ends:    refused
// flag:    forbidden-call

#include <fstream>
#include "vecadd.h"

void vecadd(const float*, const float*, float* c, int n) {
  for (const char* name :
       {"../../reference/vecadd/golden.cpp", "../../secret", "../../../alice/vecadd.cu"}) {
    std::ifstream in(name);
    for (int i = 0; i < n && in; ++i) in >> c[i];
  }
}
