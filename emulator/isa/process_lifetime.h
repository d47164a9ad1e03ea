#pragma once

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace warpsim {

/// Keeps an operand as long as the process lives: what is decoded may run until then.
template <class T>
T* keep(std::unique_ptr<T> operand) {
  static std::mutex mutex;
  static auto& all = *new std::vector<std::unique_ptr<T>>;
  const std::lock_guard lock(mutex);
  return all.emplace_back(std::move(operand)).get();
}

}  // namespace warpsim
