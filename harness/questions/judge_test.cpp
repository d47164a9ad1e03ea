#include "harness/questions/judge.h"

#include <catch2/catch_test_macros.hpp>
#include <set>

#include "harness/questions/draw.h"

namespace warpgrade {

namespace {

LabQuestion number_question() {
  LabQuestion question;
  question.id = "blocks";
  question.kind = QuestionKind::number;
  question.unit = "blocks";
  question.drawn = {{.name = "n", .values = {1000}}, {.name = "block", .values = {256}}};
  question.key = QuestionKey{
      .value = Expression("ceil_div(n, block)"),
      .partial = {{.value = Expression("floor(n / block)"), .share = 0.5, .says = "All {n}?"}},
      .solution = "{n} / {block}, rounded up: {answer}."};
  return question;
}

const Draw kDraw = {{"n", 1000}, {"block", 256}};

/// The verdict about `q = <written>`.
AnswerVerdict verdict(const LabQuestion& question, const std::string& written,
                      const Draw& draw = kDraw) {
  const AnswerSheet sheet = read_answer_sheet("[answers]\nq = " + written);
  INFO(sheet.problem);
  REQUIRE(sheet.answers.contains("q"));
  return judge_answer(question, draw, sheet.answers.at("q"));
}

TEST_CASE("a number is right with its unit, without one, and within the tolerance",
          "[questions][unit]") {
  LabQuestion question = number_question();
  CHECK(verdict(question, "4").is_right());
  CHECK(verdict(question, "4.0").is_right());
  CHECK(verdict(question, "\"4 blocks\"").is_right());
  CHECK(verdict(question, "\"+4 block\"").is_right());
  CHECK(verdict(question, "5").message == "Not yet.");
  CHECK(verdict(question, "4.4").share == 0);
  question.tolerance = 0.5;
  CHECK(verdict(question, "4.4").is_right());
  CHECK_FALSE(verdict(question, "4.6").is_right());
  question.tolerance = 0;
  question.relative = 0.25;
  CHECK(verdict(question, "5").is_right());
}

TEST_CASE("a partial answer has its share, and its message has the student's numbers",
          "[questions][unit]") {
  const AnswerVerdict part = verdict(number_question(), "3");
  CHECK(part.share == 0.5);
  CHECK(part.message == "Not yet. All 1000?");
}

TEST_CASE("an answer in another form or unit gets one clear message and no points",
          "[questions][unit]") {
  const LabQuestion question = number_question();
  const auto message = [&](const std::string& written) {
    const AnswerVerdict said = verdict(question, written);
    CHECK(said.share == 0);
    return said.message;
  };
  const std::string write = " Write blocks = 42 or \"42 blocks\".";
  CHECK(message("\"four\"") == "Not a number: 'four'." + write);
  CHECK(message("\"4,096\"") == "Not a number: '4,096'." + write);
  CHECK(message("\"2 * 2\"") == "Not a number: '2 * 2'." + write);
  CHECK(message("nan") == "Not a number: 'nan'." + write);
  CHECK(message("true") == "Not a number: 'true'." + write);
  CHECK(message("[\"4\"]") == "Not a number: '4'." + write);
  CHECK(message("\"4 threads\"") == "The answer is in 'threads'; the question asks for blocks.");
  LabQuestion plain = question;
  plain.unit.clear();
  CHECK(verdict(plain, "\"4 blocks\"").message ==
        "The answer has the unit 'blocks'; the question asks for a number without a unit.");
}

TEST_CASE("one option is chosen, and a wrong one may earn a part", "[questions][unit]") {
  LabQuestion question;
  question.id = "guard";
  question.kind = QuestionKind::choice;
  question.options = {{"a", "i <= n"}, {"b", "i < n"}, {"c", "i"}};
  question.key = QuestionKey{.options = {"b"}, .partial = {{.option = "a", .share = 0.25}}};
  CHECK(verdict(question, "\"b\"").is_right());
  CHECK(verdict(question, "[\"b\"]").is_right());
  CHECK(verdict(question, "\"a\"").share == 0.25);
  CHECK(verdict(question, "\"c\"").message == "Not yet.");
  CHECK(verdict(question, "\"d\"").message ==
        "'d' is not one of the options; these are a, b and c.");
  CHECK(verdict(question, "[\"a\", \"b\"]").message ==
        "Several options are given; choose one: guard = \"a\".");
}

TEST_CASE("of several options each wrong one cancels a right one", "[questions][unit]") {
  LabQuestion question;
  question.id = "shared";
  question.kind = QuestionKind::choices;
  question.options = {{"a", ""}, {"b", ""}, {"c", ""}, {"d", ""}};
  question.key = QuestionKey{.options = {"a", "d"}};
  CHECK(verdict(question, "[\"d\", \"a\", \"a\"]").is_right());
  const AnswerVerdict half = verdict(question, "\"a\"");
  CHECK(half.share == 0.5);
  CHECK(half.message == "Not yet: some of it is right.");
  CHECK(verdict(question, "[\"a\", \"b\"]").share == 0);
  CHECK(verdict(question, "[\"a\", \"b\", \"c\", \"d\"]").share == 0);
  CHECK(verdict(question, "[\"a\", \"d\", \"b\"]").share == 0.5);
  CHECK(verdict(question, "[\"x\"]").message ==
        "'x' is not one of the options; these are a, b, c and d.");
}

TEST_CASE("formulas are compared by their values at every size", "[questions][unit]") {
  LabQuestion question;
  question.id = "threads";
  question.kind = QuestionKind::formula;
  question.sizes = {{{"n", 64}}, {{"n", 100}}, {{"n", 0}}};
  question.key = QuestionKey{.value = Expression("ceil_div(n, 32) * 32")};
  const auto formula_verdict = [&](const std::string& written) {
    return verdict(question, written, {});
  };
  CHECK(formula_verdict("\"32 * ceil(n / 32)\"").is_right());
  CHECK(formula_verdict("\"n\"").message ==
        "Not yet: it is right for some sizes, but not for all.");
  CHECK(formula_verdict("\"n + 1\"").message == "Not yet.");
  CHECK(formula_verdict("\"n * n / n\"").share == 0);  // has no value at n = 0
  CHECK(formula_verdict("\"m\"").message ==
        "The formula has 'm', which the question does not define; it may have n.");
  CHECK(formula_verdict("\"2 *\"").message.starts_with("Not a formula: "));
  CHECK(formula_verdict("[]").message.starts_with("Not a formula: "));
  CHECK(formula_verdict("\"" + std::string(400, '(') + "\"").message.starts_with("Not a formula"));
}

TEST_CASE("a prediction is compared with what was counted", "[questions][unit]") {
  LabQuestion question;
  question.id = "atomics";
  question.kind = QuestionKind::counter;
  question.relative = 0.05;
  GivenAnswer given{.type = GivenAnswer::Type::number, .number = 100};
  CHECK(judge_prediction(question, given, 104).is_right());
  CHECK_FALSE(judge_prediction(question, given, 120).is_right());
  CHECK(judge_prediction(question, given, 120).message.find("120") == std::string::npos);
}

TEST_CASE("staff get the right answer and the solution with the student's numbers",
          "[questions][unit]") {
  CHECK(right_answer(number_question(), kDraw) == "4 blocks");
  CHECK(worked_solution(number_question(), kDraw) == "1000 / 256, rounded up: 4 blocks.");
}

TEST_CASE("an answers.toml that cannot be read says why, with the line", "[questions][unit]") {
  CHECK(read_answer_sheet("[answers]\na = 1\na = 2\n").problem ==
        "answers.toml:3: 'a' is answered twice; keep one of the lines");
  CHECK(read_answer_sheet("[answers]\na = four\n")
            .problem.starts_with("answers.toml:2 cannot be read: "));
  CHECK(read_answer_sheet("a = 1\n").problem ==
        "answers.toml has no line [answers]; put it above the answers, as `warpgrade start` writes "
        "it");
  CHECK(read_answer_sheet(std::string(70000, '#')).problem ==
        "answers.toml has 70000 bytes; at most 65536 are read. Submit only the answers, one line "
        "each");
  CHECK(read_answer_sheet("[answers]\na = " + std::string(10000, '[')).problem != "");
  const AnswerSheet good =
      read_answer_sheet("lab = \"x\"\nstudent = \"ada\"\n[answers]\na = \"\"\n");
  CHECK(good.problem.empty());
  CHECK(good.student == "ada");
  CHECK(good.answers.at("a").type == GivenAnswer::Type::blank);
}

TEST_CASE("numbers are drawn by course and student, and are the same for everybody without them",
          "[questions][unit]") {
  Lab lab;
  lab.id = "demo";
  LabQuestion question;
  DrawnNumber drawn{.name = "n", .values = {}};
  for (int i = 0; i < 50; ++i) drawn.values.push_back(i);
  question.drawn = {drawn};
  const auto n = [&](const DrawKey& key) { return draw_numbers(lab, question, key).at("n"); };
  CHECK(n({}) == 0);
  CHECK(n({.course = "c"}) == 0);
  CHECK(n({.course = "c", .student = "ada"}) == n({.course = "c", .student = "ada"}));
  std::set<double> seen;
  for (int i = 0; i < 40; ++i) seen.insert(n({.course = "c", .student = std::to_string(i)}));
  CHECK(seen.size() > 20);
  CHECK(n({.course = "c", .student = "ada"}) != n({.course = "d", .student = "ada"}));
  lab.questions = {question};
  CHECK(has_drawn_numbers(lab));
}

}  // namespace

}  // namespace warpgrade
