#include "grader/serve/http/message.h"

#include <catch2/catch_test_macros.hpp>

namespace warpgrade {

TEST_CASE("a client gets the events after the last one that it has", "[serve][unit]") {
  EventLog log("e");
  log.add("step", "1");
  log.add("step", "2");
  CHECK(log.after("").events.size() == 2);
  const auto rest = log.after("e-1");
  REQUIRE(rest.events.size() == 1);
  CHECK(rest.events[0].text() == "id: e-2\nevent: step\ndata: 2\n\n");
  CHECK_FALSE(rest.closed);
  CHECK(log.after("e-2").events.empty());
  CHECK(log.after("of-another-run-2").events.size() == 2);
  log.close("end", "3");
  CHECK(log.after("e-2").closed);
  log.add("step", "after the end");
  CHECK(log.after("e-2").events.size() == 1);
}

TEST_CASE("text of a program cannot end an event", "[serve][unit]") {
  EventLog log("e");
  log.add("step", "a\n\nevent: end\rb");
  CHECK(log.after("").events[0].data == "a  event: end b");
}

TEST_CASE("a log keeps a bounded number of events, and the last one", "[serve][unit]") {
  EventLog log("e");
  for (int i = 0; i < 10'000; ++i) log.add("step", std::to_string(i));
  const auto all = log.after("");
  CHECK(all.events.size() == 200);
  CHECK(all.events.back().data == "9999");
}

TEST_CASE("subscribers are called until their handle goes", "[serve][unit]") {
  EventLog log("e");
  int calls = 0;
  std::shared_ptr<void> handle = log.subscribe([&] { ++calls; });
  log.add("step", "1");
  CHECK(calls == 1);
  handle.reset();
  log.add("step", "2");
  CHECK(calls == 1);
}

}  // namespace warpgrade
