#pragma once

#include <cstdint>
#include <vector>

#include "emulator/ptx/module.h"

namespace warpsim {

/// Basic blocks of a function, and where all threads of a block that still run come by.
class ControlFlow {
 public:
  struct Block {
    std::uint32_t first = 0, end = 0;  // instructions [first, end)
    std::vector<std::uint32_t> next, previous;  // blocks
  };
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  /// Blocks of a function beyond which nothing is looked for: what it takes grows with the square.
  static constexpr std::size_t kMostBlocks = 2000;

  /// @param ends_count  whether threads that leave the function count as being elsewhere; without,
  /// a branch that only some threads take to the function's end diverges nothing
  ControlFlow(const ptx::Function& function, bool ends_count);

  [[nodiscard]] const std::vector<Block>& blocks() const { return blocks_; }
  /// Whether the function has so many blocks that nothing below is known.
  [[nodiscard]] bool too_large() const { return blocks_.size() > kMostBlocks; }
  [[nodiscard]] std::uint32_t block_of(std::uint32_t instruction) const {
    return block_of_[instruction];
  }
  /// Whether no branch that depends on the thread decides about coming to a block.
  [[nodiscard]] bool is_uniform(std::uint32_t block) const { return uniform_[block]; }
  /// The nearest uniform block that every thread passes before this one, or after it; the block
  /// itself where it is uniform, kNone where there is none.
  [[nodiscard]] std::uint32_t uniform_before(std::uint32_t block) const;
  [[nodiscard]] std::uint32_t uniform_behind(std::uint32_t block) const;

 private:
  void find_blocks(const ptx::Function& function);
  [[nodiscard]] bool reaches_end(std::uint32_t from) const;
  void leave_ends_out(const ptx::Function& function);
  void find_uniform(const ptx::Function& function);

  std::vector<Block> blocks_;
  std::vector<std::uint32_t> block_of_;  // by instruction
  std::vector<std::uint32_t> before_;  // immediate dominator, by block; kNone for the first
  std::vector<std::uint32_t> behind_;  // immediate post-dominator; kNone: the end, or nothing
  std::vector<bool> uniform_;
};

/// Registers whose value may differ between threads of a block, by index: what comes from the
/// thread's number, from memory, or from other threads.
[[nodiscard]] std::vector<bool> divergent_registers(const ptx::Function& function);

}  // namespace warpsim
