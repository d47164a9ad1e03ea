// A course's own code that crashes or never ends: named in one line, and nobody loses points.

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <nlohmann/json.hpp>
#include <string>

#include "grader/core/text.h"
#include "grader/tests/lab_root.h"
#include "grader/tests/program.h"

namespace warpgrade {
namespace fs = std::filesystem;
using testing::contains;
using testing::LabRoot;
using testing::need_sandbox;
namespace {

constexpr const char* kHeader =
    "#include <cstdlib>\n#include <string>\n#include <vector>\n"
    "#include \"harness/golden/golden.h\"\n";

/// A new lab whose golden function runs these statements first.
struct SpoiledLab {
  explicit SpoiledLab(const std::string& before, const std::string& outside = "") {
    REQUIRE(root.run({"lab", "new", "blur"}).code == 0);
    write_file_atomically(root / "in/ada/blur.cu", read_file(root / "labs/blur/blur.cu"));
    write_file_atomically(root / "in/bob/blur.cu", read_file(root / "labs/blur/blur.cu") + "\n");
    const fs::path golden = root / "reference/blur/golden.cpp";
    std::string text = read_file(golden);
    const std::size_t at = text.find('{', text.find("WARPGRADE_GOLDEN(")) + 1;
    write_file_atomically(golden,
                          kHeader + outside + text.substr(0, at) + before + text.substr(at));
  }
  [[nodiscard]] ProcessResult grade() const {
    return root.run({"grade", (root / "in").string(), "--out", (root / "out").string(), "--lab",
                     "blur", "--device", "emulator", "--cache", "none"});
  }
  LabRoot root;
};

TEST_CASE("a crash of a golden function is one line, and exit code 70",
          "[program][lab_code][any_compiler]") {
  need_sandbox();
  const SpoiledLab lab("volatile int* nowhere = nullptr; *nowhere = 1;");
  const std::string line =
      "lab 'blur', case \"one element\": reference/blur/golden.cpp was ended by SIGSEGV (";
  const ProcessResult checked = lab.root.run({"lab", "check", "blur"});
  INFO(checked.out << checked.err);
  CHECK(checked.code == 70);
  CHECK(contains(checked.err, "warpgrade: " + line));
  CHECK_FALSE(contains(checked.err, "bug in warpgrade"));
  const ProcessResult student = lab.root.run(
      {"check", "blur", (lab.root / "in/ada/blur.cu").string(), "--device", "emulator"});
  CHECK(student.code == 70);
  CHECK(contains(student.err, "warpgrade: " + line));

  const ProcessResult graded = lab.grade();
  INFO(graded.out << graded.err);
  CHECK(graded.code == 70);
  CHECK(contains(graded.out,
                 "Not graded because of an error, and without a score until graded "
                 "again (1):\n  blur\n    ada and bob: Internal error: the lab's own "
                 "code failed"));
  CHECK(contains(graded.out, line));
  for (const auto& row :
       nlohmann::json::parse(read_file(lab.root / "out/grades.json")).at("grades")) {
    CHECK(row.at("status") == "error");
    CHECK(row.at("failure") == "lab_fault");
    CHECK(row.at("adjusted").is_null());
  }
}

TEST_CASE("a golden function that never ends is stopped once for a class",
          "[program][lab_code][any_compiler]") {
  need_sandbox();
  const SpoiledLab lab("for (volatile int i = 0;; i = i + 1) {}");
  const ProcessResult graded = lab.grade();
  INFO(graded.out << graded.err);
  CHECK(graded.code == 70);
  CHECK(contains(graded.out, "reference/blur/golden.cpp ran longer than 20 s and was stopped"));
  CHECK(graded.cpu_seconds < 35);  // not 20 s for each of two students and each try
}

TEST_CASE("other ends of a golden function are named, too", "[program][lab_code][any_compiler]") {
  struct End {
    std::string before, outside, line;
  };
  const End end =
      GENERATE(End{"const auto to = call.floats(\"out\").want; to[to.size()] = 1;", "",
                   "golden.cpp was ended by SIGABRT ("},
               End{"std::exit(0);", "", "golden.cpp called exit()"},
               End{"(void)std::vector<int>(1).at(7);", "", "golden.cpp threw an exception ("},
               End{"throw 7;", "", "golden.cpp threw an exception; correct it"},
               End{"", "volatile int zero = 0; volatile int bad = 70 / zero;\n",
                   "golden.cpp, when it is loaded, was ended by SIGFPE ("});
  const SpoiledLab lab(end.before, end.outside);
  const ProcessResult checked = lab.root.run({"lab", "check", "blur"});
  INFO(checked.out << checked.err);
  CHECK(checked.code == 70);
  CHECK(contains(checked.err, end.line));
}

TEST_CASE("a golden function that prints, computes for a while and uses memory is not an error",
          "[program][lab_code][any_compiler]") {
  const SpoiledLab lab(
      "std::vector<char> much(200u << 20, 'x');"
      "for (volatile long i = 0; i < 100'000'000 + much[7]; i = i + 1) {}");
  const ProcessResult checked = lab.root.run({"lab", "check", "blur"});
  INFO(checked.out << checked.err);
  CHECK(checked.code == 0);
}

}  // namespace
}  // namespace warpgrade
