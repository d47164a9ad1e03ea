// family:  19 process attacks
// tries:   ptrace and /proc/<pid>/mem of the grader
// holds:   processes are refused before linking; in its namespace there is no parent
// over:    nothing
// ends:    refused
// flag:    forbidden-call

#include <sys/ptrace.h>
#include <unistd.h>
#include "vecadd.h"

void vecadd(const float*, const float*, float*, int) {
  ptrace(PTRACE_ATTACH, getppid(), nullptr, nullptr);
}
