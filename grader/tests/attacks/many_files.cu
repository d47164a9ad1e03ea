// family:  19 process attacks
// tries:   fills its folder with files and nested folders, through functions found inside libc
// holds:   files are counted, names that create any are rejected, and the folder is removed in
//          bounded time
// over:    nothing
// ends:    refused
// flag:    forbidden-call

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>

#include "vecadd.h"

void vecadd(const float*, const float*, float*, int) {
  char name[32];
  for (int i = 0; i < 150000; ++i) {
    std::snprintf(name, sizeof name, "f%d", i);
    close(open(name, O_CREAT | O_WRONLY, 0600));
  }
  for (int i = 0; i < 6000; ++i) {
    mkdir("d", 0700);
    chdir("d");
  }
}
