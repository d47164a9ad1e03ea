#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "emulator/machine/launch.h"

namespace warpsim::recording {

/// What to record. By default the blocks that findings name, or else block 0 of the first launch.
struct Selection {
  std::uint64_t launch = 0;  // its number, from 1; 0: any
  std::string kernel;  // part of its name; empty: any
  std::optional<Dim3> block;
  bool all_blocks = false;
  std::uint64_t bytes = 368 << 10;  // of a block's steps
  bool sources = true;  // the text of source lines is read from the files that the program names

  /// A launch and a block are named, so nothing depends on findings.
  [[nodiscard]] bool is_explicit() const { return block.has_value() || all_blocks; }
};

/// `--record-what`: "launch=2,kernel=scale,block=1:0:0,bytes=100000", in any order; "block=all".
/// @returns nothing, with `error` filled, for what is not known
[[nodiscard]] std::optional<Selection> parse_selection(std::string_view text, std::string& error);

}  // namespace warpsim::recording
