#include "grader/run/emulator_report.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "grader/core/files.h"

namespace warpgrade {
namespace {

constexpr const char* kReport = R"({
  "schema": 1,
  "device": {"kind": "emulator", "id": "a100", "name": "A100"},
  "kernels": [
    {"name": "add", "launches": 1, "grid": [4, 1, 1], "block": [256, 1, 1],
     "counters": {"modelled_ms": 0.25, "x": 3},
     "lines": [{"file": "/scratch/src/vecadd.cu", "line": 7, "counters": {"x": 3, "y": 0}}]},
    {"name": "add2", "launches": 1, "grid": [1, 1, 1], "block": [32, 1, 1],
     "counters": {"modelled_ms": 0.5}, "lines": []}],
  "findings": [
    {"kind": "oob-global-read", "severity": "error", "pitfall": "P1", "kernel": "add",
     "file": "/scratch/src/vecadd.cu", "line": 7, "message": "m",
     "where": "/scratch/src/vecadd.cu:7: ld", "who": "w", "got": "g", "want": "v", "next": "n",
     "count": 3}],
  "summary": {}
})";

std::optional<EmulatorReport> read(std::string_view text) {
  const ScratchFolder scratch;
  write_file_atomically(scratch.path() / "r.json", text);
  return read_emulator_report(scratch.path() / "r.json", "/scratch/src");
}

TEST_CASE("a report's kernels and findings are read, with the student's file names",
          "[run][report]") {
  const auto report = read(kReport);
  REQUIRE(report);
  CHECK(report->device == "A100");
  CHECK(report->total("modelled_ms") == 0.75);
  CHECK(report->total("unknown") == 0);
  REQUIRE(report->find(warpsim::FindingKind::oob_global_read) != nullptr);
  CHECK(report->find(warpsim::FindingKind::oob_global_read)->file == "vecadd.cu");
  CHECK(report->find(warpsim::FindingKind::oob_global_read)->where == "vecadd.cu:7: ld");
  CHECK(report->find(warpsim::FindingKind::leak) == nullptr);
  CHECK(report->kernels[0].lines[0].file == "vecadd.cu");
  CHECK(report->kernels[0].lines[0].counters == std::map<std::string, double>{{"x", 3}});
}

TEST_CASE("a report that is missing, damaged or of the wrong shape is no report", "[run][report]") {
  CHECK_FALSE(read_emulator_report("nowhere.json", ""));
  const std::string text = GENERATE("", "{", "[]", "{\"device\": {\"name\": 3}}", "null",
                                    R"({"device": {"name": "x"}, "kernels": [{}]})",
                                    R"({"device": {"name": "x"}, "kernels": [], "findings": 7})",
                                    R"({"device": {"name": "x"}, "kernels": [],
                                        "findings": [{"kind": "made-up", "severity": "error"}]})");
  CHECK_FALSE(read(text));
}

}  // namespace
}  // namespace warpgrade
