// Tests with the tag [any_compiler] look at what does not depend on the compiler of the
// submissions. Where clang is installed it compiles them, in a fifth of nvcc's processor time, and
// in one commit of four nvcc does (scripts/tests/in_turn.py), as on a machine that has one of the
// two.

#include <algorithm>
#include <catch2/catch_test_case_info.hpp>
#include <catch2/reporters/catch_reporter_event_listener.hpp>
#include <catch2/reporters/catch_reporter_registrars.hpp>
#include <cstdlib>

#include "grader/process/process.h"
#include "grader/tests/program.h"

namespace warpgrade {
namespace {

class AnyCompiler : public Catch::EventListenerBase {
 public:
  using Catch::EventListenerBase::EventListenerBase;

  void testCaseStarting(const Catch::TestCaseInfo& test) override {
    constexpr const char* kVariable = "WARPGRADE_COMPILER";
    const bool any = std::any_of(test.tags.begin(), test.tags.end(), [](const Catch::Tag& tag) {
      return tag.original == Catch::StringRef("any_compiler");
    });
    if (any && !find_in_path("clang++").empty() &&
        !testing::is_part("compiler of " + test.name, 0, 4)) {
      ::setenv(kVariable, "clang", 1);
    } else {
      ::unsetenv(kVariable);
    }
  }
};

CATCH_REGISTER_LISTENER(AnyCompiler)

}  // namespace
}  // namespace warpgrade
