#include "harness/case/timed_case.h"

#include <catch2/catch_test_macros.hpp>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "harness/testing/temporary_folder.h"

namespace warpgrade {

namespace {

/// Two programs' outputs `c` for the same call of vecadd.
class TwoOutputs {
 public:
  explicit TwoOutputs(std::int64_t n)
      : lab_(load_lab(std::filesystem::path(WARPGRADE_SOURCE_ROOT) / "labs/vecadd")),
        submission_{.folder = folder_.path() / "submission", .request = {}, .nonce = {}},
        reference_{.folder = folder_.path() / "reference", .request = {}, .nonce = {}} {
    inputs_.lab = &lab_;
    inputs_.spec.data.dims["n"] = n;
    inputs_.expected["c"].bound = {0.25, 0.5};
    std::filesystem::create_directories(submission_.folder);
    std::filesystem::create_directories(reference_.folder);
  }

  std::optional<std::string> compare(std::span<const float> got, std::span<const float> want) {
    write("submission/out-c.bin.3", got);
    write("reference/out-c.bin.3", want);
    return wrong_by_reference(inputs_, submission_, reference_, 3);
  }

 private:
  void write(const std::string& file, std::span<const float> values) {
    folder_.write(file,
                  std::string(reinterpret_cast<const char*>(values.data()), values.size_bytes()));
  }

  TemporaryFolder folder_;
  Lab lab_;
  TimedInputs inputs_;
  PreparedTiming submission_;
  PreparedTiming reference_;
};

}  // namespace

TEST_CASE("outputs are compared to their last element, however large they are", "[timing]") {
  constexpr std::size_t kCount = 700'001;  // more than is compared at a time, and not a multiple
  TwoOutputs outputs(kCount);
  const std::vector<float> want(kCount, 1.0F);
  std::vector<float> got = want;
  CHECK_FALSE(outputs.compare(got, want).has_value());
  got[kCount - 1] = 3;
  got[300'000] = 4;
  CHECK(outputs.compare(got, want) ==
        "`c` is wrong at 2 of 700001 elements, the first at index 300000: 4, not 1.");
}

TEST_CASE("two programs may each be off by the error bound, and no more", "[timing]") {
  TwoOutputs outputs(3);
  CHECK_FALSE(outputs.compare(std::vector{1.0F, 2.0F, 4.0F}, std::vector{1.0F, 2.0F, 3.0F}));
  CHECK(outputs.compare(std::vector{1.0F, 2.0F, 4.5F}, std::vector{1.0F, 2.0F, 3.0F}) ==
        "`c` is wrong at 1 of 3 elements, the first at index 2: 4.5, not 3.");
  constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
  CHECK_FALSE(outputs.compare(std::vector{1.0F, kNaN, 3.0F}, std::vector{1.0F, kNaN, 3.0F}));
  CHECK(outputs.compare(std::vector{1.0F, kNaN, 3.0F}, std::vector{1.0F, 2.0F, 3.0F}).has_value());
}

TEST_CASE("an output of another length is incomplete", "[timing]") {
  TwoOutputs outputs(3);
  CHECK(outputs.compare(std::vector{1.0F, 2.0F}, std::vector{1.0F, 2.0F, 3.0F}) ==
        "`c` was not written in full.");
  CHECK(outputs.compare(std::vector{1.0F, 2.0F, 3.0F, 4.0F}, std::vector{1.0F, 2.0F, 3.0F}) ==
        "`c` was not written in full.");
}

TEST_CASE("inputs whose elements are in no order can be mixed, a ramp and runs cannot",
          "[timing]") {
  const Lab lab = load_lab(std::filesystem::path(WARPGRADE_SOURCE_ROOT) / "labs/vecadd");
  const GoldenLibrary golden(golden_file(WARPGRADE_BUILD_ROOT "/lib", lab));
  Case spec = lab.cases.front();
  Fill& fill = spec.data.fills.at("a");
  const auto mixes = [&](Distribution distribution) {
    fill.distribution = distribution;
    const TemporaryFolder folder;
    const TimedInputs inputs = make_timed_inputs(lab, spec, Secret{""}, golden, folder.path());
    return inputs.files.at("a").mixes;
  };
  CHECK(mixes(Distribution::uniform));
  CHECK(mixes(Distribution::skewed));
  CHECK_FALSE(mixes(Distribution::ramp));
  CHECK_FALSE(mixes(Distribution::runs));
  CHECK_FALSE(mixes(Distribution::sorted));
  CHECK_FALSE(mixes(Distribution::nearly_sorted));
}

}  // namespace warpgrade
