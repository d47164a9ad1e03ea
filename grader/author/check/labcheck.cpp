#include "grader/author/check/labcheck.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "grader/author/check/cheap_answers.h"
#include "grader/author/check/check_misreadings.h"
#include "grader/author/check/check_questions.h"
#include "grader/author/check/demands.h"
#include "grader/author/check/file_check.h"
#include "grader/author/check/lab_record.h"
#include "grader/author/check/stage.h"
#include "grader/author/check/trivial.h"
#include "grader/author/check/wrong_program.h"
#include "grader/class/grading/evidence_cache.h"
#include "grader/core/files.h"
#include "grader/core/parallel.h"
#include "grader/core/text.h"
#include "grader/judge/assess/assess.h"
#include "grader/record/counters/emulator_report.h"
#include "grader/run/session/identity.h"
#include "grader/run/session/open_session.h"
#include "grader/show/problems/diagnostics.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

/// One program of a lab, and its requirements.
struct Program {
  enum class Kind { stub, stage, solution, mutant, trivial, plain };
  Kind kind = Kind::stub;
  fs::path file;
  std::string name;
  std::vector<std::string> problems;
  WrongProgram wrong;  // mutants
  bool caught = false;
  bool named = false;
  bool has_pitfall = false;
  TrivialProgram trivial;
  std::vector<std::string> right_by_nature;  // cases that a trivial program may pass
  double modelled_ms = 0;  // of the performance case
  double warp_instructions = 0;  // of the performance case
  double points = 0;
  std::set<std::string> met;  // concept checks
  // By a program whose case is right, so that the check was evaluated.
  std::set<std::string> missed;
  bool recorded = false;  // not run: lab_record.h

  /// "mutant/no_guard", as in the record.
  [[nodiscard]] std::string key() const {
    constexpr std::array<const char*, 6> kKinds = {"stub",   "stage",   "solution",
                                                   "mutant", "trivial", "plain"};
    return fmt::format("{}/{}", kKinds.at(static_cast<std::size_t>(kind)),
                       kind == Kind::trivial ? slug(trivial.kind) : name);
  }
  [[nodiscard]] std::string text() const {
    return kind == Kind::trivial  ? trivial.text
           : kind == Kind::mutant ? wrong.text
                                  : read_file(file);
  }
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

void check_mutant(const Grade& grade, CompilerKind compiler, Program& program) {
  const MutantClaim& claim = program.wrong.claim;
  program.problems = broken_claims(claim, grade, compiler);
  program.has_pitfall = !claim.pitfall.empty();
  program.named = program.has_pitfall && grade.pitfall == claim.pitfall_with(compiler);
  program.caught = grade.status != GradeStatus::error && !grade.passed();
}

class LabProof {
 public:
  LabProof(LabSession& session, const LabCheckRequest& request, EvidenceCache& cache)
      : session_(session), lab_(session.lab()), request_(request), cache_(cache) {}

  bool run() {
    const auto started = std::chrono::steady_clock::now();
    files_.check();
    if (lab_.has_code()) {
      misreadings_ = check_misreadings(session_, problems_, [&](const std::string& pitfall) {
        files_.require_page(pitfall, "misreadings.cpp");
      });
    }
    if (!lab_.questions.empty()) {
      const QuestionCheck check = check_questions(lab_);
      sheets_ = check.tried;
      problems_.insert(problems_.end(), check.problems.begin(), check.problems.end());
    }
    if (!lab_.has_code()) {
      print_questions_only();
      return holds_;
    }
    collect();
    if (session_.toolchain().compiler.kind == CompilerKind::clang) leave_out_for_nvcc();
    if (request_.extent == LabCheckExtent::changed) {
      leave_out_recorded();
    }
    check_cheap_answers();
    parallel_for(programs_.size(), available_processors(), [&](std::size_t i) {
      if (!programs_[i].recorded) try_program(programs_[i]);
    });
    check_concepts();
    print(std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count());
    if (holds_ && request_.record) {
      record();
    }
    return holds_;
  }

 private:
  /// What clang cannot compile is nothing to be checked with it.
  void leave_out_for_nvcc() {
    for_nvcc_ = std::erase_if(programs_, [](const Program& p) { return needs_nvcc(p.text()); });
  }

