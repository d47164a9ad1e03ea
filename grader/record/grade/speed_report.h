#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "emulator/counters/cost.h"
#include "emulator/record/fields.h"
#include "emulator/record/finding.h"

namespace warpgrade {

using warpsim::kPitfallPattern;

/// A part of the modelled time.
struct TimePart {
  std::string cause;  // "global memory"; names of emulator/counters/cost.h
  double ms = 0;
};
WARPGRADE_FIELDS(TimePart,
                 (cause,
                  "idle: fewer blocks than multiprocessors, or too few warps to hide what warps "
                  "wait for. tail: the last round of blocks does not fill the card.",
                  {.one_of = warpsim::kTimeCauseNames}),
                 ms)

/// A line with more memory traffic than necessary, or with the most traffic.
struct AccessLine {
  std::string kernel;
  std::string file;
  std::uint32_t line = 0;
  double ms = 0;  // modelled, of the whole line
  double sectors_asked = 0;
  double sectors_needed = 0;  // the minimum for its bytes
};
WARPGRADE_FIELDS(AccessLine, kernel, file, line, (ms, "Modelled, of the whole line."),
                 (sectors_asked, "Of 32 bytes."),
                 (sectors_needed, "The fewest that could hold the bytes of each request."))

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
WARPGRADE_FIELDS(WhatIf, (change, "", {.not_empty = true}),
                 (condition, "A clause that follows 'if'.", {.not_empty = true}),
                 (pitfall, "", {.pattern = kPitfallPattern}),
                 (kernel, "Empty if it concerns all of them."), file,
                 (line, "The first one; 0 if it concerns no line."), (ms, "With the change."),
                 times_faster)

/// What limits a multiprocessor's occupancy, and whether that matters.
struct OccupancyNote {
  std::string kernel;
  double percent = 0;
  std::string limiter;
  double times_faster = 1;  // at full occupancy
  std::string comment;  // one sentence
};
WARPGRADE_FIELDS(OccupancyNote, kernel, percent, limiter,
                 (times_faster, "With all the warps that a multiprocessor can hold."),
                 (comment, "One sentence."))

/// A piece of work in a lane of the modelled timeline.
struct TimelineBar {
  std::string lane;  // "stream 2", "engine kernels"; with several devices, "device 1 stream 2"
  std::string kind;  // "kernel", "copy"; names of emulator/timeline/timeline.h
  std::string name;
  double begin_ms = 0;  // from the beginning of the call
  double end_ms = 0;
};
WARPGRADE_FIELDS(TimelineBar,
                 (lane, "stream 2, engine kernels; with several devices, device 1 stream 2."),
                 (kind, "kernel, copy, ...: names of emulator/timeline/timeline.h."), name,
                 (begin_ms, "From the beginning of the call."), end_ms)

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
WARPGRADE_FIELDS(
    SpeedReport, (name, "The case.", {.not_empty = true}), ms,
    (parts, "By cause, without zeros; the sum is ms."),
    (accesses,
     "Lines that access global memory, the costliest first; each line's own time is its counter "
     "modelled_ms."),
    (what_if, "The cost model evaluated again with one thing changed, the largest gain first."),
    (occupancy, "By kernel, in the order of their first launches."),
    (timeline_ms, "From the call to the end of its work on the modelled timeline; 0: not recorded.",
     {.optional = true}),
    (overlap_ms, "Of timeline_ms, when two engines were busy.", {.optional = true}),
    (timeline, "The first few hundred pieces of work by lane: the host, streams and engines.",
     {.optional = true}))

}  // namespace warpgrade
