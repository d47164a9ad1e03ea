#include "grader/serve/store/leases.h"

#include <catch2/catch_test_macros.hpp>
#include <chrono>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "grader/core/files.h"
#include "grader/testing/database.h"

namespace warpgrade {
namespace {

using namespace std::chrono_literals;

constexpr auto kLong = 60s;
constexpr const char* kRules = "rules";

struct Shared {
  ScratchFolder folder;
  testing::TestDatabase database{folder.path() / "serve.db"};
  Store store{database.address()};
  Leases leases{database.address()};
  std::int64_t turn = 0;

  std::int64_t submit() {
    std::vector<std::int64_t> replaced;
    return store
        .add("s01", "vecadd", AttemptKind::submission, Urgency::later, {{"a.cu", "x"}}, replaced)
        .id;
  }
  std::int64_t offered() {
    const std::int64_t id = submit();
    REQUIRE(leases.offer(id, ++turn, kRules));
    return id;
  }
  KeptAttempt claimed(std::chrono::milliseconds lease = kLong) {
    const auto claimed = leases.claim("w", kRules, lease);
    REQUIRE(claimed);
    return *claimed;
  }
};

AttemptResult some_result() {
  return {.score = 7, .max_score = 10, .headline = "h", .problems = "[]", .report = "<p>"};
}

}  // namespace

TEST_CASE("workers claim what is offered, in its order, with the same rules only",
          "[serve][unit]") {
  Shared o;
  const std::int64_t first = o.submit(), second = o.submit(), third = o.submit();
  CHECK_FALSE(o.leases.claim("w", kRules, kLong));  // nothing is offered
  CHECK(o.leases.offer(second, 2, kRules));
  CHECK(o.leases.offer(first, 3, kRules));
  CHECK_FALSE(o.leases.claim("w", "other", kLong));
  CHECK(o.leases.only_for_others("other"));
  CHECK_FALSE(o.leases.only_for_others(kRules));
  const KeptAttempt claimed = o.claimed();
  CHECK(claimed.id == second);
  CHECK(claimed.state == AttemptState::running);
  CHECK(claimed.claim == 1);
  CHECK_FALSE(o.leases.offer(second, 9, kRules));  // it does not wait any more
  o.leases.offer_with("other");
  CHECK_FALSE(o.leases.claim("w", kRules, kLong));
  CHECK(o.leases.claim("w", "other", kLong)->id == first);
  CHECK_FALSE(o.leases.only_for_others(kRules));
  // The server's own claims are of what it has not offered, and the other way round.
  CHECK(o.store.claim(third)->claim == 1);
  CHECK_FALSE(o.leases.offer(third, 10, kRules));
  CHECK(o.leases.offered().size() == 2);
}

TEST_CASE("however many workers claim at once, each attempt is claimed once", "[serve][unit]") {
  Shared o;
  constexpr std::size_t kAttempts = 40, kWorkers = 4;
  for (std::size_t i = 0; i < kAttempts; ++i) o.offered();
  std::vector<std::vector<std::int64_t>> claimed(kWorkers);
  {
    std::vector<std::jthread> workers;
    for (std::size_t i = 0; i < kWorkers; ++i) {
      workers.emplace_back([&, i] {
        Leases own(o.database.address());
        while (const auto one = own.claim("w" + std::to_string(i), kRules, kLong)) {
          claimed[i].push_back(one->id);
        }
      });
    }
  }
  std::set<std::int64_t> all;
  std::size_t count = 0;
  for (const auto& ids : claimed) {
    all.insert(ids.begin(), ids.end());
    count += ids.size();
  }
  CHECK(count == kAttempts);
  CHECK(all.size() == kAttempts);
}

TEST_CASE("an expired lease ends the claim, and what comes under it later is refused",
          "[serve][unit]") {
  Shared o;
  const std::int64_t id = o.offered();
  const KeptAttempt old = o.claimed(1ms);
  std::this_thread::sleep_for(20ms);
  CHECK(o.leases.reap().waiting == std::vector{id});
  CHECK(o.leases.reap().waiting.empty());
  CHECK_FALSE(o.leases.renew(old, "case 1 of 2", kLong));
  const KeptAttempt next = o.claimed();
  CHECK(next.id == id);
  CHECK(next.claim == old.claim + 1);
  CHECK_FALSE(o.store.finish(old, some_result()));
  CHECK_FALSE(o.store.fail(old, "late"));
  CHECK_FALSE(o.leases.hand_over(old, {{"grade.json", "old"}}));
  o.leases.give_back(old);
  CHECK(o.leases.renew(next, "case 1 of 2", kLong));
  CHECK(o.leases.offered()[0].step == "case 1 of 2");
  CHECK(o.leases.reap().waiting.empty());
  CHECK(o.store.finish(next, some_result()));
  CHECK_FALSE(o.store.finish(next, some_result()));
  CHECK(o.leases.offered().empty());
}

TEST_CASE("a worker that ends gives back what it runs", "[serve][unit]") {
  Shared o;
  const std::int64_t id = o.offered();
  o.leases.give_back(o.claimed());
  const KeptAttempt again = o.claimed();
  CHECK(again.id == id);
  CHECK(o.store.attempt(id)->state == AttemptState::running);
}

TEST_CASE("an attempt that ends all its workers fails, others do not", "[serve][unit]") {
  Shared o;
  const std::int64_t bad = o.offered();
  for (std::int64_t i = 1; i <= kMostClaims; ++i) {
    REQUIRE(o.claimed(1ms).id == bad);
    std::this_thread::sleep_for(20ms);
    const Leases::Reaped reaped = o.leases.reap();
    CHECK(reaped.waiting.size() == (i < kMostClaims ? 1 : 0));
    CHECK(reaped.failed.size() == (i < kMostClaims ? 0 : 1));
  }
  CHECK(o.store.attempt(bad)->state == AttemptState::failed);
  CHECK_FALSE(o.store.attempt(bad)->message.empty());
  CHECK_FALSE(o.leases.claim("w", kRules, kLong));
}

TEST_CASE("what a worker hands over waits for the server, also after a restart", "[serve][unit]") {
  Shared o;
  const std::int64_t id = o.offered();
  const KeptAttempt claimed = o.claimed(1ms);
  const FileSet files = {{"s01/vecadd/grade.json", "{}"}, {"x", std::string("a\0b", 3)}};
  CHECK(o.leases.hand_over(claimed, files));
  CHECK_FALSE(o.leases.hand_over(claimed, {}));
  std::this_thread::sleep_for(20ms);
  CHECK(o.leases.reap().waiting.empty());
  CHECK(o.store.requeue_running() == 0);
  REQUIRE(o.leases.offered().size() == 1);
  CHECK(o.leases.offered()[0].handed_over);
  CHECK(o.leases.handed_over(id) == files);
  CHECK(o.store.finish(*o.store.attempt(id), some_result()));
  CHECK(o.leases.handed_over(id).empty());
}

TEST_CASE("a restarted server begins again what it ran itself, and leaves workers theirs",
          "[serve][unit]") {
  Shared o;
  const std::int64_t own = o.submit();
  REQUIRE(o.store.claim(own));
  const std::int64_t at_worker = o.offered();
  const KeptAttempt claimed = o.claimed();
  const std::int64_t offered = o.offered();
  CHECK(o.store.requeue_running() == 1);
  CHECK(o.store.attempt(at_worker)->state == AttemptState::running);
  CHECK(o.store.attempt(own)->state == AttemptState::waiting);
  CHECK_FALSE(o.leases.claim("w", kRules, kLong));  // until it is offered again
  CHECK(o.store.waiting().size() == 2);
  CHECK(o.leases.offer(offered, 7, kRules));
  CHECK(o.claimed().id == offered);
  CHECK(o.leases.renew(claimed, "", kLong));
}

TEST_CASE("workers are counted while they show that they live", "[serve][unit]") {
  Shared o;
  CHECK(o.leases.places(kRules).all == 0);
  o.leases.alive("a", 2, kRules);
  o.leases.alive("b", 3, kRules);
  o.leases.alive("b", 4, kRules);
  o.leases.alive("c", 5, "other");
  CHECK(o.leases.places(kRules).all == 6);
  CHECK(o.leases.places(kRules).workers == 2);
  CHECK(o.leases.places(kRules).of_others == 5);
  o.leases.gone("b");
  CHECK(o.leases.places(kRules).all == 2);
}

TEST_CASE("what is offered and not claimed can be withdrawn", "[serve][unit]") {
  Shared o;
  const std::int64_t first = o.offered(), second = o.offered();
  REQUIRE(o.claimed().id == first);
  const std::vector<KeptAttempt> withdrawn = o.leases.withdraw();
  REQUIRE(withdrawn.size() == 1);
  CHECK(withdrawn[0].id == second);
  CHECK(o.store.claim(second));
}

}  // namespace warpgrade
