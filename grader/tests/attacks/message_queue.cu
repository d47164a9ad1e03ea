// family:  19 process attacks
// tries:   leaves a message for later runs in a message queue of the machine
// holds:   message queues are rejected before linking; the sandbox has its own IPC namespace
// over:    nothing
// ends:    refused
// flag:    forbidden-call

#include <fcntl.h>
#include <mqueue.h>

#include "vecadd.h"

void vecadd(const float*, const float*, float* c, int n) {
  const mqd_t queue = mq_open("/answers", O_RDWR | O_CREAT, 0600, nullptr);
  mq_send(queue, reinterpret_cast<const char*>(c), n, 0);
}
