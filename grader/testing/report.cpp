#include "grader/testing/report.h"

#include <catch2/catch_test_macros.hpp>

#include "grader/judge/assess/before_release.h"
#include "grader/judge/rubric/score.h"
#include "grader/show/report/terminal.h"
#include "grader/testing/evidence.h"

namespace warpgrade::testing {

Lab lab_with_hidden() {
  Lab lab = test_lab();
  lab.cases[1].name = lab.performance_case = lab.concepts[0].on = "moonrise";
  lab.cases[1].hint = "hint of moonrise";
  lab.cases[1].visible = false;
  return lab;
}

StudentView before(const Grade& grade) {
  return student_view(grade, false, "their results are shown from tomorrow");
}
StudentView shown(const Grade& grade) {
  return student_view(grade, true, "");
}

Grade wrong_grade(const Lab& lab) {
  Evidence evidence = right_evidence(lab);
  make_wrong(evidence, 0, "tail", 96, 12345, 54321);
  make_wrong(evidence, 1, "tail", 768, 66666, 77777);
  evidence.cases[1].report.visible = false;
  evidence.cases[1].report.message = "hidden detail";
  add_finding(evidence, "oob-global-write", "error");
  evidence.cases[0].emulator->findings = evidence.findings;
  ReportedFinding only_there = evidence.findings[0];
  only_there.kind = "leak";
  only_there.message = "secret finding";
  only_there.cases = {lab.cases[1].name};
  evidence.cases[1].emulator->findings = {only_there};
  Grade grade;
  grade.lab = lab.id;
  grade.lab_title = lab.title;
  grade.student = "s01";
  grade.started = "2026-11-21T09:30:00Z";
  grade.summary = "Look at the grid.";
  grade.pitfall = "P2";
  for (const CaseOutcome& c : evidence.cases) {
    grade.cases.push_back(c.report);
  }
  grade.findings = evidence.findings;
  grade.items = score_items(evidence);
  grade.sources = {{.name = "vecadd.cu", .text = "1\n2\n3\n4\n5\n6\nthe bad line\n"}};
  grade.before_release = before_release(evidence, grade.items, {}, grade.sources);
  return grade;
}

std::string terminal_text(const StudentView& seen) {
  return terminal_feedback(seen, {.columns = 80, .color = false});
}

void check_no_requests(const std::string& page) {
  CHECK_FALSE(contains(page, "<link"));
  CHECK_FALSE(contains(page, "<script src"));
  CHECK(contains(page, "default-src 'none'"));
  CHECK_FALSE(contains(page, "@import"));
  CHECK(contains(page, "prefers-color-scheme: dark"));
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace warpgrade::testing
