// Regrading: points, tiers, dates and single cases change, and nothing runs without need.

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <map>
#include <nlohmann/json.hpp>

#include "grader/core/text.h"
#include "grader/tests/program.h"

namespace warpgrade {
namespace fs = std::filesystem;
using Catch::Matchers::WithinAbs;
using testing::contains;
using testing::need_sandbox;
using testing::right_source;
using testing::shell;
namespace {

/// A modifiable copy of the vecadd lab, and a class of two.
class ChangingLab {
 public:
  ChangingLab() {
    need_sandbox();
    for (const char* name : {"labs/vecadd", "reference/vecadd", "datasets"}) {
      fs::create_directories((root() / name).parent_path());
      fs::copy(testing::source_folder() / name, root() / name, fs::copy_options::recursive);
    }
    fs::create_directory_symlink(testing::source_folder() / "docs", root() / "docs");
    write_file_atomically(folder_.path() / "in/ada/vecadd.cu", right_source());
    // A submission that forgets the last element.
    write_file_atomically(folder_.path() / "in/bob/vecadd.cu",
                          replace_all(right_source(),
                                      "(const float* a, const float* b, float* c, "
                                      "int n) {",
                                      "(const float* a, const float* b, float* c, int n) {\n"
                                      "  if (n == 257) n = 256;"));
  }
  [[nodiscard]] fs::path root() const { return folder_.path() / "root"; }
  void change(const std::string& file, const std::string& from, const std::string& to) const {
    const std::string text = read_file(root() / file);
    REQUIRE(contains(text, from));
    write_file_atomically(root() / file, replace_all(text, from, to));
  }
  ProcessResult run(const std::string& command) const {
    const ProcessResult result =
        shell("export WARPGRADE_ROOT=$PWD/root; $W " + command, folder_.path());
    UNSCOPED_INFO(result.out << result.err);
    return result;
  }
  [[nodiscard]] ProcessResult grade(const std::string& more = "") const {
    return run("grade in --out out --device emulator --jobs 1 --cache cache " + more);
  }
  [[nodiscard]] nlohmann::json grade_of(const std::string& student) const {
    return nlohmann::json::parse(read_file(folder_.path() / "out" / student / "vecadd/grade.json"));
  }
  [[nodiscard]] std::string table() const { return read_file(folder_.path() / "out/grades.json"); }
  [[nodiscard]] const fs::path& path() const { return folder_.path(); }

