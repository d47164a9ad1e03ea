#include "emulator/timeline/timeline.h"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include "emulator/timeline/transfers.h"

using Catch::Approx;
using namespace warpsim;

namespace {

TimelineOperation operation(EngineKind engine, double share = 1) {
  return {.kind = OperationKind::kernel, .name = "work", .engine = engine, .share = share};
}

}  // namespace

TEST_CASE("an engine runs one piece of work after another", "[timeline][unit]") {
  Engine engine;
  CHECK(engine.take(0, 2, 1) == 0);
  CHECK(engine.take(1, 2, 1) == 2);
  CHECK(engine.take(10, 2, 1) == 10);
  // A gap that is long enough is used.
  CHECK(engine.take(3, 6, 1) == 4);
  CHECK(engine.take(3, 1, 1) == 12);
  CHECK(engine.busy() == Approx(13));
}

TEST_CASE("kernels that need half of the card run in pairs", "[timeline][unit]") {
  Engine engine;
  CHECK(engine.take(0, 4, 0.5) == 0);
  CHECK(engine.take(0, 4, 0.5) == 0);
  CHECK(engine.take(0, 4, 0.5) == 4);
  CHECK(engine.take(0, 1, 0.75) == 8);
}

TEST_CASE("copies of both directions and kernels overlap", "[timeline][unit]") {
  Timeline timeline(default_card(), true);
  for (const EngineKind engine :
       {EngineKind::copy_to_device, EngineKind::kernels, EngineKind::copy_to_host}) {
    CHECK(timeline.run(operation(engine), 0, 2) == Approx(2));
  }
  CHECK(timeline.overlap_ms() == Approx(2));
  CHECK(timeline.end_ms() == Approx(2));
}

TEST_CASE("a card with one copy engine copies in one direction at a time", "[timeline][unit]") {
  Card card = default_card();
  card.async_engines = 1;
  Timeline timeline(card, true);
  CHECK(timeline.run(operation(EngineKind::copy_to_device), 0, 2) == Approx(2));
  CHECK(timeline.run(operation(EngineKind::copy_to_host), 0, 2) == Approx(4));
}

TEST_CASE("work begins when the host has submitted it", "[timeline][unit]") {
  Timeline timeline(default_card(), true);
  timeline.host_waits(5, "cudaDeviceSynchronize");
  CHECK(timeline.host_ms() == Approx(5 + Timeline::kHostCallMs));
  timeline.host_submits();
  const double end = timeline.run(operation(EngineKind::kernels), 0, 1);
  CHECK(end == Approx(6 + 2 * Timeline::kHostCallMs));
}

TEST_CASE("a copy between devices takes an engine of each", "[timeline][unit]") {
  Timeline timeline(default_card(), true, 2);
  TimelineOperation copy = operation(EngineKind::copy_to_host);
  copy.between = DevicePair{.from = 0, .to = 1};
  CHECK(timeline.run(copy, 0, 2) == Approx(2));
  TimelineOperation into = operation(EngineKind::copy_to_device);
  into.device = 1;
  CHECK(timeline.run(into, 0, 2) == Approx(4));
  CHECK(timeline.run(operation(EngineKind::copy_to_device), 0, 2) == Approx(2));
}

TEST_CASE("an announced call lasts until its work is done", "[timeline][unit]") {
  Timeline timeline(default_card(), true);
  (void)timeline.run(operation(EngineKind::copy_to_device), 0, 3);
  timeline.call_begins();
  CHECK_FALSE(timeline.call());
  (void)timeline.run(operation(EngineKind::kernels), 0, 4);
  timeline.call_ends();
  REQUIRE(timeline.call());
  CHECK(timeline.call()->begin_ms == Approx(3));
  CHECK(timeline.call()->end_ms == Approx(7));
  CHECK(timeline.overlap_ms() == Approx(0));
}

TEST_CASE("transfers are counted by direction, memory and wait", "[timeline][unit]") {
  TransferTotals totals;
  totals.add({.direction = CopyDirection::to_device, .bytes = 100, .pageable = true});
  const TransferTotals before = totals;
  totals.add({.direction = CopyDirection::to_device, .bytes = 7, .synchronous = true});
  totals.add({.direction = CopyDirection::to_host, .bytes = 9});
  const TransferTotals later = totals.since(before);
  const auto value = [](const TransferTotals& of, std::string_view name) {
    for (const TransferCounter& counter : transfer_counters()) {
      if (counter.name == name) return counter.value(of);
    }
    FAIL("no counter " << name);
    return std::uint64_t{0};
  };
  CHECK(value(totals, "copies_to_device") == 2);
  CHECK(value(totals, "bytes_to_device") == 107);
  CHECK(value(totals, "pageable_bytes_to_device") == 100);
  CHECK(value(totals, "synchronous_copies_to_device") == 1);
  CHECK(value(later, "bytes_to_device") == 7);
  CHECK(value(later, "pageable_copies_to_device") == 0);
  CHECK(value(later, "copies_to_host") == 1);
}
