// family:  19 process attacks
// tries:   kills the grader and everything else
// holds:   processes are refused before linking; in its namespace there is nobody
// over:    nothing
// ends:    refused
// flag:    forbidden-call

#include <unistd.h>
#include <csignal>
#include "vecadd.h"

void vecadd(const float*, const float*, float*, int) {
  kill(getppid(), SIGKILL);
  kill(-1, SIGKILL);
}
