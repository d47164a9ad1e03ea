#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "emulator/checkers/races/kept_loads.h"

// Which thread of a block accesses a word. As long as every word of an array has one thread alone,
// or is only read, nothing that the block does to the array conflicts.

namespace warpsim {

/// The words of a line that a block has accessed, a bit each.
struct OwnedLine {
  std::uint64_t number = 0;  // address / 128
  std::uint32_t region = 0;
  std::uint32_t read = 0, written = 0;
};

class WordOwners {
 public:
  /// A weak access of a warp.
  struct Access {
    std::uint32_t warp = 0;
    std::uint32_t region = 0;
    std::uint32_t width = 0;  // bytes per lane, a power of two
    bool writes = false;
  };
  /// Adds an access of lanes from `lane` on to [begin, end), each to what follows the lane before
  /// it. Both ends are multiples of 4.
  /// @returns false where a word of it has another thread too, and one of them writes; what is
  /// known of the allocation means nothing then
  [[nodiscard]] bool add_row(const Access& access, std::uint32_t lane, std::uint64_t begin,
                             std::uint64_t end) {
    constexpr std::uint64_t kLine = 4 * kWords;
    if (access.width == 4 && begin % kLine == 0 && end - begin == kLine) [[likely]] {
      Line* const line = find(begin / kLine, access.region);
      const auto row = static_cast<std::int32_t>(1 + 32 * access.warp + lane);
      if (line != nullptr && add_part({0, kWords, row, 0}, *line, access.writes)) return true;
    }
    return add_parts(access, lane, begin, end);
  }
  /// Likewise of lanes anywhere. Stores of parts of words are refused.
  /// @param address  32 places, of which those of `lanes` count
  [[nodiscard]] bool add_lanes(const Access& access, std::uint32_t lanes,
                               const std::uint64_t* address);
  /// Likewise of a load. @param first  the first active lane's address
  [[nodiscard]] bool add_load(const Access& access, std::uint64_t first, const LoadPlaces& places);
  /// Adds what was accessed of some allocations to a list.
  void lines(RegionSet regions, std::vector<OwnedLine>& to) const;
  void clear();

 private:
  /// Of a word: 0, the thread that has it with kWritten, or kSeveral.
  using Owner = std::uint16_t;
  static constexpr Owner kWritten = 0x8000;
  static constexpr Owner kSeveral = 0x7fff;  // threads that read it
  /// Of a word of which lanes have two bytes or one each: the first of the lanes, with one of
  /// these.
  static constexpr Owner kHalves = 0x800, kBytes = 0x1000;
  static constexpr std::uint32_t kWords = 32;  // of a line
  /// So that a table stays in the host's caches.
  static constexpr std::size_t kMostLines = std::size_t{1} << 16;

  struct Line {
    std::array<Owner, kWords> owner = {};
    OwnedLine words;
    /// As long as rows alone have accessed the line, and word i of it has thread `row` + i >>
    /// shift, that is all: there are no owners then.
    bool has_owners = false;
    std::uint32_t shift = 0;
    std::int32_t row = 0;

    void make_owners();
  };
  /// A part of a row, of words of a line.
  struct Part {
    std::uint32_t first = 0, count = 0;
    std::int32_t row = 0;  // as in Line
    std::uint32_t shift = 0;
  };
  /// @returns whether it is all that the line needs
  [[nodiscard]] static bool add_part(const Part& part, Line& line, bool writes) {
    const bool is_new = (line.words.read | line.words.written) == 0;
    if (line.has_owners || (!is_new && (line.row != part.row || line.shift != part.shift))) {
      return false;
    }
    line.row = part.row;
    line.shift = part.shift;
    const std::uint32_t words = ~std::uint32_t{0} >> (kWords - part.count) << part.first;
    (writes ? line.words.written : line.words.read) |= words;
    return true;
  }
  [[nodiscard]] bool add_parts(const Access& access, std::uint32_t lane, std::uint64_t begin,
                               std::uint64_t end);
  struct Slot {
    std::uint64_t number = 0;
    std::uint32_t generation = 0;
    std::uint32_t index = 0;
  };
  /// Null where there are too many.
  [[nodiscard]] Line* find(std::uint64_t number, std::uint32_t region) {
    if (number == last_number_) return &lines_[last_index_];
    // Most accesses repeat the order in which lines were accessed before.
    const std::size_t next = last_index_ + 1;
    if (next < count_ && lines_[next].words.number == number) {
      last_number_ = number;
      last_index_ = next;
      return &lines_[next];
    }
    return look_up(number, region);
  }
  [[nodiscard]] Line* look_up(std::uint64_t number, std::uint32_t region);
  [[nodiscard]] Line* append(std::uint64_t number, std::uint32_t region);
  void hash_all();
  [[nodiscard]] static bool take_word(Line& line, std::uint32_t word, Owner owner, bool writes);
  [[nodiscard]] bool share(const Access& access, std::uint64_t address);
  /// One lane.
  [[nodiscard]] bool add_lane(const Access& access, std::uint32_t lane, std::uint64_t address);

  std::vector<Line> lines_;  // of which `count_` are in use
  std::size_t count_ = 0;
  std::vector<Slot> slots_;  // by number; of the first `hashed_` lines
  std::size_t hashed_ = 0;
  std::uint64_t largest_ = 0;  // number
  std::uint32_t generation_ = 1;
  std::uint64_t last_number_ = ~std::uint64_t{0};
  std::size_t last_index_ = 0;
};

}  // namespace warpsim
