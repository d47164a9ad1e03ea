#include "grader/run/worker/inputs_file.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <utility>

namespace warpgrade {
namespace {

/// Files that no process has now.
class FreeFiles {
 public:
  int get() {
    {
      const std::lock_guard lock(mutex_);
      if (!files_.empty()) {
        const int file = files_.back();
        files_.pop_back();
        return file;
      }
    }
    return ::memfd_create("other inputs", MFD_CLOEXEC);
  }
  void give_back(int file) {
    constexpr off_t kMostKept = off_t{64} << 20;
    struct stat info {};
    if (::fstat(file, &info) == 0 && info.st_size <= kMostKept) {
      const std::lock_guard lock(mutex_);
      files_.push_back(file);
    } else {
      ::close(file);
    }
  }

 private:
  std::mutex mutex_;
  std::vector<int> files_;
};

FreeFiles& free_files() {
  static FreeFiles files;
  return files;
}

/// Writes at `at` and increases it.
bool write_at(int file, std::span<const std::byte> bytes, std::uint64_t& at) {
  while (!bytes.empty()) {
    const ssize_t n = ::pwrite(file, bytes.data(), bytes.size(), static_cast<off_t>(at));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    at += static_cast<std::uint64_t>(n);
    bytes = bytes.subspan(static_cast<std::size_t>(n));
  }
  return true;
}

bool write_arrays(int file, const std::vector<warpsim::cudart::DecoyView>& arrays) {
  std::uint64_t size = 0;
  for (const warpsim::cudart::DecoyView& array : arrays) {
    const auto header = warpsim::cudart::decoy_file::header_of(array);
    if (!header || !write_at(file, std::as_bytes(std::span(&*header, 1)), size) ||
        !write_at(file, array.host, size) || !write_at(file, array.device, size)) {
      return false;
    }
  }
  return ::ftruncate(file, static_cast<off_t>(size)) == 0;
}

}  // namespace

InputsFile::InputsFile(const std::vector<warpsim::cudart::DecoyView>& arrays)
    : file_(free_files().get()) {
  if (file_ < 0 || !write_arrays(file_, arrays)) return;
  readable_ = ::open(fmt::format("/proc/self/fd/{}", file_).c_str(), O_RDONLY | O_CLOEXEC);
}

InputsFile::~InputsFile() {
  if (readable_ >= 0) ::close(readable_);
  if (file_ >= 0) free_files().give_back(file_);
}

}  // namespace warpgrade
