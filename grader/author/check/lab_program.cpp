#include "grader/author/check/lab_program.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "grader/author/check/file_check.h"
#include "grader/core/files.h"
#include "grader/core/text.h"
#include "grader/record/counters/emulator_report.h"
#include "grader/show/problems/diagnostics.h"

namespace warpgrade {
namespace {

using Kind = LabProgram::Kind;

/// Which concept checks were evaluated, and their results.
void count_concepts(const Lab& lab, const Grade& grade, LabProgram& program) {
  for (const ConceptCheck& check : lab.concepts) {
    const bool counted =
        std::any_of(grade.cases.begin(), grade.cases.end(), [&](const CaseReport& c) {
          return c.name == check.on && c.verdict == CaseVerdict::passed;
        });
    for (const Item& item : grade.items) {
      if (counted && item.id == "concept/" + check.id) {
        (item.status == ItemStatus::passed ? program.met : program.missed).insert(check.id);
      }
    }
  }
}

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

/// @param may_fail_to_build  the lab says why
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

/// The ladder must distinguish the stages, or students would be told a wrong rung.
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

void check_mutant(const Grade& grade, CompilerKind compiler, LabProgram& program) {
  const MutantClaim& claim = program.wrong.claim;
  program.problems = broken_claims(claim, grade, compiler);
  program.has_pitfall = !claim.pitfall.empty();
  program.named = program.has_pitfall && grade.pitfall == claim.pitfall_with(compiler);
  program.caught = grade.status != GradeStatus::error && !grade.passed();
}

void note_costs(const Lab& lab, const Grade& grade, LabProgram& program) {
  program.points = grade.score();
  const auto counted = [&](const std::string& metric) {
    double sum = 0;
    for (const KernelReport& kernel : grade.kernels) {
      const auto it = kernel.counters.find(metric);
      sum += it == kernel.counters.end() ? 0 : it->second;
    }
    return sum;
  };
  program.warp_instructions = counted(kInstructionsMetric);
  if (!lab.times_timeline) {
    program.modelled_ms = counted(kTimeMetric);
  } else if (grade.speed) {
    program.modelled_ms = grade.speed->timeline_ms;
  }
}

}  // namespace

std::string LabProgram::key() const {
  constexpr std::array<const char*, 6> kKinds = {"stub",   "stage",   "solution",
                                                 "mutant", "trivial", "plain"};
  return fmt::format("{}/{}", kKinds.at(static_cast<std::size_t>(kind)),
                     kind == Kind::trivial ? slug(trivial.kind) : name);
}

std::string LabProgram::text() const {
  return kind == Kind::trivial ? trivial.text : kind == Kind::mutant ? wrong.text : read_file(file);
}

void check_program(const Lab& lab, const Grade& grade, CompilerKind compiler, LabProgram& program) {
  count_concepts(lab, grade, program);
  note_costs(lab, grade, program);
  switch (program.kind) {
    case Kind::stub:
      check_stub(grade, !lab.stub_reason.empty(), program.problems);
      break;
    case Kind::stage:
      check_right(grade, program.problems);
      if (has_rung(lab, program.name)) check_rung(grade, program.name, program.problems);
      break;
    case Kind::plain:
      check_right(grade, program.problems);
      break;
    case Kind::solution:
      check_solution(grade, program.problems);
      break;
    case Kind::mutant:
      check_mutant(grade, compiler, program);
      break;
    case Kind::trivial:
      if (grade.points_in(Category::build) < grade.max_points_in(Category::build)) {
        program.problems.push_back("it does not build: " + grade.summary);
      }
      break;
  }
}

}  // namespace warpgrade
