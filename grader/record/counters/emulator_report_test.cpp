#include "grader/record/counters/emulator_report.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "grader/core/files.h"
#include "grader/core/text.h"

namespace warpgrade {
namespace {

constexpr const char* kReport = R"({
  "schema": 1,
  "device": {"kind": "emulator", "id": "a100", "name": "A100", "compute_capability": [8, 0],
             "multiprocessors": 108, "memory_bytes": 1000},
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
     "count": 3}]
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

TEST_CASE("a finding's access is read as values, and those of earlier reports are unknown",
          "[run][report]") {
  const auto earlier = read(kReport);
  REQUIRE(earlier);
  CHECK_FALSE(earlier->findings.front().access().known());
  CHECK(earlier->findings.front().detail.empty());
  std::string text = kReport;
  const std::string count = "\"count\": 3";
  text.replace(
      text.find(count), count.size(),
      R"("offset": -8, "width": 4, "array_bytes": 400, "detail": "no-blocks", "count": 3)");
  const auto report = read(text);
  REQUIRE(report);
  const ReportedFinding& f = report->findings.front();
  CHECK(f.access().element() == -2);
  CHECK(f.access().elements() == 100);
  CHECK(f.has(warpsim::FindingDetail::no_blocks));
  CHECK_FALSE(f.has(warpsim::FindingDetail::threads_ended));
  const std::string known = "no-blocks";
  text.replace(text.find(known), known.size(), "made-up");
  CHECK(read(text)->findings.front().detail.empty());
}

TEST_CASE("a report that is missing, damaged or of the wrong shape is not a report",
          "[run][report]") {
  CHECK_FALSE(read_emulator_report("nowhere.json", ""));
  const std::string text = GENERATE("", "{", "[]", "{\"device\": {\"name\": 3}}", "null",
                                    R"({"device": {"name": "x"}, "kernels": [{}]})",
                                    R"({"device": {"name": "x"}, "kernels": [], "findings": 7})",
                                    R"({"device": {"name": "x"}, "kernels": [],
                                        "findings": [{"kind": "made-up", "severity": "error"}]})");
  CHECK_FALSE(read(text));
}

/// kReport with one text replaced.
std::string with(const std::string& old, const std::string& other) {
  std::string text = kReport;
  text.replace(text.find(old), old.size(), other);
  return text;
}

ReportedFinding finding_of(const std::string& old, const std::string& other) {
  const auto report = read(with(old, other));
  REQUIRE(report);
  return report->findings.at(0);
}

TEST_CASE("counts of a report are limited to what a grade can hold and sum", "[run][report]") {
  CHECK(finding_of("\"count\": 3", "\"count\": 18446744073709551615").count == 1ull << 40);
  CHECK(finding_of("\"count\": 3", "\"count\": 1e300").count == 1ull << 40);
  CHECK(finding_of("\"count\": 3", "\"count\": -5").count == 1);
  CHECK(finding_of("\"count\": 3", "\"count\": 12345678").count == 12345678);
  CHECK(finding_of("\"line\": 7, \"message\"", "\"line\": 1e30, \"message\"").line == 1 << 30);
  const auto report = read(
      with("\"launches\": 1, \"grid\": [4, 1, 1]", "\"launches\": -1, \"grid\": [1e99, -4, 1, 7]"));
  REQUIRE(report);
  CHECK(report->kernels[0].launches == 0);
  CHECK(report->kernels[0].grid == std::vector<std::uint64_t>{1ull << 40, 0, 1});
}

TEST_CASE("counters of a report are finite and not negative", "[run][report]") {
  const auto report = read(with("\"modelled_ms\": 0.25, \"x\": 3",
                                "\"modelled_ms\": -0.25, \"x\": 1e308, \"a\\u001bb\": 1"));
  REQUIRE(report);
  CHECK(report->kernels[0].counters ==
        std::map<std::string, double>{{"modelled_ms", 0}, {"x", 1e18}});
  CHECK_FALSE(read(with("\"x\": 3", "\"x\": 1e999")));
}

TEST_CASE("an unknown pitfall or severity does not reach a grade", "[run][report]") {
  for (const char* pitfall : {"P0", "P", "P1x", "p1", "<b>", "P 1"}) {
    INFO(pitfall);
    CHECK(finding_of("\"P1\"", "\"" + std::string(pitfall) + "\"").pitfall.empty());
  }
  CHECK(finding_of("\"P1\"", "\"P75\"").pitfall == "P75");
  CHECK(finding_of("\"error\"", "\"harmless\"").severity == "error");
  CHECK(finding_of("\"error\"", "\"warning\"").severity == "warning");
}

