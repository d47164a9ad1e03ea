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

/// A line with more memory traffic than necessary, or with the most traffic.
struct AccessLine {
  std::string kernel;
  std::string file;
  std::uint32_t line = 0;
  double ms = 0;  // modelled, of the whole line
  double sectors_asked = 0;
  double sectors_needed = 0;  // the minimum for its bytes
};
WARPGRADE_FIELDS(AccessLine, kernel, file, line, ms, sectors_asked, sectors_needed)

/// The cost model evaluated again with one thing changed.
struct WhatIf {
  std::string change;  // "coalesced"; a slug
  std::string condition;  // "the loads of line 14 were coalesced"
  std::string pitfall;  // "P62", or empty
  std::string kernel;  // empty if it concerns all kernels
  std::string file;
  std::uint32_t line = 0;  // 0 if it concerns no single line
  double ms = 0;  // with the change
  double times_faster = 1;
};
WARPGRADE_FIELDS(WhatIf, change, condition, pitfall, kernel, file, line, ms, times_faster)

/// What limits a multiprocessor's occupancy, and whether that matters.
struct OccupancyNote {
  std::string kernel;
  double percent = 0;
  std::string limiter;
  double times_faster = 1;  // at full occupancy
  std::string comment;  // one sentence
};
WARPGRADE_FIELDS(OccupancyNote, kernel, percent, limiter, times_faster, comment)

/// A piece of work in a lane of the modelled timeline.
struct TimelineBar {
  std::string lane;  // "stream 2", "engine kernels"; with several devices, "device 1 stream 2"
  std::string kind;  // "kernel", "copy"; names of emulator/timeline/timeline.h
  std::string name;
  double begin_ms = 0;  // from the beginning of the call
  double end_ms = 0;
};
WARPGRADE_FIELDS(TimelineBar, lane, kind, name, begin_ms, end_ms)

/// How a run's modelled time is spent, and what would shorten it. From the emulator, whatever the
/// device.
struct SpeedReport {
  std::string name;  // the case
  double ms = 0;
  std::vector<TimePart> parts;  // in the order of warpsim::TimeCause, without zeros; sum to `ms`
  std::vector<AccessLine> accesses;  // the costliest first, a few
  std::vector<WhatIf> what_if;  // the largest gain first
  std::vector<OccupancyNote> occupancy;  // per kernel, in the order of their first launches
  double timeline_ms = 0;  // from the call to the end of its work; 0: it was not recorded
  double overlap_ms = 0;  // of that, when two engines were busy
  std::vector<TimelineBar> timeline = {};  // the first few hundred, by lane and in order
};
WARPGRADE_FIELDS(SpeedReport, name, ms, parts, accesses, what_if, occupancy, timeline_ms,
                 overlap_ms, timeline)

}  // namespace warpgrade
