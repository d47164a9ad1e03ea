#include "harness/case/untrusted_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace warpgrade {

namespace {

/// A file open for reading, if it is a regular one.
class UntrustedFile {
 public:
  // Without waiting: the opening of a pipe would.
  explicit UntrustedFile(const std::filesystem::path& file)
      : fd_(::open(file.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)) {
    struct stat info {};
    usable_ = fd_ >= 0 && ::fstat(fd_, &info) == 0 && S_ISREG(info.st_mode);
    size_ = usable_ ? static_cast<std::uint64_t>(info.st_size) : 0;
  }
  ~UntrustedFile() {
    if (fd_ >= 0) ::close(fd_);
  }
  UntrustedFile(const UntrustedFile&) = delete;
  UntrustedFile& operator=(const UntrustedFile&) = delete;

  [[nodiscard]] bool usable() const { return usable_; }
  /// When it was opened: it may still grow or shrink.
  [[nodiscard]] std::uint64_t size() const { return size_; }

  /// How many bytes came, at most as many as there is room for; nothing after an error.
  [[nodiscard]] std::optional<std::size_t> read(std::span<std::byte> room) const {
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

 private:
  int fd_;
  bool usable_ = false;
  std::uint64_t size_ = 0;
};

}  // namespace

std::optional<std::string> read_untrusted_file(const std::filesystem::path& path,
                                               std::uint64_t limit) {
  const UntrustedFile file(path);
  if (!file.usable()) return std::nullopt;
  std::string text(std::min(limit, file.size()), '\0');
  const auto count = file.read(std::as_writable_bytes(std::span(text)));
  if (!count) return std::nullopt;
  text.resize(*count);
  return text;
}

bool read_untrusted_file(const std::filesystem::path& path, std::span<std::byte> bytes) {
  const UntrustedFile file(path);
  return file.usable() && file.size() == bytes.size() && file.read(bytes) == bytes.size();
}

}  // namespace warpgrade
