#pragma once

#include <array>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Experiments: what is changed in one run of a program, to see whether its results become right.
// All of it is made when code is loaded, memory is allocated or a kernel is launched, or where an
// access has failed already: a run without changes asks nothing.

namespace warpsim {

/// One thing that is changed.
struct Change {
  enum class Kind : std::uint8_t {
    barrier_before,  // a barrier of the block in front of a source line's accesses
    barrier_after,  // or behind them
    in_turn,  // a load and the store of the same place: the lanes of a warp do them in turn
    start,  // uninitialized memory holds a given value
    outside,  // accesses out of range: reads give 0, writes are dropped
    blocks,  // one block more or fewer along an axis of the grid
    exchange_index,  // x and y of threadIdx, blockIdx, blockDim and gridDim are exchanged
    exchange_grid,  // the launch's gridDim.x and gridDim.y are exchanged
    block,  // another block size, over the same threads
    fit,  // a block that is too large is split, over the same threads
    direction,  // copies go where their pointers say
  };
  Kind kind = Kind::start;
  std::string text;  // as it was given: "barrier-after=vecadd.cu:14"
  /// Of what it is about: a source file, an array or a kernel; empty: any.
  std::string name;
  std::uint32_t first_line = 0, last_line = 0;  // 0: any
  std::uint32_t word = 0;  // start: four bytes, repeated
  std::uint8_t axis = 0;  // blocks: 0, 1, 2
  bool fewer = false;  // blocks
  std::array<std::uint32_t, 3> size = {1, 1, 1};  // block

  /// Whether a line of a source file is meant. @param file  a path
  [[nodiscard]] bool is_about(std::string_view file, std::uint32_t line) const;
  /// Whether a kernel or a device function is meant. @param mangled  its name
  [[nodiscard]] bool is_about_function(std::string_view mangled) const;
};

/// What became of a change.
struct ChangeNote {
  std::string change;  // Change::text
  std::uint64_t places = 0;  // instructions, arrays, launches or copies that are other than before
  /// A barrier is behind or in front of the whole branch or loop that the line is in, where all
  /// threads meet.
  bool outside_branch = false;
  std::string problem;  // why it could not be made, one sentence; empty if nothing stood against it
};

/// The changes of a run, and what became of them.
class Changes {
 public:
  explicit Changes(std::vector<Change> list);

  [[nodiscard]] const std::vector<Change>& list() const { return list_; }
  /// The first change of a kind; null if there is none.
  [[nodiscard]] const Change* find(Change::Kind kind) const;

  // Thread-safe.
  void made(const Change& change, std::uint64_t places = 1, bool outside_branch = false);
  /// The first problem of a change is kept.
  void problem(const Change& change, std::string why);
  void problem(Change::Kind kind, const std::string& why);
  [[nodiscard]] std::vector<ChangeNote> notes() const;

 private:
  std::vector<Change> list_;
  mutable std::mutex mutex_;
  std::vector<ChangeNote> notes_;  // one a change
};

/// The barrier that changes add. A program that uses it itself gets none.
constexpr std::uint32_t kAddedBarrier = 15;

/// Reads changes, separated by semicolons:
///
///     barrier-before=[FILE:]LINE    barrier-after=[FILE:]LINE    in-turn=[FILE:]LINE[-LINE]
///     start=[ARRAY:]WORD            outside=all|[FILE:]LINE      blocks=[KERNEL:](x|y|z)(+|-)1
///     exchange=[KERNEL:](index|grid)   block=[KERNEL:](X[xY[xZ]]|fit)   direction=pointers
///
/// @param error  filled with one line for a person when the text is no good, else left empty
[[nodiscard]] std::optional<std::vector<Change>> parse_changes(std::string_view text,
                                                               std::string& error);

}  // namespace warpsim
