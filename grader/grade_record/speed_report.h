#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "grader/core/fields.h"

namespace warpgrade {

/// A part of the modelled time.
struct TimePart {
  std::string cause;  // "global memory"; names of emulator/counters/cost.h
  double ms = 0;
};
WARPGRADE_FIELDS(TimePart, cause, ms)

/// A line that asks memory for more than it needs, or that simply asks most.
struct AccessLine {
  std::string kernel;
  std::string file;
  std::uint32_t line = 0;
  double ms = 0;  // modelled, of all that the line does
  double sectors_asked = 0;
  double sectors_needed = 0;  // the fewest that could hold the bytes
};
WARPGRADE_FIELDS(AccessLine, kernel, file, line, ms, sectors_asked, sectors_needed)

/// The cost model evaluated again with one thing changed.
struct WhatIf {
  std::string change;  // "coalesced"; a slug
  std::string condition;  // "the loads of line 14 were coalesced"
  std::string pitfall;  // "P62", or empty
  std::string kernel;  // empty where it is about all of them
  std::string file;
  std::uint32_t line = 0;  // 0 where it is about no single line
  double ms = 0;  // with the change
  double times_faster = 1;
};
WARPGRADE_FIELDS(WhatIf, change, condition, pitfall, kernel, file, line, ms, times_faster)

/// What limits a multiprocessor's warps, and whether that matters.
struct OccupancyNote {
  std::string kernel;
  double percent = 0;
  std::string limiter;
  double times_faster = 1;  // if a multiprocessor had all the warps that it can hold
  std::string comment;  // one sentence
};
WARPGRADE_FIELDS(OccupancyNote, kernel, percent, limiter, times_faster, comment)

/// Where a run's modelled time goes, and what would shorten it. Modelled by the emulator, on any
/// device.
struct SpeedReport {
  std::string name;  // the case
  double ms = 0;
  std::vector<TimePart> parts;  // in the order of warpsim::TimeCause, without zeros; sum to `ms`
  std::vector<AccessLine> accesses;  // the costliest first, a few
  std::vector<WhatIf> what_if;  // the largest gain first; of each only what is worth it
  std::vector<OccupancyNote> occupancy;  // of each kernel, as they were first launched
};
WARPGRADE_FIELDS(SpeedReport, name, ms, parts, accesses, what_if, occupancy)

}  // namespace warpgrade
