#include "grader/author/check/cost.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <set>
#include <string_view>
#include <vector>

#include "grader/author/check/headlines.h"
#include "grader/author/check/table.h"
#include "grader/author/check/wrong_program.h"
#include "grader/core/files.h"
#include "grader/core/parallel.h"
#include "grader/core/text.h"
#include "grader/judge/assess/assess.h"
#include "grader/judge/rubric/score.h"
#include "grader/run/session/open_session.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

constexpr double kRounding = 0.011;  // points are rounded to hundredths
constexpr std::string_view kMarker = "warpgrade lab cost";

double lost_in(const Grade& grade, Category category) {
  return grade.max_points_in(category) - grade.points_in(category);
}

/// The mistakes of one row of the table.
struct Band {
  std::string_view title;
  std::function<bool(const MistakeCost&, double correctness)> holds;
};

const std::array<Band, 6>& bands() {
  static const std::array<Band, 6> all = {{
      {"no case: formulas and time only", [](const auto& m, double) { return m.affected == 0; }},
      {"corner case: up to a tenth of the correctness points",
       [](const auto& m, double c) { return m.timed_case_right && m.affected <= c / 10; }},
      {"a tenth to a quarter",
       [](const auto& m, double c) { return m.timed_case_right && m.affected <= c / 4; }},
      {"a quarter to a half",
       [](const auto& m, double c) { return m.timed_case_right && m.affected <= c / 2; }},
      {"up to a half, including the timed case",
       [](const auto& m, double c) { return !m.timed_case_right && m.affected <= c / 2; }},
      {"more than a half", [](const auto&, double) { return true; }},
  }};
  return all;
}

struct Costs {
  std::vector<double> affected;
  std::vector<double> cost;
  std::vector<double> before;
  double limit = 0;
};

std::string range(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return fmt::format("{:.3g} / {:.3g} / {:.3g}", values.front(), values[values.size() / 2],
                     values.back());
}

class Survey {
 public:
  void look_at(LabSession& session, const fs::path& evidence) {
    const Lab& lab = session.lab();
    if (!evidence.empty()) fs::create_directories(evidence / lab.id);
    const std::vector<WrongProgram> mutants = wrong_programs(lab);
    std::vector<Grade> grades(mutants.size());
    parallel_for(mutants.size(), available_processors(), [&](std::size_t i) {
      const Submission mutant = submission_of(mutants[i], lab);
      grades[i] =
          evidence.empty()
              ? assess(session, mutant, "", 1)
              : grade_of(session, mutant, "",
                         kept_evidence(session, mutant, mutants[i].name, evidence / lab.id));
    });
    for (std::size_t i = 0; i < mutants.size(); ++i) {
      add(lab, mutants[i].name, grades[i]);
    }
  }

  [[nodiscard]] std::string table() const {
    std::string text =
        "| the mistake affects cases worth | mutants | cost | all-or-nothing cost | at "
        "most |\n"
        "|---|--:|--:|--:|--:|\n";
    for (std::size_t i = 0; i < bands().size(); ++i) {
      const Costs& row = rows_[i];
      if (row.cost.empty()) continue;
      text += fmt::format("| {} | {} | {} | {} | {:.3g} |\n", bands()[i].title, row.cost.size(),
                          range(row.cost), range(row.before), row.limit);
    }
    return text + fmt::format(
                      "\n{} mutants of {} labs that build, and {} that do not and get no points. "
                      "Costs are minimum, median and maximum; \"at most\" is the largest limit in "
                      "the row. Above their own limit: {}.\n",
                      counted_, labs_.size(), unbuilt_, beyond_.size());
  }

  [[nodiscard]] const std::vector<std::string>& beyond() const { return beyond_; }

 private:
  void add(const Lab& lab, const std::string& name, const Grade& grade) {
    labs_.insert(lab.id);
    if (grade.points_in(Category::build) < grade.max_points_in(Category::build)) {
      ++unbuilt_;
      return;
    }
    ++counted_;
    const MistakeCost mistake = cost_of_mistake(lab, grade);
    if (mistake.cost > mistake.limit + kRounding || grade.status == GradeStatus::error) {
      beyond_.push_back(fmt::format("{}/{}: costs {:.4g}, at most {:.4g}; {}", lab.id, name,
                                    mistake.cost, mistake.limit, grade.summary));
    }
    const auto band = std::find_if(bands().begin(), bands().end(), [&](const Band& b) {
      return b.holds(mistake, lab.rubric.correctness);
    });
    Costs& row = rows_.at(static_cast<std::size_t>(band - bands().begin()));
    row.affected.push_back(mistake.affected);
    row.cost.push_back(mistake.cost);
    row.before.push_back(mistake.all_or_nothing);
    row.limit = std::max(row.limit, mistake.limit);
  }

  std::array<Costs, 6> rows_;
  std::set<std::string> labs_;
  std::vector<std::string> beyond_;
  std::size_t counted_ = 0;
  std::size_t unbuilt_ = 0;
};

}  // namespace

MistakeCost cost_of_mistake(const Lab& lab, const Grade& grade) {
  MistakeCost mistake;
  std::set<std::string> affected;
  bool wrong = false;
  for (const CaseReport& c : grade.cases) {
    const bool passed = c.verdict == CaseVerdict::passed;
    wrong = wrong || !passed;
    if (!passed) affected.insert(c.name);
    mistake.timed_case_right = mistake.timed_case_right || (passed && c.name == grade.kernels_case);
  }
  bool unsafe = false;
  for (const ReportedFinding& f : grade.findings) {
    if (!f.counts()) continue;
    affected.insert(f.cases.begin(), f.cases.end());
    unsafe = unsafe || !(f.is_tidiness() || f.relies_on_luck());
  }
  for (const Case& spec : lab.cases)
    mistake.affected += affected.contains(spec.name) ? spec.points : 0;

  const Rubric& rubric = lab.rubric;
  const double tier =
      mistake.timed_case_right && grade.timing ? performance_points(*grade.timing) : 0;
  const double formulas = lost_in(grade, Category::concept_check);
  const double share = mistake.affected / rubric.correctness;
  mistake.cost = grade.max_score() - grade.score();
  mistake.limit = std::min(grade.max_score(), mistake.affected +
                                                  2 * share * (rubric.safety + rubric.performance) +
                                                  formulas + rubric.performance - tier);
  const double safety = lost_in(grade, Category::safety);
  mistake.all_or_nothing = lost_in(grade, Category::correctness) + formulas +
                           (unsafe                                        ? rubric.safety
                            : safety == 0                                 ? 0
                            : affected.empty() || safety == rubric.safety ? safety
                                                                          : rubric.safety / 2) +
                           (wrong ? rubric.performance : rubric.performance - tier);
  return mistake;
}

ExitCode count_mistakes(const std::string& id, const fs::path& evidence, const fs::path& into) {
  const Installation installation = find_installation();
  if (!into.empty()) (void)with_table(into, kMarker, "");  // fails before minutes of work
  Survey survey;
  for (const std::string& lab : code_labs(installation, id)) {
    const std::unique_ptr<LabSession> session = open_session(
        installation, load_code_lab(installation, lab), {.device = DeviceRequest::emulator});
    session->cache_objects();
    survey.look_at(*session, evidence);
  }
  fmt::print("{}", survey.table());
  for (const std::string& mutant : survey.beyond()) {
    fmt::print("PROBLEM {}\n", printable(mutant));
  }
  if (!into.empty()) write_file_atomically(into, with_table(into, kMarker, survey.table()));
  return survey.beyond().empty() ? ExitCode::passed : ExitCode::not_yet;
}

}  // namespace warpgrade
