#include "grader/judge/experiment/kernel_parameters.h"

#include <catch2/catch_test_macros.hpp>

namespace warpgrade {
namespace {

std::vector<KernelParameter> parameters_in(const std::string& text, std::string_view name) {
  return kernel_parameters({{"blur.cu", text}}, name);
}

TEST_CASE("a kernel's parameters have the names of its definition", "[experiment][parameters]") {
  const auto found = parameters_in(
      "#include <cstdio>\n"
      "__global__ void blur(const float* __restrict__ in, float *out,  // the image\n"
      "                     const int height, unsigned width, size_t pitch, float scale) {}\n",
      "blur");
  REQUIRE(found.size() == 6);
  CHECK(found[0].name == "in");
  CHECK_FALSE(found[0].whole);
  CHECK(found[1].name == "out");
  CHECK_FALSE(found[1].whole);
  CHECK(found[2].name == "height");
  CHECK(found[2].whole);
  CHECK(found[3].name == "width");
  CHECK(found[3].whole);
  CHECK_FALSE(found[4].whole);  // 64 bits
  CHECK_FALSE(found[5].whole);
}

TEST_CASE("a launch, another kernel and a host function are not a kernel's definition",
          "[experiment][parameters]") {
  const std::string text =
      "__global__ void other(int a) {}\n"
      "void blur_all(int n) { blur(n); }\n"
      "template <int kSize>\n"
      "__global__ void __launch_bounds__(256) blur(int n, int m) { }\n";
  const auto found = parameters_in(text, "blur");
  REQUIRE(found.size() == 2);
  CHECK(found[1].name == "m");
  CHECK(parameters_in(text, "blur_all").empty());
  CHECK(parameters_in(text, "").empty());
  CHECK(parameters_in("__global__ void blur(int n", "blur").size() <= 1);  // it does not end
}

}  // namespace
}  // namespace warpgrade