  /// Programs that the record describes as they are do not run, except for a sample of them.
  void leave_out_recorded() {
    const std::optional<LabRecord> known =
        load_record(lab_, identity_of_rules(lab_), session_.toolchain().compiler.kind);
    for (Program& p : programs_) {
      const std::string key = p.key();
      if (p.kind == Program::Kind::stub || p.kind == Program::Kind::solution || !known ||
          !known->has(key, source_hash(p.text()))) {
        ++changed_;
        continue;
      }
      if (is_sampled(key, request_.seed)) continue;
      p.recorded = true;
      const RecordedProgram& before = known->programs.at(key);
      p.missed.insert(before.missed.begin(), before.missed.end());
      p.points = before.points;
      p.warp_instructions = before.warp_instructions;
      if (p.kind == Program::Kind::mutant) {
        p.caught = true;
        p.has_pitfall = !p.wrong.claim.pitfall.empty();
        p.named = p.has_pitfall;
      }
    }
  }

  void record() const {
    LabRecord all{.lab = identity_of_rules(lab_),
                  .compiler = session_.toolchain().compiler.kind,
                  .programs = {}};
    for (const Program& p : programs_) {
      all.programs.emplace(p.key(), RecordedProgram{.source = source_hash(p.text()),
                                                    .missed = {p.missed.begin(), p.missed.end()},
                                                    .points = p.points,
                                                    .warp_instructions = p.warp_instructions});
    }
    store_record(lab_, all);
    fmt::print("  recorded                {} programs, in reference/{}/{}\n", all.programs.size(),
               lab_.id, record_file(lab_, all.compiler).filename().string());
  }

  void collect() {
    add(Program::Kind::stub, lab_.stub, "stub");
    for (const fs::path& file : cu_files(lab_.reference / "stages")) {
      add(Program::Kind::stage, file, file.stem().string());
    }
    add(Program::Kind::solution, lab_.reference / "solution.cu", "solution");
    for (const fs::path& file : cu_files(lab_.reference / "plain")) {
      add(Program::Kind::plain, file, file.stem().string());
    }
    for (WrongProgram& wrong : wrong_programs(lab_)) {
      for (const CompilerKind compiler : {CompilerKind::nvcc, CompilerKind::clang}) {
        files_.require_page(wrong.claim.pitfall_with(compiler), wrong.file.filename().string());
      }
      Program program;
      program.kind = Program::Kind::mutant;
      program.name = wrong.name;
      program.wrong = std::move(wrong);
      programs_.push_back(std::move(program));
    }
    for (TrivialProgram& trivial : trivial_programs(lab_)) {
      Program program;
      program.kind = Program::Kind::trivial;
      program.name = fmt::format("trivial kernel '{}'", slug(trivial.kind));
      program.trivial = std::move(trivial);
      programs_.push_back(std::move(program));
    }
  }

