#include <algorithm>
#include <cstring>
#include <thread>

#include "emulator/device/card.h"
#include "emulator/machine/added_barrier.h"
#include "emulator/machine/async.h"
#include "emulator/machine/block.h"
#include "emulator/machine/context.h"
#include "emulator/machine/faults.h"
#include "emulator/machine/grid.h"
#include "emulator/machine/schedule.h"
#include "emulator/machine/stall.h"
#include "emulator/machine/tell.h"

// Running a grid: its blocks over host threads.

namespace warpsim {
namespace {

Dim3 block_id(std::uint64_t linear, const Dim3& grid) {
  if (linear < grid.x) return {static_cast<std::uint32_t>(linear), 0, 0};  // divisions take long
  return {static_cast<std::uint32_t>(linear % grid.x),
          static_cast<std::uint32_t>(linear / grid.x % grid.y),
          static_cast<std::uint32_t>(linear / grid.x / grid.y)};
}

Dim3 cluster_id(const LaunchState& launch, std::uint64_t number) {
  const Dim3& size = launch.cluster;
  return block_id(number, {launch.grid.x / size.x, launch.grid.y / size.y, launch.grid.z / size.z});
}

std::unique_ptr<Cluster> start_cluster(Worker& worker, std::uint64_t number) {
  const LaunchState& launch = *worker.launch;
  const auto blocks = static_cast<std::uint32_t>(launch.cluster.count());
  std::unique_ptr<Cluster> cluster;
  if (worker.free_clusters.empty()) {
    cluster = std::make_unique<Cluster>();
  } else {
    cluster = std::move(worker.free_clusters.back());
    worker.free_clusters.pop_back();
    cluster->arrived = cluster->idle_rounds = 0;
    cluster->phase = cluster->changes = cluster->seen_changes = 0;
    if (cluster->observed) [[unlikely]] {
      cluster->observed = false;
      cluster->slots.clear();
    }
  }
  if (blocks == 1) {
    cluster->id = block_id(number, launch.grid);
    cluster->blocks.push_back(start_block(worker, *cluster, 0, number, cluster->id));
    return cluster;
  }
  cluster->id = cluster_id(launch, number);
  for (std::uint32_t rank = 0; rank < blocks; ++rank) {
    const std::uint64_t linear = number * blocks + rank;
    cluster->blocks.push_back(
        start_block(worker, *cluster, rank, linear, block_index(launch, linear)));
  }
  if ((launch.watch & kEvents) != 0) {
    cluster->observed = true;
    tell_all(launch, &Observer::start_cluster, *cluster);
  }
  return cluster;
}

bool has_ready_warp(const Cluster& cluster) {
  return std::any_of(cluster.blocks.begin(), cluster.blocks.end(), [](const auto& block) {
    return std::any_of(block->warps.begin(), block->warps.end(),
                       [](const auto& warp) { return has_ready_group(*warp); });
  });
}

/// Runs a cluster until it ends or until all that it could run has yielded.
/// @tparam kRunBlock  how its blocks run
template <Slice (*kRunBlock)(BlockContext&)>
Slice run_slice(Cluster& cluster) {
  LaunchState& launch = *cluster.blocks.front()->launch;
  for (;;) {
    bool waiting = false;
    bool preempted = false;
    for (const auto& block : cluster.blocks) {
      if (block->ended) continue;
      switch (kRunBlock(*block)) {
        case Slice::finished:
          if (launch.stopped(block->linear)) return Slice::finished;
          end_block(*block);
          break;
        case Slice::waiting:
          waiting = true;
          break;
        case Slice::preempted:
          preempted = true;
          break;
        case Slice::stuck:
          break;
      }
    }
    const auto live = std::find_if(cluster.blocks.begin(), cluster.blocks.end(),
                                   [](const auto& block) { return !block->ended; });
    if (live == cluster.blocks.end()) return Slice::finished;
    if (preempted) return Slice::preempted;
    if (waiting) {
      // Copies take some time, but not for ever; and a thread that polls gets an answer.
      complete_copies(cluster);
      expire_waits(cluster, false);
      return Slice::waiting;
    }
    if (has_ready_warp(cluster)) continue;
    if (complete_copies(cluster)) continue;
    if (expire_waits(cluster, true)) return Slice::waiting;
    bool let_go = false;
    std::vector<const BlockContext*> left;
    for (const auto& block : cluster.blocks) {
      if (block->ended) continue;
      let_go = leave_added_barrier(*block) || let_go;
      left.push_back(block.get());
    }
    if (let_go) continue;
    raise(launch, {faults::Deadlock{left}});
    launch.fail((*live)->linear, LaunchStatus::deadlock);
    return Slice::finished;
  }
}

void finish_cluster(Worker& worker, std::unique_ptr<Cluster> cluster) {
  LaunchState& launch = *worker.launch;
  for (const auto& block : cluster->blocks) tell(*block, &Observer::finish_block, *block);
  if (cluster->observed) tell_all(launch, &Observer::finish_cluster, *cluster);
  for (auto& block : cluster->blocks) {
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
  cluster->blocks.clear();
  worker.free_clusters.push_back(std::move(cluster));
}

/// Clusters that may be unfinished at once: what the card could hold, as a program that waits for
/// other blocks relies on no more than that.
std::size_t residency(const LaunchState& launch) {
  const std::size_t blocks = static_cast<std::size_t>(launch.blocks_per_multiprocessor) *
                             static_cast<std::size_t>(launch.card->multiprocessors);
  return std::max<std::size_t>(blocks / launch.cluster.count(), 1);
}

template <class F>
void for_each_resident(const Worker& worker, F visit) {
  for (const auto& cluster : worker.resident) {
    for (const auto& block : cluster->blocks) {
      if (!block->ended) visit(*block);
    }
  }
}

/// Where all threads of the resident blocks are and what their registers hold. When that repeats
/// while every split does nothing but yield, they read the same values again and again: nothing
/// changes any more, and nothing will.
std::uint64_t state_of(const Worker& worker) {
  std::uint64_t hash = worker.resident.size();
  const auto add = [&](std::uint64_t value) { hash = mix_bits(hash ^ value) + value; };
  for_each_resident(worker, [&](const BlockContext& block) {
    for (const auto& warp : block.warps) {
      for (const WarpSplit& split : warp->splits) {
        add(reinterpret_cast<std::uintptr_t>(split.pc));
        add(split.mask | std::uint64_t{static_cast<std::uint8_t>(split.state)} << 32);
        const std::byte* window = warp->registers.data() + split.frame->window;
        for (std::size_t i = 0; i < split.frame->program->frame_image.size(); i += 8) {
          std::uint64_t word = 0;
          std::memcpy(&word, window + i, 8);
          add(word);
        }
      }
    }
  });
  return hash;
}

/// Counts rounds without progress.
class Stagnation {
 public:
  /// @returns true when so many rounds brought nothing new that none will
  bool holds(const Worker& worker) {
    // The first rounds are free: most waits are short.
    constexpr int kFree = 4;
    constexpr int kEnough = 16;
    if (++rounds_ <= kFree) return false;
    const std::uint64_t now = state_of(worker);
    same_ = now == last_ ? same_ + 1 : 0;
    last_ = now;
    return same_ >= kEnough;
  }
  void reset() { rounds_ = same_ = 0; }
  [[nodiscard]] std::uint64_t state() const { return last_; }

 private:
  std::uint64_t last_ = 0;
  int rounds_ = 0;
  int same_ = 0;
};

void give_up(Worker& worker) {
  LaunchState& launch = *worker.launch;
  std::vector<const BlockContext*> blocks;
  for_each_resident(worker, [&](const BlockContext& block) { blocks.push_back(&block); });
  raise(launch, {faults::Deadlock{blocks}});
  const auto first = std::min_element(blocks.begin(), blocks.end(),
                                      [](auto* a, auto* b) { return a->linear < b->linear; });
  launch.fail((*first)->linear, LaunchStatus::deadlock);
}

/// Clusters that a host thread takes at once: enough that threads seldom meet where they take them,
/// few enough that all end at nearly the same time.
std::uint64_t share_of_clusters(const LaunchState& launch, std::uint64_t clusters) {
  constexpr std::uint64_t kMost = 16;
  constexpr std::uint64_t kSharesAThread = 16;
  if (launch.only_worker != nullptr) return 1;
  return std::clamp<std::uint64_t>(clusters / (kSharesAThread * launch.host_threads), 1, kMost);
}

/// The next cluster that the worker has to run. @returns false when there are no more
bool take_cluster(Worker& worker, std::uint64_t& number) {
  LaunchState& launch = *worker.launch;
  if (worker.next_cluster == worker.end_of_clusters) {
    const std::uint64_t clusters = launch.grid.count() / launch.cluster.count();
    const std::uint64_t share = share_of_clusters(launch, clusters);
    worker.next_cluster = launch.next_cluster.fetch_add(share);
    worker.end_of_clusters = std::min(worker.next_cluster + share, clusters);
    if (worker.next_cluster >= clusters) {
      worker.next_cluster = worker.end_of_clusters;
      return false;
    }
  }
  if (launch.stopped(worker.next_cluster * launch.cluster.count())) return false;
  number = worker.next_cluster++;
  if (launch.blocks_begun != nullptr) {
    launch.blocks_begun->fetch_add(launch.cluster.count(), std::memory_order_relaxed);
  }
  return true;
}

template <Slice (*kRunBlock)(BlockContext&)>
void run_clusters(Worker& worker) {
  LaunchState& launch = *worker.launch;
  const std::uint64_t blocks = launch.cluster.count();
  const std::size_t limit = residency(launch);
  worker.schedule = schedule_state(launch.options.seed, launch.launch_number, blocks, 0);
  // Not when it runs on one host thread only by chance: the finding must not depend on that.
  const bool one_thread = launch.serial;
  // A seed mixes blocks where one host thread runs them all; else they do not see each other.
  const bool mixes = worker.schedule != 0 && one_thread;
  const std::size_t wanted = mixes ? std::min<std::size_t>(limit, 8) : 1;
  Stagnation stagnation;
  bool progressed = true;
  bool more = true;
  for (;;) {
    // Blocks that wait may wait for others: twice as many each time.
    const std::size_t target =
        progressed ? wanted : std::min(limit, std::max(wanted, 2 * worker.resident.size()));
    while (more && worker.resident.size() < target) {
      std::uint64_t next = 0;
      more = take_cluster(worker, next);
      if (!more) break;
      worker.resident.push_back(start_cluster(worker, next));
      stagnation.reset();
    }
    if (worker.resident.empty()) return;
    progressed = false;
    if (mixes) {
      std::rotate(worker.resident.begin(),
                  worker.resident.begin() + static_cast<std::ptrdiff_t>(next_random(
                                                worker.schedule, worker.resident.size())),
                  worker.resident.end());
    }
    for (std::size_t i = 0; i < worker.resident.size();) {
      const Slice slice = run_slice<kRunBlock>(*worker.resident[i]);
      if (slice != Slice::waiting) progressed = true;
      if (slice != Slice::finished) {
        ++i;
        continue;
      }
      finish_cluster(worker, std::move(worker.resident[i]));
      worker.resident.erase(worker.resident.begin() + static_cast<std::ptrdiff_t>(i));
    }
    if (progressed) {
      stagnation.reset();
    } else if (one_thread && (!more || worker.resident.size() >= limit) &&
               stagnation.holds(worker)) {
      set_stalled_state(stagnation.state());
      if (launch.on_stall && launch.on_stall()) {
        forgive_instructions(worker);
        stagnation.reset();
      } else {
        give_up(worker);
      }
    }
  }
}

}  // namespace

Dim3 block_index(const LaunchState& launch, std::uint64_t linear) {
  const Dim3& size = launch.cluster;
  const Dim3 cluster = cluster_id(launch, linear / size.count());
  const Dim3 within = block_id(linear % size.count(), size);
  return {cluster.x * size.x + within.x, cluster.y * size.y + within.y,
          cluster.z * size.z + within.z};
}

void run_worker(Worker& worker) {
  run_clusters<run_block>(worker);
  for (const auto& tables : worker.tables) {
    if (tables != nullptr && tables->native != nullptr) tables->native->add_counts(*tables);
  }
}

void run_debugged_worker(Worker& worker) {
  run_clusters<run_debugged_block>(worker);
}

ProgramTables& Worker::of(const Program& program) {
  if (program.id >= tables.size()) tables.resize(program.id + 1);
  auto& slot = tables[program.id];
  if (!slot) {
    slot = std::make_unique<ProgramTables>();
    slot->kinds = program.access.data();
    slot->atomic_costs = program.atomic_costs.data();
    slot->runs.resize(program.source.size() + 1);
    slot->counts.resize(program.source.size());
    slot->inline_caches.resize(program.source.size());
    if (program.native != nullptr) slot->native = program.native->runs();
    tell_all(*launch, &Observer::make_tables, *slot, program);
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
      memory->allocate(bytes, GlobalMemory::Kind::device, "device malloc at " + where, device);
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
    if (!tables) continue;
    std::fill(tables->inline_caches.begin(), tables->inline_caches.end(), InlineCache{});
    if (tables->native != nullptr) tables->native->forget_places();
  }
  return memory->free(address, "free() in a kernel") == GlobalMemory::FreeResult::ok;
}

}  // namespace warpsim
