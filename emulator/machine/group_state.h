#pragma once

#include <cstdint>
#include <vector>

#include "emulator/machine/async.h"

// What a warp has under way of wgmma, and what is known of its registers: only for findings, as
// products are computed when they are issued.

namespace warpsim {

/// One wgmma that has not been waited for.
struct GroupWork {
  AsyncSite site;
  std::uint64_t group = 0;
  std::vector<std::uint32_t> chunks;  // of 16 bytes, that it reads: offsets in shared memory
  std::uint64_t content = 0;  // a hash of them
};

struct GroupState {
  static constexpr std::uint64_t kNone = ~std::uint64_t{0};
  /// A register of the program, by its number in GroupRegisters.
  struct Register {
    std::uint64_t sum_of = kNone;  // the group that adds to it
    std::uint64_t operand_of = kNone;  // the group that reads it
    const Inst* written = nullptr;  // by another instruction, since the last fence
  };
  const Frame* frame = nullptr;  // whose registers these are
  std::vector<Register> registers;
  std::vector<GroupWork> works;  // oldest first
  std::uint64_t open = 0;  // the group that the next commit closes
  std::uint64_t finished = 0;  // groups with smaller numbers have been waited for
  bool fenced = false;
  std::uint64_t issued = 0;  // wgmma so far
  AsyncSite last;  // the latest one

  [[nodiscard]] bool under_way(std::uint64_t group) const {
    return group != kNone && group >= finished;
  }
};

/// Whether what is under way in the block reads bytes of shared memory; null when none does.
[[nodiscard]] const GroupWork* group_reader(const BlockContext& block, std::uint32_t offset,
                                            std::uint32_t bytes);
/// At the end of a block: the warps of a group must have executed the same number of wgmma.
void check_warp_groups(const BlockContext& block);

}  // namespace warpsim
