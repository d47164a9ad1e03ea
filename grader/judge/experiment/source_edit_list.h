#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <vector>

#include "grader/judge/experiment/source_edits.h"

namespace warpgrade {

/// Edits that were found, in any order.
class SourceEditList {
 public:
  /// How soon an edit is tried.
  enum Rank : std::uint8_t { kUsual, kOften, kSometimes, kRarely };

  /// @returns the edit, which may still be changed
  SourceEdit& add(Rank rank, SourceEdit edit);

  /// Each edit once, those of a lower rank first, and of each kind some, since the compiler's time
  /// ends the list.
  /// @param shares  how many edits have a turn at once, by what their kind begins with; others: one
  [[nodiscard]] std::vector<SourceEdit> in_turns(
      const std::map<std::string, std::size_t>& shares = {}) &&;

 private:
  struct Ranked {
    Rank rank;
    SourceEdit edit;
  };
  std::deque<Ranked> found_;
};

}  // namespace warpgrade
