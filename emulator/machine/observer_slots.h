#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <utility>

namespace warpsim {

/// What observers keep with a thing of the machine: a launch, a block, a warp, ... Each observer
/// has a slot of its own, and only it knows what is in there; whose slot is which stands in
/// checkers/list.h.
class ObserverSlots {
 public:
  static constexpr std::size_t kCount = 3;

  /// Null where nothing was put. @tparam T  what was put into the slot
  template <class T>
  [[nodiscard]] T* get(std::size_t slot) const {
    return static_cast<T*>(slots_[slot].get());
  }
  template <class T>
  void put(std::size_t slot, std::shared_ptr<T> what) {
    slots_[slot] = std::move(what);
  }
  void clear(std::size_t slot) { slots_[slot].reset(); }
  void clear() { slots_ = {}; }

 private:
  std::array<std::shared_ptr<void>, kCount> slots_;
};

}  // namespace warpsim
