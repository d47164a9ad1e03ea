#include "grader/author/check/cheap_answers.h"

#include <catch2/catch_test_macros.hpp>
#include <limits>
#include <utility>

#include "grader/testing/evidence.h"

namespace warpgrade {
namespace {

/// A case of a lab that makes `want` of the input `a`, which is not to be changed.
struct TestCase {
  explicit TestCase(std::vector<double> wanted, double bound, std::vector<float> values = {9})
      : lab(testing::test_lab()) {
    Parameter input;
    input.name = "a";
    input.shape = {Expression("inputs")};
    Parameter output;
    output.name = "out";
    output.role = Role::output;
    output.shape = {Expression("n")};
    lab.parameters = {input, output};
    lab.tolerance.precision = Precision::f32;
    spec.name = "small";
    spec.data.name = "few";
    spec.data.dims = {{"n", static_cast<std::int64_t>(wanted.size())},
                      {"inputs", static_cast<std::int64_t>(values.size())}};
    Array a(ElementType::f32, {values.size()});
    std::copy(values.begin(), values.end(), a.as<float>().begin());
    data.inputs.emplace("a", a);
    Expected expected;
    expected.bound.assign(wanted.size(), bound);
    expected.want = std::move(wanted);
    data.expected.emplace("out", expected);
    data.lab = &lab;
    data.spec = &spec;
  }
  TestCase(const TestCase&) = delete;
  TestCase& operator=(const TestCase&) = delete;

  [[nodiscard]] CheapTry::Result result(CheapAnswer answer) const {
    for (const CheapTry& tried : try_cheap_answers(data, {})) {
      if (tried.answer == answer) return tried.result;
    }
    throw std::logic_error("not tried");
  }
  [[nodiscard]] bool passes(CheapAnswer answer) const {
    return result(answer) == CheapTry::Result::passes;
  }
  [[nodiscard]] bool fails(CheapAnswer answer) const {
    return result(answer) == CheapTry::Result::fails;
  }
  [[nodiscard]] bool is_right(CheapAnswer answer) const {
    return result(answer) == CheapTry::Result::is_right;
  }

