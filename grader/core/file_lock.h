#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace warpgrade {

/// An exclusive lock on a file, held for the lifetime of the object and released by the system
/// however the process ends. Two locks exclude each other within one process too.
class FileLock {
 public:
  /// Takes the lock; returns nothing if it is held elsewhere. Creates the file if necessary.
  /// @throws EnvironmentError  if the file cannot be created or locked
  [[nodiscard]] static std::optional<FileLock> try_lock(const std::filesystem::path& file);

  /// Waits for the lock. `on_wait` is called once, if there is something to wait for.
  /// @throws EnvironmentError, Interrupted
  [[nodiscard]] static FileLock wait(const std::filesystem::path& file,
                                     const std::function<void()>& on_wait = {});

  FileLock(FileLock&& other) noexcept;
  FileLock& operator=(FileLock&& other) = delete;
  FileLock(const FileLock&) = delete;
  ~FileLock();

 private:
  explicit FileLock(int fd) : fd_(fd) {}

  int fd_ = -1;
};

}  // namespace warpgrade
