#include "emulator/cudart/stream_races.h"

#include <algorithm>
#include <utility>

#include "emulator/checkers/host_findings.h"

namespace warpsim::cudart {
namespace {

// A program that never waits would accumulate these without limit; the oldest are the least likely
// to matter.
constexpr std::size_t kMostUnordered = 512;
constexpr std::size_t kMostPieces = std::size_t{1} << 20;  // ranges of memory, in total

struct Overlap {
  std::uint64_t address = 0;
  bool earlier_writes = false, later_writes = false;
};

bool writes(const MemoryUse& use) {
  return use.is(MemoryUse::kWritten | MemoryUse::kSignal);
}

/// The first bytes with conflicting uses. None if both access a common word with strong operations,
/// at least one of which writes: they may synchronise with it, as with a lock or a flag.
std::optional<Overlap> find_overlap(const std::vector<MemoryUse>& earlier,
                                    const std::vector<MemoryUse>& later) {
  std::optional<Overlap> found;
  for (std::size_t i = 0, j = 0; i < earlier.size() && j < later.size();) {
    const MemoryUse& a = earlier[i];
    const MemoryUse& b = later[j];
    const std::uint64_t begin = std::max(a.begin, b.begin);
    if (begin < std::min(a.end, b.end) && (writes(a) || writes(b))) {
      if (!a.is(MemoryUse::kPlain) && !b.is(MemoryUse::kPlain)) return std::nullopt;
      if (!found) found = Overlap{begin, writes(a), writes(b)};
    }
    a.end < b.end ? ++i : ++j;
  }
  return found;
}

}  // namespace

std::optional<StreamRaces::Conflict> StreamRaces::conflict_at(std::uint64_t address,
                                                              const Pending& old) const {
  const PointerView view = view_pointer(memory_, reinterpret_cast<void*>(address));
  if (view.allocation == nullptr) return std::nullopt;
  return Conflict{
      .memory = describe(view), .offset = address - view.allocation->base, .earlier = old.by};
}

std::optional<StreamRaces::Conflict> StreamRaces::conflict_of(
    const StreamWork& work, const std::vector<MemoryUse>& uses) const {
  for (const Pending& old : pending_) {
    if (work.done.has(old.stream, old.number)) continue;
    const std::optional<Overlap> overlap = find_overlap(old.uses, uses);
    if (!overlap) continue;
    std::optional<Conflict> found = conflict_at(overlap->address, old);
    if (!found) continue;
    found->earlier_writes = overlap->earlier_writes;
    found->later_writes = overlap->later_writes;
    return found;
  }
  return std::nullopt;
}

std::optional<StreamRaces::Conflict> StreamRaces::pending(std::uint64_t begin,
                                                          std::uint64_t end) const {
  for (const Pending& old : pending_) {
    for (const MemoryUse& use : old.uses) {
      if (use.begin >= end || begin >= use.end) continue;
      std::optional<Conflict> found = conflict_at(std::max(use.begin, begin), old);
      if (found) found->earlier_writes = writes(use);
      return found;
    }
  }
  return std::nullopt;
}

std::optional<StreamRaces::Conflict> StreamRaces::add(const StreamWork& work,
                                                      const std::vector<MemoryUse>& uses,
                                                      const MemoryUser& by) {
  if (!enabled_ || uses.empty()) return std::nullopt;
  std::optional<Conflict> found = conflict_of(work, uses);
  // Work ordered with the later of two equal uses in one stream is ordered with both.
  std::erase_if(pending_,
                [&](const Pending& old) { return old.stream == work.stream && old.uses == uses; });
  pending_.push_back({.stream = work.stream, .number = work.number, .uses = uses, .by = by});
  forget_oldest();
  return found;
}

void StreamRaces::forget_oldest() {
  std::size_t kept = 0;
  std::size_t pieces = 0;
  while (kept < std::min(pending_.size(), kMostUnordered)) {
    pieces += pending_[pending_.size() - kept - 1].uses.size();
    if (pieces > kMostPieces) break;
    ++kept;
  }
  pending_.erase(pending_.begin(), pending_.end() - static_cast<std::ptrdiff_t>(kept));
}

void StreamRaces::waited_for(const StreamClock& done) {
  std::erase_if(pending_, [&](const Pending& old) { return done.has(old.stream, old.number); });
}

void StreamRaces::forget(std::uint64_t begin, std::uint64_t end) {
  for (Pending& old : pending_) {
    std::erase_if(old.uses,
                  [&](const MemoryUse& use) { return use.begin < end && begin < use.end; });
  }
}

PendingUse pending_use(const StreamRaces::Conflict& conflict) {
  return {.memory = conflict.memory,
          .offset = conflict.offset,
          .user = conflict.earlier.what,
          .issued = resolve(conflict.earlier.api, conflict.earlier.frames),
          .writes = conflict.earlier_writes};
}

}  // namespace warpsim::cudart
