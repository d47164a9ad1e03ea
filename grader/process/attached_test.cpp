#include "grader/process/attached.h"

#include <catch2/catch_test_macros.hpp>
#include <chrono>
#include <optional>
#include <thread>

#include "grader/core/error.h"

namespace warpgrade {
namespace {

/// Its exit code, when it has ended.
int code_of(AttachedProcess& process) {
  std::optional<int> code;
  while (!(code = process.ended())) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  return *code;
}

TEST_CASE("an attached program is looked up in PATH, and its exit code is told once", "[process]") {
  AttachedProcess process({"sh", "-c", "exit 3"});
  CHECK(code_of(process) == 3);
  CHECK_FALSE(process.ended());
}

TEST_CASE("an attached program ends when it is stopped", "[process]") {
  AttachedProcess process({"sleep", "600"});
  CHECK_FALSE(process.ended());
  process.stop();
  CHECK_FALSE(process.ended());
  AttachedProcess killed({"sh", "-c", "kill -KILL $$"});
  CHECK(code_of(killed) == 128 + 9);
}

TEST_CASE("a program that does not exist cannot be attached", "[process]") {
  CHECK_THROWS_AS(AttachedProcess({"/does/not/exist"}), EnvironmentError);
}

TEST_CASE("the whole environment has what ours has", "[process]") {
  bool has_path = false;
  for (const auto& variable : whole_environment()) {
    has_path = has_path || (variable.first == "PATH" && !variable.second.empty());
  }
  CHECK(has_path);
}

}  // namespace
}  // namespace warpgrade
