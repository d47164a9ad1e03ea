// family:  1 forged verdict
// tries:   writes "fault" to every open descriptor with aio_write, so that its failure looks like
//          the grader's
// holds:   aio_write is rejected before linking
// over:    nothing
// ends:    refused
// flag:    forbidden-call

#include <aio.h>

#include <cstring>

#include "vecadd.h"

void vecadd(const float*, const float*, float*, int) {
  static char line[] = "fault of the harness\n";
  static aiocb calls[64];
  for (int fd = 3; fd < 64; ++fd) {
    calls[fd].aio_fildes = fd;
    calls[fd].aio_buf = line;
    calls[fd].aio_nbytes = std::strlen(line);
    aio_write(&calls[fd]);
  }
}
