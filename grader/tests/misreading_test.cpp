#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "grader/core/text.h"
#include "grader/tests/program.h"

// Wrong programs whose headline in `check` is the sentence of the formula that they compute.

namespace warpgrade {
namespace fs = std::filesystem;
using testing::contains;
using testing::warpgrade;
namespace {

/// Texts of a program and what they are replaced by; each must be there.
using Edits = std::vector<std::pair<std::string, std::string>>;

/// What a student reads first about a program of reference/<lab> with these edits.
nlohmann::json shown(const std::string& lab, const std::string& file, const Edits& edits = {}) {
  std::string source = testing::reference_program(lab, file);
  for (const auto& [from, to] : edits) {
    INFO(file << ": " << from);
    REQUIRE(contains(source, from));
    source = replace_all(source, from, to);
  }
  const ScratchFolder folder;
  const fs::path submission = folder.path() / (lab + ".cu");
  write_file_atomically(submission, source);
  const ProcessResult result = warpgrade({"check", lab, submission.string(), "--device", "emulator",
                                          "--json", (folder.path() / "grade.json").string()});
  INFO(result.out << result.err);
  REQUIRE(fs::exists(folder.path() / "grade.json"));
  return nlohmann::json::parse(read_file(folder.path() / "grade.json"));
}

void check_sentence(const nlohmann::json& grade, const std::string& says,
                    const std::string& pitfall) {
  const std::string summary = grade.at("summary");
  INFO(summary);
  CHECK(summary.starts_with("Your output is exactly the right one " + says + ", in "));
  CHECK(grade.at("pitfall") == pitfall);
}

TEST_CASE("a window and a mask at another place are named", "[program][misreading][any_compiler]") {
  check_sentence(shown("convolution", "stages/01_rows_in_1d.cu",
                       {{"% width) - mask_width / 2;", "% width) - mask_width / 2 - 1;"}}),
                 "for a window one column too far to the left", "P11");
  check_sentence(shown("convolution", "stages/01_rows_in_1d.cu",
                       {{"mask_row[j]", "mask_row[mask_width - 1 - j]"}}),
                 "for a mask with its columns in reverse order", "");
}

TEST_CASE("an operand read as if it were transposed is named",
          "[program][misreading][any_compiler]") {
  check_sentence(shown("attention", "stages/01_scores_in_memory.cu",
                       {{"k + (head * n + j) * depth;", "k + head * n * depth + j;"},
                        {"query[c] * key[c]", "query[c] * key[static_cast<size_t>(c) * n]"}}),
                 "for K read as if it were transposed: K[c][j] in place of K[j][c]", "P5");
}

TEST_CASE("the distance of neighbours along y is named", "[program][misreading][any_compiler]") {
  check_sentence(shown("stencil", "stages/01_thread_per_cell.cu",
                       {{"in[i - nx]", "in[i - ny]"}, {"in[i + nx]", "in[i + ny]"}}),
                 "for rows of ny cells; they have nx", "P5");
}

TEST_CASE("x indexed by the position in the row is named", "[program][misreading][any_compiler]") {
  check_sentence(
      shown("spmv", "stages/01_thread_per_row.cu", {{"x[columns[k]]", "x[k - row_starts[row]]"}}),
      "for x indexed by the position in the row, in place of x[columns[k]]", "");
}

TEST_CASE("an epilogue in another order is named", "[program][misreading][any_compiler]") {
  check_sentence(shown("gemm_fused", "wrong/cut_before_c"),
                 "for max(0, A * B) + C: C is added after negative sums became 0", "");
}

TEST_CASE("a peak of each half is named", "[program][misreading][any_compiler]") {
  check_sentence(shown("devices", "wrong/peak_of_the_half"),
                 "if each half, the first one rounded up, were divided by its own peak", "");
}

TEST_CASE("bits that are never sorted are named", "[program][misreading][any_compiler]") {
  check_sentence(shown("sort", "wrong/three_bytes"),
                 "for keys sorted by their lowest 24 bits: the last eight are missing", "");
}

TEST_CASE("a line of the source says why a formula is computed",
          "[program][misreading][any_compiler]") {
  const nlohmann::json grade = shown("sort", "wrong/result_in_scratch");
  const std::string summary = grade.at("summary");
  INFO(summary);
  CHECK(contains(summary, "for keys sorted by their lowest 31 bits"));
  CHECK(contains(summary, "The result is in the other of the two arrays"));
  CHECK(grade.at("pitfall") == "P26");
}

TEST_CASE("letters that are not counted are named", "[program][misreading][any_compiler]") {
  const std::string summary = shown("text_histogram", "wrong/capitals_not_counted").at("summary");
  INFO(summary);
  CHECK(summary.starts_with("Your output is exactly the right one if capital letters were"));
}

TEST_CASE("what a program has written into its files is named",
          "[program][misreading][any_compiler]") {
  check_sentence(shown("forward", "wrong/pixel_major_features"),
                 "for features ordered by pixel first and by map second", "P5");
  // One case is right: that in which the program must refuse its arguments.
  check_sentence(shown("forward", "wrong/relu_of_all_layers"),
                 "if the last layer also had max(0, x)", "");
}

TEST_CASE("another operation is named, and the right one is not",
          "[program][misreading][any_compiler]") {
  const std::string file = "stages/01_one_thread_per_element.cu";
  check_sentence(shown("gemm", file, {{"* b[i * n", "+ b[i * n"}}),
                 "for A[i][l] + B[l][j] in place of their product", "");
  const nlohmann::json right = shown("gemm", file);
  CHECK_FALSE(contains(right.at("summary").get<std::string>(), "Your output is"));
}

}  // namespace
}  // namespace warpgrade
