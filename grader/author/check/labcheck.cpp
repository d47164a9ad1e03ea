#include "grader/author/check/labcheck.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "grader/author/check/check_misreadings.h"
#include "grader/author/check/check_questions.h"
#include "grader/author/check/file_check.h"
#include "grader/author/check/lab_program.h"
#include "grader/author/check/lab_record.h"
#include "grader/author/check/outcome.h"
#include "grader/author/check/stage.h"
#include "grader/build/python/python_tools.h"
#include "grader/class/grading/evidence_cache.h"
#include "grader/core/error.h"
#include "grader/core/files.h"
#include "grader/core/parallel.h"
#include "grader/core/text.h"
#include "grader/judge/assess/assess.h"
#include "grader/run/session/identity.h"
#include "grader/run/session/open_session.h"
#include "harness/lab/python_form.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

using Kind = LabProgram::Kind;

class LabProof {
 public:
  LabProof(LabSession& session, const LabCheckRequest& request, EvidenceCache& cache)
      : session_(session), lab_(session.lab()), request_(request), cache_(cache) {}

  LabOutcome run() {
    const auto started = std::chrono::steady_clock::now();
    files_.check();
    // Formulas, cheap answers and questions are those of the lab in CUDA C++.
    if (lab_.has_code() && proves_data()) {
      outcome_.misreadings = check_misreadings(
          session_, outcome_.problems,
          [&](const std::string& pitfall) { files_.require_page(pitfall, "misreadings.cpp"); });
      const VariantCount variants = count_variants(session_);
      outcome_.variants = variants.count;
      outcome_.no_variants = variants.problem;
    }
    if (!lab_.questions.empty() && proves_data()) {
      const QuestionCheck check = check_questions(lab_);
      outcome_.sheets = check.tried;
      add_problems(check.problems);
    }
    if (lab_.has_code()) check_programs();
    outcome_.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
    return std::move(outcome_);
  }

 private:
  /// Whether what no compiler has a part in is checked, too.
  [[nodiscard]] bool proves_data() const { return !is_in_python(lab_) && !request_.compiled_only; }

  void add_problems(const std::vector<std::string>& problems) {
    outcome_.problems.insert(outcome_.problems.end(), problems.begin(), problems.end());
  }

  void check_programs() {
    collect();
    if (session_.toolchain().compiler.kind == CompilerKind::clang && !is_in_python(lab_)) {
      outcome_.for_nvcc = std::erase_if(outcome_.programs,
                                        [](const LabProgram& p) { return needs_nvcc(p.text()); });
    }
    if (request_.extent == LabCheckExtent::changed) leave_out_recorded();
    if (proves_data()) check_cheap_answers();
    parallel_for(outcome_.programs.size(), available_processors(), [&](std::size_t i) {
      if (!outcome_.programs[i].recorded) try_program(outcome_.programs[i]);
    });
    check_concepts();
    add_problems(predictions_);
  }

  /// Programs that the record describes as they are do not run, except for a sample of them.
  void leave_out_recorded() {
    const std::optional<LabRecord> known =
        load_record(lab_, identity_of_rules(lab_), session_.toolchain().compiler.kind);
    // The form in Python has one compiler only.
    const bool samples = request_.samples || is_in_python(lab_);
    outcome_.changed = 0;
    for (LabProgram& p : outcome_.programs) {
      const std::string key = p.key();
      if (p.kind == Kind::stub || p.kind == Kind::solution || !known ||
          !known->has(key, source_hash(p.text()))) {
        ++*outcome_.changed;
        continue;
      }
      if (samples && is_sampled(key, request_.seed)) continue;
      p.recorded = true;
      const RecordedProgram& before = known->programs.at(key);
      p.missed.insert(before.missed.begin(), before.missed.end());
      p.points = before.points;
      p.warp_instructions = before.warp_instructions;
      if (p.kind == Kind::mutant) {
        p.caught = true;
        p.has_pitfall = !p.wrong.claim.pitfall.empty();
        p.named = p.has_pitfall;
      }
    }
  }

