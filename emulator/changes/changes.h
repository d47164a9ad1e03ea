#pragma once

#include <array>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/changes/code_edit.h"

// Experiments: changes of one run of a program, to see whether its results become right. They take
// effect when code is loaded, memory is allocated or a kernel is launched, or after an access has
// failed, so a run without changes has no overhead.

namespace warpsim {

/// Exchanges the two indices of accesses to an array: element p * from + q becomes q * to + p.
struct IndexPairs {
  /// Of the array in global memory; one of another size is not meant. 0: any `__shared__` array
  /// with s rows of s or s + 1 elements, as a tile has that may be padded; from and to are the
  /// length of its rows.
  std::uint32_t elements = 0;
  std::uint32_t from = 1, to = 1;
  /// Which of several allocations of this size is meant, by address, from 1; 0: all.
  std::uint32_t ordinal = 0;
};

/// A single change.
struct Change {
  enum class Kind : std::uint8_t {
    barrier_before,  // a block barrier before a source line's accesses
    barrier_after,  // or after them
    in_turn,  // a load and the store to the same address: serialized over the lanes of a warp
    start,  // uninitialized memory holds a given value
    outside,  // accesses out of range: reads give 0, writes are dropped
    blocks,  // one block more or fewer along an axis of the grid, or several times as many
    exchange_index,  // x and y of threadIdx, blockIdx, blockDim and gridDim are exchanged
    exchange_grid,  // the launch's gridDim.x and gridDim.y are exchanged
    exchange_pair,  // the two indices of a source line's accesses are exchanged
    block,  // another block size, over the same threads
    fit,  // a block that is too large is split, over the same threads
    direction,  // copies go in the direction of their pointers
    exchange_thread,  // threadIdx and blockIdx are exchanged
    row_length,  // a kernel multiplies by another of its parameters
    exchange_operands,  // a * length + b, where length is a parameter, becomes b * length + a
    unsigned_bytes,  // signed bytes are read as unsigned ones
    more_allocated,  // cudaMalloc gives several times the bytes
    more_copied,  // cudaMemcpy copies several times the bytes, if arrays of the device have them
    more_set,  // cudaMemset sets several times the bytes, likewise
    edit,  // one slip of the source is undone
  };
  Kind kind = Kind::start;
  std::string text;  // as given: "barrier-after=vecadd.cu:14"
  /// The source file, array or kernel that it applies to; empty: any.
  std::string name;
  std::uint32_t first_line = 0, last_line = 0;  // 0: any
  std::uint32_t word = 0;  // start: four bytes, repeated
  std::uint8_t axis = 0;  // blocks: 0, 1, 2
  bool fewer = false;  // blocks
  std::array<std::uint32_t, 3> size = {1, 1, 1};  // block
  IndexPairs pairs = {};  // exchange_pair
  std::uint32_t parameter = 0, other = 0;  // row_length: of the kernel, from 0
  std::uint32_t times = 1;  // blocks, more_allocated, more_copied, more_set
  CodeEdit edit = {};  // edit

  /// Whether a line of a source file is meant. @param file  a path
  [[nodiscard]] bool is_about(std::string_view file, std::uint32_t line) const;
  /// Whether a kernel or a device function is meant. @param mangled  its name
  [[nodiscard]] bool is_about_function(std::string_view mangled) const;
};

/// The result of a change.
struct ChangeNote {
  std::string change;  // Change::text
  std::uint64_t places = 0;  // instructions, arrays, launches or copies that were changed
  /// The barrier is after or before the whole branch or loop that contains the line, where all
  /// threads arrive.
  bool outside_branch = false;
  std::string problem;  // why it could not be made, one sentence; otherwise empty
};

/// The changes of a run, and their results.
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
  std::vector<ChangeNote> notes_;  // one per change
};

/// The number of added barriers. A program that uses it itself gets none.
constexpr std::uint32_t kAddedBarrier = 15;

/// Reads changes, separated by semicolons:
///
///     barrier-before=[FILE:]LINE    barrier-after=[FILE:]LINE    in-turn=[FILE:]LINE[-LINE]
///     start=[ARRAY:]WORD            outside=all|[FILE:]LINE blocks=[KERNEL:](x|y|z)(+1|-1|*TIMES)
///     exchange=[KERNEL:](index|grid)   block=[KERNEL:](X[xY[xZ]]|fit)   direction=pointers
///     pair=[FILE:]LINE:(tile|ELEMENTS/FROM/TO[/ORDINAL])
///     exchange=[KERNEL:]thread      length=[KERNEL:]PARAMETER/OTHER      sign=[KERNEL:]bytes
///     bytes=(malloc|copy|set)/TIMES operands=[FILE:]LINE[-LINE]
///     edit=FILE:LINE[.COLUMN]/OPCODE/PART/FROM/TO[#NUMBER]
///
/// @param error  set to one line if the text is invalid, otherwise left empty
[[nodiscard]] std::optional<std::vector<Change>> parse_changes(std::string_view text,
                                                               std::string& error);

}  // namespace warpsim
