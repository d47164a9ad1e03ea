#include "grader/core/files.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <mutex>
#include <system_error>

#include "grader/core/disk.h"
#include "grader/core/error.h"
#include "grader/core/remove_tree.h"
#include "grader/core/scratch_sweep.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

/// Writes all of `content`, or returns the error number.
int write_all(int fd, std::string_view content) {
  while (!content.empty()) {
    const ssize_t n = ::write(fd, content.data(), content.size());
    if (n < 0) {
      if (errno == EINTR) {
        continue;
      }
      return errno;
    }
    content.remove_prefix(static_cast<std::size_t>(n));
  }
  return 0;
}

std::string temporary_name(const fs::path& path) {
  static std::atomic<unsigned> serial = 0;
  // Of a long name, which with more at its end no disk would take, the beginning.
  constexpr std::size_t kKept = 200;
  const std::string name = path.filename().string().substr(0, kKept);
  return (path.parent_path() / fmt::format("{}.{}-{}.tmp", name, ::getpid(), serial++)).string();
}

void create_folders(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) {
    fail_to_write(folder, error.value());
  }
}

/// Between making a folder and locking it.
constexpr std::chrono::minutes kYoung{1};

/// Locks of our scratch folders, each held while the folder is in use. The system releases them
/// when we are killed, so an unlocked folder may be removed.
class ScratchLocks {
 public:
  void take(const fs::path& folder) {
    const int fd = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0 && ::flock(fd, LOCK_EX | LOCK_NB) == 0) {
      const std::lock_guard lock(mutex_);
      locks_[folder.string()] = fd;
    } else if (fd >= 0) {
      ::close(fd);
    }
  }
  void give_back(const fs::path& folder) {
    const std::lock_guard lock(mutex_);
    if (const auto it = locks_.find(folder.string()); it != locks_.end()) {
      ::close(it->second);
      locks_.erase(it);
    }
  }

 private:
  std::mutex mutex_;
  std::map<std::string, int> locks_;
};

ScratchLocks& scratch_locks() {
  static ScratchLocks locks;
  return locks;
}

/// Whether the lock is free. @param fd  of the folder
bool is_abandoned(int fd) {
  struct stat status = {};
  if (::fstat(fd, &status) != 0 || status.st_uid != ::geteuid()) {
    return false;
  }
  const auto changed = std::chrono::system_clock::from_time_t(status.st_mtime);
  return std::chrono::system_clock::now() - changed > kYoung && ::flock(fd, LOCK_EX | LOCK_NB) == 0;
}

}  // namespace

void sweep_scratch_folders() {
  std::error_code error;
  const fs::path base = fs::temp_directory_path(error);
  for (auto it = fs::directory_iterator(base, error); !error && it != fs::directory_iterator();
       it.increment(error)) {
    if (!it->path().filename().string().starts_with(kScratchPrefix)) {
      continue;
    }
    const int fd = ::open(it->path().c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0) {
      continue;
    }
    if (is_abandoned(fd)) {
      remove_tree(it->path());
    }
    ::close(fd);
  }
}

std::string read_file(const fs::path& path, std::uint64_t limit_bytes) {
  std::ifstream in(path, std::ios::binary);
  if (!in) {
    throw UsageError(fmt::format("cannot read {}: {}", path.string(), std::strerror(errno)));
  }
  std::error_code error;
  const std::uint64_t size = fs::file_size(path, error);
  if (!error && size > limit_bytes) {
    throw UsageError(fmt::format("{} has {} bytes, more than the limit of {}", path.string(), size,
                                 limit_bytes));
  }
  std::string content;
  if (!error) {
    content.reserve(size);
  }
  content.assign(std::istreambuf_iterator<char>(in), {});
  if (in.bad()) {
    throw UsageError(fmt::format("cannot read {}: {}", path.string(), std::strerror(errno)));
  }
  return content;
}

void write_file_atomically(const fs::path& path, std::string_view content) {
  if (path.has_parent_path()) {
    create_folders(path.parent_path());
  }
  const std::string temporary = temporary_name(path);
  const int fd = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  if (fd < 0) {
    fail_to_write(path, errno);
  }
  int error = write_all(fd, content);
  if (error == 0 && ::fsync(fd) != 0) {
    error = errno;
  }
  if (::close(fd) != 0 && error == 0) {
    error = errno;
  }
  if (error == 0 && ::rename(temporary.c_str(), path.c_str()) != 0) {
    error = errno;
  }
  if (error != 0) {
    ::unlink(temporary.c_str());
    fail_to_write(path, error);
  }
}

void require_writable_folder(const fs::path& folder) {
  create_folders(folder);
  const std::string probe = temporary_name(folder / "probe");
  const int fd = ::open(probe.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  if (fd < 0) {
    fail_to_write(folder, errno);
  }
  const int error = write_all(fd, "probe");
  ::close(fd);
  ::unlink(probe.c_str());
  if (error != 0) {
    fail_to_write(folder, error);
  }
}

ScratchFolder::ScratchFolder() {
  std::error_code error;
  // Else another folder would be taken, which compilers, who read the variable, too, would not.
  if (const char* wanted = std::getenv("TMPDIR");
      wanted != nullptr && *wanted != '\0' && !fs::is_directory(wanted, error)) {
    throw EnvironmentError(
        fmt::format("TMPDIR is {}, which is not a folder; set it to one with free space, or to "
                    "nothing",
                    wanted));
  }
  fs::path base = fs::temp_directory_path(error);
  if (error) {
    throw EnvironmentError(fmt::format(
        "no folder for temporary files: {}; set TMPDIR to an existing one", error.message()));
  }
  std::string pattern = (base / (std::string(kScratchPrefix) + "XXXXXX")).string();
  if (::mkdtemp(pattern.data()) == nullptr) {
    throw EnvironmentError(
        fmt::format("cannot create a temporary folder in {}: {}; set TMPDIR to one with free space",
                    base.string(), std::strerror(errno)));
  }
  // Canonical, because compilers report canonical paths and we take this prefix off again.
  path_ = fs::canonical(pattern);
  scratch_locks().take(path_);
}

ScratchFolder::~ScratchFolder() {
  remove_tree(path_);
  scratch_locks().give_back(path_);
}

}  // namespace warpgrade
