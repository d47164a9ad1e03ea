#include "grader/core/file_lock.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>
#include <utility>

#include "grader/core/error.h"
#include "grader/core/interrupt.h"

namespace warpgrade {
namespace {

constexpr std::chrono::milliseconds kPoll{20};

[[noreturn]] void fail_to_lock(const std::filesystem::path& file, int error) {
  throw EnvironmentError(fmt::format("cannot lock {}: {}", file.string(), std::strerror(error)));
}

/// A lock needs read access only, so a file in /tmp that belongs to another user works too; the
/// kernel refuses O_CREAT on such files.
int open_lock(const std::filesystem::path& file) {
  constexpr int kFlags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY | O_NONBLOCK;
  int fd = ::open(file.c_str(), kFlags);
  if (fd < 0 && errno == ENOENT) {
    fd = ::open(file.c_str(), kFlags | O_CREAT, 0644);
  }
  return fd;
}

}  // namespace

std::optional<FileLock> FileLock::try_lock(const std::filesystem::path& file) {
  FileLock lock(open_lock(file));
  if (lock.fd_ < 0) {
    fail_to_lock(file, errno);
  }
  while (::flock(lock.fd_, LOCK_EX | LOCK_NB) != 0) {
    if (errno == EWOULDBLOCK) {
      return std::nullopt;
    }
    if (errno != EINTR) {
      fail_to_lock(file, errno);
    }
  }
  return lock;
}

FileLock FileLock::wait(const std::filesystem::path& file, const std::function<void()>& on_wait) {
  for (bool first = true;; first = false) {
    if (std::optional<FileLock> lock = try_lock(file)) {
      return *std::move(lock);
    }
    if (first && on_wait) {
      on_wait();
    }
    stop_if_interrupted();
    std::this_thread::sleep_for(kPoll);
  }
}

FileLock::FileLock(FileLock&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}

FileLock::~FileLock() {
  if (fd_ >= 0) {
    ::close(fd_);
  }
}

}  // namespace warpgrade
