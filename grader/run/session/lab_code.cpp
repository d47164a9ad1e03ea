#include "grader/run/session/lab_code.h"

#include <fmt/core.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "grader/core/error.h"
#include "grader/process/forked.h"
#include "harness/core/lab_error.h"

namespace warpgrade {
namespace {

/// Much more than a slow and obvious computation of one case's outputs takes, in time and memory.
constexpr ForkedLimits kLimits = {.time = std::chrono::seconds(20),
                                  .more_bytes = std::uint64_t{4} << 30};

/// Gets memory that is shared at once. Page by page, as it is written to, it would take longer than
/// most golden functions.
void populate(std::span<std::byte> memory) {
#ifdef MADV_POPULATE_WRITE
  constexpr std::size_t kLeast = std::size_t{64} << 10;
  if (memory.size() < kLeast) return;
  static const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  const auto begin = reinterpret_cast<std::uintptr_t>(memory.data()) / page * page;
  const auto end = reinterpret_cast<std::uintptr_t>(memory.data() + memory.size());
  // Kernels before 5.14 refuse: then it is done page by page.
  (void)::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_POPULATE_WRITE);
#endif
}

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

/// Shared memory whose pages are got from the kernel once and not for each call. What is very large
/// is not kept.
class KeptMemory {
 public:
  /// At least so many bytes, for one caller at a time.
  std::unique_ptr<SharedMemory> get(std::size_t size) {
    {
      const std::lock_guard lock(mutex_);
      const auto found =
          std::ranges::find_if(free_, [&](const auto& memory) { return memory->size() >= size; });
      if (found != free_.end()) {
        std::unique_ptr<SharedMemory> memory = std::move(*found);
        free_.erase(found);
        return memory;
      }
      // Not smaller ones and larger ones: the latter do for both.
      if (!free_.empty()) free_.pop_back();
    }
    return std::make_unique<SharedMemory>(size);
  }
  void give_back(std::unique_ptr<SharedMemory> memory) {
    constexpr std::size_t kMostKept = std::size_t{64} << 20;
    if (memory->size() > kMostKept) return;
    const std::lock_guard lock(mutex_);
    free_.push_back(std::move(memory));
  }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<SharedMemory>> free_;
};

}  // namespace

std::string run_lab_code(const LabCall& call) {
  static KeptMemory kept;
  std::unique_ptr<SharedMemory> memory = kept.get(call.result_bytes);
  const std::span<std::byte> shared(memory->start(), call.result_bytes);
  const Forked forked = run_forked(
      [&](const Tell& tell) {
        const std::string returned = call.function();
        populate(shared);
        if (call.give) call.give(shared);
        tell(returned);
      },
      kLimits);
  if (forked.starved) throw EnvironmentError(fmt::format("{} {}", call.who, forked.end));
  if (!forked.returned) {
    throw LabCodeError(fmt::format("{} {}; correct it", call.who, forked.end), forked.out_of_time);
  }
  if (call.take) call.take(shared);
  kept.give_back(std::move(memory));
  return forked.told;
}

}  // namespace warpgrade
