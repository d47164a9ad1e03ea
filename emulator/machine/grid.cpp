#include <algorithm>
#include <cstring>
#include <thread>

#include "emulator/device/card.h"
#include "emulator/machine/async.h"
#include "emulator/machine/context.h"
#include "emulator/machine/faults.h"
#include "emulator/machine/grid.h"
#include "emulator/machine/linker.h"

// Running a grid: blocks over host threads, warps over a block's slice.

namespace warpsim {
namespace {

/// Local memory for calls beyond the entry's own variables, a lane.
constexpr std::uint32_t kStackBytes = 64 * 1024;

Dim3 block_id(std::uint64_t linear, const Dim3& grid) {
  return {static_cast<std::uint32_t>(linear % grid.x),
          static_cast<std::uint32_t>(linear / grid.x % grid.y),
          static_cast<std::uint32_t>(linear / grid.x / grid.y)};
}

std::unique_ptr<BlockContext> make_block(Worker& worker, Cluster& cluster) {
  LaunchState& launch = *worker.launch;
  auto block = std::make_unique<BlockContext>();
  block->launch = &launch;
  block->worker = &worker;
  block->cluster = &cluster;
  block->shared.reserve(launch.shared_bytes);
  block->shared_written.reserve(launch.shared_bytes);
  const std::uint32_t stack = launch.program->kernel->has_calls ? kStackBytes : 0;
  for (std::uint32_t i = 0; i < launch.warps_per_block; ++i) {
    auto warp = std::make_unique<WarpContext>();
    warp->block = block.get();
    warp->worker = &worker;
    warp->warp.warp_index = i;
    warp->local_stride = launch.program->local_bytes + stack;
    warp->local.reserve(std::size_t{kWarpSize} * warp->local_stride);
    warp->local_written.reserve(std::size_t{kWarpSize} * warp->local_stride);
    prepare_warp(*warp);
    block->warps.push_back(std::move(warp));
  }
  return block;
}

std::unique_ptr<BlockContext> start_block(Worker& worker, Cluster& cluster, std::uint32_t rank,
                                          std::uint64_t linear, Dim3 id) {
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
  block->barriers.fill(Barrier{});
  block->open_barriers = 0;
  block->async.reset();
  if (launch.shared_bytes > 0) {
    // A card does not clear shared memory either; the pattern is fixed so that runs repeat.
    std::memset(block->shared.data(), 0xCB, launch.shared_bytes);
    std::memset(block->shared_written.data(), 0, launch.shared_bytes);
  }
  for (const auto& warp : block->warps) start_warp(*warp);
  return block;
}

std::unique_ptr<Cluster> start_cluster(Worker& worker, std::uint64_t number) {
  const LaunchState& launch = *worker.launch;
  const Dim3& size = launch.cluster;
  const auto blocks = static_cast<std::uint32_t>(size.count());
  auto cluster = std::make_unique<Cluster>();
  cluster->id =
      block_id(number, {launch.grid.x / size.x, launch.grid.y / size.y, launch.grid.z / size.z});
  for (std::uint32_t rank = 0; rank < blocks; ++rank) {
    const Dim3 within = block_id(rank, size);
    const Dim3 id = {cluster->id.x * size.x + within.x, cluster->id.y * size.y + within.y,
                     cluster->id.z * size.z + within.z};
    cluster->blocks.push_back(start_block(worker, *cluster, rank, number * blocks + rank, id));
  }
  return cluster;
}

enum class Slice {
  finished,
  waiting,  // what is ready only waits for others
  stuck,  // nothing is ready
};

/// Runs a block until it ends or until all that it could run has yielded or waits.
Slice run_block(BlockContext& block) {
  const LaunchState& launch = *block.launch;
  for (;;) {
    bool progressed = false;
    bool ready = false;
    for (const auto& warp : block.warps) {
      if (!has_ready_group(*warp)) continue;
      run_warp(*warp);
      if (launch.stopped(block.linear)) return Slice::finished;
      const bool spinning = has_ready_group(*warp);
      ready = ready || spinning;
      progressed = progressed || !spinning;
    }
    if (block.live_threads == 0) return Slice::finished;
    // A barrier may have released warps that were visited before.
    if (progressed) {
      ready = ready || std::any_of(block.warps.begin(), block.warps.end(),
                                   [](const auto& warp) { return has_ready_group(*warp); });
    }
    if (!ready) return Slice::stuck;
    if (!progressed) return Slice::waiting;
  }
}

bool has_ready_warp(const Cluster& cluster) {
  return std::any_of(cluster.blocks.begin(), cluster.blocks.end(), [](const auto& block) {
    return std::any_of(block->warps.begin(), block->warps.end(),
                       [](const auto& warp) { return has_ready_group(*warp); });
  });
}

/// Runs a cluster until it ends or until all that it could run has yielded.
Slice run_slice(Cluster& cluster) {
  LaunchState& launch = *cluster.blocks.front()->launch;
  for (;;) {
    bool waiting = false;
    for (const auto& block : cluster.blocks) {
      if (block->ended) continue;
      switch (run_block(*block)) {
        case Slice::finished:
          if (launch.stopped(block->linear)) return Slice::finished;
          end_block(*block);
          break;
        case Slice::waiting:
          waiting = true;
          break;
        case Slice::stuck:
          break;
      }
    }
    const auto live = std::find_if(cluster.blocks.begin(), cluster.blocks.end(),
                                   [](const auto& block) { return !block->ended; });
    if (live == cluster.blocks.end()) return Slice::finished;
    if (waiting) {
      // Copies take their time, but not for ever; and who polls gets an answer.
      complete_copies(cluster);
      expire_waits(cluster, false);
      return Slice::waiting;
    }
    if (has_ready_warp(cluster)) continue;
    if (complete_copies(cluster)) continue;
    if (expire_waits(cluster, true)) return Slice::waiting;
    report_deadlock(**live);
    launch.fail((*live)->linear, LaunchStatus::deadlock);
    return Slice::finished;
  }
}

void finish_cluster(Worker& worker, std::unique_ptr<Cluster> cluster) {
  LaunchState& launch = *worker.launch;
  for (auto& block : cluster->blocks) {
    if (!block->printed.empty()) {
      const std::lock_guard lock(launch.mutex);
      launch.printed.emplace_back(block->linear, std::move(block->printed));
      block->printed.clear();
    }
    worker.free_blocks.push_back(std::move(block));
  }
}

/// Clusters that may be unfinished at once: what the card could hold, as a program that waits for
/// other blocks relies on no more than that.
std::size_t residency(const LaunchState& launch) {
  const auto& kernel = *launch.program->kernel;
  const Occupancy fit = occupancy(*launch.card, static_cast<int>(launch.threads_per_block),
                                  static_cast<int>(kernel.info.registers),
                                  kernel.shared.hardware_bytes + launch.dynamic_shared_bytes);
  const std::size_t blocks = static_cast<std::size_t>(std::max(fit.blocks_per_sm, 1)) *
                             static_cast<std::size_t>(launch.card->multiprocessors);
  return std::max<std::size_t>(blocks / launch.cluster.count(), 1);
}

}  // namespace

void run_worker(Worker& worker) {
  LaunchState& launch = *worker.launch;
  const std::uint64_t blocks = launch.cluster.count();
  const std::uint64_t clusters = launch.grid.count() / blocks;
  const std::size_t limit = residency(launch);
  bool progressed = true;
  for (;;) {
    if (worker.resident.empty() || (!progressed && worker.resident.size() < limit)) {
      const std::uint64_t next = launch.next_cluster.fetch_add(1);
      if (next < clusters && !launch.stopped(next * blocks)) {
        worker.resident.push_back(start_cluster(worker, next));
      } else if (worker.resident.empty()) {
        return;
      }
    }
    progressed = false;
    for (std::size_t i = 0; i < worker.resident.size();) {
      if (run_slice(*worker.resident[i]) == Slice::waiting) {
        ++i;
        continue;
      }
      finish_cluster(worker, std::move(worker.resident[i]));
      worker.resident.erase(worker.resident.begin() + static_cast<std::ptrdiff_t>(i));
      progressed = true;
    }
  }
}

ProgramTables& Worker::of(const Program& program) {
  if (program.id >= tables.size()) tables.resize(program.id + 1);
  auto& slot = tables[program.id];
  if (!slot) {
    slot = std::make_unique<ProgramTables>();
    slot->runs.resize(program.source.size() + 1);
    slot->counts.resize(program.source.size());
    slot->memos.resize(program.source.size());
  }
  return *slot;
}

const Extent* LaunchState::find(std::uint64_t address) const {
  auto it = std::upper_bound(extents.begin(), extents.end(), address,
                             [](std::uint64_t a, const Extent& extent) { return a < extent.base; });
  if (it == extents.begin()) return nullptr;
  --it;
  return address < it->end ? &*it : nullptr;
}

void LaunchState::fail(std::uint64_t block_index, LaunchStatus why) {
  const std::lock_guard lock(mutex);
  block_index -= block_index % cluster.count();  // the blocks of a cluster stop together
  if (block_index < stop_at.load()) {
    stop_at.store(block_index);
    status = why;
  }
}

std::uint64_t LaunchState::device_malloc(std::uint64_t bytes, std::string where) {
  auto* allocation =
      memory->allocate(bytes, GlobalMemory::Kind::device, "device malloc at " + where);
  if (allocation == nullptr) return 0;
  allocation->module_owned = true;  // lives until the context ends, as the device's heap does
  const Extent extent{allocation->base, allocation->base + allocation->size, allocation};
  const auto at =
      std::upper_bound(extents.begin(), extents.end(), extent.base,
                       [](std::uint64_t a, const Extent& other) { return a < other.base; });
  extents.insert(at, extent);
  return allocation->base;
}

bool LaunchState::device_free(std::uint64_t address) {
  const auto it = std::find_if(extents.begin(), extents.end(),
                               [&](const Extent& extent) { return extent.base == address; });
  if (it == extents.end()) return false;
  extents.erase(it);
  for (auto& tables : only_worker->tables) {
    if (tables) std::fill(tables->memos.begin(), tables->memos.end(), InstMemo{});
  }
  return memory->free(address, "free() in a kernel") == GlobalMemory::FreeResult::ok;
}

}  // namespace warpsim
