#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "emulator/report/report.h"
#include "emulator/report/size_limit.h"

namespace warpsim {
namespace {

bool write_all(int file, const std::string& text) {
  const SizeLimitIsError limit;
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t wrote = ::write(file, text.data() + done, text.size() - done);
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote < 0) return false;
    done += static_cast<std::size_t>(wrote);
  }
  return true;
}

}  // namespace

std::string write_atomically(const std::string& path, const std::string& text) {
  const std::string temporary = fmt::format("{}.{}.tmp", path, ::getpid());
  const auto failure = [&] {
    const int error = errno;
    ::unlink(temporary.c_str());
    return fmt::format("cannot write '{}': {}", path, std::strerror(error));
  };
  const int file = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0) return failure();
  const bool written = write_all(file, text);
  // close() may be the first call to report a full disk, so both must succeed before the rename.
  if (::close(file) != 0 || !written) return failure();
  if (::rename(temporary.c_str(), path.c_str()) != 0) return failure();
  return {};
}

}  // namespace warpsim
