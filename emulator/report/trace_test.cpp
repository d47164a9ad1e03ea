#include "emulator/report/trace.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

using namespace warpsim;

namespace {

/// The names of lanes by process and thread, as a viewer shows them.
std::set<std::string> lanes_of(const nlohmann::ordered_json& trace) {
  std::set<std::string> lanes;
  for (const auto& event : trace.at("traceEvents")) {
    if (event.at("ph") == "M" && event.at("name") == "thread_name") {
      lanes.insert(std::to_string(event.at("pid").get<int>()) + " " +
                   event.at("args").at("name").get<std::string>());
    }
  }
  return lanes;
}

}  // namespace

TEST_CASE("a trace has a lane per stream and one per engine", "[report][trace]") {
  Timeline timeline(default_card(), true);
  (void)timeline.run({.kind = OperationKind::copy,
                      .name = "cudaMemcpyAsync",
                      .stream = 2,
                      .engine = EngineKind::copy_to_device,
                      .bytes = 100},
                     0, 1);
  (void)timeline.run({.kind = OperationKind::event, .name = "event", .stream = 2}, 1, 0.5);
  (void)timeline.run({.name = "scale(float*)", .engine = EngineKind::kernels}, 1, 2);
  timeline.host_waits(3, "cudaDeviceSynchronize");
  const auto trace = to_trace(timeline);

  CHECK(lanes_of(trace) == std::set<std::string>{"1 host", "2 stream 2", "2 default stream",
                                                 "3 kernels", "3 copy-to-device"});
  int complete = 0;
  for (const auto& event : trace.at("traceEvents")) {
    if (event.at("ph") != "X") continue;
    ++complete;
    CHECK(event.at("ts").get<double>() >= 0);
    CHECK(event.at("dur").get<double>() > 0);
    CHECK(event.at("tid").is_number_unsigned());
    CHECK_FALSE(event.at("name").get<std::string>().empty());
  }
  CHECK(complete == 6);  // copy and kernel twice, the event and the wait once
  const auto& events = trace.at("traceEvents");
  const auto copy =
      std::ranges::find_if(events, [](const auto& e) { return e.value("cat", "") == "copy"; });
  REQUIRE(copy != events.end());
  CHECK(copy->at("dur") == 1000.0);  // microseconds
  CHECK(copy->at("args").at("bytes") == 100);
}

TEST_CASE("a copy between devices is on an engine of each", "[report][trace]") {
  Timeline timeline(default_card(), true, 2);
  (void)timeline.run({.kind = OperationKind::copy,
                      .name = "cudaMemcpyPeerAsync",
                      .device = 1,
                      .stream = 7,
                      .engine = EngineKind::copy_to_host,
                      .between = DevicePair{.from = 0, .to = 1}},
                     0, 1);
  // Processes: the host, streams and engines of device 0, those of device 1.
  CHECK(lanes_of(to_trace(timeline)) ==
        std::set<std::string>{"4 stream 7", "3 copy-to-host", "5 copy-to-device"});
}

TEST_CASE("the trace of a program that uses no device is empty but valid", "[report][trace]") {
  const auto trace = to_trace(Timeline(default_card(), false));
  CHECK(std::ranges::none_of(trace.at("traceEvents"),
                             [](const auto& event) { return event.at("ph") == "X"; }));
}
