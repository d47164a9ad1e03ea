#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "emulator/checkers/races/epoch.h"

// Which accesses of other threads a thread can rely on having happened: the vector clocks of the
// race checker.

namespace warpsim {

/// The accesses of one block that are known.
struct BlockClock {
  /// Accesses of some lanes of a warp, with ticks `from` to `now`.
  struct Part {
    std::uint32_t warp = 0;
    std::uint32_t lanes = 0;
    std::uint32_t from = 0;
    std::uint32_t now = 0;
    bool operator==(const Part&) const = default;
  };
  std::uint32_t floor = 0;  // everything with a tick before this
  std::vector<Part> parts;  // by warp; none includes a lane of another at all its ticks
  bool folded = false;  // `parts` may cover what is not known

  [[nodiscard]] bool covers(Epoch access) const;
  [[nodiscard]] bool includes(const Part& part) const;
  [[nodiscard]] bool includes(const BlockClock& other) const;
  void add(Part part);
  void add(const BlockClock& other);
  bool operator==(const BlockClock&) const = default;
};

/// A set of known accesses, by block. Values share what they have in common, so that a copy is free
/// and joining two that are nearly equal costs what they differ by: a scan whose thousands of
/// blocks each know all blocks before them stays small. Not thread-safe, and not shared among host
/// threads: kernels whose blocks can learn of each other run on one.
class VectorClock {
 public:
  VectorClock() = default;
  VectorClock(const VectorClock& other);
  VectorClock(VectorClock&& other) noexcept : root_(std::exchange(other.root_, nullptr)) {}
  VectorClock& operator=(VectorClock other) noexcept {
    std::swap(root_, other.root_);
    return *this;
  }
  ~VectorClock() {
    if (root_ != nullptr) release();  // most are empty
  }

  [[nodiscard]] bool empty() const { return root_ == nullptr; }
  /// What is known of a block, or null.
  [[nodiscard]] const BlockClock* find(std::uint64_t block) const;
  /// Whether an access of the block is known.
  [[nodiscard]] bool covers(std::uint64_t block, Epoch access) const {
    const BlockClock* known = find(block);
    return known != nullptr && known->covers(access);
  }
  void add(std::uint64_t block, const BlockClock& known);
  /// @returns true when `other` had something new
  bool join(const VectorClock& other);
  /// The same value, not just an equal one.
  [[nodiscard]] bool is(const VectorClock& other) const { return root_ == other.root_; }

  struct Node;  // a tree of 32 branches a level, leaves are blocks

 private:
  void release();

  Node* root_ = nullptr;
};

}  // namespace warpsim
