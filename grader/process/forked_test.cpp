#include "grader/process/forked.h"

#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <csignal>
#include <cstdlib>
#include <stdexcept>
#include <thread>
#include <vector>

#include "grader/process/process.h"

namespace warpgrade {
using std::chrono::seconds;
namespace {

TEST_CASE("a function in a copy of the process tells what it finds, and changes nothing here",
          "[process][forked]") {
  int changed = 0;
  const Forked forked = run_forked(
      [&](const Tell& tell) {
        changed = 1;
        tell("one ");
        tell(std::string(100'000, 'x'));
      },
      {.time = seconds(10)});
  CHECK(forked.returned);
  CHECK(forked.told == "one " + std::string(100'000, 'x'));
  CHECK(changed == 0);
}

TEST_CASE("a function that crashes or throws ends its copy, and what it told before is kept",
          "[process][forked]") {
  const Forked crashed = run_forked(
      [](const Tell& tell) {
        tell("before");
        (void)::raise(SIGFPE);
      },
      {.time = seconds(10)});
  CHECK_FALSE(crashed.returned);
  CHECK(crashed.told == "before");
  CHECK(crashed.end.starts_with("was ended by SIGFPE ("));
  const Forked threw =
      run_forked([](const Tell&) { throw std::runtime_error("bad"); }, {.time = seconds(10)});
  CHECK_FALSE(threw.returned);
}

TEST_CASE("a function that never ends is stopped", "[process][forked]") {
  const Forked busy = run_forked(
      [](const Tell&) {
        volatile unsigned long n = 0;
        while (true) n = n + 1;
      },
      {.time = seconds(1)});
  CHECK_FALSE(busy.returned);
  CHECK(busy.end == "ran longer than 1 s and was stopped");
}

TEST_CASE("a function that waits forever is stopped, and one that waits for a while is not",
          "[process][forked]") {
  const Forked waits = run_forked([](const Tell&) { ::pause(); }, {.time = seconds(1)});
  CHECK(waits.out_of_time);
  CHECK(waits.end == "ran longer than 1 s and was stopped");
  const Forked sleeps = run_forked([](const Tell&) { ::usleep(300'000); }, {.time = seconds(5)});
  CHECK(sleeps.returned);
}

TEST_CASE(
    "a function that calls exit() has not returned, and nothing of this process is cleaned up",
    "[process][forked]") {
  static int* cleaned = new int(0);
  (void)std::atexit([] { ++*cleaned; });
  const Forked left = run_forked([](const Tell&) { std::exit(0); }, {.time = seconds(10)});
  CHECK_FALSE(left.returned);
  CHECK(left.end == "called exit()");
  CHECK(*cleaned == 0);
}

TEST_CASE("a function that takes more and more memory is stopped", "[process][forked]") {
  const auto take = [](std::size_t bytes) {
    std::vector<char> memory(bytes, 'x');
    ::usleep(300'000);
  };
  constexpr std::size_t kMost = 64 << 20;
  const ForkedLimits limits = {.time = seconds(10), .more_bytes = kMost};
  const Forked much = run_forked([&](const Tell&) { take(3 * kMost); }, limits);
  CHECK_FALSE(much.returned);
  CHECK(much.end.starts_with("used more than "));
  CHECK(run_forked([&](const Tell&) { take(kMost / 4); }, limits).returned);
}

TEST_CASE("a copy holds no pipe of another thread's program open", "[process][forked]") {
  std::thread copy(
      [] { (void)run_forked([](const Tell&) { ::usleep(3'000'000); }, {.time = seconds(10)}); });
  ProcessSpec spec;
  spec.argv = {"sh", "-c", "sleep 0.3; echo done"};
  spec.environment = base_environment();
  const ProcessResult result = run_process(spec);
  CHECK(result.out == "done\n");
  CHECK(result.seconds < 2);
  copy.join();
}

}  // namespace
}  // namespace warpgrade
