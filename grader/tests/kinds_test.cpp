// One small lab per kind of data or parameter, each with a right and a wrong submission:
// grader/tests/kinds.

#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>
#include <string>

#include "grader/core/text.h"
#include "grader/tests/program.h"

namespace warpgrade {
namespace fs = std::filesystem;
using testing::contains;
using testing::warpgrade;
namespace {

/// A folder with the small labs, and the project's pages of pitfalls.
struct Kinds {
  Kinds() {
    fs::copy(testing::source_folder() / "grader/tests/kinds", folder.path(),
             fs::copy_options::recursive);
    fs::create_directory_symlink(testing::source_folder() / "docs", folder.path() / "docs");
  }
  [[nodiscard]] ProcessResult run(const std::vector<std::string>& arguments) const {
    return warpgrade(arguments, {{"WARPGRADE_ROOT", folder.path().string()}});
  }
  ScratchFolder folder;
};

/// @returns what `lab check` prints
std::string check(const std::string& lab) {
  const Kinds kinds;
  const ProcessResult result = kinds.run({"lab", "check", lab});
  INFO(result.out << result.err);
  CHECK(result.code == 0);
  CHECK(contains(result.out, "solution has it all     1 of 1"));
  CHECK(contains(result.out, "mutants caught          1 of 1"));
  CHECK(contains(result.out, "trivial kernels fail    "));
  CHECK_FALSE(contains(result.out, "PROBLEM"));
  return result.out;
}

TEST_CASE("a lab may have text, 64-bit hashes and truth values", "[program][kinds][any_compiler]") {
  check("letters");
}
TEST_CASE("a lab may have images from files and in three extents",
          "[program][kinds][any_compiler]") {
  check("gray");
}
TEST_CASE("a lab may have a sparse matrix in compressed rows", "[program][kinds][any_compiler]") {
  check("spmv");
}
TEST_CASE("a lab may have a sparse matrix in jagged diagonals", "[program][kinds][any_compiler]") {
  check("spmv_jds");
}
TEST_CASE("a lab may have half precision and bfloat16", "[program][kinds][any_compiler]") {
  check("halves");
}
TEST_CASE("a lab may have a setting with named values", "[program][kinds][any_compiler]") {
  check("combine");
}
TEST_CASE("a lab may have several functions, and any kind of memory",
          "[program][kinds][any_compiler]") {
  check("heat");
}
TEST_CASE("a lab may hand in a stream, and work in another one is found",
          "[program][kinds][any_compiler]") {
  check("queued");
}
TEST_CASE("a lab may have two devices, and a kernel without peer access is found",
          "[program][kinds][any_compiler]") {
  check("twins");
}
TEST_CASE("a lab may have arrays of structures, structures of arrays and .npy files",
          "[program][kinds][any_compiler]") {
  check("particles");
}

TEST_CASE("a lab may have padded arrays, and a race in blocks of one warp is found",
          "[program][kinds][any_compiler]") {
  const Kinds kinds;
  const ProcessResult result = kinds.run({"lab", "check", "smooth"});
  INFO(result.out << result.err);
  CHECK(result.code == 0);
  CHECK(contains(result.out, "mutants as they claim   2 of 2"));
  CHECK(contains(result.out, "mutants caught          2 of 2"));
  CHECK(contains(result.out, "trivial kernels fail    4 of 4"));
}

TEST_CASE("a lab may have sorted data, and a stub that does not build",
          "[program][kinds][any_compiler]") {
  CHECK(contains(check("locate"),
                 "  stub fails              1 of 1\n"
                 "  stub need not build     Students write the kernel's name and its "
                 "parameters.\n"));
  // Without the reason in lab.toml the same stub is a problem of the lab.
  const Kinds kinds;
  const fs::path toml = kinds.folder.path() / "labs/locate/lab.toml";
  const std::string text = read_file(toml);
  const std::size_t at = text.find("stub = ");
  write_file_atomically(toml, text.substr(0, at) + text.substr(text.find("[function]")));
  const ProcessResult refused = kinds.run({"lab", "check", "locate"});
  INFO(refused.out << refused.err);
  CHECK(refused.code == 1);
  CHECK(contains(refused.out, "PROBLEM stub: it does not build: "));
}

TEST_CASE(
    "a lab may have functions that return values, structures by value, and cases that call one "
    "function",
    "[program][kinds][any_compiler]") {
  const Kinds kinds;
  const ProcessResult result = kinds.run({"lab", "check", "between"});
  INFO(result.out << result.err);
  CHECK(result.code == 0);
  CHECK(contains(result.out, "solution has it all     1 of 1"));
  CHECK(contains(result.out, "mutants as they claim   2 of 2"));
  CHECK(contains(result.out, "mutants caught          2 of 2"));
  CHECK(contains(result.out, "trivial kernels fail    "));

  // Who has written one of two functions gets the points of its cases.
  const std::string solution = read_file(kinds.folder.path() / "reference/between/solution.cu");
  const fs::path half = kinds.folder.path() / "half/between.cu";
  write_file_atomically(half, replace_all(solution, "  mark_each<<<", "  if (false) mark_each<<<"));
  const fs::path json = kinds.folder.path() / "half/grade.json";
  const ProcessResult one = kinds.run({"check", "between", half.string(), "--device", "emulator",
                                       "--sandbox", "none", "--json", json.string()});
  INFO(one.out << one.err);
  const auto grade = nlohmann::json::parse(read_file(json));
  for (const auto& item : grade.at("items")) {
    if (item.at("id") == "correctness/count") CHECK(item.at("points") == 40);
    if (item.at("id") == "correctness/marks") CHECK(item.at("points") == 0);
  }
}

TEST_CASE("a lab may allow work on the host, and its points say what kernels must do",
          "[program][kinds][any_compiler]") {
  const Kinds kinds;
  const auto run = [&] { return kinds.run({"lab", "check", "correlate"}); };
  const ProcessResult result = run();
  INFO(result.out << result.err);
  CHECK(result.code == 0);
  CHECK(contains(result.out, "solution has it all     1 of 1"));
  CHECK(contains(result.out, "mutants as they claim   2 of 2"));
  CHECK(contains(
      result.out,
      "  host may                subtract each row's mean, and divide it by its length\n"));
  // Without the permission the same solution counts as computed by the host.
  const fs::path toml = kinds.folder.path() / "labs/correlate/lab.toml";
  const std::string text = read_file(toml);
  const std::size_t at = text.find("host_work");
  write_file_atomically(toml, text.substr(0, at) + text.substr(text.find("[function]")));
  const ProcessResult forbidden = run();
  INFO(forbidden.out << forbidden.err);
  CHECK(forbidden.code == 1);
  CHECK(contains(forbidden.out, "PROBLEM solution: flagged, computed-on-host"));
  // Without points for the kernels' work nothing would ask for it.
  write_file_atomically(toml, replace_all(text, "at_least = 0.5\n", ""));
  const ProcessResult unbound = run();
  INFO(unbound.out << unbound.err);
  CHECK(unbound.code == 1);
  CHECK(
      contains(unbound.out,
               "PROBLEM 'host_work' is given, and no [[concept]] has 'at_least': nothing says how "
               "much work the kernels must do; add one with points"));
}

TEST_CASE("a handout that does not give the reason for a waiver is a problem of the lab",
          "[program][kinds][any_compiler]") {
  const Kinds kinds;
  write_file_atomically(kinds.folder.path() / "labs/combine/README.md", "# No reason\n");
  const ProcessResult result = kinds.run({"lab", "check", "combine"});
  INFO(result.out << result.err);
  CHECK(result.code == 1);
  CHECK(contains(result.out,
                 "PROBLEM README.md does not say why there is no case 'size-one'; write "
                 "there: The lab of a test has few sizes."));
  CHECK(contains(result.out, "waived                  size-one: The lab of a test has few sizes."));
}

TEST_CASE("the data of a case are exported with the elements' types, text as text",
          "[program][kinds][any_compiler]") {
  const Kinds kinds;
  const fs::path out = kinds.folder.path() / "out";
  const auto data = [&](const std::string& lab, const std::string& name) {
    const ProcessResult result = kinds.run({"data", lab, "--case", name, "--out", out.string()});
    INFO(result.out << result.err);
    CHECK(result.code == 0);
  };
  data("letters", "written");
  CHECK(read_file(out / "text.txt") == "hello world");
  CHECK(contains(read_file(out / "text.npy"), "'descr': '|S1'"));
  data("particles", "from a file");
  CHECK(contains(read_file(out / "particles.x.npy"), "'descr': '<f4'"));
  CHECK(contains(read_file(out / "velocity.turns.npy"), "'descr': '<i2'"));
  data("halves", "uniform");
  CHECK(contains(read_file(out / "x.npy"), "'descr': '<f2'"));
}

TEST_CASE("a data file that is cut is one message with the line that names it",
          "[program][kinds][any_compiler]") {
  const Kinds kinds;
  const fs::path file = kinds.folder.path() / "datasets/particles/x.npy";
  const std::string whole = read_file(file);
  write_file_atomically(file, whole.substr(0, whole.size() - 4));
  const ProcessResult result = kinds.run({"lab", "check", "particles"});
  CHECK(result.code == 2);
  CHECK(contains(result.err,
                 "datasets/particles.toml:7: datasets/particles/x.npy: ends before its "
                 "last element; save it again"));
}

}  // namespace
}  // namespace warpgrade
