#include "emulator/checkers/proxies/proxies.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "emulator/checkers/list.h"
#include "emulator/machine/address.h"
#include "emulator/machine/cluster.h"
#include "emulator/machine/for_lanes.h"

namespace warpsim {
namespace {

constexpr std::uint32_t kChunk = 16;  // bytes that are followed together

/// What a block's threads have written to its shared memory, by chunk. Moments are counted.
struct Writes {
  struct Chunk {
    std::uint64_t when = 0;  // 0: not by a thread
    std::uint32_t thread = 0;
    const BlockContext* block = nullptr;  // the thread's
    const Program* program = nullptr;
    const Inst* in = nullptr;
  };
  std::vector<Chunk> chunks;
  std::vector<std::uint64_t> fenced;  // by thread of the block
  std::uint64_t now = 0;
};

Writes& writes_of(BlockContext& block) {
  if (block.slots.get<Writes>(kProxySlot) == nullptr) {
    auto made = std::make_shared<Writes>();
    made->chunks.resize(block.shared.size() / kChunk + 1);
    made->fenced.resize(block.launch->threads_per_block + kWarpSize);
    block.slots.put(kProxySlot, std::move(made));
  }
  return *block.slots.get<Writes>(kProxySlot);
}

std::uint32_t thread_of(const WarpContext& context, std::size_t lane) {
  return context.warp.warp_index * kWarpSize + static_cast<std::uint32_t>(lane);
}

class Proxies final : public Observer {
 public:
  [[nodiscard]] Follows begin_launch(LaunchState& launch) override {
    const Program& program = *launch.program;
    const bool copies =
        std::ranges::find(program.access, AccessKind::bulk_copy) != program.access.end();
    return copies || program.group_registers != nullptr ? Follows::accesses : Follows::nothing;
  }

  void start_block(BlockContext& block) override { block.slots.clear(kProxySlot); }

  void access(WarpContext& context, const MemoryAccess& access) override {
    if (access.space != ptx::Space::shared || access.type == AccessType::load) return;
    std::uint64_t address[kWarpSize];
    access.spread(address);
    for_lanes(access.lanes, [&](std::size_t lane) {
      BlockContext* const owner = block_named(*context.block, address[lane]);
      if (owner == nullptr) return;
      Writes& writes = writes_of(*owner);
      const auto offset = static_cast<std::uint32_t>(address[lane] % kClusterStride);
      const std::uint32_t end = (offset + access.width + kChunk - 1) / kChunk;
      for (std::uint32_t i = offset / kChunk; i < end && i < writes.chunks.size(); ++i) {
        writes.chunks[i] = {++writes.now, thread_of(context, lane), context.block,
                            context.frame().program, &access.in};
      }
    });
  }

  void proxy_fence(WarpContext& context) override {
    Writes& writes = writes_of(*context.block);
    const std::uint64_t now = ++writes.now;
    for_lanes(context.warp.active,
              [&](std::size_t lane) { writes.fenced[thread_of(context, lane)] = now; });
  }

  /// What the copy engine writes is of its own proxy.
  void bulk(WarpContext& context, const Inst&, std::size_t, std::uint64_t start,
            std::uint32_t bytes, AccessType type) override {
    if (type == AccessType::load || !in_window(start, kSharedWindow)) return;
    BlockContext* const owner = block_named(*context.block, start - kSharedWindow);
    if (owner == nullptr) return;
    Writes& writes = writes_of(*owner);
    const auto offset = static_cast<std::uint32_t>((start - kSharedWindow) % kClusterStride);
    for (std::uint32_t i = offset / kChunk; i < (offset + bytes) / kChunk; ++i) {
      if (i < writes.chunks.size()) writes.chunks[i] = {};
    }
  }

  void proxy_read(WarpContext& context, const Inst& in, std::size_t lane, std::uint32_t offset,
                  std::uint32_t bytes) override {
    const Writes& writes = writes_of(*context.block);
    const std::uint64_t own = writes.fenced[thread_of(context, lane)];
    const std::uint32_t end = (offset + bytes + kChunk - 1) / kChunk;
    for (std::uint32_t i = offset / kChunk; i < end && i < writes.chunks.size(); ++i) {
      const Writes::Chunk& chunk = writes.chunks[i];
      if (chunk.when == 0 || own > chunk.when) continue;
      // A fence of another block's thread is not known here.
      if (chunk.block != context.block || writes.fenced[chunk.thread] > chunk.when) continue;
      report(context, in, lane, i * kChunk, chunk);
      return;
    }
  }

 private:
  static void report(const WarpContext& context, const Inst& in, std::size_t lane,
                     std::uint32_t offset, const Writes::Chunk& chunk) {
    if (!comes_first(context, in, FindingKind::proxy_fence, context.executed)) return;
    Finding f = finding_at(context, in, 1u << lane, FindingKind::proxy_fence);
    f.message = fmt::format(
        "an asynchronous operation reads shared memory that a thread has written, without "
        "fence.proxy.async between: {}",
        shared_name(*context.block->launch, offset));
    f.got = fmt::format(
        "written at {} by {}", describe_place(*chunk.program, *chunk.in),
        describe_thread(*context.block->launch, chunk.block->linear, chunk.thread / kWarpSize,
                        static_cast<int>(chunk.thread % kWarpSize)));
    f.want = "fence.proxy.async in each thread that writes, then a barrier, then the operation";
    f.next =
        "Put fence.proxy.async.shared::cta (cuda::ptx::fence_proxy_async) after the stores, before "
        "the barrier.";
    log(context, std::move(f));
  }
};

}  // namespace

std::unique_ptr<Observer> make_proxy_checker() {
  return std::make_unique<Proxies>();
}

}  // namespace warpsim
