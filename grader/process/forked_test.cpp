#include "grader/process/forked.h"

#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <csignal>
#include <stdexcept>
#include <thread>

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
      seconds(10));
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
      seconds(10));
  CHECK_FALSE(crashed.returned);
  CHECK(crashed.told == "before");
  CHECK(crashed.end.starts_with("was ended by SIGFPE ("));
  const Forked threw =
      run_forked([](const Tell&) { throw std::runtime_error("bad"); }, seconds(10));
  CHECK_FALSE(threw.returned);
}

TEST_CASE("a function that never ends is stopped", "[process][forked]") {
  const Forked busy = run_forked(
      [](const Tell&) {
        volatile unsigned long n = 0;
        while (true) n = n + 1;
      },
      seconds(1));
  CHECK_FALSE(busy.returned);
  CHECK(busy.end == "ran longer than 1 s and was stopped");
}

TEST_CASE("a copy holds no pipe of another thread's program open", "[process][forked]") {
  std::thread copy([] { (void)run_forked([](const Tell&) { ::usleep(3'000'000); }, seconds(10)); });
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
