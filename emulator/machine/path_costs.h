#pragma once

#include <cstdint>
#include <vector>

namespace warpsim {

struct Program;

/// What an execution of an instruction adds to the time that its warp, alone, would take: the
/// cycles of a basic block are shared out equally among its instructions that are executed in any
/// case, what predicated ones add among those, and a wait among the loads that are waited for
/// together. Of a block that polls (machine/polls.h) all of it is the polling load's, for each look
/// that counts: how often it looks is chance.
struct PathCost {
  /// In parts (kPathParts) of a cycle: of the longest chain of results in the block that need each
  /// other.
  std::uint32_t cycles = 0;
  /// In parts of a wait for loads from global or local memory. Loads that need no other load's
  /// result are in flight together, and waited for together.
  std::uint32_t load_waits = 0;
  bool by_requests = false;  // per request, not per execution
};
/// By instruction index, as the program's text has them: what `ptxas` moves within a basic block,
/// or predicates, is taken into account, what it moves between blocks is not. Where a block ends
/// nothing is waited for: a warp waits where it needs a result, or a loop begins or ends.
[[nodiscard]] std::vector<PathCost> path_costs(const Program& program);

}  // namespace warpsim
