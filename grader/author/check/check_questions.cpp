#include "grader/author/check/check_questions.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "grader/core/text.h"
#include "grader/submit/questions/score_questions.h"
#include "harness/core/lab_error.h"
#include "harness/questions/judge.h"

namespace warpgrade {
namespace {

constexpr int kStudents = 8;  // whose numbers are tried
constexpr double kSlack = 0.0101;  // points: they are rounded down to hundredths

std::string value_text(const LabQuestion& question, const Expression& value, const Draw& draw) {
  if (question.kind == QuestionKind::formula) {
    // Students have numbers in the places of drawn names.
    std::string text;
    for (std::size_t i = 0; i < value.text().size();) {
      const auto is_letter = [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.';
      };
      std::size_t end = i;
      while (end < value.text().size() && is_letter(value.text()[end])) ++end;
      const std::string word = value.text().substr(i, end - i);
      const auto drawn = draw.find(word);
      if (end == i) {
        text += value.text()[i++];
      } else {
        text += drawn == draw.end() ? word : number_text(drawn->second);
        i = end;
      }
    }
    return fmt::format("\"{}\"", text);
  }
  LabQuestion asked = question;
  asked.key = QuestionKey{.value = value};
  const std::string right = right_answer(asked, draw);
  return question.unit.empty() ? right : fmt::format("\"{}\"", right);
}

std::string right_value(const LabQuestion& question, const Draw& draw) {
  if (question.key->value) return value_text(question, *question.key->value, draw);
  if (question.kind == QuestionKind::choice) {
    return fmt::format("\"{}\"", question.key->options.front());
  }
  std::string list;
  for (const std::string& id : question.key->options) {
    list += fmt::format("{}\"{}\"", list.empty() ? "" : ", ", id);
  }
  return fmt::format("[{}]", list);
}

class Checker {
 public:
  explicit Checker(const Lab& lab) : lab_(lab) {}

  QuestionCheck run() {
    try {
      expect_nothing();
      for (int i = 0; i <= kStudents; ++i) {
        const DrawKey key =
            i == 0 ? DrawKey{}
                   : DrawKey{.course = "lab check", .student = fmt::format("student {}", i)};
        expect_everything(key);
        for (const LabQuestion& question : lab_.questions) expect_shares(question, key);
      }
    } catch (const LabError& error) {
      check_.problems.emplace_back(error.what());
    }
    return std::move(check_);
  }

 private:
  std::vector<Item> graded(const std::string& text, const DrawKey& key) {
    ++check_.tried;
    Evidence none;
    none.lab = &lab_;
    return score_questions(
        lab_, {.file = SourceFile{.name = kAnswersFile, .text = text}, .problem = {}, .key = key},
        none);
  }

  void problem(const LabQuestion& question, const std::string& text) {
    const std::string line = fmt::format("question {}: {}", question.id, text);
    if (std::find(check_.problems.begin(), check_.problems.end(), line) == check_.problems.end()) {
      check_.problems.push_back(line);
    }
  }

  [[nodiscard]] static bool is_judged(const LabQuestion& question) {
    return question.kind != QuestionKind::counter && question.key.has_value();
  }

  [[nodiscard]] std::string head(const DrawKey& key) const {
    return fmt::format("lab = \"{}\"\nstudent = \"{}\"\ndraw = \"{}\"\n[answers]\n", lab_.id,
                       key.student, key.course);
  }

  void expect_nothing() {
    const std::vector<Item> items = graded(answers_template(lab_, {}), {});
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (items[i].points > 0 || items[i].status != ItemStatus::failed) {
        problem(lab_.questions[i], "the sheet that students start with has points for it");
      }
    }
  }

  void expect_everything(const DrawKey& key) {
    std::string text = head(key);
    for (const LabQuestion& question : lab_.questions) {
      if (is_judged(question)) {
        text += fmt::format("{} = {}\n", question.id,
                            right_value(question, draw_numbers(lab_, question, key)));
      }
    }
    const std::vector<Item> items = graded(text, key);
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (is_judged(lab_.questions[i]) && items[i].status != ItemStatus::passed) {
        problem(lab_.questions[i],
                fmt::format("its right answer is not accepted: {}", items[i].message));
      }
    }
  }

  void expect_shares(const LabQuestion& question, const DrawKey& key) {
    if (!is_judged(question)) return;
    const Draw draw = draw_numbers(lab_, question, key);
    for (std::size_t i = 0; i < question.key->partial.size(); ++i) {
      const PartialAnswer& partial = question.key->partial[i];
      const std::string answer = partial.value ? value_text(question, *partial.value, draw)
                                               : fmt::format("\"{}\"", partial.option);
      const std::vector<Item> items =
          graded(head(key) + fmt::format("{} = {}\n", question.id, answer), key);
      const auto item = std::find_if(items.begin(), items.end(), [&](const Item& candidate) {
        return candidate.id == "questions/" + question.id;
      });
      // With some numbers a partial answer may also be right.
      const bool as_said = std::abs(item->points - partial.share * question.points) < kSlack;
      if (!as_said && (item->status != ItemStatus::passed || !key.is_personal())) {
        problem(question, fmt::format("partial answer {} has {} points, not {}; does it equal "
                                      "another answer?",
                                      i + 1, human_points(item->points),
                                      human_points(partial.share * question.points)));
      }
    }
  }

  const Lab& lab_;
  QuestionCheck check_;
};

}  // namespace

QuestionCheck check_questions(const Lab& lab) {
  return lab.questions.empty() ? QuestionCheck{} : Checker(lab).run();
}

std::string any_predictions(const Lab& lab) {
  std::string text = "[answers]\n";
  for (const LabQuestion& question : lab.questions) {
    if (question.kind == QuestionKind::counter) text += question.id + " = 0\n";
  }
  return text;
}

std::vector<std::string> check_predictions(const Lab& lab, const Grade& solution) {
  std::vector<std::string> problems;
  for (const LabQuestion& question : lab.questions) {
    if (question.kind != QuestionKind::counter) continue;
    const auto item =
        std::find_if(solution.items.begin(), solution.items.end(),
                     [&](const Item& i) { return i.id == "questions/" + question.id; });
    if (item == solution.items.end() || !item->question || item->question->expected.empty()) {
      problems.push_back(
          fmt::format("question {}: nothing was counted on the solution: {}", question.id,
                      item == solution.items.end() ? "it has no item" : item->message));
    }
  }
  return problems;
}

}  // namespace warpgrade
