#include "harness/golden/golden_library.h"

#include <catch2/catch_test_macros.hpp>

#include "harness/golden/golden.h"

namespace warpgrade {

TEST_CASE("the error for a missing golden library says what to build", "[golden]") {
  try {
    const GoldenLibrary library("nowhere/demo.so");
    FAIL("accepted");
  } catch (const LabError& error) {
    const std::string text = error.what();
    CHECK(text.starts_with("the golden library of lab 'demo' cannot be loaded ("));
    CHECK(text.ends_with("; build the project again, CMake compiles reference/demo/golden.cpp"));
  }
}

TEST_CASE("a golden library is in the folder golden of the libraries", "[golden]") {
  Lab lab;
  lab.id = "demo";
  CHECK(golden_file("build/lib", lab) == "build/lib/golden/demo.so");
}

TEST_CASE("a golden function may only use the lab's parameters", "[golden]") {
  const Dims dims = {{"n", 4}};
  const std::map<std::string, Array> inputs = {{"a", Array(ElementType::f32, {4})}};
  std::map<std::string, GoldenCall::Output> outputs;
  outputs["c"].type = ElementType::i32;
  outputs["c"].exact.resize(4);
  const GoldenCall call(dims, inputs, outputs);
  CHECK(call.dim("n") == 4);
  CHECK(call.input<float>("a").size() == 4);
  CHECK(call.integers("c").size() == 4);
  CHECK(outputs["c"].asked_for);
  CHECK_THROWS_AS(call.dim("m"), std::invalid_argument);
  CHECK_THROWS_AS(call.input<double>("a"), std::invalid_argument);
  CHECK_THROWS_AS(call.input<float>("b"), std::invalid_argument);
  CHECK_THROWS_AS(call.floats("c"), std::invalid_argument);
}

}  // namespace warpgrade
