#include "harness/case/untrusted_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace warpgrade {

namespace {

/// Up to as many bytes as there were when it was opened: it may still grow.
std::optional<std::string> read_all(int fd, std::uint64_t limit) {
  struct stat info {};
  if (::fstat(fd, &info) != 0 || !S_ISREG(info.st_mode)) return std::nullopt;
  std::string text(std::min(limit, static_cast<std::uint64_t>(info.st_size)), '\0');
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t n = ::read(fd, text.data() + done, text.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return std::nullopt;
    if (n == 0) break;
    done += static_cast<std::size_t>(n);
  }
  text.resize(done);
  return text;
}

}  // namespace

std::optional<std::string> read_untrusted_file(const std::filesystem::path& file,
                                               std::uint64_t limit) {
  // Without waiting: the opening of a pipe would.
  const int fd = ::open(file.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (fd < 0) return std::nullopt;
  std::optional<std::string> text = read_all(fd, limit);
  ::close(fd);
  return text;
}

}  // namespace warpgrade
