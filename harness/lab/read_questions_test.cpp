#include <catch2/catch_test_macros.hpp>
#include <string>

#include "harness/lab/lab.h"
#include "harness/testing/temporary_folder.h"

namespace warpgrade {

namespace {

const std::string kQuestionLab = R"(schema = 1
id = "demo"
title = "Demo"
[rubric]
questions = 100
[[question]]
id = "blocks"
title = "Blocks"
kind = "number"
points = 60
unit = "blocks"
tolerance = 0.5
draw.n = [1000, 1500]
draw.block = { from = 64, to = 256, step = 64 }
text = "Blocks of {block} threads for {n} elements?"
hint = "The last one."
[[question]]
id = "guard"
title = "Guard"
kind = "choice"
points = 10
text = "Which?"
options = { a = "i < n", b = "i <= n" }
[[question]]
id = "total"
title = "Total"
kind = "formula"
points = 30
text = "Threads?"
sizes = [{ n = 1 }, { n = 2 }, { n = 300 }]
)";

const std::string kAnswers = R"toml([blocks]
answer = "ceil_div(n, block)"
partial = [{ answer = "floor(n / block)", share = 0.5, says = "All {n}?" }]
solution = "{n} / {block} is {answer}."
[guard]
answer = "a"
[total]
answer = "ceil_div(n, 32) * 32"
)toml";

Lab load_questions(const std::string& lab, const std::string& answers = kAnswers) {
  const TemporaryFolder root;
  root.write("labs/demo/lab.toml", lab);
  if (!answers.empty()) root.write("reference/demo/answers.toml", answers);
  return load_lab(root.path() / "labs/demo/");
}

std::string question_complaint(const std::string& lab, const std::string& answers = kAnswers) {
  try {
    (void)load_questions(lab, answers);
  } catch (const LabError& error) {
    return error.what();
  }
  return "accepted";
}

std::string with(std::string text, const std::string& old_text, const std::string& new_text) {
  const std::size_t at = text.find(old_text);
  REQUIRE(at != std::string::npos);
  return text.replace(at, old_text.size(), new_text);
}

TEST_CASE("questions alone make a lab, with their answers from the staff's folder", "[lab][unit]") {
  const Lab lab = load_questions(kQuestionLab);
  CHECK_FALSE(lab.has_code());
  CHECK(lab.submit == std::vector<std::string>{"answers.toml"});
  REQUIRE(lab.questions.size() == 3);
  const LabQuestion& blocks = lab.questions[0];
  CHECK(blocks.kind == QuestionKind::number);
  CHECK(blocks.drawn.size() == 2);
  CHECK(blocks.drawn[0].values == std::vector<double>{64, 128, 192, 256});  // in order of names
  CHECK(blocks.drawn[1].values == std::vector<double>{1000, 1500});
  REQUIRE(blocks.key);
  CHECK(blocks.key->partial.size() == 1);
  CHECK(blocks.key->solution == "{n} / {block} is {answer}.");
  CHECK(lab.questions[1].key->options == std::vector<std::string>{"a"});
  CHECK(lab.questions[2].sizes.size() == 3);
}

TEST_CASE("without the staff's folder a lab has questions, but no answers", "[lab][unit]") {
  const Lab lab = load_questions(kQuestionLab, "");
  REQUIRE(lab.questions.size() == 3);
  CHECK_FALSE(lab.questions[0].key);
}

