// family:  12 calling the library
// tries:   starts another program
// holds:   processes are refused before linking; the sandbox counts them
// over:    nothing
// ends:    refused
// flag:    forbidden-call

#include <cstdlib>
#include "vecadd.h"

void vecadd(const float*, const float*, float*, int) {
  (void)!std::system("python3 -c 'print(1)' > out-c.bin");
}
