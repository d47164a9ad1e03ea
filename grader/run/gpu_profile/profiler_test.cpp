#include "grader/run/gpu_profile/profiler.h"

#include <catch2/catch_test_macros.hpp>

namespace warpgrade {
namespace {

TEST_CASE("metrics that the card does not have are not asked for", "[profile][profiler]") {
  const std::string query =
      "Device NVIDIA H200 (GH100)\n"
      "--------------------------- ---------- ------ --------------------------\n"
      "Metric Name                 Metric Type Metric Unit Metric Description\n"
      "dram__sectors_read          Counter    sector # of sectors read from DRAM\n"
      "smsp__inst_executed         Counter    inst   # of warp instructions executed\n";
  CHECK(metrics_in(query, {"dram__sectors_read.sum", "sm__nothing.sum", "smsp__inst.sum"}) ==
        std::vector<std::string>{"dram__sectors_read.sum"});
  CHECK(metrics_in("", {"a__b.sum"}) == std::vector<std::string>{"a__b.sum"});
  CHECK(metrics_in("==ERROR== no device\n", {"a__b.sum"}) == std::vector<std::string>{"a__b.sum"});
}

TEST_CASE("the profiler leaves the clocks alone and writes to a file of its own",
          "[profile][profiler]") {
  const auto words = profiler_command("/opt/ncu", {"a", "b"}, "out.csv");
  CHECK(words.front() == "/opt/ncu");
  const std::string all = [&] {
    std::string joined;
    for (const std::string& word : words) {
      joined += word + " ";
    }
    return joined;
  }();
  CHECK(all.find("--clock-control none") != std::string::npos);
  CHECK(all.find("--metrics a,b --log-file out.csv") != std::string::npos);
}

}  // namespace
}  // namespace warpgrade
