#include <catch2/catch_test_macros.hpp>
#include <string>

#include "emulator/libraries/tests/scenario.h"

// Programs under the launcher that call cuFFT: the messages, and that programs without the mistake
// have none.

using warpsim::testing::Kinds;
using warpsim::testing::Run;
using warpsim::testing::scenario;

TEST_CASE("a batch that goes past the end of its array is out of bounds", "[libraries][cufft]") {
  const Run run = scenario("outside");
  CHECK(run.out == "cudaErrorIllegalAddress\n");
  const auto finding = run.finding("oob-global-write");
  CHECK(finding["message"] ==
        "cufftExecC2C: `odata` (100 complex numbers, batch of 10) goes past the end of cudaMalloc "
        "#2 (7992 bytes)");
  CHECK(finding["file"].get<std::string>().ends_with("cufft_scenarios.cpp"));
  const Run fits = scenario("fits");
  CHECK(fits.out == "cudaSuccess\n");
  CHECK(fits.kinds() == Kinds{});
}

TEST_CASE("real numbers that are transformed in place need padded rows", "[libraries][cufft]") {
  CHECK(scenario("not_padded").kinds() == Kinds{"oob-global-write"});
  CHECK(scenario("padded").kinds() == Kinds{});
}

TEST_CASE("elements between the strides of a transform are not read", "[libraries][cufft]") {
  CHECK(scenario("all").kinds() == Kinds{"unwritten-global-read"});
  CHECK(scenario("every_second").kinds() == Kinds{});
}

TEST_CASE("transforms in two streams race for arrays and work areas", "[libraries][cufft]") {
  CHECK(scenario("stream_race").kinds() == Kinds{"stream-race"});
  CHECK(scenario("stream_order").kinds() == Kinds{});
  CHECK(scenario("shared_area").kinds() == Kinds{"stream-race"});
  CHECK(scenario("own_areas").kinds() == Kinds{});
}

TEST_CASE("a plan of another type is refused", "[libraries][cufft]") {
  const Run run = scenario("other_type");
  CHECK(run.finding("library-argument")["message"] ==
        "cufftExecZ2Z refuses its arguments: the plan is one of CUFFT_C2C");
  CHECK(scenario("same_type").kinds() == Kinds{});
}

TEST_CASE("what cuFFT has and the drop-in lacks is one finding", "[libraries][cufft]") {
  const Run run = scenario("missing");
  CHECK(run.out == "14\n");
  CHECK(run.kinds() == Kinds{"unsupported-api"});
}
