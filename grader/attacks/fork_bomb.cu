// family:  19 process attacks
// tries:   forks without end
// holds:   processes are refused before linking; the sandbox counts and ends them
// over:    nothing
// ends:    refused
// flag:    forbidden-call

#include <unistd.h>
#include "vecadd.h"

void vecadd(const float*, const float*, float*, int) {
  for (;;) fork();
}
