#include "grader/serve/jobs/fair_queue.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cstdlib>
#include <random>
#include <set>

// Properties of the order, for random queues.

namespace warpgrade {
namespace {

using Cost = FairQueue::Cost;
using Entry = FairQueue::Entry;

constexpr int kQueues = 200;

/// Up to `most` entries of up to six persons.
std::vector<Entry> some_entries(std::mt19937& random, std::size_t most) {
  const auto below = [&](std::size_t n) { return random() % n; };
  std::vector<Entry> entries;
  const std::size_t count = 1 + below(most), persons = 1 + below(6);
  for (std::size_t i = 0; i < count; ++i) {
    entries.push_back({.id = static_cast<std::int64_t>(i) + 1,
                       .person = std::to_string(below(persons)),
                       .urgency = static_cast<Urgency>(below(4)),
                       .cost = Cost(1 + below(10'000))});
  }
  return entries;
}

FairQueue queue_of(const std::vector<Entry>& entries) {
  FairQueue queue;
  for (const Entry& entry : entries) queue.add(entry);
  return queue;
}

const Entry& entry_of(const std::vector<Entry>& entries, std::int64_t id) {
  return entries.at(static_cast<std::size_t>(id) - 1);
}

}  // namespace

TEST_CASE("everything that waits begins once, in the order that was announced", "[serve][unit]") {
  for (int seed = 0; seed < kQueues; ++seed) {
    CAPTURE(seed);
    std::mt19937 random(static_cast<unsigned>(seed));
    const std::vector<Entry> entries = some_entries(random, 60);
    FairQueue queue = queue_of(entries);
    const std::vector<std::int64_t> announced = queue.order();
    std::vector<std::int64_t> begun;
    while (const auto id = queue.front()) {
      CHECK(queue.front() == id);
      begun.push_back(*id);
      queue.take();
    }
    CHECK(begun == announced);
    CHECK(std::set<std::int64_t>(begun.begin(), begun.end()).size() == entries.size());
    CHECK(begun.size() == entries.size());
  }
}

TEST_CASE("each person's attempts of one urgency keep their order", "[serve][unit]") {
  for (int seed = 0; seed < kQueues; ++seed) {
    CAPTURE(seed);
    std::mt19937 random(static_cast<unsigned>(seed));
    const std::vector<Entry> entries = some_entries(random, 60);
    const std::vector<std::int64_t> order = queue_of(entries).order();
    for (std::size_t i = 0; i < order.size(); ++i) {
      for (std::size_t j = i + 1; j < order.size(); ++j) {
        const Entry& earlier = entry_of(entries, order[i]);
        const Entry& later = entry_of(entries, order[j]);
        const bool same = earlier.urgency == later.urgency && earlier.person == later.person;
        REQUIRE((!same || earlier.id < later.id));
      }
    }
  }
}

TEST_CASE("what is more urgent begins first, but for the shares of what waits", "[serve][unit]") {
  for (int seed = 0; seed < kQueues; ++seed) {
    CAPTURE(seed);
    std::mt19937 random(static_cast<unsigned>(seed));
    const std::vector<Entry> entries = some_entries(random, 200);
    std::map<Urgency, std::size_t> waiting;
    Cost all{0};
    for (const Entry& entry : entries) ++waiting[entry.urgency];
    std::map<Urgency, Cost> early;  // used while something more urgent waits
    for (const std::int64_t id : queue_of(entries).order()) {
      const Entry& entry = entry_of(entries, id);
      all += entry.cost;
      const bool is_first = waiting.begin()->first == entry.urgency;
      if (!is_first) {
        const Cost share = all / FairQueue::kShares[static_cast<std::size_t>(entry.urgency)];
        REQUIRE((early[entry.urgency] += entry.cost) <= share);
      }
      if (--waiting[entry.urgency] == 0) waiting.erase(entry.urgency);
    }
  }
}

TEST_CASE("a submission does not wait for as long as others check", "[serve][unit]") {
  // One worker, on a clock that only attempts move: 30 students check again as soon as they can.
  FairQueue queue;
  std::chrono::milliseconds clock{0};
  std::int64_t id = 0;
  std::map<std::int64_t, Entry> known;
  const auto add = [&](const std::string& person, Urgency urgency, Cost cost) {
    ++id;
    known[id] = {.id = id, .person = person, .urgency = urgency, .cost = cost};
    queue.add(known[id]);
  };
  for (int i = 0; i < 30; ++i) add("checks " + std::to_string(i), Urgency::interactive, Cost(4000));
  for (int i = 0; i < 40; ++i) add("near " + std::to_string(i), Urgency::near_due, Cost(6000));
  for (int i = 0; i < 40; ++i) add("later " + std::to_string(i), Urgency::later, Cost(6000));
  for (int i = 0; i < 40; ++i) add("regrade " + std::to_string(i), Urgency::batch, Cost(6000));
  std::map<Urgency, Cost> used;
  std::map<Urgency, std::chrono::milliseconds> first;
  while (clock < std::chrono::minutes(15)) {
    const Entry begun = known.at(queue.front().value());
    queue.take();
    first.try_emplace(begun.urgency, clock);
    clock += begun.cost;
    used[begun.urgency] += begun.cost;
    if (begun.urgency == Urgency::interactive) add(begun.person, Urgency::interactive, begun.cost);
  }
  CHECK(used[Urgency::near_due] >= clock / 4 - Cost(6000));
  CHECK(used[Urgency::later] >= clock / 8 - Cost(6000));
  CHECK(used[Urgency::batch] >= clock / 16 - Cost(6000));
  CHECK(used[Urgency::interactive] >= clock * 9 / 16);
  CHECK(first[Urgency::interactive] == Cost(0));
  CHECK(first[Urgency::near_due] <= Cost(30'000));
  CHECK(first[Urgency::later] <= Cost(60'000));
}

TEST_CASE("what waited alone has saved up nothing when checks come", "[serve][unit]") {
  FairQueue queue;
  for (int i = 1; i <= 50; ++i) {
    queue.add({.id = i, .person = "s", .urgency = Urgency::near_due, .cost = Cost(5000)});
  }
  for (int i = 0; i < 30; ++i) queue.take();
  queue.add({.id = 51, .person = "t", .urgency = Urgency::interactive, .cost = Cost(5000)});
  CHECK(queue.front() == 51);
}

TEST_CASE("persons who all wait get the same time, but for one quantum and two attempts",
          "[serve][unit]") {
  for (int seed = 0; seed < kQueues; ++seed) {
    CAPTURE(seed);
    std::mt19937 random(static_cast<unsigned>(seed));
    std::vector<Entry> entries = some_entries(random, 200);
    std::map<std::string, std::size_t> waiting;
    Cost most{0};
    for (Entry& entry : entries) {
      entry.urgency = Urgency::later;
      ++waiting[entry.person];
      most = std::max(most, entry.cost);
    }
    std::map<std::string, Cost> used;
    for (const auto& [person, count] : waiting) used[person] = Cost(0);
    for (const std::int64_t id : queue_of(entries).order()) {
      const Entry& entry = entry_of(entries, id);
      used[entry.person] += entry.cost;
      if (--waiting[entry.person] == 0) break;  // from here on not all of them wait
      for (const auto& [a, of_a] : used) {
        for (const auto& [b, of_b] : used) REQUIRE(of_a - of_b <= FairQueue::kQuantum + 2 * most);
      }
    }
  }
}

TEST_CASE("one attempt does not wait for all those of a person who has put in many",
          "[serve][unit]") {
  FairQueue queue;
  for (int i = 1; i <= 500; ++i) {
    queue.add({.id = i, .person = "busy", .urgency = Urgency::later, .cost = Cost(2000)});
  }
  for (int i = 0; i < 10; ++i) {
    (void)queue.front();
    queue.take();
  }
  queue.add({.id = 501, .person = "other", .urgency = Urgency::later, .cost = Cost(2000)});
  const std::vector<std::int64_t> order = queue.order();
  CHECK(std::find(order.begin(), order.end(), 501) - order.begin() <= 2);
}

TEST_CASE("what was removed does not begin, and everything else does", "[serve][unit]") {
  for (int seed = 0; seed < kQueues; ++seed) {
    CAPTURE(seed);
    std::mt19937 random(static_cast<unsigned>(seed));
    const std::vector<Entry> entries = some_entries(random, 40);
    const std::int64_t gone = 1 + static_cast<std::int64_t>(random() % entries.size());
    FairQueue queue = queue_of(entries);
    CHECK(queue.remove(gone));
    CHECK_FALSE(queue.remove(gone));
    const std::vector<std::int64_t> order = queue.order();
    CHECK(order.size() == entries.size() - 1);
    CHECK(std::count(order.begin(), order.end(), gone) == 0);
  }
}

TEST_CASE("submissions of as many persons begin in the order in which they came", "[serve][unit]") {
  FairQueue queue;
  std::vector<std::int64_t> came;
  for (int i = 1; i <= 200; ++i) {
    queue.add(
        {.id = i, .person = std::to_string(i), .urgency = Urgency::near_due, .cost = Cost(3000)});
    came.push_back(i);
  }
  CHECK(queue.order() == came);
}

TEST_CASE("submissions keep their order when they turn out to take another time", "[serve][unit]") {
  for (const Cost now : {Cost(20), Cost(30'000)}) {
    FairQueue queue;
    std::vector<std::int64_t> came;
    const auto add = [&](std::int64_t id) {
      queue.add({.id = id,
                 .person = std::to_string(id),
                 .urgency = Urgency::near_due,
                 .cost = Cost(5000),
                 .work = "vecadd submission"});
      came.push_back(id);
    };
    for (int i = 1; i <= 100; ++i) add(i);
    for (int i = 0; i < 10; ++i) queue.take();
    queue.set_cost("vecadd submission", now);
    for (int i = 101; i <= 200; ++i) add(i);
    CHECK(queue.order() == std::vector<std::int64_t>(came.begin() + 10, came.end()));
  }
}

}  // namespace warpgrade
