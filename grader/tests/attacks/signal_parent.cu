// family:  19 process attacks
// tries:   sends signals to the grader and every other process
// holds:   functions for processes are rejected before linking; no other process exists in its
//          namespace
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
