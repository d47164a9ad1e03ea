#include "grader/core/parallel.h"

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace warpgrade {

void parallel_for(std::size_t count, std::size_t jobs,
                  const std::function<void(std::size_t)>& task) {
  std::atomic<std::size_t> next = 0;
  std::atomic<bool> failed = false;
  std::mutex mutex;
  std::size_t failed_index = count;
  std::exception_ptr failure;
  const auto work = [&] {
    while (!failed) {
      const std::size_t i = next++;
      if (i >= count) {
        return;
      }
      try {
        task(i);
      } catch (...) {
        failed = true;
        const std::lock_guard lock(mutex);
        if (i < failed_index) {
          failed_index = i;
          failure = std::current_exception();
        }
      }
    }
  };
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 1; i < std::min(jobs, count); ++i) {
      threads.emplace_back(work);
    }
    work();
  }
  if (failure) {
    std::rethrow_exception(failure);
  }
}

std::size_t available_processors() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (::sched_getaffinity(0, sizeof set, &set) == 0) {
    return static_cast<std::size_t>(std::max(1, CPU_COUNT(&set)));
  }
  return std::max(1u, std::thread::hardware_concurrency());
}

unsigned available_processor(std::size_t index) {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (::sched_getaffinity(0, sizeof set, &set) != 0 || CPU_COUNT(&set) == 0) return 0;
  std::size_t left = index % static_cast<std::size_t>(CPU_COUNT(&set));
  unsigned processor = 0;
  while (!CPU_ISSET(processor, &set) || left-- > 0) ++processor;
  return processor;
}

}  // namespace warpgrade
