#include "harness/case/untrusted_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace warpgrade {

// Non-blocking: opening a pipe would wait.
UntrustedFile::UntrustedFile(const std::filesystem::path& file)
    : fd_(::open(file.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)) {
  struct stat info {};
  usable_ = fd_ >= 0 && ::fstat(fd_, &info) == 0 && S_ISREG(info.st_mode);
  size_ = usable_ ? static_cast<std::uint64_t>(info.st_size) : 0;
}

UntrustedFile::~UntrustedFile() {
  if (fd_ >= 0) ::close(fd_);
}

std::optional<std::size_t> UntrustedFile::read(std::span<std::byte> room) {
  std::size_t done = 0;
  while (done < room.size()) {
    const ssize_t n = ::read(fd_, room.data() + done, room.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return std::nullopt;
    if (n == 0) break;
    done += static_cast<std::size_t>(n);
  }
  return done;
}

std::optional<std::string> read_untrusted_file(const std::filesystem::path& path,
                                               std::uint64_t limit) {
  UntrustedFile file(path);
  if (!file.usable()) return std::nullopt;
  std::string text(std::min(limit, file.size()), '\0');
  const auto count = file.read(std::as_writable_bytes(std::span(text)));
  if (!count) return std::nullopt;
  text.resize(*count);
  return text;
}

bool read_untrusted_file(const std::filesystem::path& path, std::span<std::byte> bytes) {
  UntrustedFile file(path);
  return file.usable() && file.size() == bytes.size() && file.read(bytes) == bytes.size();
}

}  // namespace warpgrade
