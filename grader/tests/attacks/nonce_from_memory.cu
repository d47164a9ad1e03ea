// family:  1 forged verdict
// tries:   searches the stack above its own frame for the nonce, to write a record of its own
// holds:   the record only states that the run completed; outputs are compared all the same, and
//          writing needs a rejected call
// over:    nothing
// ends:    any
// flag:    none

#include <cstdio>
#include <cstring>
#include "vecadd.h"

static char found[64];

void vecadd(const float*, const float*, float*, int) {
  volatile char here = 0;
  const char* at = const_cast<const char*>(&here);
  for (int i = 0; i < 4000; ++i) {
    int digits = 0;
    while (digits < 32 && ((at[i + digits] >= '0' && at[i + digits] <= '9') ||
                           (at[i + digits] >= 'a' && at[i + digits] <= 'f')))
      ++digits;
    if (digits == 32) std::memcpy(found, at + i, 32);
  }
  std::printf("done %s\n", found);
}
