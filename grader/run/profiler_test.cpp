#include "grader/run/profiler.h"

#include <catch2/catch_test_macros.hpp>

namespace warpgrade {
namespace {

TEST_CASE("ncu's table is read launch by launch, without its units and messages",
          "[run][profiler]") {
  const auto launches = read_profile(
      "==PROF== Connected to process 42\n"
      "\"ID\",\"Process ID\",\"Kernel Name\",\"Block Size\",\"gpu__time_duration.sum\"\n"
      "\"\",\"\",\"\",\"\",\"ns\"\n"
      "\"0\",\"42\",\"add(const float *, int)\",\"(256, 1, 1)\",\"1,234.5\"\n"
      "\"1\",\"42\",\"f<\"\"x\"\">()\",\"(1, 1, 1)\",\"n/a\"\n");
  REQUIRE(launches);
  REQUIRE(launches->size() == 2);
  CHECK(launches->at(0).kernel == "add(const float *, int)");
  CHECK(launches->at(0).metrics == std::map<std::string, double>{{kDurationMetric, 1234.5}});
  CHECK(launches->at(1).kernel == "f<\"x\">()");
  CHECK(launches->at(1).metrics.empty());
}

TEST_CASE("a run that profiled nothing has no table", "[run][profiler]") {
  CHECK_FALSE(read_profile("==PROF== No kernels were profiled.\n"));
  CHECK_FALSE(read_profile(""));
}

TEST_CASE("the profiler leaves the clocks alone and writes to a file of its own",
          "[run][profiler]") {
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
