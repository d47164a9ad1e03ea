// family:  19 process attacks
// tries:   forks endlessly
// holds:   fork is rejected before linking; the sandbox limits the number of processes
// over:    nothing
// ends:    refused
// flag:    forbidden-call

#include <unistd.h>
#include "vecadd.h"

void vecadd(const float*, const float*, float*, int) {
  for (;;) fork();
}
