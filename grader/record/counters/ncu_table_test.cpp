#include "grader/record/counters/ncu_table.h"

#include <catch2/catch_test_macros.hpp>

namespace warpgrade {
namespace {

TEST_CASE("ncu's table is read launch by launch, without its units and messages",
          "[counters][ncu_table]") {
  const auto launches = read_profile(
      "==PROF== Connected to process 42\n"
      "\"ID\",\"Process ID\",\"Kernel Name\",\"Block Size\",\"gpu__time_duration.sum\"\n"
      "\"\",\"\",\"\",\"\",\"ns\"\n"
      "\"0\",\"42\",\"add(const float *, int)\",\"(256, 1, 1)\",\"1,234.5\"\n"
      "\"1\",\"42\",\"f<\"\"x\"\">()\",\"(1, 1, 1)\",\"n/a\"\n");
  REQUIRE(launches);
  REQUIRE(launches->size() == 2);
  CHECK(launches->at(0).block == std::vector<std::uint64_t>{256, 1, 1});
  CHECK(launches->at(0).grid.empty());
  CHECK(launches->at(0).kernel == "add(const float *, int)");
  CHECK(launches->at(0).metrics == std::map<std::string, double>{{kDurationMetric, 1234.5}});
  CHECK(launches->at(1).kernel == "f<\"x\">()");
  CHECK(launches->at(1).metrics.empty());
}

TEST_CASE("lines that are not a launch of the table are skipped", "[counters][ncu_table]") {
  const auto launches = read_profile(
      "==WARNING== Note: Running with unmodified GPU clocks.\n"
      "==ERROR== Failed to read a metric\n"
      "\"ID\",\"Kernel Name\",\"Grid Size\",\"a__b.sum\",\"a__c.sum\",\"a__d.pct\"\n"
      "\"\",\"\",\"\",\"sector\",\"\",\"%\"\n"
      "\"0\",\"f(int)\",\"(1, 2, 1)\",\"nan\",\"inf\",\"(!) 7\"\n"
      "\"1\",\"cut\n"
      "==PROF== Disconnected from process 42\n"
      "\"2\",\"g(int)\",\"-\",\"\",\"1e3\",\"99.5\"\n");
  REQUIRE(launches);
  REQUIRE(launches->size() == 2);
  CHECK(launches->at(0).metrics.empty());
  CHECK(launches->at(0).grid == std::vector<std::uint64_t>{1, 2, 1});
  CHECK(launches->at(1).kernel == "g(int)");
  CHECK(launches->at(1).grid.empty());
  CHECK(launches->at(1).metrics ==
        std::map<std::string, double>{{"a__c.sum", 1000}, {"a__d.pct", 99.5}});
}

TEST_CASE("impossibly large counts are limited, and negative ones left out",
          "[counters][ncu_table]") {
  const auto launches = read_profile(
      "\"ID\",\"Kernel Name\",\"Grid Size\",\"a__b.sum\",\"a__c.sum\"\n"
      "\"\",\"\",\"\",\"\",\"\"\n"
      "\"0\",\"f(int)\",\"(18446744073709551615, 2, 1, 7)\",\"1e300\",\"-5\"\n");
  REQUIRE(launches);
  CHECK(launches->at(0).grid == std::vector<std::uint64_t>{std::uint64_t{1} << 32, 2, 1});
  CHECK(launches->at(0).metrics == std::map<std::string, double>{{"a__b.sum", 1e18}});
}

TEST_CASE("a run that profiled nothing has no table", "[counters][ncu_table]") {
  CHECK_FALSE(read_profile("==PROF== No kernels were profiled.\n"));
  CHECK_FALSE(read_profile(""));
}

}  // namespace
}  // namespace warpgrade
