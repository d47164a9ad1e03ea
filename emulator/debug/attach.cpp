#include "emulator/debug/attach.h"

#include <fcntl.h>

#include <charconv>
#include <cstdlib>
#include <cstring>

#include "emulator/debug/messages.h"
#include "emulator/debug/session.h"

namespace warpsim::debug {

Debugger* attach_from_environment() {
  const char* const text = std::getenv(kSessionSocket);
  if (text == nullptr) return nullptr;
  int socket = -1;
  const char* const end = text + std::strlen(text);
  const auto parsed = std::from_chars(text, end, socket);
  const bool valid = parsed.ec == std::errc{} && parsed.ptr == end && socket > 2;
  // The session is this process's, and no child's.
  ::unsetenv(kSessionSocket);
  if (!valid || ::fcntl(socket, F_SETFD, FD_CLOEXEC) != 0) return nullptr;
  auto* const session = new Session(socket);  // never destroyed: the last calls still use it
  session->start();
  return &session->control();
}

}  // namespace warpsim::debug
