#include "grader/process/pipe.h"

#include <fcntl.h>
#include <fmt/core.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "grader/core/error.h"

namespace warpgrade {

Pipe make_pipe() {
  std::array<int, 2> fds{};
  if (::pipe2(fds.data(), O_CLOEXEC) != 0) {
    throw EnvironmentError(fmt::format("cannot make a pipe: {}", std::strerror(errno)));
  }
  return {Descriptor(fds[0]), Descriptor(fds[1])};
}

}  // namespace warpgrade
