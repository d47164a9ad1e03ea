#include "emulator/machine/block.h"

#include <algorithm>
#include <cstring>

#include "emulator/changes/changes.h"
#include "emulator/machine/async.h"
#include "emulator/machine/schedule.h"
#include "emulator/machine/tell.h"

// Running a block: its warps run one after the other.

namespace warpsim {
namespace {

/// The shadow of the bytes that share a word with an array's first or last ones: an atomic of a
/// byte may load and write them with it, so that they are never uninitialized.
void write_parts_of_words(BlockContext& block) {
  const std::size_t size = block.shared_written.size();
  std::uint8_t* const shadow = block.shared_written.bytes();
  for (const SharedArray& array : block.launch->shared_arrays) {
    const std::size_t begin = array.offset;
    const std::size_t end = begin + array.bytes;
    if ((begin | end) % 4 == 0 || array.bytes == 0) continue;
    std::fill(shadow + begin / 4 * 4, shadow + begin, std::uint8_t{1});
    std::fill(shadow + end, shadow + std::min((end + 3) / 4 * 4, size), std::uint8_t{1});
  }
}

std::unique_ptr<BlockContext> make_block(Worker& worker, Cluster& cluster) {
  LaunchState& launch = *worker.launch;
  auto block = std::make_unique<BlockContext>();
  block->launch = &launch;
  block->worker = &worker;
  block->cluster = &cluster;
  block->shared.reserve(launch.shared_bytes);
  block->shared_written.reserve(launch.shared_bytes);
  for (std::uint32_t i = 0; i < launch.warps_per_block; ++i) {
    auto warp = std::make_unique<WarpContext>();
    warp->block = block.get();
    warp->worker = &worker;
    warp->warp.warp_index = i;
    warp->local_stride = launch.program->local_bytes + launch.stack_bytes;
    warp->local.reserve(std::size_t{kWarpSize} * warp->local_stride);
    warp->local_written.reserve(std::size_t{kWarpSize} * warp->local_stride);
    warp->warp.context = warp.get();
    warp->frames.push_back(std::make_unique<Frame>());
    warp->frames.front()->program = launch.program;
    block->warps.push_back(std::move(warp));
  }
  if (launch.second_level != nullptr) {
    block->cache = std::make_unique<BlockCache>(launch.first_level_bytes,
                                                launch.serial ? launch.second_level : nullptr);
  }
  return block;
}

/// An experiment: fills the shared arrays that start with something else than the poison.
void start_shared(BlockContext& block) {
  const LaunchState& launch = *block.launch;
  for (const Change& change : launch.options.changes->list()) {
    if (change.kind != Change::Kind::start) continue;
    for (const SharedArray& array : launch.shared_arrays) {
      if (!change.name.empty() && change.name != array.name) continue;
      fill_words(block.shared.data() + array.offset, array.bytes, change.word);
      launch.options.changes->made(change);
    }
  }
}

}  // namespace

std::unique_ptr<BlockContext> start_block(Worker& worker, Cluster& cluster, std::uint32_t rank,
                                          std::uint64_t linear, const Dim3& id) {
  LaunchState& launch = *worker.launch;
  std::unique_ptr<BlockContext> block;
  if (worker.free_blocks.empty()) {
    block = make_block(worker, cluster);
  } else {
    block = std::move(worker.free_blocks.back());
    worker.free_blocks.pop_back();
  }
  block->cluster = &cluster;
  block->rank = rank;
  block->ended = false;
  block->linear = linear;
  block->id = id;
  block->live_threads = launch.threads_per_block;
  block->schedule = schedule_state(launch.options.seed, launch.launch_number, linear, ~0u);
  if (block->open_barriers != 0) block->barriers.fill(Barrier{});
  block->open_barriers = 0;
  block->keeps_warps = false;
  // Copies are marked in the shadow, too; one that was never waited for may have left its mark.
  const bool copies = block->async != nullptr || launch.cluster.count() > 1;
  block->async.reset();
  block->watch = launch.watch;
  if ((block->watch & kInitialization) != 0) block->watch |= kSharedInitialization;
  block->scan_interval = std::max(64u, launch.shared_bytes / 64);
  block->until_scan = block->scan_interval;
  if (launch.shared_bytes > 0) {
    std::memset(block->shared.data(), kPoison, launch.shared_bytes);
    if (launch.options.changes != nullptr) start_shared(*block);
    if ((block->watch & kSharedInitialization) != 0 || copies) {
      std::memset(block->shared_written.data(), 0, launch.shared_bytes);
      write_parts_of_words(*block);
    }
  }
  if (block->cache) block->cache->start();
  block->contended.clear();
  block->most_contended = 0;
  block->begun = 0;
  if (block->schedule != 0) {
    for (const auto& warp : block->warps) start_warp(*warp);
    block->begun = launch.warps_per_block;
  }
  tell(*block, &Observer::start_block, *block);
  return block;
}

namespace {

/// The order in which to visit a block's warps with a seed.
void shuffle_warps(BlockContext& block, std::vector<WarpContext*>& order) {
  if (order.empty()) {
    for (const auto& warp : block.warps) order.push_back(warp.get());
  }
  for (std::size_t i = order.size(); i > 1; --i) {
    std::swap(order[i - 1], order[next_random(block.schedule, i)]);
  }
}

/// Each of two warps gets the other's context. One of them runs it, the other has ended or not
/// begun.
void exchange(BlockContext& block, std::size_t a, std::size_t b) {
  auto& warps = block.warps;
  std::swap(warps[a], warps[b]);
  std::swap(warps[a]->warp.warp_index, warps[b]->warp.warp_index);
}

/// A warp that has ended lends its context, which the host's cache holds, to the next one, unless
/// something may still ask for what it did.
bool lends_context(const BlockContext& block, const WarpContext& warp) {
  return warp.splits.empty() && !block.keeps_warps && block.async == nullptr &&
         block.cluster->blocks.size() == 1;
}

/// Starts a block's warps, and runs each for as long as it can before the next one starts.
void begin_warps(BlockContext& block) {
  const LaunchState& launch = *block.launch;
  const std::size_t count = block.warps.size();
  bool lent = false;
  for (std::size_t i = 0; i < count; ++i) {
    WarpContext& warp = *block.warps[i];
    ++block.begun;
    start_warp(warp);
    run_new_warp(warp);
    if (launch.stopped(block.linear)) return;
    if (!lends_context(block, warp)) continue;
    if (i + 1 < count) {
      exchange(block, i, i + 1);
      lent = true;
    } else if (lent && block.live_threads == 0) {
      exchange(block, i, 0);  // for the next block's first one
    }
  }
}

}  // namespace

Slice run_block(BlockContext& block) {
  LaunchState& launch = *block.launch;
  std::vector<WarpContext*> order;
  if (block.begun == 0) {
    begin_warps(block);
    if (launch.stopped(block.linear) || block.live_threads == 0) return Slice::finished;
  }
  for (;;) {
    bool progressed = false;
    bool ready = false;
    if (block.schedule != 0) shuffle_warps(block, order);
    const auto* const warps = block.warps.data();
    const std::size_t count = block.warps.size();
    for (std::size_t i = 0; i < count; ++i) {
      if (jumps_to_barrier(*warps[i])) {
        const std::size_t next = skip_to_barriers(block, i);
        progressed = progressed || next != i;
        i = next;
        if (i == count) break;
      }
      WarpContext& warp = order.empty() ? *warps[i] : *order[i];
      if (!has_ready_group(warp)) continue;
      run_warp(warp);
      if (launch.stopped(block.linear)) return Slice::finished;
      const bool spinning = !warp.at_rest && has_ready_group(warp);
      ready = ready || spinning;
      progressed = progressed || !spinning || warp.preempted;
    }
    if (block.live_threads == 0) return Slice::finished;
    // A barrier may have released warps that were visited before.
    for (std::size_t i = 0; progressed && !ready && i < count; ++i) {
      ready = has_ready_group(*warps[i]);
    }
    if (!ready) return Slice::stuck;
    if (!progressed) return Slice::waiting;
    if (block.schedule != 0) return Slice::preempted;
  }
}

}  // namespace warpsim
