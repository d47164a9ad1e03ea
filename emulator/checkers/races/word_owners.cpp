#include "emulator/checkers/races/word_owners.h"

#include <algorithm>
#include <bit>

#include "emulator/checkers/races/line_run.h"
#include "emulator/isa/each_width.h"

namespace warpsim {
namespace {

std::size_t place_of(std::uint64_t line, std::size_t slots) {
  return static_cast<std::size_t>(line * 0x9e3779b97f4a7c15u >> 32) & (slots - 1);
}

/// Bits [begin, end) of a word.
std::uint32_t bits_between(std::uint32_t begin, std::uint32_t end) {
  return ~std::uint32_t{0} >> (32 - (end - begin)) << begin;
}

}  // namespace

void WordOwners::clear() {
  count_ = 0;
  hashed_ = 0;
  largest_ = 0;
  last_number_ = ~std::uint64_t{0};
  if (++generation_ == 0) {
    std::ranges::fill(slots_, Slot{});
    generation_ = 1;
  }
}

/// Puts the lines that append() has added into the table, and makes room for one more.
void WordOwners::hash_all() {
  if (2 * count_ >= slots_.size()) {
    slots_.assign(std::max<std::size_t>(std::bit_ceil(4 * count_), 256), Slot{});
    hashed_ = 0;
  }
  for (; hashed_ < count_; ++hashed_) {
    const std::uint64_t number = lines_[hashed_].words.number;
    std::size_t at = place_of(number, slots_.size());
    while (slots_[at].generation == generation_) at = (at + 1) & (slots_.size() - 1);
    slots_[at] = {number, generation_, static_cast<std::uint32_t>(hashed_)};
  }
}

WordOwners::Line* WordOwners::append(std::uint64_t number, std::uint32_t region) {
  if (count_ == kMostLines) return nullptr;
  if (count_ == lines_.size()) lines_.emplace_back();
  last_number_ = number;
  last_index_ = count_++;
  largest_ = std::max(largest_, number);
  Line& line = lines_[last_index_];
  line.words = {number, region, 0, 0};
  line.has_owners = false;
  return &line;
}

WordOwners::Line* WordOwners::look_up(std::uint64_t number, std::uint32_t region) {
  // Most blocks go through an array from its begin on: what is beyond all lines is new.
  if (number > largest_) return append(number, region);
  hash_all();
  std::size_t at = place_of(number, slots_.size());
  while (slots_[at].generation == generation_ && slots_[at].number != number) {
    at = (at + 1) & (slots_.size() - 1);
  }
  Slot& slot = slots_[at];
  if (slot.generation != generation_) {
    Line* const added = append(number, region);
    if (added == nullptr) return nullptr;
    slot = {number, generation_, static_cast<std::uint32_t>(last_index_)};
    hashed_ = count_;
    return added;
  }
  last_number_ = number;
  last_index_ = slot.index;
  return &lines_[slot.index];
}

void WordOwners::Line::make_owners() {
  has_owners = true;
  const std::uint32_t touched = words.read | words.written;
  for (std::uint32_t i = 0; i < kWords; ++i) {
    const auto thread = static_cast<Owner>(row + static_cast<std::int32_t>(i >> shift));
    const Owner written = (words.written >> i & 1) != 0 ? kWritten : Owner{0};
    owner[i] = (touched >> i & 1) != 0 ? static_cast<Owner>(thread | written) : Owner{0};
  }
}

[[gnu::always_inline]] inline bool WordOwners::take_word(Line& line, std::uint32_t word,
                                                         Owner owner, bool writes) {
  if (!line.has_owners) line.make_owners();
  Owner& there = line.owner[word];
  const bool is_mine = there == 0 || (there & ~kWritten) == owner;
  const std::uint32_t bit = std::uint32_t{1} << word;
  if (writes) {
    line.words.written |= bit;
    there = owner | kWritten;
    return is_mine;
  }
  line.words.read |= bit;
  if (is_mine) {
    there |= owner;
    return true;
  }
  const bool is_read = (there & kWritten) == 0;
  if (is_read) there = kSeveral;
  return is_read;
}

WARPSIM_EACH_WIDTH
bool WordOwners::add_parts(const Access& access, std::uint32_t lane, std::uint64_t begin,
                           std::uint64_t end) {
  // Lanes are counted from the first word, in steps of 1 / 2^parts or of 2^parts words.
  const int log2_words = std::countr_zero(access.width) - 2;
  const std::uint32_t words_shift = log2_words > 0 ? static_cast<std::uint32_t>(log2_words) : 0;
  const std::uint32_t lanes_shift = log2_words < 0 ? static_cast<std::uint32_t>(-log2_words) : 0;
  const std::uint32_t kind = lanes_shift == 0 ? 0 : lanes_shift == 1 ? kHalves : kBytes;
  const std::uint32_t from = (1 + 32 * access.warp + lane) | kind;
  std::uint32_t before = 0;  // words in the lines before this one
  for (std::uint64_t place = begin; place < end;) {
    const std::uint64_t number = place / kRaceLineBytes;
    const std::uint64_t until = std::min(end, (number + 1) * kRaceLineBytes);
    Line* const line = find(number, access.region);
    if (line == nullptr) return false;
    const auto first = static_cast<std::uint32_t>(place % kRaceLineBytes / 4);
    const auto count = static_cast<std::uint32_t>((until - place) / 4);
    if (lanes_shift == 0 && ((first | before) & ((1u << words_shift) - 1)) == 0) {
      const std::uint32_t thread = from + (before >> words_shift);
      const auto row =
          static_cast<std::int32_t>(thread) - static_cast<std::int32_t>(first >> words_shift);
      if (add_part({first, count, row, words_shift}, *line, access.writes)) {
        before += count;
        place = until;
        continue;
      }
    }
    if (!line->has_owners) line->make_owners();
    Owner* const owner = line->owner.data() + first;
    std::uint32_t off = 0;
    if (access.writes) {
      for (std::uint32_t i = 0; i < count; ++i) {
        const auto mine = static_cast<Owner>(from + ((before + i) << lanes_shift >> words_shift));
        const Owner there = owner[i];
        off |= static_cast<std::uint32_t>(there != 0) &
               static_cast<std::uint32_t>((there & ~kWritten) != mine);
        owner[i] = mine | kWritten;
      }
      line->words.written |= bits_between(first, first + count);
    } else {
      for (std::uint32_t i = 0; i < count; ++i) {
        const auto mine = static_cast<Owner>(from + ((before + i) << lanes_shift >> words_shift));
        const Owner there = owner[i];
        const bool is_other = (there != 0) & ((there & ~kWritten) != mine);
        off |= static_cast<std::uint32_t>(is_other) & (there >> 15);
        owner[i] = is_other ? kSeveral : static_cast<Owner>(there | mine);
      }
      line->words.read |= bits_between(first, first + count);
    }
    if (off != 0) return false;
    before += count;
    place = until;
  }
  return true;
}

/// A load of several threads, or of parts of words.
bool WordOwners::share(const Access& access, std::uint64_t address) {
  bool good = true;
  const std::uint64_t last = (address + access.width - 1) / 4;
  for (std::uint64_t word = address / 4; word <= last; ++word) {
    Line* const line = find(word * 4 / kRaceLineBytes, access.region);
    if (line == nullptr) return false;
    good = take_word(*line, word % kWords, kSeveral, false) && good;
  }
  return good;
}

[[gnu::always_inline]] inline bool WordOwners::add_lane(const Access& access, std::uint32_t lane,
                                                        std::uint64_t address) {
  const auto owner = static_cast<Owner>(1 + 32 * access.warp + lane);
  const std::uint64_t end = address / 4 + access.width / 4;
  for (std::uint64_t word = address / 4; word < end; ++word) {
    Line* const line = find(word * 4 / kRaceLineBytes, access.region);
    if (line == nullptr || !take_word(*line, word % kWords, owner, access.writes)) return false;
  }
  return true;
}

bool WordOwners::add_lanes(const Access& access, std::uint32_t lanes,
                           const std::uint64_t* address) {
  for (std::uint32_t rest = lanes; rest != 0;) {
    const auto first = static_cast<std::uint32_t>(std::countr_zero(rest));
    rest &= rest - 1;
    const std::uint64_t begin = address[first];
    if (access.width < 4 || begin % 4 != 0) {
      if (access.writes || !share(access, begin)) return false;
      continue;
    }
    // Lanes that go on from the first, each in its place of a row, or all in one place.
    const auto is_active = [&](std::uint32_t lane) { return lane < 32 && (rest >> lane & 1) != 0; };
    std::uint32_t end = first + 1;
    if (is_active(end)) {
      const std::uint64_t step = address[end] - begin;
      if (step == 0 || step == access.width) {
        while (is_active(end) && address[end] - begin == step * (end - first)) ++end;
      }
      if (end > first + 1) {
        rest = end == 32 ? 0 : rest >> end << end;
        const bool good = step != 0 ? add_row(access, first, begin, begin + step * (end - first))
                                    : !access.writes && share(access, begin);
        if (!good) return false;
        continue;
      }
    }
    if (!add_lane(access, first, begin)) return false;
  }
  return true;
}

bool WordOwners::add_load(const Access& access, std::uint64_t first, const LoadPlaces& places) {
  const std::uint64_t begin = first + places.row_begin;
  const std::uint64_t end = first + places.row_end;
  if (begin != end && (begin | end) % 4 == 0) {
    return add_row(access, static_cast<std::uint32_t>(std::countr_zero(places.mask)), begin, end);
  }
  if (places.one_place && !std::has_single_bit(places.mask)) return share(access, first);
  std::uint64_t address[32];
  places.spread(first, address);
  return add_lanes(access, places.mask, address);
}

void WordOwners::lines(RegionSet regions, std::vector<OwnedLine>& to) const {
  for (std::size_t i = 0; i < count_; ++i) {
    if ((regions & region_bit(lines_[i].words.region)) != 0) to.push_back(lines_[i].words);
  }
}

}  // namespace warpsim
