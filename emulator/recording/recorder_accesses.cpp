#include <algorithm>
#include <bit>
#include <cstring>

#include "emulator/machine/for_lanes.h"
#include "emulator/recording/candidate.h"

// Accesses to memory: addresses, values, and what the counters have for them.

namespace warpsim::recording {
namespace {

/// A piece of memory of the block; addresses from `begin` to `end` are in it.
struct Piece {
  std::uint64_t begin = 0, end = 0;
  const std::byte* bytes = nullptr;

  [[nodiscard]] bool has(std::uint64_t address, std::uint32_t width) const {
    return address >= begin && address < end && width <= end - address;
  }
};

Piece piece_at(const BlockContext& block, bool shared, std::uint64_t address) {
  // Other offsets are of another block of the cluster.
  if (shared) return {0, block.launch->shared_bytes, block.shared.data()};
  const Extent* const extent = block.launch->find(address);
  if (extent == nullptr) return {};
  return {extent->base, extent->end, extent->allocation->host};
}

/// What is in memory at the step's addresses; zeros where there is none.
void read_values(const BlockContext& block, Step& step) {
  const std::uint32_t width = step.width;
  step.values.resize(static_cast<std::size_t>(std::popcount(step.lanes)) * width);
  std::byte* to = step.values.data();
  Piece piece;
  for_lanes(step.lanes, [&](std::size_t lane) {
    const std::uint64_t address = step.address[lane];
    if (!piece.has(address, width)) piece = piece_at(block, step.shared, address);
    if (!piece.has(address, width)) {
      std::memset(to, 0, width);
    } else if (const std::byte* from = piece.bytes + (address - piece.begin); width == 4) {
      std::memcpy(to, from, 4);
    } else {
      std::memcpy(to, from, width);
    }
    to += width;
  });
}

}  // namespace

/// The instruction is done: adds its accesses.
void Recorder::finish_accesses(Candidate& candidate, std::uint32_t instruction,
                               const Passes& after) {
  Pending& done = *pending_;
  bool counted[2] = {false, false};
  for (std::size_t i = 0; i < done.used; ++i) {
    Step& step = done.accesses[i];
    step.instruction = instruction;
    if (!std::exchange(counted[step.shared ? 1 : 0], true)) {
      const Passes& before = done.before;
      step.passes = static_cast<std::uint32_t>(step.shared ? after.wavefronts - before.wavefronts
                                                           : after.sectors - before.sectors);
      step.ideal =
          static_cast<std::uint32_t>(step.shared ? after.ideal_wavefronts - before.ideal_wavefronts
                                                 : after.ideal_sectors - before.ideal_sectors);
    }
    // What was stored; a load of shared memory shows what steps before it stored.
    if (step.type != AccessType::load) read_values(*candidate.context, step);
    candidate.add(step);
  }
}

void Recorder::load(WarpContext& context, const Inst& in, ptx::Space space, std::uint64_t first,
                    const LaneShape& shape) {
  if (pending_->context == &context) Observer::load(context, in, space, first, shape);
}

void Recorder::access(WarpContext& context, const MemoryAccess& access) {
  const bool shared = access.space == ptx::Space::shared;
  const bool writes = !shared && access.type != AccessType::load;
  Pending& now = *pending_;
  const bool recorded = now.context == &context && access.width != 0 && access.width <= kMostWidth;
  if (recorded) {
    Step& step = now.next_access();
    step.kind = Step::Kind::access;
    step.warp = context.warp.warp_index;
    step.lanes = access.lanes;
    step.type = access.type;
    step.shared = shared;
    step.width = access.width;
    access.spread(step.address.data());
    if (!shared) {
      const Extent* const extent = launch_->find(step.address[std::countr_zero(access.lanes)]);
      if (extent != nullptr) now.candidate->use(*extent);
      if (access.type == AccessType::load) read_values(*context.block, step);
    }
    if (writes) writers_.write(context, access, step.address.data(), now.site);
  } else if (writes) {
    std::uint64_t address[kWarpSize];
    access.spread(address);
    writers_.write(context, access, address, site_of(*context.frame().program, access.in));
  }
}

void Recorder::copy(WarpContext& context, const Inst&, const std::uint64_t* to,
                    const std::uint64_t* from, std::uint32_t lanes, std::uint32_t reading,
                    std::uint32_t width) {
  Pending& now = *pending_;
  if (now.context != &context || width == 0 || width > kMostWidth) return;
  const auto add = [&](AccessType type, bool shared, std::uint32_t active,
                       const std::uint64_t* address) {
    Step& step = now.next_access();
    step.kind = Step::Kind::access;
    step.warp = context.warp.warp_index;
    step.lanes = active;
    step.type = type;
    step.shared = shared;
    step.width = width;
    std::copy(address, address + kWarpSize, step.address.begin());
  };
  if (reading != 0) add(AccessType::load, false, reading, from);
  add(AccessType::store, true, lanes, to);
}

}  // namespace warpsim::recording
