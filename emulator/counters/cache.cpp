#include "emulator/counters/cache.h"

#include <algorithm>
#include <iterator>
#include <new>
#include <span>
#include <utility>

#include "emulator/counters/large_cache.h"

namespace warpsim {
namespace {

constexpr std::uint32_t kSecondLevelWays = 16;
constexpr std::uint64_t kLeastLines = 16;
/// Requests of a block before the next block's are replayed.
constexpr std::size_t kTurn = 16;
constexpr std::size_t kRequestsOfLine = 64 / sizeof(L2Request);  // in a line of the host's caches

}  // namespace

SectorCache::SectorCache(std::uint64_t bytes, std::uint32_t ways) : ways_(ways) {
  const std::uint64_t lines = std::max(bytes / kLineBytes, kLeastLines);
  sets_ = static_cast<std::uint32_t>(std::max<std::uint64_t>(lines / ways, 1));
  if (sets_ % 2 == 0) --sets_;
  reciprocal_ = ~std::uint64_t{0} / sets_ + 1;
  // Zeroed lazily: no entry has generation 0.
  entries_.reset(
      static_cast<std::uint64_t*>(std::calloc(std::size_t{sets_} * ways_, sizeof(std::uint64_t))));
  if (entries_ == nullptr) throw std::bad_alloc();
}

void SectorCache::clear() {
  dirty_ = 0;
  has_evicted_ = false;
  if (++generation_ < 1u << kGenerationBits) return;
  std::fill_n(entries_.get(), std::size_t{sets_} * ways_, 0);
  generation_ = 1;
}

SectorCache::Result SectorCache::search(std::uint64_t* set, std::uint64_t tag,
                                        std::uint64_t set_flags) {
  constexpr std::uint32_t kSectors = (1u << kSectorsPerLine) - 1;
  Result result;
  // More recently used lines move down one way, up to the line's position, or to the first one of
  // an earlier generation: those come after all others.
  std::uint64_t moved = set[0];
  std::uint64_t entry = tag;
  bool found = false;
  for (std::uint32_t way = 1; way < ways_ && !found && is_current(moved); ++way) {
    moved = std::exchange(set[way], moved);
    found = (moved ^ tag) < (1u << kFlagBits);
  }
  if (found) {
    entry = moved;
    result.hit = static_cast<std::uint32_t>(entry & set_flags) & kSectors;
  } else if (is_current(moved)) {
    result.evicted = sector_count(moved >> kSectorsPerLine);
    has_evicted_ = true;
    dirty_ -= result.evicted;
  }
  dirty_ += sector_count((set_flags & ~entry) >> kSectorsPerLine);
  set[0] = entry | set_flags;
  return result;
}

std::uint32_t SectorCache::peek(std::uint64_t line) const {
  constexpr std::uint64_t kFlags = (1u << kFlagBits) - 1;
  const std::uint64_t tag = (line << kGenerationBits | generation_) << kFlagBits;
  const std::uint64_t* set = entries_.get() + std::size_t{set_of(line)} * ways_;
  for (std::uint32_t way = 0; way < ways_; ++way) {
    if ((set[way] & ~kFlags) == tag) return static_cast<std::uint32_t>(set[way]) & 0xf;
  }
  return 0;
}

SecondLevel::SecondLevel(std::uint64_t bytes)
    : cache_(std::make_unique<LargeCache>(bytes, kSecondLevelWays)) {}

SecondLevel::~SecondLevel() = default;

void SecondLevel::begin_launch(std::uint64_t blocks, std::uint64_t wave) {
  cache_->clear();
  cache_->requests.clear();
  totals_ = {};
  beyond_ = {};
  changed_ = false;
  last_ = ~std::uint64_t{0};
  blocks_ = blocks;
  wave_ = std::max<std::uint64_t>(wave, 1);
  collected_ = 0;
  waiting_.clear();
}

[[gnu::always_inline]] inline void SecondLevel::apply_all(std::span<const L2Request> requests) {
  LargeCache& cache = *cache_;
  std::uint64_t evicted = 0;
  bool changed = false;
  for (const L2Request request : requests) {
    const std::uint32_t sectors = request.sectors();
    const bool reads = request.kind() == L2Kind::read;
    const SectorCache::Result result = cache.access(request.line(), sectors, reads ? 0 : sectors);
    cache.requests.add(request.kind(), sectors, result.hit);
    evicted += result.evicted;
    if (!reads) {
      changed = true;
      continue;
    }
    // Memory gives both sectors of 64 bytes, as measured on an H100 by loads 64 bytes apart.
    const std::uint32_t missing = sectors & ~result.hit;
    const std::uint32_t pairs = ((missing & 5) << 1 | (missing & 10) >> 1) & ~sectors;
    if (pairs != 0) {
      totals_.dram_reads += sector_count(pairs & ~cache.access(request.line(), pairs).hit);
    }
  }
  totals_.dram_writes += evicted;
  changed_ = changed_ || changed;
}

SecondLevel::Wave SecondLevel::take_before(std::uint64_t end) {
  Wave wave;
  while (waiting_.first() < end && waiting_.size() > 0) {
    if (auto requests = waiting_.take_first()) wave.push_back(std::move(*requests));
  }
  return wave;
}

void SecondLevel::replay(const Wave& wave) {
  // The requests of a block's turn, of a block behind the last one none.
  const auto turn_of = [&](std::size_t block, std::size_t from) -> std::span<const L2Request> {
    if (block >= wave.size() || wave[block].queue.size() <= from) return {};
    const std::vector<L2Request>& queue = wave[block].queue;
    return {queue.data() + from, std::min(kTurn, queue.size() - from)};
  };
  // The queues of a wave, and the model's sets, are more than the host's nearest cache has room
  // for, and to wait for them one after the other would take most of the time: a block's are
  // fetched some blocks before.
  constexpr std::size_t kAhead = 3;
  const auto prefetch = [&](std::size_t block, std::size_t from) {
    const std::span<const L2Request> queue = turn_of(block + kAhead, from);
    for (std::size_t i = 0; i < queue.size(); i += kRequestsOfLine) {
      __builtin_prefetch(queue.data() + i);
    }
    // They need not begin with a line of the host's.
    if (!queue.empty()) __builtin_prefetch(&queue.back());
    if (!cache_->prefetches()) return;
    for (const L2Request& request : turn_of(block, from)) cache_->prefetch(request.line());
  };
  bool more = true;
  for (std::size_t from = 0; std::exchange(more, false); from += kTurn) {
    for (std::size_t block = 0; block < wave.size(); ++block) {
      prefetch(block + kAhead, from);
      apply_all(turn_of(block, from));
      more = more || from + kTurn < wave[block].queue.size();
    }
  }
  for (const BlockRequests& requests : wave) {
    for (std::size_t kind = 0; kind < kL2Kinds; ++kind) beyond_[kind] += requests.beyond[kind];
  }
}

void SecondLevel::recycle(Wave wave) {
  for (BlockRequests& requests : wave) {
    requests.queue.clear();
    spare_.push_back(std::move(requests.queue));
  }
}

void SecondLevel::submit(std::uint64_t block, BlockRequests& requests, std::uint64_t last) {
  std::unique_lock lock(mutex_);
  last_ = std::min(last_, last);
  if (block > last_) return;
  // A thread a whole wave ahead of the replay waits, so that memory stays bounded.
  replayed_.wait(lock, [&] { return !replaying_ || block < waiting_.first() + 2 * wave_; });
  waiting_.add(block, std::exchange(requests, {}));
  if (!spare_.empty()) {
    requests.queue = std::move(spare_.back());
    spare_.pop_back();
  }
  const auto end_of_wave = [&] { return std::min(waiting_.first() + wave_, blocks_); };
  std::uint64_t end = end_of_wave();
  if (block < end) ++collected_;
  if (replaying_) return;
  while (end <= last_ && collected_ > 0 && collected_ == end - waiting_.first()) {
    Wave wave = take_before(end);
    end = end_of_wave();
    collected_ = waiting_.size_before(end);
    replaying_ = true;
    lock.unlock();
    replay(wave);
    lock.lock();
    replaying_ = false;
    recycle(std::move(wave));
    replayed_.notify_all();
  }
}

void SecondLevel::apply(std::vector<L2Request>& queue) {
  apply_all(queue);
  queue.clear();
}

CacheTotals SecondLevel::end_launch(std::uint64_t last) {
  replay(take_before(last == ~std::uint64_t{0} ? last : last + 1));
  waiting_.clear();
  cache_->requests.add_to(totals_);
  if (changed_) totals_.dirty_at_end = cache_->dirty_sectors();
  const CacheTotals seen = totals_;
  const double changed = static_cast<double>(seen.all_sectors() - seen.sectors[0]);
  for (std::size_t kind = 0; kind < kL2Kinds; ++kind) {
    const std::uint64_t more = beyond_[kind];
    if (more == 0 || seen.sectors[kind] == 0) continue;
    const auto share = [&](std::uint64_t part, double whole) {
      return static_cast<std::uint64_t>(static_cast<double>(part) / whole *
                                        static_cast<double>(more));
    };
    const std::uint64_t hits = share(seen.hits[kind], static_cast<double>(seen.sectors[kind]));
    totals_.sectors[kind] += more;
    totals_.hits[kind] += hits;
    totals_.dram_reads += more - hits;
    if (kind != static_cast<std::size_t>(L2Kind::read)) {
      totals_.dram_writes += share(seen.dram_writes, changed);
    }
  }
  return totals_;
}

void BlockCache::add_request(const L2Request& request) {
  auto& queue = requests_.queue;
  if (immediate_ != nullptr && queue.size() >= kImmediateRequests) immediate_->apply(queue);
  if (queue.size() < kMostRequests) {
    queue.push_back(request);
  } else {
    requests_.beyond[static_cast<std::size_t>(request.kind())] += sector_count(request.sectors());
  }
}

void BlockCache::finish(std::uint64_t block, SecondLevel& next, std::uint64_t last) {
  if (immediate_ != nullptr) {
    immediate_->apply(requests_.queue);
    return;
  }
  next.submit(block, requests_, last);
  requests_.queue.clear();
  requests_.beyond = {};
}

std::uint64_t first_level_share(std::uint64_t unified_bytes,
                                const std::vector<std::uint64_t>& carve_outs,
                                std::uint64_t shared_bytes_per_block,
                                std::uint64_t blocks_per_multiprocessor) {
  const std::uint64_t blocks = std::max<std::uint64_t>(blocks_per_multiprocessor, 1);
  const std::uint64_t needed = shared_bytes_per_block * blocks;
  const auto carve_out = std::ranges::lower_bound(carve_outs, needed);
  const std::uint64_t shared = carve_out == carve_outs.end() ? needed : *carve_out;
  return unified_bytes > shared ? (unified_bytes - shared) / blocks : 0;
}

}  // namespace warpsim
