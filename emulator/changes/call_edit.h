#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

// An edit of what host code asks the device to do, which undoes one slip of a launch, a copy or a
// memset: two arguments exchanged, a block more, another array, another order.

namespace warpsim {

/// One edit. It names values by where they come from, so that it means the same in every run of a
/// program, whatever its sizes are.
struct CallEdit {
  std::string file;  // of the call in the source, its last part
  std::uint32_t line = 0;
  std::string call;  // "cudaMemcpy", or the kernel's name without its arguments
  /// What is edited: an argument of the kernel by its number, from 0; `grid.x`, `grid.y`, `grid.z`,
  /// `grid`; `shared`, the bytes of dynamic shared memory; `bytes`, `value`, `from` and `to` of
  /// copies and fills; `call`, the call itself.
  std::string part;
  /// What it gets:
  /// - "+1", "-1", "*4", of what it had, or a number: "0"
  /// - "<>2" exchanged with argument 2, "<>y" the grid's x with its y, "<>block" grid and block
  /// - "@2" what argument 2 is, "@47:2" what argument 2 of the launch at line 47 is
  /// - "array=NAME" an array of the announced call, "count=NAME" the number of its elements,
  ///   "all" all bytes of the array
  /// - "blocks", "blocks-1" blocks of the grid
  /// - "ceil=2" as many blocks as argument 2 needs threads, "rows=NAME:2" the array's elements
  ///   divided by argument 2
  /// - of `call`: "none", "twice", "after=48" after the next call, which is at line 48
  std::string to;
  bool later = false;  // not the first call of this name, as in a recursive function

  bool operator==(const CallEdit&) const = default;
};

/// What the text of such an edit begins with.
inline constexpr std::string_view kCallEdit = "call ";

/// "call FILE:LINE/CALL/PART/TO", with "#later" at its end.
[[nodiscard]] std::string to_text(const CallEdit& edit);

/// @returns nothing for another form
[[nodiscard]] std::optional<CallEdit> parse_call_edit(std::string_view text);

/// What a student would call the change: "argument", "arguments exchanged", "number", "blocks",
/// "size", "value", "array", "order" or "call".
[[nodiscard]] std::string_view kind_of(const CallEdit& edit);

}  // namespace warpsim
