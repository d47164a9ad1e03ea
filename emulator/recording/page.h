#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/recording/recording.h"

namespace warpsim::recording {

/// The files of pictures/.
struct PageParts {
  std::string_view page, style;
  std::vector<std::string_view> scripts;  // in the order in which they are needed
};

/// What a page says above the pictures, and where it opens.
struct PageOpening {
  std::string title;  // empty: the name of the first kernel
  std::uint32_t line = 0;  // of a source file; 0: at the first finding, or else the largest cost
  bool at_end = false;  // at the last step instead
};

/// One page that contains the recording and all that is needed to look at it.
[[nodiscard]] std::string to_page(const Recording& recording, const PageParts& parts,
                                  const PageOpening& opening = {});
/// The same with the parts that are in this program.
[[nodiscard]] std::string to_page(const Recording& recording, const PageOpening& opening = {});

}  // namespace warpsim::recording
