// family:  19 process attacks
// tries:   sends the inputs to another machine
// holds:   sockets are rejected before linking; the sandbox has no network
// over:    nothing
// ends:    refused
// flag:    forbidden-call

#include <sys/socket.h>
#include "vecadd.h"

void vecadd(const float*, const float*, float*, int) {
  socket(AF_INET, SOCK_STREAM, 0);
}
