#include "harness/data/dataset.h"

#include <catch2/catch_test_macros.hpp>

#include "harness/data/categories.h"
#include "harness/lab/lab.h"
#include "harness/testing/temporary_folder.h"

namespace warpgrade {

namespace {

/// The error message for a file with these contents.
std::string complaint(const std::string& text) {
  const TemporaryFolder folder;
  folder.write("datasets/x.toml", text);
  try {
    (void)load_datasets(folder.path() / "datasets/x.toml", folder.path());
  } catch (const LabError& error) {
    return error.what();
  }
  return "accepted";
}

Dataset with_extent(std::int64_t n) {
  Dataset dataset;
  dataset.dims = {{"n", n}};
  return dataset;
}

}  // namespace

TEST_CASE("a dataset has dims, fills, offsets and categories", "[data][dataset]") {
  const TemporaryFolder folder;
  folder.write("d.toml", R"(schema = 1
[[dataset]]
name = "small"
dims = { m = 3, n = 17 }
categories = ["misaligned"]
output_offset = 2
inputs.a = { distribution = "integers", low = 0, high = 9, offset = 1 }
inputs.b = { distribution = "constant", value = 4 }
)");
  const auto datasets = load_datasets(folder.path() / "d.toml", folder.path());
  REQUIRE(datasets.size() == 1);
  const Dataset& d = datasets[0];
  CHECK(d.dims == Dims{{"m", 3}, {"n", 17}});
  CHECK(d.output_offset == 2);
  CHECK(d.fills.at("a").distribution == Distribution::integers);
  CHECK(d.fills.at("a").high == 9);
  CHECK(d.fills.at("a").offset == 1);
  CHECK(d.fills.at("b").distribution == Distribution::constant);
  CHECK(d.fills.at("b").low == 4);
}

TEST_CASE("a dataset may not claim a category that it does not have", "[data][dataset]") {
  CHECK(complaint("schema = 1\n[[dataset]]\nname = \"p\"\ndims = { n = 100 }\n"
                  "categories = [\"prime\"]\n") ==
        "datasets/x.toml:5: [[dataset]] \"p\" claims 'prime' but does not have a prime extent "
        "above 32; change its data or drop the claim");
}

TEST_CASE("for a misspelt category, the nearest one is suggested", "[data][dataset]") {
  CHECK(complaint("schema = 1\n[[dataset]]\nname = \"p\"\ndims = { n = 100 }\n"
                  "categories = [\"pirme\"]\n") ==
        "datasets/x.toml:5: unknown category 'pirme' in [[dataset]] \"p\"; did you mean 'prime'?");
}

TEST_CASE("for a misspelt distribution, the nearest one is suggested", "[data][dataset]") {
  CHECK(complaint("schema = 1\n[[dataset]]\nname = \"p\"\ndims = { n = 100 }\n"
                  "inputs.a = { distribution = \"unifrom\" }\n") ==
        "datasets/x.toml:5: key 'distribution' in [a] is 'unifrom'; did you mean 'uniform'? it "
        "must be one of uniform, normal, integers, constant, ramp, signs, extremes, nans, skewed, "
        "runs, words, sorted, descending, nearly-sorted");
}

TEST_CASE("negative extents and two datasets with one name are rejected", "[data][dataset]") {
  CHECK(complaint("schema = 1\n[[dataset]]\nname = \"p\"\ndims = { n = -1 }\n") ==
        "datasets/x.toml:4: extent 'n' is -1; it must be 0 to 2147483648");
  CHECK(complaint("schema = 1\n[[dataset]]\nname = \"p\"\ndims = { n = 1 }\n"
                  "[[dataset]]\nname = \"p\"\ndims = { n = 1 }\n") ==
        "datasets/x.toml:6: dataset 'p' occurs twice; rename one");
}

TEST_CASE("each category holds for its extent and not for adjacent ones", "[data][categories]") {
  const auto holds = [](const char* name, std::int64_t n) {
    return find_category(name)->holds(with_extent(n));
  };
  CHECK(holds("size-zero", 0));
  CHECK_FALSE(holds("size-zero", 1));
  CHECK(holds("size-one", 1));
  CHECK_FALSE(holds("size-one", 2));
  CHECK(holds("below-warp", 31));
  CHECK_FALSE(holds("below-warp", 32));
  CHECK_FALSE(holds("below-warp", 1));
  CHECK(holds("block-minus-one", 255));
  CHECK_FALSE(holds("block-minus-one", 256));
  CHECK(holds("whole-block", 256));
  CHECK_FALSE(holds("whole-block", 257));
  CHECK(holds("block-plus-one", 1025));
  CHECK_FALSE(holds("block-plus-one", 1024));
  CHECK(holds("prime", 10007));
  CHECK_FALSE(holds("prime", 31));
  CHECK_FALSE(holds("prime", 10001));
  CHECK(holds("large-ragged", 100001));
  CHECK_FALSE(holds("large-ragged", 99999));
  CHECK_FALSE(holds("large-ragged", 1 << 20));
  CHECK(holds("power-of-two", 1 << 20));
  CHECK_FALSE(holds("power-of-two", 512));
}

TEST_CASE("settings are names for formulas, but not extents", "[data][dataset]") {
  const TemporaryFolder folder;
  folder.write("d.toml", R"(schema = 1
[[dataset]]
name = "one"
dims = { n = 1 }
settings = { op = 3 }
categories = ["size-one"]
)");
  const Dataset one = load_datasets(folder.path() / "d.toml", folder.path()).at(0);
  CHECK(one.dims == Dims{{"n", 1}, {"op", 3}});
  CHECK(one.settings == std::vector<std::string>{"op"});
}

TEST_CASE("a mask is wider than its image if it is in one direction", "[data][category]") {
  Dataset dataset;
  dataset.dims = {{"height", 9}, {"width", 4}, {"mask_height", 5}, {"mask_width", 5}};
  CHECK(find_category("mask-wider")->holds(dataset));
  dataset.dims["width"] = 5;
  CHECK_FALSE(find_category("mask-wider")->holds(dataset));
}

TEST_CASE("high contention needs many elements on few values", "[data][category]") {
  Dataset dataset = with_extent(10000);
  CHECK_FALSE(find_category("high-contention")->holds(dataset));
  dataset.fills["a"].distribution = Distribution::skewed;
  CHECK(find_category("high-contention")->holds(dataset));
  dataset.dims["n"] = 9999;
  CHECK_FALSE(find_category("high-contention")->holds(dataset));
}

}  // namespace warpgrade
