#include <catch2/catch_test_macros.hpp>
#include <string>

#include "grader/core/text.h"
#include "grader/judge/rubric/score.h"
#include "grader/show/report/feedback_page.h"
#include "grader/show/report/sections.h"
#include "grader/testing/evidence.h"
#include "grader/testing/report.h"

namespace warpgrade {
namespace {

using testing::contains;
using testing::shown;
using testing::terminal_text;

constexpr const char* kLoads = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum";

/// A right grade with ncu's counters beside the emulator's, and a finding of memcheck.
Grade profiled_grade(const Lab& lab) {
  const Evidence evidence = testing::right_evidence(lab);
  Grade grade;
  grade.lab = lab.id;
  grade.lab_title = lab.title;
  grade.student = "s01";
  grade.started = "2026-11-21T09:30:00Z";
  grade.summary = "Done.";
  grade.items = score_items(evidence);
  for (const CaseOutcome& c : evidence.cases) {
    grade.cases.push_back(c.report);
  }
  grade.kernels_case = "large";
  grade.kernels = evidence.cases[1].emulator->kernels;
  grade.profile = CardProfile{
      .runs = {{.tool = "ncu", .name = "large", .end = ToolEnd::done, .message = "1 launch."},
               {.tool = "racecheck",
                .name = "small",
                .end = ToolEnd::out_of_time,
                .message = "It ran longer than 120 s and was stopped: no result."}},
      .counts = {{.program = "submission",
                  .name = "large",
                  .shape = {{"n", 1000}},
                  .kernels = {{.name = "add(const float *, int)",
                               .launches = 1,
                               .grid = {4, 1, 1},
                               .block = {256, 1, 1},
                               .counters = {{kLoads, 4321}, {"gpu__time_duration.sum", 5408}},
                               .lines = {}}}}},
      .findings = {{.tool = "memcheck",
                    .kind = "access",
                    .message = "Invalid __global__ read of size 4 bytes",
                    .kernel = "add",
                    .file = "vecadd.cu",
                    .line = 7,
                    .who = "thread (1,0,0) in block (0,0,0)",
                    .count = 3}}};
  return grade;
}

TEST_CASE("the page has the card's counters beside the emulator's", "[report][profile]") {
  const Lab lab = testing::test_lab();
  const std::string page = feedback_page(shown(profiled_grade(lab)), {}, {});
  CHECK(contains(page, "Counters of the emulator and of the card, in case &quot;large&quot;"));
  CHECK(contains(page,
                 "<td>global_load_sectors</td><td class=\"number\">250</td>"
                 "<td class=\"number\">4,321</td>"));
  CHECK(contains(page, "Invalid __global__ read of size 4 bytes"));
  CHECK(contains(page, "nothing there"));
  CHECK(contains(page, "out of time"));
  Grade plain = profiled_grade(lab);
  plain.profile.reset();
  CHECK_FALSE(contains(feedback_page(shown(plain), {}, {}), "On the card"));
}

TEST_CASE("the terminal has them as a table, and says what did not run", "[report][profile]") {
  const Lab lab = testing::test_lab();
  const std::string text = terminal_text(shown(profiled_grade(lab)));
  CHECK(contains(text, "counted by the emulator    counted by the card"));
  CHECK(contains(text, "global_load_sectors"));
  CHECK(contains(text, "4,321"));
  CHECK(contains(text, "racecheck   case \"small\": It ran longer than 120 s"));
  CHECK(contains(text, "memcheck: Invalid __global__ read of size 4 bytes in vecadd.cu:7"));
  for (const std::string_view line : split_lines(text)) {
    INFO(line);
    CHECK(line.size() <= 80);
  }
}

TEST_CASE("a finding on the card is compared with the emulator's at that line",
          "[report][profile]") {
  const Lab lab = testing::test_lab();
  Grade grade = profiled_grade(lab);
  ReportedFinding finding;
  finding.kind = "oob-global-read";
  finding.severity = "error";
  finding.file = "vecadd.cu";
  finding.line = 7;
  grade.findings = {finding, finding};
  CHECK(emulator_says(grade.profile->findings[0], grade) == "oob-global-read");
  grade.findings[0].line = grade.findings[1].line = 8;
  CHECK(emulator_says(grade.profile->findings[0], grade) == "nothing there");
}

TEST_CASE("a hidden case with counters has no name before its release", "[report][profile]") {
  Lab lab = testing::test_lab();
  lab.cases[1].name = lab.performance_case = lab.concepts[0].on = "moonrise";
  lab.cases[1].visible = false;
  Grade grade = profiled_grade(lab);
  for (CaseReport& report : grade.cases) {
    report.visible = report.name != "moonrise";
  }
  grade.kernels_case = "moonrise";
  grade.profile->runs[0].name = grade.profile->counts[0].name = "moonrise";
  const StudentView seen = student_view(grade, false, "later");
  CHECK_FALSE(contains(terminal_text(seen), "moonrise"));
  CHECK_FALSE(contains(feedback_page(seen, {}, {}), "moonrise"));
}

}  // namespace
}  // namespace warpgrade
