#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "grader/core/text.h"
#include "grader/tests/lab_root.h"
#include "grader/tests/program.h"

// Programs that compute another formula than those of any misreadings.cpp: the golden function is
// changed in one place, or in two.

namespace warpgrade {
namespace fs = std::filesystem;
using testing::contains;
using testing::documented_files;
using testing::LabRoot;
namespace {

/// The lab "squares" of docs/adding-a-lab.md, without misreadings.
struct Squares : LabRoot {
  explicit Squares(const std::string& formula = "double(in[i]) * double(in[i])") {
    REQUIRE(run({"lab", "new", "squares", "--template", "program"}).code == 0);
    for (const auto& [path, text] : documented_files("squares")) {
      write_file_atomically(*this / path, text);
    }
    fs::remove(*this / "reference/squares/misreadings.cpp");
    const std::string golden = read_file(*this / kGolden);
    REQUIRE(contains(golden, "double(in[i]) * double(in[i])"));
    write_file_atomically(*this / kGolden,
                          replace_all(golden, "double(in[i]) * double(in[i])", formula));
  }

  /// What a student reads first about a program that computes this of `x[i]`.
  [[nodiscard]] std::string first_sentence(const std::string& computes) const {
    const std::string solution = read_file(*this / "reference/squares/solution.cu");
    REQUIRE(contains(solution, "x[i] *= x[i];"));
    write_file_atomically(*this / "squares.cu",
                          replace_all(solution, "x[i] *= x[i];", "x[i] = " + computes + ";"));
    const fs::path grade = *this / "grade.json";
    const ProcessResult result = run({"check", "squares", (*this / "squares.cu").string(), "--json",
                                      grade.string(), "--device", "emulator"});
    INFO(result.out << result.err);
    REQUIRE(fs::exists(grade));
    return nlohmann::json::parse(read_file(grade)).at("summary");
  }

  static constexpr const char* kGolden = "reference/squares/golden.cpp";
};

TEST_CASE("another operator in the golden function's formula is named", "[program][variants]") {
  const Squares lab;
  const std::string said = lab.first_sentence("x[i] + x[i]");
  INFO(said);
  CHECK(
      said.starts_with("Your output is exactly the right one with `out[i] = in[i] + in[i]` in "
                       "place of `out[i] = in[i] * in[i]`, in "));
}

TEST_CASE("two changes of the golden function are named together", "[program][variants]") {
  const Squares lab("in[i] < 5 ? double(in[i]) * double(in[i]) : double(in[i]) / 4");
  const std::string said = lab.first_sentence("x[i] < 5 ? x[i] + x[i] : x[i] / 2");
  INFO(said);
  CHECK(contains(said, "Your output is exactly the right one with "));
  CHECK(contains(said, "in[i] + in[i]"));
  CHECK(contains(said, "in[i] / 2"));
}

TEST_CASE("a formula that no change of the golden function gives is not named",
          "[program][variants]") {
  const Squares lab;
  const std::string said = lab.first_sentence("x[i] * x[i] * x[i] + 7");
  INFO(said);
  CHECK_FALSE(contains(said, "in place of"));
}

TEST_CASE("lab check prints the number of variants, or why there are none",
          "[program][lab][variants]") {
  const Squares lab;
  const ProcessResult read = lab.run({"lab", "check", "squares"});
  INFO(read.out << read.err);
  CHECK(contains(read.out, "  variants of golden.cpp  "));
  CHECK_FALSE(contains(read.out, "variants of golden.cpp  none"));
  const std::string golden = read_file(lab / Squares::kGolden);
  write_file_atomically(lab / Squares::kGolden,
                        replace_all(golden, "WARPGRADE_GOLDEN(call) {",
                                    "#define BEGIN WARPGRADE_GOLDEN(call) {\nBEGIN"));
  const ProcessResult unread = lab.run({"lab", "check", "squares"});
  INFO(unread.out << unread.err);
  CHECK(contains(unread.out,
                 "variants of golden.cpp  none: it has no WARPGRADE_GOLDEN(call) { ... } that "
                 "could be read"));
}

}  // namespace
}  // namespace warpgrade
