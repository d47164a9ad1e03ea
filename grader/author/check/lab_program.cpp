#include "grader/author/check/lab_program.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "grader/author/check/demands.h"
#include "grader/author/check/file_check.h"
#include "grader/core/files.h"
#include "grader/core/text.h"
#include "grader/record/counters/emulator_report.h"

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
