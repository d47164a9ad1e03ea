#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

// An edit of what host code asks the device to do, which undoes one slip of a launch, a copy or a
// memset: two arguments exchanged, a block more, another array, another order.

namespace warpsim {

/// What of a call is edited.
struct CallPart {
  enum class Kind : std::uint8_t {
    argument,  // "2", of a kernel by its number, from 0
    grid_axis,  // "grid.x"
    grid,
    shared,  // the bytes of dynamic shared memory
    bytes,  // of copies and fills
    value,  // of fills
    from,  // of copies
    to,  // of copies and fills
    call,  // the call itself
  };
  Kind kind = Kind::call;
  std::uint32_t argument = 0;
  char axis = 'x';

  bool operator==(const CallPart&) const = default;
};

/// What it gets.
struct CallValue {
  enum class Kind : std::uint8_t {
    number,  // "0"
    more,  // "+1": one more than it had
    less,  // "-1"
    times,  // "*4"
    argument,  // "@2" what argument 2 is, "@47:2" what argument 2 of the launch at line 47 is
    exchanged,  // "<>2" with argument 2
    exchanged_with_y,  // "<>y" the grid's x with its y
    exchanged_with_block,  // "<>block" grid and block
    array,  // "array=NAME" of the announced call
    count,  // "count=NAME" the number of its elements
    all,  // bytes of the array
    blocks,  // of the grid
    blocks_less_1,  // "blocks-1"
    ceil,  // "ceil=2" as many blocks as argument 2 needs threads
    rows,  // "rows=NAME:2" the array's elements divided by argument 2
    none,  // the call is left out
    twice,
    after,  // "after=48" after the next call, which is at line 48
  };
  Kind kind = Kind::none;
  std::uint32_t number = 0;  // an argument's, or the number itself
  std::uint32_t line = 0;  // of another call; 0: of the same
  std::string array = {};  // a name

  bool operator==(const CallValue&) const = default;
};

/// One edit. It names values by where they come from, so that it means the same in every run of a
/// program, whatever its sizes are.
struct CallEdit {
  std::string file;  // of the call in the source, its last part
  std::uint32_t line = 0;
  std::string call;  // "cudaMemcpy", or the kernel's name without its arguments
  CallPart part;
  CallValue to;
  bool later = false;  // not the first call of this name, as in a recursive function

  bool operator==(const CallEdit&) const = default;
};

/// What the text of such an edit begins with.
inline constexpr std::string_view kCallEdit = "call ";

[[nodiscard]] std::string to_text(const CallPart& part);
[[nodiscard]] std::string to_text(const CallValue& value);
/// "call FILE:LINE/CALL/PART/TO", with "#later" at its end.
[[nodiscard]] std::string to_text(const CallEdit& edit);

/// @returns nothing for another form
[[nodiscard]] std::optional<CallEdit> parse_call_edit(std::string_view text);

/// What a student would call the change: "argument", "arguments exchanged", "number", "blocks",
/// "size", "value", "array", "order" or "call".
[[nodiscard]] std::string_view kind_of(const CallEdit& edit);

}  // namespace warpsim