TEST_CASE("a feature missing in the emulator is not an error of the program", "[run][report]") {
  CHECK_FALSE(finding_of("\"oob-global-read\"", "\"unsupported-instruction\"").is_error());
  CHECK(finding_of("\"oob-global-read\"", "\"unloadable-module\"").is_error());
}

TEST_CASE("texts of a report are truncated, and invalid bytes replaced", "[run][report]") {
  const std::string text =
      finding_of("\"message\": \"m\"", "\"message\": \"" + std::string(2000000, 'x') + "\"")
          .message;
  CHECK(text == std::string(4000, 'x'));
  const auto cut_in_two =
      finding_of("\"message\": \"m\"",
                 "\"message\": \"x" + replace_all(std::string(4000, 'e'), "e", "\xC3\xA9") + "\"");
  CHECK(cut_in_two.message.ends_with("\xC3\xA9\xEF\xBF\xBD"));
  CHECK_FALSE(read(with("\"name\": \"add\"", "\"name\": \"\xff\"")));  // not JSON
}

TEST_CASE("a report with more findings and kernels than any real run is truncated",
          "[run][report]") {
  std::string findings;
  for (int i = 0; i < 5000; ++i) {
    findings += R"({"kind": "leak", "severity": "error", "pitfall": "", "kernel": "", "file": "",
                    "line": 0, "message": "m", "where": "", "who": "", "got": "", "want": "",
                    "next": "", "count": 1},)";
  }
  const auto report = read(with("\"findings\": [", "\"findings\": [" + findings));
  REQUIRE(report);
  CHECK(report->findings.size() == 2000);
}

/// kReport with a call whose data flow was tracked.
std::string followed(const std::string& reaching_of_second) {
  std::string text = replace_all(kReport, "\"lines\": [{", R"("reaching": {"launches": 0,
      "grid": [0, 0, 0], "block": [0, 0, 0], "counters": {"x": 1, "unknown": 5}}, "lines": [{)");
  text = replace_all(text, "\"lines\": []", reaching_of_second + "\"lines\": []");
  return replace_all(text, "\"schema\": 1,", R"("schema": 1, "call": {"followed": true,
      "outputs": [{"name": "c", "bytes": 400, "more_writers": 0, "writers": [
        {"kind": "kernel", "name": "copy", "launch": 2, "file": "/scratch/src/vecadd.cu", "line": 9,
         "bytes": 400, "varied": true, "inputs": ["a"], "host_bytes": 8, "unexplained_bytes": 0}]}],
      "input_copies": [{"input": "a", "api": "cudaMemcpy", "file": "/scratch/src/vecadd.cu",
                        "line": 4, "bytes": 400}]},)");
}
constexpr const char* kSecondReaching =
    R"("reaching": {"launches": 1, "grid": [1, 1, 1], "block": [32, 1, 1], "counters": {}}, )";

TEST_CASE("the counts that led to an output are read as a second list of kernels",
          "[run][report]") {
  const auto report = read(followed(kSecondReaching));
  REQUIRE(report);
  REQUIRE(report->reaching);
  REQUIRE(report->reaching->size() == 2);
  CHECK(report->reaching->at(0).launches == 0);
  CHECK(report->reaching->at(0).counters ==
        std::map<std::string, double>{{"modelled_ms", 0.25}, {"x", 1}});
  CHECK(report->reaching->at(1).counters == report->kernels[1].counters);
  REQUIRE(report->call);
  const warpsim::OutputWriter& writer = report->call->outputs.at(0).writers.at(0);
  CHECK(writer.kind == warpsim::WriterKind::kernel);
  CHECK(writer.from.file == "vecadd.cu");
  CHECK(writer.inputs == std::vector<std::string>{"a"});
  CHECK(report->call->input_copies.at(0).bytes == 400);
  CHECK_FALSE(read(kReport)->reaching);
  CHECK_FALSE(read(kReport)->call);
}

TEST_CASE("a report that tracks only some kernels is damaged", "[run][report]") {
  CHECK_FALSE(read(followed("")));
  CHECK_FALSE(read(replace_all(followed(kSecondReaching), "\"varied\": true, ", "")));
}

}  // namespace
}  // namespace warpgrade
