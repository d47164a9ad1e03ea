#pragma once

#include <memory>
#include <mutex>
#include <set>

namespace warpsim::libraries {

/// Objects of a library that the program has created and not yet destroyed: handles, descriptors.
/// Thread-safe. Keep one in a static reference that is never destroyed, since static destructors of
/// a program may still call the library.
template <class T>
class Registry {
 public:
  T* add(T object) {
    auto made = std::make_unique<T>(std::move(object));
    const std::lock_guard lock(mutex_);
    live_.insert(made.get());
    return made.release();
  }
  /// @returns whether it was in use
  bool remove(const T* object) {
    const std::lock_guard lock(mutex_);
    if (live_.erase(object) == 0) return false;
    delete object;
    return true;
  }
  [[nodiscard]] bool has(const T* object) {
    const std::lock_guard lock(mutex_);
    return live_.contains(object);
  }

 private:
  std::mutex mutex_;
  std::set<const T*> live_;
};

/// The registry of a type.
template <class T>
Registry<T>& registry() {
  static auto& instance = *new Registry<T>;
  return instance;
}

}  // namespace warpsim::libraries
