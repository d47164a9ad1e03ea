#include "grader/judge/speed/speed.h"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

namespace warpgrade {
namespace {

using Catch::Approx;

WhatIf gain_to(const char* change, double ms) {
  return {.change = change,
          .condition = "line 7 were coalesced",
          .pitfall = {},
          .kernel = {},
          .file = {},
          .line = 7,
          .ms = ms,
          .times_faster = 4 / ms};
}

TimelineBar bar(const char* lane, const char* kind, double begin, double end) {
  return {.lane = lane, .kind = kind, .name = {}, .begin_ms = begin, .end_ms = end};
}

/// A call of 10 ms with kernels of 4 ms, of which copies hide all but one.
SpeedReport overlapped() {
  SpeedReport speed{.name = "large",
                    .ms = 4,
                    .parts = {},
                    .accesses = {},
                    .what_if = {gain_to("coalesced-loads", 1), gain_to("one-launch", 3)},
                    .occupancy = {}};
  speed.timeline_ms = 10;
  speed.overlap_ms = 3;
  speed.timeline = {bar("engine copies to device", "copy", 0, 5),
                    bar("engine kernels", "kernel", 2, 6), bar("stream 1", "kernel", 2, 6),
                    bar("engine copies to host", "copy", 6, 10)};
  return speed;
}

TEST_CASE("on the timeline a kernel gains what no copy hides", "[speed][timeline]") {
  SpeedReport speed = overlapped();
  measure_on_timeline(speed);
  REQUIRE(speed.what_if.size() == 1);  // one launch would end the overlap
  CHECK(speed.what_if[0].change == "coalesced-loads");
  CHECK(speed.what_if[0].ms == Approx(9));
  CHECK(speed.what_if[0].times_faster == Approx(10.0 / 9));
  CHECK(speed.what_if[0].condition == "line 7 were coalesced, copies included");

  speed = overlapped();  // everything of the kernel is hidden
  speed.timeline[0].end_ms = 6;
  measure_on_timeline(speed);
  CHECK(speed.what_if.empty());
}

TEST_CASE("without overlap a kernel gains its own time of the call, and so does one launch",
          "[speed][timeline]") {
  SpeedReport speed = overlapped();
  speed.overlap_ms = 0;
  speed.timeline[0].end_ms = 2;
  measure_on_timeline(speed);
  REQUIRE(speed.what_if.size() == 2);
  CHECK(speed.what_if[0].ms == Approx(7));
  CHECK(speed.what_if[1].change == "one-launch");
  CHECK(speed.what_if[1].ms == Approx(9));
}

}  // namespace
}  // namespace warpgrade
