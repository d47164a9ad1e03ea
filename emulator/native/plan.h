#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "emulator/machine/context.h"
#include "emulator/native/trace.h"

namespace warpsim::native {

/// A run as it is in the program.
struct RunExtent {
  const Program* program = nullptr;
  const Inst* first = nullptr;
  std::vector<Handler> handlers;  // of each instruction, its own

  [[nodiscard]] std::uint32_t count() const { return static_cast<std::uint32_t>(handlers.size()); }
};

/// The runs of a program that may be worth compiling. They may overlap: what follows a branch is in
/// the run that the branch is in, and a run of its own for warps that come there otherwise.
[[nodiscard]] std::vector<RunExtent> find_runs(const Program& program);

struct Plan {
  std::unique_ptr<Trace> trace;  // null: the run is not worth it
  bool waits = false;  // ... or nothing is known yet of an access
  std::uint32_t cut = 0;  // ... or not of one behind a branch, which is at this place in the run
};

/// Plans a trace for what the worker has learned of the run's accesses.
/// @param called  by place, the instructions that are to be called
/// @param vector_bytes  as in Trace
/// @param waits  whether to give up when nothing is known yet of an access
[[nodiscard]] Plan plan(const RunExtent& run, const std::vector<bool>& called,
                        const BlockContext& block, const ProgramTables& tables,
                        std::int32_t vector_bytes, bool waits);

/// Fills in the state's words of the groups from what the worker knows.
/// @returns the place of an access that does not fit the trace; kFits where there is none, kUnknown
/// where the worker has not seen all of them with a whole warp
[[nodiscard]] std::uint32_t place_groups(const Trace& trace, const BlockContext& block,
                                         const ProgramTables& tables, std::uint64_t* words);
inline constexpr std::uint32_t kFits = ~std::uint32_t{0}, kUnknown = kFits - 1;

/// Adds what a trace's code has counted to the tables, and begins again.
void move_counts(const Trace& trace, std::uint64_t* words, ProgramTables& tables);

}  // namespace warpsim::native
