#include "grader/labcheck/labcheck.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "grader/core/files.h"
#include "grader/core/parallel.h"
#include "grader/core/text.h"
#include "grader/counters/emulator_report.h"
#include "grader/grade_submission/assess.h"
#include "grader/labcheck/mutant.h"
#include "grader/labcheck/stage.h"
#include "grader/labcheck/trivial.h"
#include "grader/session/open_session.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

/// One program of a lab, and its requirements.
struct Program {
  enum class Kind { stub, stage, solution, mutant, trivial };
  Kind kind = Kind::stub;
  fs::path file;
  std::string name;
  std::vector<std::string> problems;
  bool caught = false;  // mutants
  bool named = false;
  bool has_pitfall = false;
  TrivialProgram trivial;
  std::vector<std::string> right_by_nature;  // cases that a trivial program may pass
  double modelled_ms = 0;  // of the performance case
  std::set<std::string> met;  // concept checks
  // By a program whose case is right, so that the check was evaluated.
  std::set<std::string> missed;
};

/// Which concept checks were evaluated, and their results.
void count_concepts(const Lab& lab, const Grade& grade, Program& program) {
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

void demand_no_findings(const Grade& grade, std::vector<std::string>& problems) {
  for (const ReportedFinding& f : grade.findings) {
    if (f.severity != "note") {
      problems.push_back(fmt::format("{}[{}]: {}", f.severity, f.kind, f.message));
    }
  }
}

void check_stub(const Grade& grade, std::vector<std::string>& problems) {
  if (grade.points_in(Category::build) < grade.max_points_in(Category::build)) {
    problems.push_back("it does not build: " + grade.summary);
  }
  if (grade.passed()) {
    problems.push_back("it passes, so nothing is left for the student to do");
  }
  for (const ReportedFinding& f : grade.findings) {
    if (f.is_error()) {
      problems.push_back(fmt::format("error[{}]: {}", f.kind, f.message));
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

void check_stage(const Grade& grade, std::vector<std::string>& problems) {
  for (const Item& item : grade.items) {
    const bool demanded = item.category == Category::build ||
                          item.category == Category::correctness ||
                          item.category == Category::safety;
    if (demanded && item.status != ItemStatus::passed) {
      problems.push_back(fmt::format("{}: {}", item.id, item.message));
    }
  }
  demand_no_findings(grade, problems);
}

void check_solution(const Grade& grade, std::vector<std::string>& problems) {
  for (const Item& item : grade.items) {
    if (item.status != ItemStatus::passed) {
      problems.push_back(fmt::format("{}: {}", item.id, item.message));
    }
  }
  demand_no_findings(grade, problems);
}

void check_mutant(const Grade& grade, CompilerKind compiler, Program& program) {
  const MutantClaim claim = read_claim(program.file);
  program.problems = broken_claims(claim, grade, compiler);
  program.has_pitfall = !claim.pitfall.empty();
  program.named = program.has_pitfall && grade.pitfall == claim.pitfall_with(compiler);
  program.caught = grade.status != GradeStatus::error && !grade.passed();
}

class LabProof {
 public:
  explicit LabProof(LabSession& session) : session_(session), lab_(session.lab()) {}

  bool run() {
    const auto started = std::chrono::steady_clock::now();
    check_files();
    collect();
    parallel_for(programs_.size(), available_processors(),
                 [&](std::size_t i) { try_program(programs_[i]); });
    check_concepts();
    print(std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count());
    return holds_;
  }

 private:
  /// Checks that load_lab() does not make (it checks points, categories, names and formulas).
  void check_files() {
    for (const std::string& category : missing_categories(lab_)) {
      problems_.push_back(fmt::format("no case covers the edge category '{}'", category));
    }
    std::vector<fs::path> files = {lab_.stub, lab_.handout, lab_.reference / "solution.cu"};
    if (!lab_.program) {
      // What a program's datasets do not give is missed when its cases run.
      files.insert(files.end(), {lab_.header, lab_.reference / "golden.cpp"});
    }
    for (const fs::path& file : files) {
      if (!fs::exists(file)) {
        problems_.push_back(
            fmt::format("{} is missing", file.lexically_relative(lab_.root).string()));
      }
    }
    for (const ConceptCheck& check : lab_.concepts) {
      require_page(check.pitfall, "concept " + check.id);
    }
    for (const Clue& clue : lab_.clues) {
      require_page(clue.pitfall, "a clue");
    }
    check_ladder();
    check_links();
  }

  [[nodiscard]] bool has_rung(const std::string& stage) const {
    return std::any_of(lab_.rungs.begin(), lab_.rungs.end(),
                       [&](const Rung& rung) { return rung.stage == stage; });
  }

  /// Each stage has a rung. load_lab() checks that each rung has a stage.
  void check_ladder() {
    for (const fs::path& file : cu_files(lab_.reference / "stages")) {
      if (!has_rung(file.stem().string())) {
        problems_.push_back(
            fmt::format("stage {} has no [[rung]] in lab.toml", file.stem().string()));
      }
    }
    for (std::size_t i = 0; i < lab_.rungs.size(); ++i) {
      const Rung& rung = lab_.rungs[i];
      if (!fs::exists(lab_.reference / "stages" / (rung.stage + ".cu"))) {
        problems_.push_back(
            fmt::format("rung {0} has no stage: reference/{1}/stages/{0}.cu is "
                        "missing",
                        rung.stage, lab_.id));
      }
      if (i + 1 < lab_.rungs.size() && rung.next.empty()) {
        problems_.push_back(
            fmt::format("rung {} does not describe the next one; give it a `next`", rung.stage));
      }
    }
  }

  void require_page(const std::string& pitfall, const std::string& who) {
    if (!pitfall.empty() && !fs::exists(session_.installation().pitfalls() / (pitfall + ".md"))) {
      problems_.push_back(fmt::format("docs/pitfalls/{}.md is missing; {} names it", pitfall, who));
    }
  }

  /// Relative links of the handout lead to files.
  void check_links() {
    if (!fs::exists(lab_.handout)) {
      return;
    }
    const std::string text = read_file(lab_.handout);
    for (std::size_t at = text.find("]("); at != std::string::npos; at = text.find("](", at + 2)) {
      const std::size_t end = text.find_first_of(")#", at);
      const std::string target = text.substr(at + 2, end - at - 2);
      if (end != std::string::npos && !target.empty() && target.find(':') == std::string::npos &&
          !fs::exists(lab_.handout.parent_path() / target)) {
        problems_.push_back(fmt::format("README.md links to {}, which does not exist", target));
      }
    }
  }

  void collect() {
    add(Program::Kind::stub, lab_.stub, "stub");
    for (const fs::path& file : cu_files(lab_.reference / "stages")) {
      add(Program::Kind::stage, file, file.stem().string());
    }
    add(Program::Kind::solution, lab_.reference / "solution.cu", "solution");
    for (const fs::path& file : cu_files(lab_.reference / "wrong")) {
      add(Program::Kind::mutant, file, file.stem().string());
      for (const CompilerKind compiler : {CompilerKind::nvcc, CompilerKind::clang}) {
        require_page(read_claim(file).pitfall_with(compiler), file.filename().string());
      }
    }
    for (TrivialProgram& trivial : trivial_programs(lab_)) {
      Program program;
      program.kind = Program::Kind::trivial;
      program.name = fmt::format("trivial kernel '{}'", slug(trivial.kind));
      program.trivial = std::move(trivial);
      programs_.push_back(std::move(program));
    }
  }

  /// A check that no program fails is meaningless.
  void check_concepts() {
    for (const ConceptCheck& check : lab_.concepts) {
      const bool failed = std::any_of(programs_.begin(), programs_.end(), [&](const Program& p) {
        const bool counts = p.kind == Program::Kind::stage || p.kind == Program::Kind::mutant;
        return counts && p.missed.contains(check.id);
      });
      if (!failed) {
        problems_.push_back(fmt::format("concept {}: no stage or mutant fails it", check.id));
      }
    }
  }

  /// Fails exactly the cases whose answer is not trivial.
  void check_trivial(const Grade& grade, Program& program) {
    if (grade.points_in(Category::build) < grade.max_points_in(Category::build)) {
      program.problems.push_back("it does not build: " + grade.summary);
    }
    for (const CaseReport& c : grade.cases) {
      if (c.verdict != CaseVerdict::passed) {
        continue;
      }
      if (is_right_answer(program.trivial.kind,
                          *session_.data(*lab_.find_case(c.name), Secret{}))) {
        program.right_by_nature.push_back(c.name);
      } else {
        program.problems.push_back(fmt::format(
            "it passes case \"{}\"; choose data for which it fails, or a tighter tolerance",
            c.name));
      }
    }
  }

  void add(Program::Kind kind, const fs::path& file, const std::string& name) {
    if (fs::exists(file)) {
      Program program;
      program.kind = kind;
      program.file = file;
      program.name = name;
      programs_.push_back(std::move(program));
    }
  }

  Grade grade_of(const Program& program) {
    if (program.kind == Program::Kind::trivial) {
      Submission submission;
      submission.student = "trivial";
      submission.lab = lab_.id;
      submission.files = {{.name = lab_.submit.front(), .text = program.trivial.text}};
      return assess(session_, submission, "", 1);
    }
    const std::optional<Lab> variant =
        program.kind == Program::Kind::stage ? lab_of_stage(lab_, program.file) : std::nullopt;
    if (!variant) {
      return assess(session_, submission_of_file(program.file, lab_), "", 1);
    }
    LabSession session(session_.installation(), session_.toolchain(), session_.device(), *variant);
    session.cache_objects();
    return assess(session, submission_of_file(program.file, *variant), "", 1);
  }

  void try_program(Program& program) {
    if (!program.trivial.problem.empty()) {
      program.problems.push_back("it cannot be generated: " + program.trivial.problem);
      return;
    }
    const Grade grade = grade_of(program);
    count_concepts(lab_, grade, program);
    for (const KernelReport& kernel : grade.kernels) {
      const auto it = kernel.counters.find(kTimeMetric);
      program.modelled_ms += it == kernel.counters.end() ? 0 : it->second;
    }
    switch (program.kind) {
      case Program::Kind::stub:
        check_stub(grade, program.problems);
        break;
      case Program::Kind::stage:
        check_stage(grade, program.problems);
        if (has_rung(program.name)) {
          check_rung(grade, program.name, program.problems);
        }
        break;
      case Program::Kind::solution:
        check_solution(grade, program.problems);
        break;
      case Program::Kind::mutant:
        check_mutant(grade, session_.toolchain().compiler.kind, program);
        break;
      case Program::Kind::trivial:
        check_trivial(grade, program);
        break;
    }
  }

  [[nodiscard]] std::string tally(Program::Kind kind) const {
    std::size_t count = 0;
    std::size_t good = 0;
    for (const Program& p : programs_) {
      count += p.kind == kind ? 1 : 0;
      good += p.kind == kind && p.problems.empty() ? 1 : 0;
    }
    return fmt::format("{} of {}", good, count);
  }

  /// ", except where their output is correct:  \"nothing to do\" (zeros)"
  [[nodiscard]] std::string right_by_nature() const {
    std::map<std::string, std::vector<std::string>> kinds;  // by case
    for (const Program& p : programs_) {
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
  [[nodiscard]] std::string concepts_met(Program::Kind kind) const {
    std::size_t met = 0;
    std::size_t counted = 0;
    for (const Program& p : programs_) {
      if (p.kind == kind) {
        met += p.met.size();
        counted += p.met.size() + p.missed.size();
      }
    }
    return fmt::format("{} of {}", met, counted);
  }

  /// "9 of 9": stages whose costs equal those in ladder.json. A difference is not a problem of the
  /// lab: it only moves a point of a plot slightly.
  [[nodiscard]] std::string ladder_tally() const {
    constexpr double kClose = 0.01;
    std::size_t current = 0;
    for (const RungCost& rung : session_.ladder()) {
      for (const Program& p : programs_) {
        current += p.kind == Program::Kind::stage && p.name == rung.stage &&
                           std::abs(p.modelled_ms - rung.cost.modelled_ms) <=
                               kClose * rung.cost.modelled_ms
                       ? 1
                       : 0;
      }
    }
    return fmt::format("{} of {}{}", current, lab_.rungs.size(),
                       current < lab_.rungs.size()
                           ? fmt::format("; `warpgrade lab ladder {}` counts them", lab_.id)
                           : "");
  }

  void print(double seconds) {
    std::size_t mutants = 0;
    std::size_t caught = 0;
    std::size_t pitfalls = 0;
    std::size_t named = 0;
    for (const Program& p : programs_) {
      mutants += p.kind == Program::Kind::mutant ? 1 : 0;
      caught += p.caught ? 1 : 0;
      pitfalls += p.has_pitfall ? 1 : 0;
      named += p.named ? 1 : 0;
    }
    fmt::print("{} ({}), {:.0f} s\n", lab_.title, lab_.id, seconds);
    fmt::print("  stub builds and fails   {}\n", tally(Program::Kind::stub));
    fmt::print("  solution has it all     {}\n", tally(Program::Kind::solution));
    fmt::print("  stages right and clean  {}\n", tally(Program::Kind::stage));
    fmt::print("  mutants as they claim   {}\n", tally(Program::Kind::mutant));
    fmt::print("  mutants caught          {} of {}\n", caught, mutants);
    fmt::print("  pitfalls named first    {} of {}\n", named, pitfalls);
    fmt::print("  trivial kernels fail    {}{}\n", tally(Program::Kind::trivial),
               right_by_nature());
    fmt::print("  formulas                {}, met by the solution {}, by stages {}\n",
               lab_.concepts.size(), concepts_met(Program::Kind::solution),
               concepts_met(Program::Kind::stage));
    fmt::print("  ladder.json is current  {}\n", ladder_tally());
    for (const std::string& problem : problems_) {
      fmt::print("  PROBLEM {}\n", problem);
    }
    for (const Program& p : programs_) {
      for (const std::string& problem : p.problems) {
        fmt::print("  PROBLEM {}: {}\n", p.name, printable(problem));
      }
      holds_ = holds_ && p.problems.empty();
    }
    holds_ = holds_ && problems_.empty();
    std::fflush(stdout);
  }

  LabSession& session_;
  const Lab& lab_;
  std::vector<std::string> problems_;  // of the whole lab
  std::vector<Program> programs_;
  bool holds_ = true;
};

}  // namespace

ExitCode check_labs(const std::string& id, CompilerRequest compiler) {
  const Installation installation = find_installation();
  const std::vector<std::string> ids =
      id.empty() ? find_labs(installation.root) : std::vector<std::string>{id};
  bool all_hold = true;
  for (const std::string& lab : ids) {
    const std::unique_ptr<LabSession> session = open_session(
        installation, load_lab_by_id(installation, lab), compiler, DeviceRequest::emulator);
    session->cache_objects();
    all_hold = LabProof(*session).run() && all_hold;
  }
  return all_hold ? ExitCode::passed : ExitCode::not_yet;
}

}  // namespace warpgrade