  void collect() {
    add(Kind::stub, lab_.stub, "stub");
    for (const fs::path& file : files_ending_in(lab_.reference / "stages", program_ending(lab_))) {
      add(Kind::stage, file, file.stem().string());
    }
    add(Kind::solution, solution_of(lab_), "solution");
    for (const fs::path& file : files_ending_in(lab_.reference / "plain", program_ending(lab_))) {
      add(Kind::plain, file, file.stem().string());
    }
    for (WrongProgram& wrong : wrong_programs(lab_)) {
      for (const CompilerKind compiler : {CompilerKind::nvcc, CompilerKind::clang}) {
        files_.require_page(wrong.claim.pitfall_with(compiler), wrong.file.filename().string());
      }
      LabProgram program;
      program.kind = Kind::mutant;
      program.name = wrong.name;
      program.wrong = std::move(wrong);
      outcome_.programs.push_back(std::move(program));
    }
    if (is_in_python(lab_)) return;
    for (TrivialProgram& trivial : trivial_programs(lab_)) {
      LabProgram program;
      program.kind = Kind::trivial;
      program.name = fmt::format("trivial kernel '{}'", slug(trivial.kind));
      program.trivial = std::move(trivial);
      outcome_.programs.push_back(std::move(program));
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
    outcome_.cheap = count_cheap_answers(lab_, by_case);
    add_problems(outcome_.cheap->problems);
  }

  /// A check that no program fails is meaningless.
  void check_concepts() {
    for (const ConceptCheck& check : lab_.concepts) {
      const bool failed =
          std::any_of(outcome_.programs.begin(), outcome_.programs.end(), [&](const LabProgram& p) {
            const bool counts = p.kind == Kind::stage || p.kind == Kind::mutant;
            return counts && p.missed.contains(check.id);
          });
      if (!failed) {
        outcome_.problems.push_back(
            fmt::format("concept {}: no stage or mutant fails it", check.id));
      }
    }
  }

  /// Fails exactly the cases whose answer is not trivial.
  void check_trivial(const Grade& grade, LabProgram& program) {
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

  void add(Kind kind, const fs::path& file, const std::string& name) {
    if (fs::exists(file)) {
      LabProgram program;
      program.kind = kind;
      program.file = file;
      program.name = name;
      outcome_.programs.push_back(std::move(program));
    }
  }

  /// Without the questions, which have a check of their own.
  Grade grade_of(const LabProgram& program) {
    Grade grade = whole_grade_of(program);
    if (program.kind == Kind::solution) {
      predictions_ = check_predictions(lab_, grade);
    }
    std::erase_if(grade.items,
                  [](const Item& item) { return item.category == Category::questions; });
    return grade;
  }

  Grade whole_grade_of(const LabProgram& program) {
    if (program.kind == Kind::trivial) {
      Submission submission;
      submission.student = "trivial";
      submission.lab = lab_.id;
      submission.files = {{.name = lab_.submit.front(), .text = program.trivial.text}};
      return kept_grade(session_, submission);
    }
    if (program.kind == Kind::mutant) {
      return kept_grade(session_, submission_of(program.wrong, lab_));
    }
    const std::optional<Lab> variant =
        program.kind == Kind::stage ? lab_of_stage(lab_, program.file) : std::nullopt;
    if (!variant) {
      Submission submission = submission_of_file(program.file, lab_);
      if (program.kind == Kind::solution && !lab_.questions.empty()) {
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

  void try_program(LabProgram& program) {
    if (!program.trivial.problem.empty()) {
      program.problems.push_back("it cannot be generated: " + program.trivial.problem);
      return;
    }
    const Grade grade = grade_of(program);
    check_program(lab_, grade, session_.toolchain().compiler.kind, program);
    if (program.kind == Kind::trivial) check_trivial(grade, program);
  }

  LabSession& session_;
  const Lab& lab_;
  const LabCheckRequest& request_;
  EvidenceCache& cache_;
  LabOutcome outcome_;
  FileCheck files_{lab_, session_.installation().pitfalls(), outcome_.problems};
  std::vector<std::string> predictions_;  // problems of questions about counters
};

/// Why submissions in Python cannot be run here; empty: they can.
std::string lack_of_python(const Toolchain& toolchain) {
  try {
    (void)find_python_tools(toolchain);
    return {};
  } catch (const EnvironmentError& error) {
    return error.what();
  }
}

void record(const Lab& lab, CompilerKind compiler, const std::vector<LabProgram>& programs) {
  LabRecord all{.lab = identity_of_rules(lab), .compiler = compiler, .programs = {}};
  for (const LabProgram& p : programs) {
    all.programs.emplace(p.key(), RecordedProgram{.source = source_hash(p.text()),
                                                  .missed = {p.missed.begin(), p.missed.end()},
                                                  .points = p.points,
                                                  .warp_instructions = p.warp_instructions});
  }
  store_record(lab, all);
  fmt::print("  recorded                {} programs, in reference/{}/{}\n", all.programs.size(),
             name_of(lab), record_file(lab, compiler).filename().string());
}

}  // namespace

ExitCode check_labs(const LabCheckRequest& request) {
  const Installation installation = find_installation();
  const std::vector<std::string> ids =
      request.lab.empty() ? find_labs(installation.root) : std::vector<std::string>{request.lab};
  bool keeps = false;
  const std::unique_ptr<EvidenceCache> cache = open_evidence_cache(request.cache, keeps);
  bool all_hold = true;
  bool all_return = true;
  const auto check = [&](Lab lab) {
    const std::unique_ptr<LabSession> session =
        open_session(installation, std::move(lab),
                     {.compiler = request.compiler, .device = DeviceRequest::emulator});
    session->cache_objects();
    const LabOutcome outcome = LabProof(*session, request, *cache).run();
    print_outcome(session->lab(), session->ladder(), outcome);
    if (!outcome.holds()) {
      all_hold = false;
    } else if (request.record && session->lab().has_code()) {
      record(session->lab(), session->toolchain().compiler.kind, outcome.programs);
    }
    return session->toolchain();
  };
  for (const std::string& id : ids) {
    try {
      Lab lab = load_lab_by_id(installation, id);
      const std::optional<Lab> python = has_python_form(lab) && !request.compiled_only
                                            ? std::optional(read_python_form(lab))
                                            : std::nullopt;
      const Toolchain toolchain = check(std::move(lab));
      if (!python) continue;
      if (const std::string lack = lack_of_python(toolchain); !lack.empty()) {
        fmt::print("{} ({})\n  not checked             {}\n", python->title, name_of(*python),
                   lack);
        continue;
      }
      check(*python);
    } catch (const LabCodeError& error) {
      fmt::print(stderr, "warpgrade: {}\n", error.what());
      all_return = false;
    }
  }
  return !all_return ? ExitCode::internal : all_hold ? ExitCode::passed : ExitCode::not_yet;
}

}  // namespace warpgrade
