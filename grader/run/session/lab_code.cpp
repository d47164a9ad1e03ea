#include "grader/run/session/lab_code.h"

#include <fmt/core.h>
#include <sys/mman.h>

#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <memory>

#include "grader/core/error.h"
#include "grader/process/forked.h"
#include "harness/core/lab_error.h"

namespace warpgrade {
namespace {

/// Much more than a slow and obvious computation of one case's outputs takes, in time and memory.
constexpr ForkedLimits kLimits = {.time = std::chrono::seconds(20),
                                  .more_bytes = std::uint64_t{4} << 30};

/// Memory that a copy of this process shares with it.
class SharedMemory {
 public:
  explicit SharedMemory(std::size_t size) : size_(size) {
    if (size == 0) return;
    void* const mapped =
        ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (mapped == MAP_FAILED) {
      throw EnvironmentError(
          fmt::format("cannot share {} bytes of memory: {}", size, std::strerror(errno)));
    }
    start_ = static_cast<std::byte*>(mapped);
  }
  ~SharedMemory() {
    if (start_ != nullptr) ::munmap(start_, size_);
  }
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;

  [[nodiscard]] std::byte* start() const { return start_; }
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  std::byte* start_ = nullptr;
  std::size_t size_;
};

/// Shared memory of a thread, whose pages are got from the kernel once and not for each call. What
/// is very large is not kept.
class KeptMemory {
 public:
  std::byte* get(std::size_t size) {
    if (memory_ == nullptr || memory_->size() < size)
      memory_ = std::make_unique<SharedMemory>(size);
    return memory_->start();
  }
  void give_back() {
    constexpr std::size_t kMostKept = std::size_t{64} << 20;
    if (memory_->size() > kMostKept) memory_.reset();
  }

 private:
  std::unique_ptr<SharedMemory> memory_;
};

}  // namespace

std::string run_lab_code(const LabCall& call) {
  std::size_t size = 0;
  for (const auto& result : call.results) size += result.size();
  static thread_local KeptMemory kept;
  std::byte* const shared = kept.get(size);
  const Forked forked = run_forked(
      [&](const Tell& tell) {
        const std::string returned = call.function();
        std::byte* to = shared;
        for (const auto& result : call.results) {
          if (!result.empty()) std::memcpy(to, result.data(), result.size());
          to += result.size();
        }
        tell(returned);
      },
      kLimits);
  if (forked.starved) throw EnvironmentError(fmt::format("{} {}", call.who, forked.end));
  if (!forked.returned) {
    throw LabCodeError(fmt::format("{} {}; correct it", call.who, forked.end), forked.out_of_time);
  }
  const std::byte* from = shared;
  for (const auto& result : call.results) {
    if (!result.empty()) std::memcpy(result.data(), from, result.size());
    from += result.size();
  }
  kept.give_back();
  return forked.told;
}

}  // namespace warpgrade
