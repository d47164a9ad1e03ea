#include "grader/process/followed.h"

#include <catch2/catch_test_macros.hpp>

#include "grader/core/error.h"
#include "grader/process/process.h"

namespace warpgrade {
namespace {

FollowedProgram script(const std::string& text) {
  return {.argv = {"/bin/sh", "-c", text}, .environment = base_environment()};
}

}  // namespace

TEST_CASE("a followed program's lines arrive one by one, and its output at the end",
          "[process][unit]") {
  std::vector<std::string> lines;
  FollowedProgram program =
      script("echo one >&2; echo out; echo two >&2; printf three >&2; exit 7");
  program.on_line = [&](std::string_view line) { lines.emplace_back(line); };
  const std::atomic<bool> stop = false;
  const FollowedEnd end = follow(program, stop);
  CHECK(lines == std::vector<std::string>{"one", "two"});
  CHECK(end.out == "out\n");
  CHECK(end.err == "one\ntwo\nthree");
  CHECK(end.code == 7);
  CHECK_FALSE(end.stopped);
}

TEST_CASE("a followed program that is stopped may clean up first", "[process][unit]") {
  std::atomic<bool> stop = false;
  FollowedProgram program =
      script("trap 'echo cleaned; exit 3' TERM; echo ready >&2; while :; do sleep 0.05; done");
  program.on_line = [&](std::string_view) { stop = true; };
  const FollowedEnd end = follow(program, stop);
  CHECK(end.stopped);
  CHECK(end.out == "cleaned\n");
  CHECK(end.code == 3);
}

TEST_CASE("output beyond the limit is dropped, and the program goes on", "[process][unit]") {
  FollowedProgram program = script("head -c 1000000 /dev/zero; exit 5");
  program.output_bytes = 1000;
  const std::atomic<bool> stop = false;
  const FollowedEnd end = follow(program, stop);
  CHECK(end.out.size() == 1000);
  CHECK(end.code == 5);
}

TEST_CASE("a program that does not exist is an error that names it", "[process][unit]") {
  const std::atomic<bool> stop = false;
  try {
    (void)follow({.argv = {"/no/such/program"}, .environment = {}}, stop);
    FAIL("it started");
  } catch (const EnvironmentError& e) {
    CHECK(std::string(e.what()) == "cannot start /no/such/program: No such file or directory");
  }
}

}  // namespace warpgrade
