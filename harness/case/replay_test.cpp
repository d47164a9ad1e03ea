#include "harness/case/replay.h"

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include "harness/case/request.h"
#include "harness/testing/temporary_folder.h"

namespace warpgrade {

namespace {

const std::filesystem::path kReplayRoot = WARPGRADE_SOURCE_ROOT;

/// Case "tail" of vecadd, and the same with other inputs.
struct TwoCases {
  Lab lab = load_lab(kReplayRoot / "labs" / "vecadd");
  GoldenLibrary golden{golden_file(WARPGRADE_BUILD_ROOT "/lib", lab)};
  std::shared_ptr<const CaseData> data = make_case_data(lab, lab.cases.back(), {}, golden);
  std::shared_ptr<const CaseData> other = make_decoy(*data, "draw", golden);
};

std::string sums_of(const CaseData& data) {
  const auto& want = data.expected.at("c").want;
  const std::vector<float> c(want.begin(), want.end());
  return {reinterpret_cast<const char*>(c.data()), c.size() * sizeof(float)};
}

}  // namespace

TEST_CASE("a replay's outputs are held against both inputs", "[case][replay]") {
  const TwoCases cases;
  REQUIRE(cases.other);
  const TemporaryFolder folder;
  const PreparedCase prepared = prepare_case(cases.data, folder.path() / "case");
  CHECK_FALSE(read_replay(folder.path(), prepared, *cases.other));
  folder.write("end.txt", "problem \nhost_reads 12\noutput_reads 80\nhost_bytes 400\n");
  folder.write(output_file("c"), sums_of(*cases.other));
  const auto replay = read_replay(folder.path(), prepared, *cases.other);
  REQUIRE(replay);
  CHECK(replay->problem.empty());
  CHECK(replay->host_reads == 12);
  CHECK(replay->host_bytes == 400);
  REQUIRE(replay->fits);
  CHECK(replay->fits->device > 0);
  CHECK(replay->fits->host + replay->fits->neither == 0);
  folder.write(output_file("c"), sums_of(*cases.data));
  const auto old = read_replay(folder.path(), prepared, *cases.other);
  REQUIRE(old);
  REQUIRE(old->fits);
  CHECK(old->fits->host > 0);
  CHECK(old->fits->device == 0);
}

TEST_CASE("a replay without an end, and one that failed, say nothing", "[case][replay]") {
  const TwoCases cases;
  REQUIRE(cases.other);
  const TemporaryFolder folder;
  const PreparedCase prepared = prepare_case(cases.data, folder.path() / "case");
  for (const char* text : {"", "problem \n", "problem \nhost_reads 12\nhost_bytes 4\n",
                           "problem \nhost_reads x\noutput_reads 0\nhost_bytes 4\n",
                           "problem \nhost_reads 12 \noutput_reads 0\nhost_bytes 4\n"}) {
    INFO(text);
    folder.write("end.txt", text);
    CHECK_FALSE(read_replay(folder.path(), prepared, *cases.other));
  }
  folder.write("end.txt",
               "problem it takes too long\nhost_reads 0\noutput_reads 0\nhost_bytes 0\n");
  const auto failed = read_replay(folder.path(), prepared, *cases.other);
  REQUIRE(failed);
  CHECK(failed->problem == "it takes too long");
  CHECK_FALSE(failed->fits);
  folder.write("end.txt", "problem \nhost_reads 0\noutput_reads 0\nhost_bytes 0\n");
  const auto lacking = read_replay(folder.path(), prepared, *cases.other);
  REQUIRE(lacking);
  CHECK(lacking->problem == "an output is missing");
}

TEST_CASE("an eighth of the inputs, or what the lab says, may come back to the host",
          "[case][replay]") {
  TwoCases cases;
  CHECK(allowed_host_reads(*cases.data, 0) == 16384);
  CHECK(allowed_host_reads(*cases.data, 800'000) == 100'000);
  cases.lab.host_reads = Expression("20000");
  CHECK(allowed_host_reads(*cases.data, 800'000) == 20'000);
  cases.lab.host_reads = Expression("0");
  CHECK(allowed_host_reads(*cases.data, 800'000) == 16384);
}

}  // namespace warpgrade
