#include <string>
#include <vector>

#include "fuzz/input.h"
#include "harness/questions/judge.h"

// A student's answers.toml, judged as answers to a question of each kind.

namespace {

using namespace warpgrade;

std::vector<LabQuestion> questions() {
  std::vector<LabQuestion> all(4);
  all[0].kind = QuestionKind::number;
  all[0].unit = "blocks";
  all[0].key = QuestionKey{.value = Expression("4")};
  all[1].kind = QuestionKind::choice;
  all[1].options = {{.id = "a", .text = ""}, {.id = "b", .text = ""}};
  all[1].key = QuestionKey{.options = {"b"}};
  all[2] = all[1];
  all[2].kind = QuestionKind::choices;
  all[3].kind = QuestionKind::formula;
  all[3].sizes = {{{"n", 0}}, {{"n", 7}}, {{"n", 1000}}};
  all[3].key = QuestionKey{.value = Expression("2 * n")};
  for (LabQuestion& question : all) question.id = "q";
  return all;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::vector<LabQuestion> all = questions();
  const AnswerSheet sheet = read_answer_sheet(fuzz::text_of(data, size));
  for (const auto& [key, answer] : sheet.answers) {
    if (answer.type == GivenAnswer::Type::blank) continue;
    for (const LabQuestion& question : all) {
      const AnswerVerdict verdict = judge_answer(question, {}, answer);
      fuzz::require(verdict.share >= 0 && verdict.share <= 1 && !verdict.message.empty());
    }
    (void)judge_prediction(all[0], answer, 4);
  }
  return 0;
}
