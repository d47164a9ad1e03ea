#include "grader/serve/monitor.h"

#include <catch2/catch_test_macros.hpp>
#include <string>

#include "grader/serve/store/leases.h"
#include "grader/testing/served_class.h"

namespace warpgrade {
using testing::TestClass;

TEST_CASE("programs that watch a class's server need no session, and get counts only",
          "[serve][unit]") {
  TestClass served("", "https://labs.example.org");
  Leases(served.database()).alive("w", 2, "rules");
  const auto get = [&](const std::string& target, const std::string& host) {
    return served.request(
        {.method = "GET", .target = target, .headers = {{"host", host}}, .body = {}});
  };
  // A balancer of load asks by the machine's address.
  CHECK(get("/health", "10.0.0.7:8475").body == "ok\n");
  CHECK(get("/ready", "labs.example.org").body == "ready\n");
  CHECK(get("/ready", "labs.example.org").status == 200);
  const TestClass::Reply metrics = get("/metrics", "127.0.0.1:8475");
  CHECK(metrics.status == 200);
  CHECK(metrics.has("warpgrade_database_up 1\n"));
  CHECK(metrics.has("warpgrade_workers 1\n"));
  CHECK(metrics.has("warpgrade_longest_wait_seconds 0\n"));
  // Nobody by the proxy, and nothing else without its name.
  CHECK(get("/metrics", "labs.example.org").status == 403);
  CHECK_FALSE(get("/metrics", "labs.example.org").has("warpgrade_"));
  CHECK(get("/health", "10.0.0.7:8475").status == 200);
  CHECK(get("/grades", "127.0.0.1:8475").status == 421);
  CHECK(get("/health/x", "10.0.0.7:8475").status == 421);
}

TEST_CASE("what waits and runs is counted by urgency", "[serve][unit]") {
  const ScratchFolder folder;
  const testing::TestDatabase database(folder.path() / "serve.db");
  Store store(database.address());
  std::vector<std::int64_t> replaced;
  const auto add = [&](AttemptKind kind, Urgency urgency) {
    return store.add("s01", "vecadd", kind, urgency, {{"a.cu", "x"}}, replaced).id;
  };
  CHECK(store.queue().counts.empty());
  add(AttemptKind::check, Urgency::interactive);
  const std::int64_t running = add(AttemptKind::submission, Urgency::later);
  add(AttemptKind::submission, Urgency::later);
  const KeptAttempt claimed = store.claim(running).value();
  const auto count = [&](AttemptState state, Urgency urgency) -> std::int64_t {
    for (const QueueState::Count& one : store.queue().counts) {
      if (one.state == state && one.urgency == urgency) return one.attempts;
    }
    return 0;
  };
  CHECK(count(AttemptState::waiting, Urgency::interactive) == 1);
  CHECK(count(AttemptState::waiting, Urgency::later) == 1);
  CHECK(count(AttemptState::running, Urgency::later) == 1);
  CHECK(store.fail(claimed, "x"));
  CHECK(count(AttemptState::running, Urgency::later) == 0);
  CHECK(store.queue().workers == 0);
}

}  // namespace warpgrade
