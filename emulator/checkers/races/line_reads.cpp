#include "emulator/checkers/races/line_reads.h"

#include <algorithm>

namespace warpsim {
namespace {

/// How far back a repeated load is looked for at once; the others are found when the list is full.
constexpr std::size_t kLookBack = 4;

bool stands_for(const LineRun& now, const LineRun& old) {
  return now.what().warp() == old.what().warp() && now.same_shape(old);
}

}  // namespace

BlockReads::BlockReads(std::span<const LineRun> runs) {
  runs_.reserve(32);
  runs_.assign(runs.begin(), runs.end());
}

bool BlockReads::add(const LineRun& run) {
  const std::size_t from = runs_.size() - std::min(runs_.size(), kLookBack);
  for (std::size_t i = runs_.size(); i > from; --i) {
    if (stands_for(run, runs_[i - 1])) {
      runs_[i - 1] = run;
      return true;
    }
  }
  if (runs_.size() == kMost) {
    drop_repeated();
    if (runs_.size() > kMost / 2) return false;
  }
  runs_.push_back(run);
  return true;
}

void BlockReads::drop_repeated() {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < runs_.size(); ++i) {
    const bool repeated =
        std::any_of(runs_.begin() + static_cast<std::ptrdiff_t>(i) + 1, runs_.end(),
                    [&](const LineRun& later) { return stands_for(later, runs_[i]); });
    if (!repeated) runs_[kept++] = runs_[i];
  }
  runs_.resize(kept);
}

void BlockReads::settle() {
  for (LineRun& run : runs_) run.settled = true;
}

std::vector<LineRun> BlockReads::covering() const {
  struct Item {
    const LineRun* run;
    LineBytes bytes;
    std::size_t count;
  };
  std::vector<Item> items;
  items.reserve(runs_.size());
  LineBytes all;
  for (const LineRun& run : runs_) {
    const LineBytes bytes = bytes_of(run);
    items.push_back({&run, bytes, bytes.count()});
    all |= bytes;
  }
  std::vector<LineRun> chosen;
  LineBytes covered;
  while (covered != all) {
    // The longest that adds something: usually one run, or one per warp and member of a structure.
    const Item* longest = nullptr;
    for (const Item& item : items) {
      if ((longest == nullptr || item.count > longest->count) && (item.bytes & ~covered).any()) {
        longest = &item;
      }
    }
    covered |= longest->bytes;
    chosen.push_back(*longest->run);
  }
  return chosen;
}

bool GridReads::add(std::span<const LineRun> runs) {
  LineBytes all;
  runs_.reserve(runs_.size() + runs.size());  // most lines are read by few blocks
  for (const LineRun& run : runs) {
    const LineBytes bytes = bytes_of(run);
    all |= bytes;
    if ((bytes & ~twice_).none()) continue;  // whoever conflicts with it conflicts with another
    if (runs_.size() == kMost) return false;
    runs_.push_back(run);
  }
  twice_ |= once_ & all;
  once_ |= all;
  return true;
}

}  // namespace warpsim