  /// Every case, with data as without a course's secret.
  void check_cheap_answers() {
    std::vector<std::vector<CheapTry>> tries(lab_.cases.size());
    parallel_for(lab_.cases.size(), available_processors(), [&](std::size_t i) {
      tries[i] = try_cheap_answers(*session_.data(lab_.cases[i], Secret{}), session_.golden());
    });
    std::map<std::string, std::vector<CheapTry>> by_case;
    for (std::size_t i = 0; i < tries.size(); ++i) {
      by_case.emplace(lab_.cases[i].name, std::move(tries[i]));
    }
    cheap_ = count_cheap_answers(lab_, by_case);
    problems_.insert(problems_.end(), cheap_.problems.begin(), cheap_.problems.end());
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

  /// Without the questions, which have a check of their own.
  Grade grade_of(const Program& program) {
    Grade grade = whole_grade_of(program);
    if (program.kind == Program::Kind::solution) {
      predictions_ = check_predictions(lab_, grade);
    }
    std::erase_if(grade.items,
                  [](const Item& item) { return item.category == Category::questions; });
    return grade;
  }

  Grade whole_grade_of(const Program& program) {
    if (program.kind == Program::Kind::trivial) {
      Submission submission;
      submission.student = "trivial";
      submission.lab = lab_.id;
      submission.files = {{.name = lab_.submit.front(), .text = program.trivial.text}};
      return kept_grade(session_, submission);
    }
    if (program.kind == Program::Kind::mutant) {
      return kept_grade(session_, submission_of(program.wrong, lab_));
    }
    const std::optional<Lab> variant =
        program.kind == Program::Kind::stage ? lab_of_stage(lab_, program.file) : std::nullopt;
    if (!variant) {
      Submission submission = submission_of_file(program.file, lab_);
      if (program.kind == Program::Kind::solution && !lab_.questions.empty()) {
        submission.answers.file = SourceFile{.name = kAnswersFile, .text = any_predictions(lab_)};
      }
      return kept_grade(session_, submission);
    }
    LabSession session(session_.installation(), session_.toolchain(), session_.device(), *variant);
    session.cache_objects();
    return kept_grade(session, submission_of_file(program.file, *variant));
  }

  /// From cached evidence, if it is that of the same program and lab, by the same build of
  /// warpgrade.
  Grade kept_grade(LabSession& session, const Submission& submission) {
    bool found = false;
    return cache_.find_or_make(
        evidence_key(session, submission, ""),
        [&](Observed& seen) {
          return is_complete(session, seen)
                     ? std::optional(warpgrade::grade_of(session, submission, "", std::move(seen)))
                     : std::nullopt;
        },
        [&](const Observed* known) {
          Observed seen = observe(session, submission, "", 1, known);
          Grade grade = warpgrade::grade_of(session, submission, "", Observed(seen));
          return EvidenceCache::Made{.grade = std::move(grade), .seen = std::move(seen)};
        },
        found);
  }

  void try_program(Program& program) {
    if (!program.trivial.problem.empty()) {
      program.problems.push_back("it cannot be generated: " + program.trivial.problem);
      return;
    }
    const Grade grade = grade_of(program);
    count_concepts(lab_, grade, program);
    program.points = grade.score();
    for (const KernelReport& kernel : grade.kernels) {
      const auto it = kernel.counters.find(kInstructionsMetric);
      program.warp_instructions += it == kernel.counters.end() ? 0 : it->second;
    }
    if (lab_.times_timeline) {
      program.modelled_ms = grade.speed ? grade.speed->timeline_ms : 0;
    }
    for (const KernelReport& kernel : grade.kernels) {
      if (lab_.times_timeline) break;
      const auto it = kernel.counters.find(kTimeMetric);
      program.modelled_ms += it == kernel.counters.end() ? 0 : it->second;
    }
    switch (program.kind) {
      case Program::Kind::stub:
        check_stub(grade, !lab_.stub_reason.empty(), program.problems);
        break;
      case Program::Kind::stage:
        check_right(grade, program.problems);
        if (has_rung(lab_, program.name)) {
          check_rung(grade, program.name, program.problems);
        }
        break;
      case Program::Kind::plain:
        check_right(grade, program.problems);
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
    const auto rungs = static_cast<std::size_t>(
        std::count_if(lab_.rungs.begin(), lab_.rungs.end(), [&](const Rung& rung) {
          return std::any_of(programs_.begin(), programs_.end(), [&](const Program& p) {
            return p.kind == Program::Kind::stage && p.name == rung.stage;
          });
        }));
    for (const RungCost& rung : session_.ladder()) {
      for (const Program& p : programs_) {
        current += p.kind == Program::Kind::stage && p.name == rung.stage &&
                           (p.recorded || std::abs(p.modelled_ms - rung.cost.modelled_ms) <=
                                              kClose * rung.cost.modelled_ms)
                       ? 1
                       : 0;
      }
    }
    return fmt::format(
        "{} of {}{}", current, rungs,
        current < rungs ? fmt::format("; `warpgrade lab ladder {}` counts them", lab_.id) : "");
  }

  void print_questions() const {
    fmt::print("  questions               {}, answered in {} ways\n", lab_.questions.size(),
               sheets_);
  }

  void print_questions_only() {
    fmt::print("{} ({})\n", lab_.title, lab_.id);
    print_questions();
    for (const std::string& problem : problems_) {
      fmt::print("  PROBLEM {}\n", printable(problem));
    }
    holds_ = problems_.empty();
    std::fflush(stdout);
  }

  void print(double seconds) {
    problems_.insert(problems_.end(), predictions_.begin(), predictions_.end());
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
    fmt::print("  stub {}   {}\n",
               lab_.stub_reason.empty() ? "builds and fails" : "fails           ",
               tally(Program::Kind::stub));
    if (!lab_.stub_reason.empty()) {
      fmt::print("  stub need not build     {}\n", lab_.stub_reason);
    }
    fmt::print("  solution has it all     {}\n", tally(Program::Kind::solution));
    fmt::print("  stages right and clean  {}\n", tally(Program::Kind::stage));
    if (fs::exists(lab_.reference / "plain")) {
      fmt::print("  plain right and clean   {}\n", tally(Program::Kind::plain));
    }
    fmt::print("  mutants as they claim   {}\n", tally(Program::Kind::mutant));
    fmt::print("  mutants caught          {} of {}\n", caught, mutants);
    fmt::print("  pitfalls named first    {} of {}\n", named, pitfalls);
    fmt::print("  trivial kernels fail    {}{}\n", tally(Program::Kind::trivial),
               right_by_nature());
    fmt::print("  cheap answers fail      {} of {}{}\n", cheap_.fail,
               cheap_.fail + cheap_.pass + cheap_.waived,
               cheap_.right > 0 ? fmt::format("; {} more are right", cheap_.right) : "");
    if (cheap_.half > 0) {
      fmt::print("  half precision passes   {} of {} cases, where sums are long or values short\n",
                 cheap_.half, lab_.cases.size());
    }
    fmt::print("  formulas                {}, met by the solution {}, by stages {}\n",
               lab_.concepts.size(), concepts_met(Program::Kind::solution),
               concepts_met(Program::Kind::stage));
    fmt::print("  misreadings             {}\n", misreadings_);
    if (request_.extent == LabCheckExtent::changed) {
      const auto recorded = std::count_if(programs_.begin(), programs_.end(),
                                          [](const Program& p) { return p.recorded; });
      fmt::print(
          "  as recorded             {} of {} programs; {} were run, {} of them not recorded\n",
          recorded, programs_.size(), programs_.size() - static_cast<std::size_t>(recorded),
          changed_);
    }
    if (for_nvcc_ > 0) {
      fmt::print("  not checked             {} programs that need nvcc\n", for_nvcc_);
    }
    fmt::print("  ladder.json is current  {}\n", ladder_tally());
    for (const std::string& work : lab_.host_work) {
      fmt::print("  host may                {}\n", work);
    }
    for (const Waiver& waiver : lab_.waivers) {
      fmt::print("  waived                  {}: {}\n", waiver.category, waiver.reason);
    }
    for (const AnswerWaiver& waiver : lab_.answer_waivers) {
      fmt::print("  waived                  {} of \"{}\": {}\n", slug(waiver.answer), waiver.on,
                 waiver.reason);
    }
    if (!lab_.questions.empty()) {
      print_questions();
    }
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
  const LabCheckRequest& request_;
  EvidenceCache& cache_;
  std::size_t changed_ = 0;  // programs that are not recorded, stub and solution included
  std::vector<std::string> problems_;  // of the whole lab
  FileCheck files_{lab_, session_.installation().pitfalls(), problems_};
  CheapCount cheap_;
  std::vector<std::string> predictions_;  // problems of questions about counters
  std::size_t for_nvcc_ = 0;  // programs that are left out
  std::size_t misreadings_ = 0;
  std::size_t sheets_ = 0;  // of answers that were tried
  std::vector<Program> programs_;
  bool holds_ = true;
};

}  // namespace

ExitCode check_labs(const LabCheckRequest& request) {
  const Installation installation = find_installation();
  const std::vector<std::string> ids =
      request.lab.empty() ? find_labs(installation.root) : std::vector<std::string>{request.lab};
  bool keeps = false;
  const std::unique_ptr<EvidenceCache> cache = open_evidence_cache(request.cache, keeps);
  bool all_hold = true;
  bool all_return = true;
  for (const std::string& lab : ids) {
    try {
      const std::unique_ptr<LabSession> session =
          open_session(installation, load_lab_by_id(installation, lab),
                       {.compiler = request.compiler, .device = DeviceRequest::emulator});
      session->cache_objects();
      all_hold = LabProof(*session, request, *cache).run() && all_hold;
    } catch (const LabCodeError& error) {
      fmt::print(stderr, "warpgrade: {}\n", error.what());
      all_return = false;
    }
  }
  return !all_return ? ExitCode::internal : all_hold ? ExitCode::passed : ExitCode::not_yet;
}

}  // namespace warpgrade
