// family:  11 reading the reference
// tries:   reads its own memory map, arguments and descriptors from /proc/self
// holds:   file functions are rejected before linking
// over:    nothing
// ends:    refused
// flag:    looks-around

#include <fcntl.h>
#include <unistd.h>
#include "vecadd.h"

void vecadd(const float*, const float*, float*, int) {
  char text[4096];
  const int fd = open("/proc/self/maps", O_RDONLY);
  (void)!read(fd, text, sizeof text);
}
