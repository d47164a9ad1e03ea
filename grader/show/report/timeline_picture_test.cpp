#include "grader/show/report/timeline_picture.h"

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include "grader/record/grade/speed_report.h"

namespace warpgrade {

TEST_CASE("a timeline of two devices shows the streams of each, then the engines",
          "[report][unit]") {
  const std::vector<std::string> lanes = {"host",
                                          "device 0 default stream",
                                          "device 0 stream 4",
                                          "device 0 stream 12",
                                          "device 1 default stream",
                                          "device 1 stream 5",
                                          "engine kernels 0",
                                          "engine kernels 1",
                                          "engine copy-to-host 1"};
  SpeedReport speed;
  speed.timeline_ms = 1;
  for (auto lane = lanes.rbegin(); lane != lanes.rend(); ++lane) {
    speed.timeline.push_back(
        {.lane = *lane, .kind = "kernel", .name = "work", .begin_ms = 0, .end_ms = 1});
  }
  const std::string svg = timeline_svg(speed);
  std::size_t last = 0;
  for (const std::string& lane : lanes) {
    INFO(lane);
    const std::size_t at = svg.find(">" + lane + "<");
    REQUIRE(at != std::string::npos);
    CHECK(at > last);
    last = at;
  }
}

}  // namespace warpgrade
