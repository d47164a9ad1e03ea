#include <catch2/catch_test_macros.hpp>
#include <string>

#include "emulator/libraries/tests/scenario.h"

// Programs under the launcher that call cuRAND: the messages, and that programs without the mistake
// have none.

using warpsim::testing::Kinds;
using warpsim::testing::Run;
using warpsim::testing::scenario;

TEST_CASE("random numbers past the end of their array are out of bounds", "[libraries][curand]") {
  const Run run = scenario("outside");
  CHECK(run.out == "0, then cudaErrorIllegalAddress\n");
  const auto finding = run.finding("oob-global-write");
  CHECK(finding["message"] ==
        "curandGenerateUniform: `outputPtr` (100 numbers) goes past the end of cudaMalloc #1 (396 "
        "bytes)");
  CHECK(finding["file"].get<std::string>().ends_with("curand_scenarios.cpp"));
  const Run fits = scenario("fits");
  CHECK(fits.out == "0, then cudaSuccess\n");
  CHECK(fits.kinds() == Kinds{});
}

TEST_CASE("an odd number of normal numbers is refused", "[libraries][curand]") {
  const Run run = scenario("odd");
  CHECK(run.out == "105\n");
  CHECK(run.finding("library-argument")["message"] ==
        "curandGenerateNormal refuses its arguments: the number of results is 3");
  CHECK(scenario("even").kinds() == Kinds{});
}

TEST_CASE("random numbers in host memory, or in two streams, are reported", "[libraries][curand]") {
  CHECK(scenario("host_pointer").finding("host-pointer-in-kernel")["message"] ==
        "curandGenerateUniform: `outputPtr` (4 numbers) is host memory");
  CHECK(scenario("stream_race").kinds() == Kinds{"stream-race"});
  CHECK(scenario("stream_order").kinds() == Kinds{});
}

TEST_CASE("what cuRAND has and the drop-in lacks is one finding", "[libraries][curand]") {
  const Run type = scenario("missing_type");
  CHECK(type.out == "103\n");
  CHECK(type.kinds() == Kinds{"unsupported-api"});
  const Run function = scenario("missing_function");
  CHECK(function.out == "999\n");
  CHECK(function.kinds() == Kinds{"unsupported-api"});
  CHECK(function.finding("unsupported-api")["message"] ==
        "curandGeneratePoisson is not supported by the emulator yet");
}

TEST_CASE("a generator that was destroyed is refused", "[libraries][curand]") {
  CHECK(scenario("destroyed").kinds() == Kinds{"library-argument"});
}
