// family:  12 calling the library
// tries:   starts another program
// holds:   functions that start processes are rejected before linking; the sandbox limits the
//          number of processes
// over:    nothing
// ends:    refused
// flag:    forbidden-call

#include <cstdlib>
#include "vecadd.h"

void vecadd(const float*, const float*, float*, int) {
  (void)!std::system("python3 -c 'print(1)' > out-c.bin");
}
