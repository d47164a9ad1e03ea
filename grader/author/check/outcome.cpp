#include "grader/author/check/outcome.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <map>

#include "grader/core/text.h"
#include "harness/lab/python_form.h"

namespace warpgrade {
namespace {

using Kind = LabProgram::Kind;
using Programs = std::vector<LabProgram>;

/// "9 of 10": programs of a kind without a problem.
std::string tally(const Programs& programs, Kind kind) {
  std::size_t count = 0;
  std::size_t good = 0;
  for (const LabProgram& p : programs) {
    count += p.kind == kind ? 1 : 0;
    good += p.kind == kind && p.problems.empty() ? 1 : 0;
  }
  return fmt::format("{} of {}", good, count);
}

/// ", except where their output is correct:  \"nothing to do\" (zeros)"
std::string right_by_nature(const Programs& programs) {
  std::map<std::string, std::vector<std::string>> kinds;  // by case
  for (const LabProgram& p : programs) {
    for (const std::string& name : p.right_by_nature) {
      kinds[name].emplace_back(slug(p.trivial.kind));
    }
  }
  std::vector<std::string> parts;
  for (const auto& [name, who] : kinds) {
    parts.push_back(fmt::format("\"{}\" ({})", name, join_and(who)));
  }
  return parts.empty() ? "" : ", except where their output is correct: " + join_and(parts);
}

/// "11 of 12", of the checks that could be evaluated.
std::string concepts_met(const Programs& programs, Kind kind) {
  std::size_t met = 0;
  std::size_t counted = 0;
  for (const LabProgram& p : programs) {
    if (p.kind != kind) continue;
    met += p.met.size();
    counted += p.met.size() + p.missed.size();
  }
  return fmt::format("{} of {}", met, counted);
}

/// "9 of 9": stages whose costs equal those in ladder.json. A difference is not a problem of the
/// lab: it only moves a point of a plot slightly.
std::string ladder_tally(const Lab& lab, const std::vector<RungCost>& ladder,
                         const Programs& programs) {
  constexpr double kClose = 0.01;
  const auto is_stage = [](const LabProgram& p, const std::string& stage) {
    return p.kind == Kind::stage && p.name == stage;
  };
  const auto rungs =
      static_cast<std::size_t>(std::ranges::count_if(lab.rungs, [&](const Rung& rung) {
        return std::ranges::any_of(programs,
                                   [&](const LabProgram& p) { return is_stage(p, rung.stage); });
      }));
  std::size_t current = 0;
  for (const RungCost& rung : ladder) {
    for (const LabProgram& p : programs) {
      current += is_stage(p, rung.stage) &&
                         (p.recorded || std::abs(p.modelled_ms - rung.cost.modelled_ms) <=
                                            kClose * rung.cost.modelled_ms)
                     ? 1
                     : 0;
    }
  }
  return fmt::format(
      "{} of {}{}", current, rungs,
      current < rungs ? fmt::format("; `warpgrade lab ladder {}` counts them", name_of(lab)) : "");
}

void print_right_programs(const Lab& lab, const Programs& programs) {
  fmt::print("  stub {}   {}\n", lab.stub_reason.empty() ? "builds and fails" : "fails           ",
             tally(programs, Kind::stub));
  if (!lab.stub_reason.empty()) fmt::print("  stub need not build     {}\n", lab.stub_reason);
  fmt::print("  solution has it all     {}\n", tally(programs, Kind::solution));
  fmt::print("  stages right and clean  {}\n", tally(programs, Kind::stage));
  if (std::filesystem::exists(lab.reference / "plain")) {
    fmt::print("  plain right and clean   {}\n", tally(programs, Kind::plain));
  }
}

void print_wrong_programs(const Lab& lab, const LabOutcome& outcome) {
  std::size_t mutants = 0;
  std::size_t caught = 0;
  std::size_t pitfalls = 0;
  std::size_t named = 0;
  for (const LabProgram& p : outcome.programs) {
    mutants += p.kind == Kind::mutant ? 1 : 0;
    caught += p.caught ? 1 : 0;
    pitfalls += p.has_pitfall ? 1 : 0;
    named += p.named ? 1 : 0;
  }
  fmt::print("  mutants as they claim   {}\n", tally(outcome.programs, Kind::mutant));
  fmt::print("  mutants caught          {} of {}\n", caught, mutants);
  fmt::print("  pitfalls named first    {} of {}\n", named, pitfalls);
  if (is_in_python(lab)) return;
  fmt::print("  trivial kernels fail    {}{}\n", tally(outcome.programs, Kind::trivial),
             right_by_nature(outcome.programs));
}

void print_cheap_answers(const Lab& lab, const CheapCount& cheap) {
  fmt::print("  cheap answers fail      {} of {}{}\n", cheap.fail,
             cheap.fail + cheap.pass + cheap.waived,
             cheap.right > 0 ? fmt::format("; {} more are right", cheap.right) : "");
  if (cheap.half > 0) {
    fmt::print("  half precision passes   {} of {} cases, where sums are long or values short\n",
               cheap.half, lab.cases.size());
  }
}

void print_recorded(const LabOutcome& outcome) {
  if (!outcome.changed) return;
  const auto recorded = static_cast<std::size_t>(
      std::ranges::count_if(outcome.programs, [](const LabProgram& p) { return p.recorded; }));
  fmt::print("  as recorded             {} of {} programs; {} were run, {} of them not recorded\n",
             recorded, outcome.programs.size(), outcome.programs.size() - recorded,
             *outcome.changed);
}

/// What the lab's author has allowed.
void print_exceptions(const Lab& lab) {
  for (const std::string& work : lab.host_work) {
    fmt::print("  host may                {}\n", work);
  }
  for (const Waiver& waiver : lab.waivers) {
    fmt::print("  waived                  {}: {}\n", waiver.category, waiver.reason);
  }
  for (const AnswerWaiver& waiver : lab.answer_waivers) {
    fmt::print("  waived                  {} of \"{}\": {}\n", slug(waiver.answer), waiver.on,
               waiver.reason);
  }
}

void print_code(const Lab& lab, const std::vector<RungCost>& ladder, const LabOutcome& outcome) {
  fmt::print("{} ({}), {:.0f} s\n", lab.title, name_of(lab), outcome.seconds);
  print_right_programs(lab, outcome.programs);
  print_wrong_programs(lab, outcome);
  if (outcome.cheap) print_cheap_answers(lab, *outcome.cheap);
  fmt::print("  formulas                {}, met by the solution {}, by stages {}\n",
             lab.concepts.size(), concepts_met(outcome.programs, Kind::solution),
             concepts_met(outcome.programs, Kind::stage));
  if (outcome.misreadings) {
    fmt::print("  misreadings             {}\n", *outcome.misreadings);
    fmt::print("  variants of golden.cpp  {}\n",
               outcome.no_variants.empty() ? std::to_string(outcome.variants)
                                           : fmt::format("none: {}", outcome.no_variants));
  }
  print_recorded(outcome);
  if (outcome.for_nvcc > 0) {
    fmt::print("  not checked             {} programs that need nvcc\n", outcome.for_nvcc);
  }
  fmt::print("  ladder.json is current  {}\n", ladder_tally(lab, ladder, outcome.programs));
  print_exceptions(lab);
}

}  // namespace

bool LabOutcome::holds() const {
  return problems.empty() &&
         std::ranges::all_of(programs, [](const LabProgram& p) { return p.problems.empty(); });
}

void print_outcome(const Lab& lab, const std::vector<RungCost>& ladder, const LabOutcome& outcome) {
  if (lab.has_code()) {
    print_code(lab, ladder, outcome);
  } else {
    fmt::print("{} ({})\n", lab.title, lab.id);
  }
  if (!lab.questions.empty()) {
    fmt::print("  questions               {}, answered in {} ways\n", lab.questions.size(),
               outcome.sheets);
  }
  for (const std::string& problem : outcome.problems) {
    fmt::print("  PROBLEM {}\n", printable(problem));
  }
  for (const LabProgram& p : outcome.programs) {
    for (const std::string& problem : p.problems) {
      fmt::print("  PROBLEM {}: {}\n", p.name, printable(problem));
    }
  }
  std::fflush(stdout);
}

}  // namespace warpgrade
