#include "grader/core/file_lock.h"

#include <unistd.h>

#include <atomic>
#include <catch2/catch_test_macros.hpp>
#include <chrono>
#include <thread>

#include "grader/core/error.h"
#include "grader/core/files.h"
#include "grader/run/device/gpu_lock.h"

namespace warpgrade {
namespace {

TEST_CASE("a lock excludes a second one, in this process too, until it is released",
          "[core][lock]") {
  const ScratchFolder folder;
  const auto file = folder.path() / "lock";
  {
    const std::optional<FileLock> first = FileLock::try_lock(file);
    REQUIRE(first.has_value());
    CHECK_FALSE(FileLock::try_lock(file).has_value());
    CHECK(FileLock::try_lock(folder.path() / "other").has_value());
  }
  CHECK(FileLock::try_lock(file).has_value());
}

TEST_CASE("a waiter for a lock is notified once and gets it when it is free", "[core][lock]") {
  const ScratchFolder folder;
  const auto file = folder.path() / "lock";
  std::optional<FileLock> first = FileLock::try_lock(file);
  std::atomic<int> told = 0;
  std::atomic<bool> has_it = false;
  std::jthread other([&] {
    const FileLock lock = FileLock::wait(file, [&] { ++told; });
    has_it = true;
  });
  while (told == 0) {
    std::this_thread::yield();
  }
  CHECK_FALSE(has_it);
  first.reset();
  other.join();
  CHECK(has_it);
  CHECK(told == 1);
}

TEST_CASE("a lock file that cannot be created is an error of the machine", "[core][lock]") {
  CHECK_THROWS_AS(FileLock::try_lock("/proc/lock"), EnvironmentError);
}

TEST_CASE("a symbolic link in place of a lock file is not followed", "[core][lock]") {
  const ScratchFolder folder;
  std::filesystem::create_symlink(folder.path() / "elsewhere", folder.path() / "lock");
  CHECK_THROWS_AS(FileLock::try_lock(folder.path() / "lock"), EnvironmentError);
  CHECK_FALSE(std::filesystem::exists(folder.path() / "elsewhere"));
}

TEST_CASE("runs on one GPU exclude each other, runs on two do not", "[run][lock]") {
  const std::string uuid = "GPU-test-" + std::to_string(::getpid());
  {
    const FileLock lock = lock_gpu(uuid);
    CHECK_FALSE(FileLock::try_lock(gpu_lock_file(uuid)).has_value());
    CHECK(FileLock::try_lock(gpu_lock_file(uuid + "b")).has_value());
  }
  CHECK(FileLock::try_lock(gpu_lock_file(uuid)).has_value());
  std::filesystem::remove(gpu_lock_file(uuid));
  std::filesystem::remove(gpu_lock_file(uuid + "b"));
}

}  // namespace
}  // namespace warpgrade
