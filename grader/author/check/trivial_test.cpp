#include "grader/author/check/trivial.h"

#include <catch2/catch_test_macros.hpp>

#include "grader/core/source_root.h"
#include "grader/testing/evidence.h"
#include "harness/lab/glue.h"

namespace warpgrade {
namespace {

Parameter array(const char* name, Role role, ElementType type, const char* extent,
                Memory memory = Memory::device) {
  return {.name = name,
          .role = role,
          .type = type,
          .memory = memory,
          .shape = {Expression(extent)},
          .value = std::nullopt,
          .record = {},
          .group = {},
          .matrix = {}};
}

Parameter scalar(const char* name, const char* value) {
  Parameter p;
  p.name = name;
  p.role = Role::scalar;
  p.type = ElementType::i32;
  p.value = Expression(value);
  return p;
}

/// Sums `a`, in device memory, to one element.
Lab sum_lab() {
  Lab lab = testing::test_lab();
  lab.function = "sum";
  lab.header = "labs/sum/sum.h";
  lab.parameters = {array("a", Role::input, ElementType::f32, "n"),
                    array("total", Role::output, ElementType::f32, "1"), scalar("length", "n")};
  return lab;
}

const TrivialProgram* find(const std::vector<TrivialProgram>& programs, TrivialKind kind) {
  for (const TrivialProgram& p : programs) {
    if (p.kind == kind) {
      return &p;
    }
  }
  return nullptr;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST_CASE("trivial programs follow from a lab's signature", "[labcheck][trivial]") {
  Lab lab = sum_lab();
  lab.parameters[1].shape = {Expression("ceil_div(n, 2) + 1")};
  const std::vector<TrivialProgram> programs = trivial_programs(lab);
  REQUIRE(programs.size() == 4);
  const std::string zeros = find(programs, TrivialKind::zeros)->text;
  CHECK(contains(zeros, "#include \"sum.h\"\n"));
  CHECK(contains(zeros, "void sum(const float* a, float* total, int length) {\n"));
  CHECK(contains(zeros,
                 "count_total(double n) { return static_cast<std::size_t>(1.0 * "
                 "(ceil_div(n, 2.0) + 1.0)); }"));
  CHECK(contains(zeros,
                 "  cudaMemset(total, 0, formula::count_total(static_cast<double>(length)) "
                 "* sizeof *total);\n"));
  CHECK(contains(find(programs, TrivialKind::copy)->text, "cudaMemcpyDeviceToDevice"));
  CHECK(contains(find(programs, TrivialKind::nothing)->text, "int length) {\n}\n"));
}

TEST_CASE("a trivial program that is impossible for a signature is not made",
          "[labcheck][trivial]") {
  Lab lab = sum_lab();
  lab.parameters[1].type = ElementType::u32;  // there is no input of this type
  CHECK(trivial_programs(lab).size() == 2);
  lab.parameters.pop_back();  // n is not a parameter; one element does not need it
  CHECK(find(trivial_programs(lab), TrivialKind::zeros)->problem.empty());
  lab.parameters[1].shape = {Expression("n")};
  CHECK(find(trivial_programs(lab), TrivialKind::zeros)->problem ==
        "the size of `total` depends on 'n', which is not a parameter, nor do the parameters' "
        "values tell it; pass it, or make it a [[size]] of what is passed");
}

/// A case of these dims.
Case case_of(const char* name, Dims dims) {
  Case spec;
  spec.name = name;
  spec.data.dims = std::move(dims);
  return spec;
}

TEST_CASE("a padded length that is not a parameter follows from what the function gets",
          "[labcheck][trivial]") {
  Lab lab = sum_lab();
  lab.cases = {case_of("a", {{"n", 10}, {"padded", 256}, {"blocks", 1}}),
               case_of("b", {{"n", 600}, {"padded", 768}, {"blocks", 3}})};
  lab.sizes = {{"padded", Expression("ceil_div(n, 256) * 256")},
               {"blocks", Expression("padded / 256")}};
  lab.parameters[1].shape = {Expression("blocks")};
  CHECK(contains(find(trivial_programs(lab), TrivialKind::zeros)->text,
                 "count_total(double n) { return static_cast<std::size_t>(1.0 * "
                 "(((ceil_div(n, 256.0) * 256.0) / 256.0))"));
  // The function gets the padded length only.
  lab.parameters[2] = scalar("length", "padded");
  lab.parameters[1].shape = {Expression("n")};
  CHECK(contains(find(trivial_programs(lab), TrivialKind::zeros)->text,
                 "formula::count_total(static_cast<double>((length == 256 ? 10.0 : length == 768 "
                 "? 600.0 : 0.0)))"));
  lab.cases.push_back(case_of("c", {{"n", 11}, {"padded", 256}, {"blocks", 1}}));
  CHECK(contains(find(trivial_programs(lab), TrivialKind::zeros)->problem,
                 "the size of `total` depends on 'n', which is not a parameter"));
}

TEST_CASE("every lab here can be tried with trivial programs", "[labcheck][trivial]") {
  for (const std::string& id : find_labs(kSourceRoot)) {
    const Lab lab = load_lab(std::filesystem::path(kSourceRoot) / "labs" / id);
    if (!lab.has_code()) continue;
    const std::vector<TrivialProgram> programs = trivial_programs(lab);
    INFO(id);
    CHECK(programs.size() >= (lab.program ? 1 : 2));
    for (const TrivialProgram& program : programs) {
      INFO(slug(program.kind));
      CHECK(program.problem.empty());
      CHECK(contains(program.text, lab.program ? "int main()" : declaration(lab)));
    }
  }
}

TEST_CASE("a trivial answer is right only if it is exactly the expected output",
          "[labcheck][trivial]") {
  const Lab lab = sum_lab();
  CaseData data;
  data.lab = &lab;
  Array a(ElementType::f32, {1});
  a.as<float>()[0] = 2.5F;
  data.inputs.emplace("a", a);
  Expected want;
  want.want = {2.5};
  want.bound = {1};  // so wide that zeros are nearly within it
  data.expected.emplace("total", want);
  CHECK(is_right_answer(TrivialKind::copy, data));
  CHECK(is_right_answer(TrivialKind::first_element, data));
  CHECK_FALSE(is_right_answer(TrivialKind::zeros, data));
  CHECK_FALSE(is_right_answer(TrivialKind::nothing, data));
  data.expected.at("total").want = {0.5};
  CHECK_FALSE(is_right_answer(TrivialKind::zeros, data));
  data.expected.at("total").want = {0};
  CHECK(is_right_answer(TrivialKind::zeros, data));
  data.expected.at("total").want = {};
  CHECK(is_right_answer(TrivialKind::nothing, data));
}

}  // namespace
}  // namespace warpgrade
