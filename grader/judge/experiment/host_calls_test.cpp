#include "grader/judge/experiment/host_calls.h"

#include <catch2/catch_test_macros.hpp>

namespace warpgrade {

TEST_CASE("launches and calls of the runtime are found with their arguments",
          "[experiment][unit]") {
  const std::vector<HostCall> calls = host_calls(
      "void f(int n) {\n"
      "  cudaMemset(bins, 0, max(n, 1) * sizeof(int));  // cudaFree(x)\n"
      "  tile<4, int><<<dim3(1, 2),\n    256>>>(a[f(1, 2)], n - 1);\n"
      "  n::add<<<1, 32>>>();\n  if (a < b) g(c);\n}\n");
  REQUIRE(calls.size() == 3);
  CHECK(calls[0].name == "cudaMemset");
  CHECK(calls[0].arguments == std::vector<std::string>{"bins", "0", "max(n, 1) * sizeof(int)"});
  CHECK(calls[1].name == "tile");
  CHECK(calls[1].arguments == std::vector<std::string>{"a[f(1, 2)]", "n - 1"});
  CHECK(calls[1].first_line == 3);
  CHECK(calls[1].last_line == 4);
  CHECK(calls[2].name == "add");
  CHECK(calls[2].arguments.empty());
  CHECK(host_calls("cudaFree(").empty());
  CHECK(host_calls("k<<<1, 2").empty());
}

}  // namespace warpgrade
