#include <fmt/core.h>

#include "grader/core/plural_points.h"
#include "grader/core/text.h"
#include "grader/core/toml_text.h"
#include "grader/submit/questions/score_questions.h"
#include "harness/questions/judge.h"

namespace warpgrade {
namespace {

constexpr std::size_t kColumns = 96;  // of a comment, after "# "

std::string comment(std::string_view text, std::string_view indent = "") {
  std::string lines;
  for (const std::string_view paragraph : split_lines(text)) {
    for (const std::string& line : wrap(paragraph, kColumns - indent.size())) {
      lines += fmt::format("# {}{}\n", indent, line);
    }
  }
  return lines;
}

}  // namespace

std::string answers_template(const Lab& lab, const DrawKey& key) {
  std::string text = comment(fmt::format(
      "Your answers to the questions of {}. Write each one between its quotes, or a number without "
      "quotes. `warpgrade check {} .` says which are right; submit this file with your work.",
      lab.title, lab.id));
  text += fmt::format("lab = {}\n", toml_string(one_line(lab.id)));
  if (key.is_personal()) {
    text += "# The numbers in the questions are yours: leave these two lines as they are.\n";
    text += fmt::format("student = {}\ndraw = {}\n", toml_string(one_line(key.student)),
                        toml_string(one_line(key.course)));
  }
  text += "\n[answers]\n";
  for (const LabQuestion& question : lab.questions) {
    const Draw draw = draw_numbers(lab, question, key);
    text += fmt::format(
        "\n{}", comment(fmt::format("{} ({})", question.title, plural_points(question.points))));
    text += comment(with_numbers(question.text, draw));
    for (const QuestionOption& option : question.options) {
      text += comment(fmt::format("{}: {}", option.id, with_numbers(option.text, draw)), "  ");
    }
    text += comment("Answer: " + answer_form(question));
    text += fmt::format("{} = {}\n", question.id,
                        question.kind == QuestionKind::choices ? "[]" : "\"\"");
  }
  return text;
}

std::string answered_questions(const Lab& lab, const DrawKey& key) {
  std::string text;
  const auto line = [&](std::string_view name, const std::string& content) {
    if (!content.empty()) text += fmt::format("  {}: {}\n", name, content);
  };
  for (const LabQuestion& question : lab.questions) {
    const Draw draw = draw_numbers(lab, question, key);
    text += fmt::format("\n{} ({}): {}\n  {}\n", question.id, plural_points(question.points),
                        question.title, with_numbers(question.text, draw));
    for (const QuestionOption& option : question.options) {
      text += fmt::format("    {}: {}\n", option.id, with_numbers(option.text, draw));
    }
    line("right", question.kind == QuestionKind::counter
                      ? fmt::format("{} in case \"{}\" of the student's own program",
                                    question.measured->text(), question.on)
                      : right_answer(question, draw));
    if (!question.key) line("right", "unknown: reference/ is not on this machine");
    line("solution", worked_solution(question, draw));
  }
  return text;
}

}  // namespace warpgrade
