#include "grader/submit/questions/score_questions.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "grader/core/sha256.h"
#include "grader/core/text.h"
#include "grader/record/counters/formula.h"
#include "harness/core/closest.h"
#include "harness/questions/answer_sheet.h"
#include "harness/questions/judge.h"

namespace warpgrade {
namespace {

constexpr std::size_t kIdDigits = 16;
constexpr double kSlack = 1e-6;  // hundredths of a point, of decimal fractions

std::vector<std::string> ids_of(const Lab& lab) {
  std::vector<std::string> ids;
  for (const LabQuestion& question : lab.questions) ids.push_back(question.id);
  return ids;
}

/// A submitted answers.toml, read.
struct Sheet {
  AnswerSheet content;
  DrawKey key;
  bool is_for_another = false;  // its numbers are not those of this student
};

Sheet read_sheet(const Lab& lab, const SubmittedAnswers& answers) {
  Sheet sheet;
  if (!answers.problem.empty()) {
    sheet.content.problem = answers.problem;
  } else if (!answers.file) {
    sheet.content.problem =
        fmt::format("No {} was submitted; `warpgrade start {}` writes one", kAnswersFile, lab.id);
  } else {
    sheet.content = read_answer_sheet(answers.file->text);
  }
  AnswerSheet& content = sheet.content;
  if (content.problem.empty() && !content.lab.empty() && content.lab != lab.id) {
    content.problem = fmt::format(
        "{} is for lab '{}', not for '{}'; submit the one that "
        "`warpgrade start {}` wrote",
        kAnswersFile, one_line(content.lab), lab.id, lab.id);
  }
  const DrawKey written = {.course = content.draw, .student = content.student};
  sheet.key = answers.key.value_or(written);
  sheet.is_for_another = content.problem.empty() && sheet.key != written;
  return sheet;
}

/// A key of the file that is not a question, but close to this one.
std::string misspelled_key(const Lab& lab, const AnswerSheet& sheet, const std::string& id) {
  const std::vector<std::string> ids = ids_of(lab);
  for (const auto& [key, answer] : sheet.answers) {
    if (std::find(ids.begin(), ids.end(), key) == ids.end() && closest(key, ids) == id) {
      return fmt::format("line {} has '{}'", answer.line, one_line(key));
    }
  }
  return {};
}

/// What a student with the wrong numbers has to do.
std::string own_numbers(const Lab& lab, const DrawKey& key) {
  if (!key.is_personal()) {
    return fmt::format(
        " The numbers in this {} are not those that this course uses: `warpgrade "
        "start {}` writes the right ones.",
        kAnswersFile, lab.id);
  }
  return fmt::format(
      " This {} has other numbers than yours: `warpgrade start {} DIR --student {} "
      "--draw {}` writes yours.",
      kAnswersFile, lab.id, one_line(key.student), key.course);
}

class Scorer {
 public:
  Scorer(const Lab& lab, const Sheet& sheet, const Evidence& evidence)
      : lab_(lab), sheet_(sheet), evidence_(evidence) {}

  [[nodiscard]] Item score(const LabQuestion& question) const {
    const Draw draw = draw_numbers(lab_, question, sheet_.key);
    Item item{.id = "questions/" + question.id,
              .category = Category::questions,
              .title = question.title,
              .points = 0,
              .max_points = question.points,
              .status = ItemStatus::failed,
              .message = {},
              .hint = {},
              .pitfall = {}};
    QuestionReport report{.kind = std::string(slug(question.kind)),
                          .text = with_numbers(question.text, draw),
                          .options = {},
                          .answer = {},
                          .expected = right_answer(question, draw),
                          .solution = worked_solution(question, draw)};
    for (const QuestionOption& option : question.options) {
      report.options.push_back(option.id + ": " + with_numbers(option.text, draw));
    }
    const auto given = sheet_.content.answers.find(question.id);
    const bool is_given =
        given != sheet_.content.answers.end() && given->second.type != GivenAnswer::Type::blank;
    if (is_given) report.answer = given->second.shown;
    if (!sheet_.content.problem.empty()) {
      item.message = sheet_.content.problem + ".";
    } else if (!is_given) {
      const std::string near = misspelled_key(lab_, sheet_.content, question.id);
      item.message = near.empty()
                         ? fmt::format("No answer yet: {} = ...", question.id)
                         : fmt::format("No answer yet; {}: did you mean '{}'?", near, question.id);
    } else if (question.kind == QuestionKind::counter) {
      judge_counter(question, given->second, item, report);
    } else if (!question.key) {
      item.status = ItemStatus::not_assessed;
      item.message =
          "The right answer is not available on this machine; the course's grader has "
          "it.";
    } else {
      grant(question, judge_answer(question, draw, given->second), item);
    }
    if (is_given && item.status == ItemStatus::failed && sheet_.is_for_another &&
        !question.drawn.empty()) {
      item.message += own_numbers(lab_, sheet_.key);
    }
    if (item.status == ItemStatus::failed || item.status == ItemStatus::partial) {
      item.hint = with_numbers(question.hint, draw);
    }
    item.question = std::move(report);
    return item;
  }

