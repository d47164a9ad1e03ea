#include "harness/case/tried_edits.h"

#include <catch2/catch_test_macros.hpp>
#include <cstring>
#include <string>
#include <vector>

#include "harness/case/request.h"
#include "harness/testing/temporary_folder.h"

namespace warpgrade {

namespace {

using warpsim::cudart::EditResults;

const std::filesystem::path kEditsRoot = WARPGRADE_SOURCE_ROOT;

/// Case "tail" of vecadd.
struct OneCase {
  Lab lab = load_lab(kEditsRoot / "labs" / "vecadd");
  GoldenLibrary golden{golden_file(WARPGRADE_BUILD_ROOT "/lib", lab)};
  std::shared_ptr<const CaseData> data = make_case_data(lab, lab.cases.back(), {}, golden);
};

/// The right sums, and this number more in the last one.
std::vector<std::byte> sums(const CaseData& data, float more) {
  const auto& want = data.expected.at("c").want;
  std::vector<float> c(want.begin(), want.end());
  c.back() += more;
  std::vector<std::byte> bytes(c.size() * sizeof(float));
  std::memcpy(bytes.data(), c.data(), bytes.size());
  return bytes;
}

TriedEdit edit(std::int32_t output) {
  TriedEdit tried;
  tried.text = "vecadd.cu:1/add.s32/2/1/2";
  tried.output = output;
  return tried;
}

std::string text(const std::vector<std::byte>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

TEST_CASE("each edit's outputs are judged like those of a run", "[case][edits]") {
  const OneCase one;
  const TemporaryFolder folder;
  PreparedCase prepared = prepare_case(one.data, folder.path());
  const EditResults results = {.problem = "",
                               .names = {"c"},
                               .outputs = {{sums(*one.data, 9)}, {sums(*one.data, 0)}},
                               .edits = {edit(0), edit(1), edit(TriedEdit::kNoOutput), edit(1)}};
  const auto file = folder.path() / "results";
  CHECK_FALSE(read_tried_edits(file, prepared));
  REQUIRE(warpsim::cudart::write_edit_results(file, results));
  folder.write(output_file("c"), text(sums(*one.data, 9)));
  const auto tried = read_tried_edits(file, prepared);
  REQUIRE(tried);
  CHECK(tried->problem.empty());
  CHECK_FALSE(tried->unedited_is_right);
  CHECK(tried->right == std::vector{false, true, false, true});
  CHECK(tried->edits.size() == 4);
}

TEST_CASE("nothing is learned if the same work gives other outputs than the run", "[case][edits]") {
  const OneCase one;
  const TemporaryFolder folder;
  const PreparedCase prepared = prepare_case(one.data, folder.path());
  EditResults results = {
      .problem = "", .names = {"c"}, .outputs = {{sums(*one.data, 9)}}, .edits = {edit(0)}};
  const auto file = folder.path() / "results";
  REQUIRE(warpsim::cudart::write_edit_results(file, results));
  folder.write(output_file("c"), text(sums(*one.data, 8)));
  CHECK(read_tried_edits(file, prepared)->problem == "the same work gives other outputs");
  results.outputs.front().front().pop_back();
  REQUIRE(warpsim::cudart::write_edit_results(file, results));
  CHECK(read_tried_edits(file, prepared)->problem == "an output is missing");
  results = {.problem = "a kernel failed", .names = {}, .outputs = {}, .edits = {}};
  REQUIRE(warpsim::cudart::write_edit_results(file, results));
  CHECK(read_tried_edits(file, prepared)->problem == "a kernel failed");
}

}  // namespace warpgrade