  Lab lab;
  Case spec;
  CaseData data;
};

TEST_CASE("values below the tolerance let zeros pass, and larger ones do not",
          "[labcheck][cheap]") {
  CHECK(TestCase({0.5, -0.25}, 1).passes(CheapAnswer::zeros));
  CHECK(TestCase({0.5, -0.25}, 0.3).fails(CheapAnswer::zeros));
}

TEST_CASE("an answer that is the expected one is right, however it was made", "[labcheck][cheap]") {
  CHECK(TestCase({0, 0}, 1).is_right(CheapAnswer::zeros));
  CHECK(TestCase({1, 1}, 1e-7).is_right(CheapAnswer::ones));
  CHECK(TestCase({0.1, 0.1}, 1e-7).is_right(CheapAnswer::mean));  // but for a rounding to float
  CHECK(TestCase({9}, 1e-7).is_right(CheapAnswer::copy_of_input));
  CHECK(TestCase({0.1, 0.1}, 1e-7).is_right(CheapAnswer::first_value));
  CHECK(TestCase({0.1, 0.1000001}, 1e-5).passes(CheapAnswer::first_value));
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK(TestCase({nan, nan}, 0).is_right(CheapAnswer::first_value));
}

TEST_CASE("a constant passes where all values are nearly equal", "[labcheck][cheap]") {
  CHECK(TestCase({5, 5.1, 4.9}, 0.2).passes(CheapAnswer::mean));
  CHECK(TestCase({5, 5.1, 4.9}, 0.2).passes(CheapAnswer::first_value));
  CHECK(TestCase({5, 5.1, 4.9}, 0.05).fails(CheapAnswer::mean));
  CHECK(TestCase({1.1, 0.9}, 0.2).passes(CheapAnswer::ones));
  CHECK(TestCase({1.3, 0.9}, 0.2).fails(CheapAnswer::ones));
}

TEST_CASE("a part of the elements passes where the others are small or like their neighbours",
          "[labcheck][cheap]") {
  CHECK(TestCase({7, 8, 0.01, 0.02}, 0.1).passes(CheapAnswer::first_half));
  CHECK(TestCase({7, 8, 0.01, 0.2}, 0.1).fails(CheapAnswer::first_half));
  CHECK(TestCase({7, 8, 0, 0}, 0.1).is_right(CheapAnswer::first_half));
  CHECK(TestCase({7, 0.01, 8, 0.02}, 0.1).passes(CheapAnswer::every_second));
  CHECK(TestCase({7, 0.2, 8, 0.02}, 0.1).fails(CheapAnswer::every_second));
  CHECK(TestCase({7, 7.05, 8, 8.05}, 0.1).passes(CheapAnswer::every_second_held));
  CHECK(TestCase({7, 7.05, 8, 8.2}, 0.1).fails(CheapAnswer::every_second_held));
}

TEST_CASE("half precision passes where the tolerance is as wide as its roundings",
          "[labcheck][cheap]") {
  CHECK(TestCase({1.0 / 3, 2.0 / 3}, 1e-3).passes(CheapAnswer::half_precision));
  CHECK(TestCase({1.0 / 3, 2.0 / 3}, 1e-6).fails(CheapAnswer::half_precision));
  CHECK(TestCase({0.25, 3}, 1e-6).is_right(CheapAnswer::half_precision));
  TestCase halves({1.0 / 3}, 1e-3);  // where the lab asks for no more
  halves.lab.tolerance.precision = Precision::f16;
  CHECK_THROWS(halves.result(CheapAnswer::half_precision));
}

TEST_CASE("a copy of an input is cut or filled with zeros to the size of the output",
          "[labcheck][cheap]") {
  CHECK(TestCase({9.05}, 0.1, {9, 8, 7}).passes(CheapAnswer::copy_of_input));
  CHECK(TestCase({9.05, 0.05}, 0.1, {9}).passes(CheapAnswer::copy_of_input));
  CHECK(TestCase({9.05, 0.2}, 0.1, {9}).fails(CheapAnswer::copy_of_input));
}

TEST_CASE("outputs without elements, and programs that must fail, have no cheap answers",
          "[labcheck][cheap]") {
  const TestCase empty({}, 0);
  CHECK(try_cheap_answers(empty.data, {}).empty());
  TestCase failing({0.5}, 1);
  failing.spec.program.exit_code = 3;
  CHECK(try_cheap_answers(failing.data, {}).empty());
}

TEST_CASE("what a predicate rejects fails, though its values are within the tolerance",
          "[labcheck][cheap]") {
  TestCase c({0.5, 0.5}, 1);
  c.lab.parameters[1].comparison.by_predicate = true;
  c.data.accepts = [](const Dims&, const auto&, const auto& outputs) {
    std::vector<RejectedElement> rejected;
    if (outputs.at("out").template as<float>()[0] != 1) {
      rejected.push_back({.parameter = "out", .index = 0, .why = "It is not 1."});
    }
    return rejected;
  };
  CHECK(c.fails(CheapAnswer::zeros));
  CHECK(c.is_right(CheapAnswer::ones));
}

TEST_CASE("a passing cheap answer is a problem that names case, dataset and answer",
          "[labcheck][cheap]") {
  Lab lab = testing::test_lab();
  lab.cases[0].data.name = "few";
  const auto count = [&](CheapTry::Result result) {
    return count_cheap_answers(
        lab, {{"small", {{.answer = CheapAnswer::copy_of_input, .input = "a", .result = result}}}});
  };
  const CheapCount passing = count(CheapTry::Result::passes);
  CHECK(passing.problems ==
        std::vector<std::string>{
            "the cheap answer 'copy-of-input of `a`' passes case \"small\" (dataset \"few\"); "
            "choose data for which it is wrong, or a tighter tolerance, or give a reason in "
            "[[waive_answer]]"});
  CHECK(passing.pass == 1);
  CHECK(count(CheapTry::Result::fails).problems.empty());
  CHECK(count(CheapTry::Result::is_right).problems.empty());
  lab.answer_waivers = {
      {.answer = CheapAnswer::copy_of_input, .on = "small", .reason = "The task is a copy."}};
  CHECK(count(CheapTry::Result::passes).problems.empty());
  CHECK(count(CheapTry::Result::passes).waived == 1);
  CHECK(count(CheapTry::Result::fails).problems ==
        std::vector<std::string>{"the cheap answer 'copy-of-input' does not pass case \"small\"; "
                                 "remove its [[waive_answer]]"});
}

TEST_CASE("half precision may pass where sums are long, but not nearly everywhere",
          "[labcheck][cheap]") {
  Lab lab = testing::test_lab();
  std::map<std::string, std::vector<CheapTry>> tries;
  const auto half = [](CheapTry::Result result) {
    return std::vector<CheapTry>{
        {.answer = CheapAnswer::half_precision, .input = "", .result = result}};
  };
  tries["small"] = half(CheapTry::Result::fails);
  tries["large"] = half(CheapTry::Result::passes);
  lab.cases[0].points = 10;
  lab.cases[1].points = 20;
  CHECK(count_cheap_answers(lab, tries).problems.empty());
  CHECK(count_cheap_answers(lab, tries).half == 1);
  lab.cases[1].points = 21;
  CHECK(count_cheap_answers(lab, tries).problems ==
        std::vector<std::string>{
            "the cheap answer 'half-precision' passes cases worth 21 points and fails those worth "
            "10; choose data of which more is lost, or shorter sums, whose tolerance is tighter"});
}

TEST_CASE("a single result is not compared with its own mean", "[labcheck][cheap]") {
  CHECK_THROWS(TestCase({0.1}, 1e-7).result(CheapAnswer::mean));
  CHECK(TestCase({0.1, 0.1}, 1e-7).is_right(CheapAnswer::mean));
}

TEST_CASE("an answer that is right in cases worth half of the points is a problem",
          "[labcheck][cheap]") {
  Lab lab = testing::test_lab();
  std::map<std::string, std::vector<CheapTry>> tries;
  const CheapTry zeros{
      .answer = CheapAnswer::zeros, .input = "", .result = CheapTry::Result::is_right};
  tries["small"] = {zeros};
  lab.cases[0].points = lab.rubric.correctness / 2 - 1;
  CHECK(count_cheap_answers(lab, tries).problems.empty());
  lab.cases[0].points = lab.rubric.correctness / 2;
  CHECK(count_cheap_answers(lab, tries).problems.size() == 1);
}

}  // namespace
}  // namespace warpgrade