 private:
  static void grant(const LabQuestion& question, const AnswerVerdict& verdict, Item& item) {
    item.message = verdict.message;
    // Rounded down to hundredths, as all shares of points are.
    item.points = std::floor(question.points * verdict.share * 100 + kSlack) / 100;
    item.status = verdict.is_right()  ? ItemStatus::passed
                  : verdict.share > 0 ? ItemStatus::partial
                                      : ItemStatus::failed;
  }

  void judge_counter(const LabQuestion& question, const GivenAnswer& given, Item& item,
                     QuestionReport& report) const {
    const CaseOutcome* outcome = evidence_.find_case(question.on);
    const CaseVerdict verdict = outcome == nullptr ? CaseVerdict::not_run : outcome->report.verdict;
    if (verdict == CaseVerdict::error) {
      item.status = ItemStatus::error;
      item.message = fmt::format(
          "Case \"{}\" could not be run because of an internal error; you lose no points.",
          question.on);
    } else if (verdict == CaseVerdict::not_assessed ||
               (verdict == CaseVerdict::passed && !outcome->emulator)) {
      item.status = ItemStatus::not_assessed;
      item.message =
          fmt::format("Case \"{}\" has no counters here; use --device emulator.", question.on);
    } else if (verdict != CaseVerdict::passed) {
      item.message = fmt::format("Compared only if case \"{}\" passes.", question.on);
    } else {
      compare(question, given, *outcome, item, report);
    }
  }

  static void compare(const LabQuestion& question, const GivenAnswer& given,
                      const CaseOutcome& outcome, Item& item, QuestionReport& report) {
    try {
      const double measured = evaluate_formula(
          *question.measured, outcome.spec->data.dims, [&](const CounterName& counter) {
            return counter_value(counter, *outcome.emulator, outcome.emulator->kernels);
          });
      report.expected = question.unit.empty()
                            ? number_text(measured)
                            : fmt::format("{} {}", number_text(measured), question.unit);
      grant(question, judge_prediction(question, given, measured), item);
    } catch (const ExpressionError&) {
      item.message = "The kernels made no such access, so there is nothing to compare with.";
    }
  }

  const Lab& lab_;
  const Sheet& sheet_;
  const Evidence& evidence_;
};

}  // namespace

std::string public_draw_id(const std::string& secret) {
  if (secret.empty()) return {};
  Sha256 sha;
  sha.add_field("numbers of questions");
  sha.add_field(secret);
  return sha.hex().substr(0, kIdDigits);
}

std::vector<Item> score_questions(const Lab& lab, const SubmittedAnswers& answers,
                                  const Evidence& evidence) {
  std::vector<Item> items;
  if (lab.questions.empty()) return items;
  const Sheet sheet = read_sheet(lab, answers);
  const Scorer scorer(lab, sheet, evidence);
  for (const LabQuestion& question : lab.questions) items.push_back(scorer.score(question));
  return items;
}

std::vector<IntegrityFlag> flag_answers(const Lab& lab, const SubmittedAnswers& answers) {
  if (!answers.key || !answers.key->is_personal() || !has_drawn_numbers(lab)) return {};
  const Sheet sheet = read_sheet(lab, answers);
  const std::string& student = sheet.content.student;
  if (student.empty() || student == answers.key->student) return {};
  return {{.kind = "answers-of-another",
           .message = fmt::format("{} was written for another student.", kAnswersFile),
           .evidence = fmt::format("student = \"{}\"", one_line(student))}};
}

std::vector<std::string> unknown_answers(const Lab& lab, const SubmittedAnswers& answers) {
  std::vector<std::string> unknown;
  if (lab.questions.empty() || !answers.file) return unknown;
  const std::vector<std::string> ids = ids_of(lab);
  for (const auto& [key, answer] : read_answer_sheet(answers.file->text).answers) {
    if (std::find(ids.begin(), ids.end(), key) != ids.end()) continue;
    const std::string near = closest(key, ids);
    unknown.push_back(fmt::format("{}:{}: there is no question '{}'; {}", kAnswersFile, answer.line,
                                  one_line(key),
                                  near.empty() ? "the questions are " + join_and(ids)
                                               : fmt::format("did you mean '{}'?", near)));
  }
  return unknown;
}

std::string next_question(const std::vector<Item>& items) {
  const auto open = [](const Item& item) {
    return item.category == Category::questions &&
           (item.status == ItemStatus::failed || item.status == ItemStatus::partial);
  };
  const auto first = std::find_if(items.begin(), items.end(), open);
  if (first == items.end()) return {};
  return fmt::format("Question \"{}\": {}", first->title, first->message);
}

}  // namespace warpgrade
