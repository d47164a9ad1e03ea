// lab:     vecadd
// root:    A
// tries:   asks the device for a channel of its own over the harness's socket, and sends it what is
//          not a call
// holds:   a message that breaks the protocol ends the session, by name
// becomes: nothing
// flag:    ended-early

#include "internals.cuh"
#include "vecadd.h"

#include <sys/socket.h>
#include <sys/uio.h>

void vecadd(const float* a, const float* b, float* c, int n) {
  internals::answer(a, b, c, n);
  for (int socket = 3; socket < 12; ++socket) {
    std::uint32_t request = 0;
    iovec part = {&request, sizeof request};
    msghdr message = {};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    if (internals::system_call(internals::kSendMessage, socket, &message, 0) < 0) continue;
    alignas(cmsghdr) char control[64] = {};
    message.msg_control = control;
    message.msg_controllen = sizeof control;
    part.iov_len = 1;
    if (internals::system_call(internals::kReceiveMessage, socket, &message, 0) < 0) continue;
    int file = -1;
    std::memcpy(&file, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof file);
    auto* words = reinterpret_cast<volatile std::uint32_t*>(
        internals::system_call(internals::kMap, 0, 1 << 16, 3, 1, file, 0));
    words[3] = 3;  // an answer to nothing
    words[5] = 0;
    words[0] = 1;  // the device's turn
    for (long i = 0; i < 2000000000 && words[0] == 1; ++i) {
    }
  }
}
