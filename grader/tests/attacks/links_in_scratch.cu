// family:  19 process attacks
// tries:   puts links and pipes where the grader reads outputs, and removes its folder
// holds:   file functions are rejected before linking; the grader opens only regular files, without
//          blocking
// over:    nothing
// ends:    refused
// flag:    forbidden-call

#include <sys/stat.h>
#include <unistd.h>
#include "vecadd.h"

void vecadd(const float*, const float*, float*, int) {
  symlink("/dev/zero", "out-c.bin");
  mkfifo("record.txt", 0600);
  rmdir(".");
}
