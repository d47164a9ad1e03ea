#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <fstream>
#include <nlohmann/json.hpp>

#include "scripts/tests/command.h"

namespace warpgrade::test {
namespace {

using Catch::Matchers::ContainsSubstring;

/// Compiles the tiled GEMM as a person would on the command line.
/// By nvcc with these options, or by clang where the build has no nvcc.
std::string compile_by_hand(const ScratchFolder& folder, const std::string& append_flags) {
  const std::string program = folder.path() / "gemm";
  const auto source = source_folder() / "scripts/tests/programs/tiled_gemm.cu";
  const Outcome built =
      nvcc().empty()
          ? run({source_folder() / "scripts/clang_cuda", "-o", program, source},
                {"WARPGRADE_CUDART=" + (build_folder() / "lib/warpsim/libcudart.so.13").string()})
          : run({nvcc(), "-o", program, source}, {"NVCC_APPEND_FLAGS=" + append_flags});
  INFO(built.output);
  REQUIRE(built.exit_code == 0);
  return program;
}

TEST_CASE("warpsim runs a program that is not part of the project", "[user][warpsim]") {
  const ScratchFolder folder;
  const std::string program = compile_by_hand(folder, "-cudart shared -lineinfo");
  const Outcome outcome = run({build_folder() / "bin/warpsim", "--", program});
  CHECK(outcome.exit_code == 0);
  CHECK_THAT(outcome.output, ContainsSubstring("passed: 0 of 7161 elements differ\n"));
  CHECK_THAT(outcome.output, ContainsSubstring("no findings"));
}

TEST_CASE("warpsim names the line of a bug that the program's self-check cannot see",
          "[user][warpsim]") {
  const ScratchFolder folder;
  const std::string program = compile_by_hand(folder, "-cudart shared -lineinfo");
  const std::string report = folder.path() / "report.json";
  const Outcome outcome = run({build_folder() / "bin/warpsim", "--error-exitcode", "42", "--json",
                               report, "--", program, "read-too-far"});
  INFO(outcome.output);
  CHECK(outcome.exit_code == 42);

  const auto findings = nlohmann::json::parse(std::ifstream(report)).at("findings");
  REQUIRE(findings.size() >= 1);
  CHECK(findings[0].at("kind") == "oob-global-read");
  CHECK(findings[0].at("line") == 22);
  CHECK(std::filesystem::path(findings[0].at("file").get<std::string>()).filename() ==
        "tiled_gemm.cu");
}

TEST_CASE("warpsim says how to rebuild a program with the runtime linked in", "[user][warpsim]") {
  if (nvcc().empty()) SKIP("only nvcc links the runtime statically");
  const ScratchFolder folder;
  const std::string program = compile_by_hand(folder, "-cudart static");
  const Outcome outcome = run({build_folder() / "bin/warpsim", "--", program});
  CHECK(outcome.exit_code == 3);
  CHECK_THAT(outcome.output, ContainsSubstring("NVCC_APPEND_FLAGS=\"-cudart shared -lineinfo\""));
}

TEST_CASE("warpsim says which program it cannot find", "[user][warpsim]") {
  const Outcome outcome = run({build_folder() / "bin/warpsim", "--", "./no-such-program"});
  CHECK(outcome.exit_code == 3);
  CHECK_THAT(outcome.output, ContainsSubstring("./no-such-program"));
}

}  // namespace
}  // namespace warpgrade::test
