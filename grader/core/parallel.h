#pragma once

#include <cstddef>
#include <functional>

namespace warpgrade {

/// Runs task(0) .. task(count - 1), at most `jobs` at a time, each index once, started in order.
/// When one throws, no further one is started, and the exception of the smallest index is rethrown
/// after the running ones have ended.
void parallel_for(std::size_t count, std::size_t jobs,
                  const std::function<void(std::size_t)>& task);

/// How many processors this process may use.
[[nodiscard]] std::size_t available_processors();
/// One of them: number `index` modulo their count.
[[nodiscard]] unsigned available_processor(std::size_t index);

}  // namespace warpgrade