TEST_CASE("a wrong key of a question is an error with its line and an example", "[lab][unit]") {
  const auto refused = [](const std::string& from, const std::string& to) {
    return question_complaint(with(kQuestionLab, from, to));
  };
  CHECK(
      refused("hint = \"The last one.\"", "hnt = \"x\"") ==
      "labs/demo/lab.toml:16: unknown key 'hnt' in [[question]] \"blocks\"; did you mean 'hint'?");
  CHECK(refused("kind = \"number\"", "kind = \"numbr\"") ==
        "labs/demo/lab.toml:9: key 'kind' in [[question]] \"blocks\" is 'numbr'; did you mean "
        "'number'? it must be one of number, choice, choices, formula, counter");
  CHECK(refused("id = \"blocks\"", "id = \"two words\"") ==
        "labs/demo/lab.toml:7: question id 'two words' must be lower-case letters, digits and _, "
        "because it is a key in answers.toml");
  CHECK(
      refused("{n} elements", "{m} elements") ==
      "labs/demo/lab.toml:15: '{m}' in 'text' is not a drawn number of question 'blocks'; did you "
      "mean 'n'?");
  CHECK(refused("tolerance = 0.5", "tolerance = -1") ==
        "labs/demo/lab.toml:12: 'tolerance' is -1; it must be at least 0, in the unit of the "
        "answer");
  CHECK(refused("tolerance = 0.5", "relative = 5") ==
        "labs/demo/lab.toml:12: 'relative' is 5; it must be at least 0 and below 1, such as 0.05 "
        "for 5 percent");
  CHECK(refused("draw.n = [1000, 1500]", "draw.n = []") ==
        "labs/demo/lab.toml:13: 'n' has 0 values to draw from; give 1 to 1000, such as n = [1000, "
        "1500, 2000]");
  CHECK(refused("step = 64", "step = 0").find("must have from <= to, step > 0") !=
        std::string::npos);
  CHECK(refused("{ a = \"i < n\", b = \"i <= n\" }", "{ a = \"i < n\" }") ==
        "labs/demo/lab.toml:23: 'options' has 1; give at least 2, such as options = { a = \"...\", "
        "b = \"...\" }");
  CHECK(refused("{ n = 2 }, ", "").find("give at least 3 different ones") != std::string::npos);
  CHECK(refused("text = \"Threads?\"", "text = \"Threads?\"\ndraw.n = [1, 2]") ==
        "labs/demo/lab.toml:30: 'n' is a drawn number and a name in the sizes; rename one");
  CHECK(refused("{ n = 300 }", "{ m = 300 }").find("not all 'sizes' have the same names") !=
        std::string::npos);
  CHECK(refused("points = 30", "points = 20") ==
        "labs/demo/lab.toml:6: the points of all [[question]] sum to 90; make them "
        "rubric.questions, 100");
  CHECK(refused("hint = \"The last one.\"", "answer = 4") ==
        "labs/demo/lab.toml:16: 'answer' would be in lab.toml, which students get; write it to "
        "reference/demo/answers.toml, in the table [blocks]");
  CHECK(refused("kind = \"number\"", "kind = \"counter\"").find("key 'case' is missing") !=
        std::string::npos);
}

TEST_CASE("a wrong key of an answer is an error with its line and an example", "[lab][unit]") {
  const auto refused = [](const std::string& from, const std::string& to) {
    return question_complaint(kQuestionLab, with(kAnswers, from, to));
  };
  CHECK(
      refused("ceil_div(n, block)", "ceil_div(n, blok)") ==
      "reference/demo/answers.toml:2: 'blok' in formula 'ceil_div(n, blok)' is not a drawn number "
      "of question 'blocks'; did you mean 'block'?");
  CHECK(refused("answer = \"a\"", "answer = \"c\"") ==
        "reference/demo/answers.toml:6: 'c' is not an option of question 'guard'; these are a, b");
  CHECK(refused("share = 0.5", "share = 1") ==
        "reference/demo/answers.toml:3: 'share' is 1; it must be above 0 and below 1, the part of "
        "the points that this answer earns");
  CHECK(refused("[guard]", "[gard]").find("table [guard] is missing") != std::string::npos);
  CHECK(refused("solution", "solutoin") ==
        "reference/demo/answers.toml:4: unknown key 'solutoin' in [blocks]; did you mean "
        "'solution'?");
}

}  // namespace

}  // namespace warpgrade
