#include "grader/author/check/demands.h"

#include <fmt/core.h>

#include <algorithm>

#include "grader/show/problems/diagnostics.h"

namespace warpgrade {
namespace {

void demand_nothing_found(const Grade& grade, std::vector<std::string>& problems) {
  for (const IntegrityFlag& flag : grade.integrity) {
    problems.push_back(fmt::format("flagged, {}: {}", flag.kind, flag.message));
  }
  for (const ReportedFinding& f : grade.findings) {
    if (f.severity != "note") {
      problems.push_back(diagnostic_of(f, "").line());
    }
  }
}

}  // namespace

void check_stub(const Grade& grade, bool may_fail_to_build, std::vector<std::string>& problems) {
  if (!may_fail_to_build &&
      grade.points_in(Category::build) < grade.max_points_in(Category::build)) {
    problems.push_back("it does not build: " + grade.summary);
  }
  if (grade.passed()) {
    problems.push_back("it passes, so nothing is left for the student to do");
  }
  for (const ReportedFinding& f : grade.findings) {
    if (f.is_error()) {
      problems.push_back(diagnostic_of(f, "").line());
    }
  }
}

void check_rung(const Grade& grade, const std::string& stage, std::vector<std::string>& problems) {
  const bool right = std::any_of(grade.cases.begin(), grade.cases.end(), [&](const CaseReport& c) {
    return c.name == grade.kernels_case && c.verdict == CaseVerdict::passed;
  });
  if (!right) {
    return;  // which is reported separately
  }
  if (!grade.rung) {
    problems.push_back("no condition of a [[rung]] holds for it, not even its own");
  } else if (grade.rung->stage != stage) {
    problems.push_back(
        fmt::format("it matches rung {} of {}, {}; correct the conditions of the two",
                    grade.rung->index, grade.rung->count, grade.rung->stage));
  }
}

void check_right(const Grade& grade, std::vector<std::string>& problems) {
  for (const Item& item : grade.items) {
    const bool demanded = item.category == Category::build ||
                          item.category == Category::correctness ||
                          item.category == Category::safety;
    if (demanded && item.status != ItemStatus::passed) {
      problems.push_back(fmt::format("{}: {}", item.id, item.message));
    }
  }
  demand_nothing_found(grade, problems);
}

void check_solution(const Grade& grade, std::vector<std::string>& problems) {
  for (const Item& item : grade.items) {
    if (item.status != ItemStatus::passed) {
      problems.push_back(fmt::format("{}: {}", item.id, item.message));
    }
  }
  demand_nothing_found(grade, problems);
}

}  // namespace warpgrade
