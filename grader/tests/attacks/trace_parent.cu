// family:  19 process attacks
// tries:   uses ptrace and /proc/<pid>/mem on the grader
// holds:   functions for processes are rejected before linking; the grader is not visible in its
//          namespace
// over:    nothing
// ends:    refused
// flag:    forbidden-call

#include <sys/ptrace.h>
#include <unistd.h>
#include "vecadd.h"

void vecadd(const float*, const float*, float*, int) {
  ptrace(PTRACE_ATTACH, getppid(), nullptr, nullptr);
}
