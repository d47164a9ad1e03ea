#include <algorithm>
#include <cstring>
#include <thread>

#include "emulator/device/card.h"
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

std::unique_ptr<BlockContext> make_block(Worker& worker) {
  LaunchState& launch = *worker.launch;
  auto block = std::make_unique<BlockContext>();
  block->launch = &launch;
  block->worker = &worker;
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
  if (launch.second_level != nullptr) {
    block->cache = std::make_unique<BlockCache>(launch.first_level_bytes,
                                                launch.serial ? launch.second_level : nullptr);
  }
  return block;
}

std::unique_ptr<BlockContext> start_block(Worker& worker, std::uint64_t linear) {
  LaunchState& launch = *worker.launch;
  std::unique_ptr<BlockContext> block;
  if (worker.free_blocks.empty()) {
    block = make_block(worker);
  } else {
    block = std::move(worker.free_blocks.back());
    worker.free_blocks.pop_back();
  }
  block->linear = linear;
  block->id = block_id(linear, launch.grid);
  block->live_threads = launch.threads_per_block;
  block->barriers.fill(Barrier{});
  block->open_barriers = 0;
  if (launch.shared_bytes > 0) {
    // A card does not clear shared memory either; the pattern is fixed so that runs repeat.
    std::memset(block->shared.data(), 0xCB, launch.shared_bytes);
    std::memset(block->shared_written.data(), 0, launch.shared_bytes);
  }
  if (block->cache) block->cache->start();
  for (const auto& warp : block->warps) start_warp(*warp);
  return block;
}

enum class Slice { finished, waiting };

/// Runs a block until it ends or until all that it could run has yielded.
Slice run_slice(BlockContext& block) {
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
    if (!ready) {
      report_deadlock(block);
      const_cast<LaunchState&>(launch).fail(block.linear, LaunchStatus::deadlock);
      return Slice::finished;
    }
    if (!progressed) return Slice::waiting;
  }
}

void finish_block(Worker& worker, std::unique_ptr<BlockContext> block) {
  LaunchState& launch = *worker.launch;
  if (block->cache) {
    block->cache->finish(block->linear, *launch.second_level, launch.stop_at.load());
  }
  if (!block->printed.empty()) {
    const std::lock_guard lock(launch.mutex);
    launch.printed.emplace_back(block->linear, std::move(block->printed));
    block->printed.clear();
  }
  worker.free_blocks.push_back(std::move(block));
}

/// Blocks that may be unfinished at once: what the card could hold, as a program that waits for
/// other blocks relies on no more than that.
std::size_t residency(const LaunchState& launch) {
  return static_cast<std::size_t>(launch.blocks_per_multiprocessor) *
         static_cast<std::size_t>(launch.card->multiprocessors);
}

}  // namespace

void run_worker(Worker& worker) {
  LaunchState& launch = *worker.launch;
  const std::uint64_t blocks = launch.grid.count();
  const std::size_t limit = residency(launch);
  bool progressed = true;
  for (;;) {
    if (worker.resident.empty() || (!progressed && worker.resident.size() < limit)) {
      const std::uint64_t next = launch.next_block.fetch_add(1);
      if (next < blocks && !launch.stopped(next)) {
        worker.resident.push_back(start_block(worker, next));
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
      finish_block(worker, std::move(worker.resident[i]));
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
    slot->kinds = program.access.data();
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