 private:
  ScratchFolder folder_;
};

bool ran_nothing(const ProcessResult& result) {
  return contains(result.err, "compiler 0.0 s, workers 0.0 s");
}

std::map<std::string, double> seconds_of(const nlohmann::json& grade) {
  std::map<std::string, double> seconds;
  for (const auto& c : grade.at("cases")) seconds[c.at("name")] = c.at("seconds");
  return seconds;
}

TEST_CASE(
    "points and tiers change without compiling or running anything, and a changed case runs "
    "itself only",
    "[program][regrade][any_compiler]") {
  const ChangingLab lab;
  REQUIRE(lab.grade().code == 0);
  const auto ada = lab.grade_of("ada");
  const auto bob = lab.grade_of("bob");
  REQUIRE(ada.at("score") == 100);
  const double before = bob.at("score");
  const std::string table = lab.table();

  // Moves four points from a case that bob has wrong to one that he has right.
  lab.change("labs/vecadd/lab.toml", "dataset = \"n257\"\npoints = 4",
             "dataset = \"n257\"\npoints = 1");
  lab.change("labs/vecadd/lab.toml", "dataset = \"n255\"\npoints = 3",
             "dataset = \"n255\"\npoints = 6");

  const ProcessResult preview = lab.grade("--dry-run");
  CHECK(preview.code == 0);
  CHECK(ran_nothing(preview));
  CHECK(contains(preview.out, "bob"));
  CHECK(contains(preview.out, "correctness "));
  CHECK(contains(preview.out, "1 of 2 grades change: 1 up, 0 down\n"));
  CHECK(contains(preview.out, "Nothing was written."));
  CHECK(lab.table() == table);
  CHECK(lab.grade_of("bob") == bob);

  const ProcessResult changed = lab.grade();
  CHECK(changed.code == 0);
  CHECK(ran_nothing(changed));
  CHECK(contains(changed.out, "1 of 2 grades change: 1 up, 0 down\n"));
  // Three points of the case, and in proportion to them 12 % of 15 points for performance.
  CHECK_THAT(lab.grade_of("bob").at("score").get<double>(), WithinAbs(before + 4.8, 1e-9));
  CHECK(lab.grade_of("ada").at("score") == 100);
  // A case's verdict and time come from the only run.
  CHECK(seconds_of(lab.grade_of("bob")) == seconds_of(bob));
  CHECK(contains(lab.grade().out, "Report: "));
  CHECK_FALSE(contains(lab.grade().out, "grades change"));

  // Changed back: the grades are the same as before.
  lab.change("labs/vecadd/lab.toml", "dataset = \"n257\"\npoints = 1",
             "dataset = \"n257\"\npoints = 4");
  lab.change("labs/vecadd/lab.toml", "dataset = \"n255\"\npoints = 6",
             "dataset = \"n255\"\npoints = 3");
  CHECK(ran_nothing(lab.grade()));
  CHECK(lab.grade_of("ada") == ada);
  CHECK(lab.grade_of("bob") == bob);

  // Another size of one case.
  lab.change("datasets/vecadd.toml", "dims = { n = 255 }", "dims = { n = 511 }");
  const ProcessResult case_changed = lab.grade();
  CHECK(case_changed.code == 0);
  CHECK_FALSE(ran_nothing(case_changed));
  const auto now = seconds_of(lab.grade_of("ada"));
  for (const auto& [name, seconds] : seconds_of(ada)) {
    INFO(name);
    CHECK((now.at(name) == seconds) == (name != "one short of a block"));
  }
  for (const auto& c : lab.grade_of("ada").at("cases")) {
    if (c.at("name") == "one short of a block") CHECK(c.at("shape").at("n") == 511);
  }
  CHECK(lab.grade_of("ada").at("score") == 100);

  // All verdicts depend on the golden function.
  write_file_atomically(lab.root() / "reference/vecadd/golden.cpp",
                        read_file(lab.root() / "reference/vecadd/golden.cpp") + "// changed\n");
  CHECK_FALSE(ran_nothing(lab.grade("--dry-run")));
}

TEST_CASE("a dry run shows the effect of a due date", "[program][regrade][any_compiler]") {
  const ChangingLab lab;
  const std::string course = "schema = 1\n[late]\nper_day = 10\n[labs.vecadd]\ndue = ";
  write_file_atomically(lab.path() / "in/course.toml", course + "2026-11-20T12:00:00Z\n");
  REQUIRE(lab.grade("--submitted-at 2026-11-20T18:00:00Z").code == 0);
  const std::string table = lab.table();
  write_file_atomically(lab.path() / "in/course.toml", course + "2026-11-21T12:00:00Z\n");
  const ProcessResult preview = lab.run("report out --dry-run");
  CHECK(preview.code == 0);
  CHECK(contains(preview.out, "not late instead of 1 day late"));
  CHECK(contains(preview.out, "2 of 2 grades change: 2 up, 0 down\n"));
  CHECK(lab.table() == table);
  CHECK(lab.run("report out").code == 0);
  CHECK(lab.table() != table);
  CHECK(contains(lab.run("report out --dry-run").out, "0 of 2 grades change"));
}

TEST_CASE("a dry run into an empty folder is wrong usage", "[program][regrade][any_compiler]") {
  const ScratchFolder folder;
  write_file_atomically(folder.path() / "in/ada/vecadd.cu", right_source());
  const ProcessResult result =
      shell("$W grade in --out out --device emulator --dry-run", folder.path());
  CHECK(result.code == 2);
  CHECK(contains(result.err, "contains no grades yet; omit it"));
  CHECK_FALSE(fs::exists(folder.path() / "out"));
}

}  // namespace
}  // namespace warpgrade
