// One small lab per kind of data or parameter, each with a right and a wrong submission:
// grader/tests/kinds.

#include <catch2/catch_test_macros.hpp>
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

void check(const std::string& lab) {
  const Kinds kinds;
  const ProcessResult result = kinds.run({"lab", "check", lab});
  INFO(result.out << result.err);
  CHECK(result.code == 0);
  CHECK(contains(result.out, "solution has it all     1 of 1"));
  CHECK(contains(result.out, "mutants caught          1 of 1"));
  CHECK(contains(result.out, "trivial kernels fail    "));
  CHECK_FALSE(contains(result.out, "PROBLEM"));
}

TEST_CASE("a lab may have text, 64-bit hashes and truth values", "[program][kinds]") {
  check("letters");
}
TEST_CASE("a lab may have images from files and in three extents", "[program][kinds]") {
  check("gray");
}
TEST_CASE("a lab may have a sparse matrix in compressed rows", "[program][kinds]") {
  check("spmv");
}
TEST_CASE("a lab may have a sparse matrix in jagged diagonals", "[program][kinds]") {
  check("spmv_jds");
}
TEST_CASE("a lab may have half precision and bfloat16", "[program][kinds]") {
  check("halves");
}
TEST_CASE("a lab may have a setting with named values", "[program][kinds]") {
  check("combine");
}
TEST_CASE("a lab may have several functions, and any kind of memory", "[program][kinds]") {
  check("heat");
}
TEST_CASE("a lab may hand in a stream, and work in another one is found", "[program][kinds]") {
  check("queued");
}
TEST_CASE("a lab may have two devices, and a kernel without peer access is found",
          "[program][kinds]") {
  check("twins");
}
TEST_CASE("a lab may have arrays of structures, structures of arrays and .npy files",
          "[program][kinds]") {
  check("particles");
}

TEST_CASE("a handout that does not give the reason for a waiver is a problem of the lab",
          "[program][kinds]") {
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
          "[program][kinds]") {
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
          "[program][kinds]") {
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
