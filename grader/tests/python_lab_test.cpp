// Labs in Python, graded by the built program: one class with submissions in both languages,
// mistakes with the message that each gets, and attacks (grader/tests/attacks/python).

#include <catch2/catch_test_macros.hpp>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "grader/core/text.h"
#include "grader/tests/few_cases.h"
#include "grader/tests/program.h"
#include "grader/tests/sample.h"

namespace warpgrade {
namespace fs = std::filesystem;
using nlohmann::json;
using testing::contains;
using testing::FewCases;
using testing::flags_of;
using testing::GradedSamples;
using testing::passed_part;
using testing::reference_program;
using testing::row_of;
using testing::Sample;
using testing::samples_in;
using testing::shell;
using testing::warpgrade;
namespace {

constexpr const char* kStage = "stages/01_one_thread_per_element.py";

/// Skips the calling test where Numba or libNVVM is not installed.
void need_numba() {
  const ScratchFolder folder;
  write_file_atomically(folder.path() / "vecadd.py", "def vecadd(a, b, c):\n    pass\n");
  const ProcessResult result =
      warpgrade({"lab", "run", "vecadd/python", (folder.path() / "vecadd.py").string(), "--case",
                 "one element"});
  if (contains(result.err, "submissions in Python need")) SKIP(result.err);
}

std::string changed(const std::string& text, const std::string& from, const std::string& to) {
  INFO(from);
  REQUIRE(contains(text, from));
  return replace_all(text, from, to);
}

/// Files by student, graded as a class with hidden cases.
class Class {
 public:
  /// @param rules  course.toml
  /// @param labs   variables of the environment, such as FewCases::variable()
  Class(std::string lab, const std::map<std::string, std::pair<std::string, std::string>>& files,
        const std::string& labs = "", const std::string& rules = "schema = 1\n")
      : lab_(std::move(lab)) {
    write_file_atomically(folder_.path() / "in" / "course.toml", rules);
    for (const auto& [student, file] : files) {
      write_file_atomically(folder_.path() / "in" / student / file.first, file.second);
    }
    write_file_atomically(folder_.path() / "secret", "of the course");
    result = shell(labs + "$W grade in --out out --lab " + lab_ +
                       " --device emulator --jobs 2 --secret-file secret",
                   folder_.path(), std::chrono::minutes(9));
  }
  [[nodiscard]] json grade_of(const std::string& student) const {
    return json::parse(read_file(out() / student / lab_ / "grade.json"));
  }
  [[nodiscard]] fs::path out() const { return folder_.path() / "out"; }

  ProcessResult result;

 private:
  std::string lab_;
  ScratchFolder folder_;
};

/// The text of a grade that its student sees first.
std::string summary_of(const json& grade) {
  return grade.at("summary");
}

TEST_CASE("a class hands in CUDA C++ and Python for one lab", "[program][python]") {
  need_numba();
  const std::string right = reference_program("vecadd", "python/" + std::string(kStage));
  const Class graded("vecadd", {{"cuda", {"vecadd.cu", testing::right_source()}},
                                {"python", {"vecadd.py", right}},
                                {"both", {"vecadd.py", right}},
                                {"nobody", {"notes.txt", "I was ill."}}});
  INFO(graded.result.out << graded.result.err);
  REQUIRE(graded.result.ok());
  for (const char* student : {"cuda", "python", "both"}) {
    const json grade = graded.grade_of(student);
    INFO(student << ": " << grade.at("summary"));
    CHECK(grade.at("score") == 100);
    CHECK(grade.at("lab") == "vecadd");
    CHECK(grade.at("cases").size() == 16);
    CHECK(grade.at("integrity").empty());
  }
  CHECK(contains(graded.grade_of("python").at("environment").at("compiler").get<std::string>(),
                 "Numba "));
  CHECK_FALSE(contains(graded.grade_of("cuda").at("environment").at("compiler").get<std::string>(),
                       "Numba "));
  CHECK(contains(summary_of(graded.grade_of("nobody")),
                 "neither vecadd.cu nor vecadd.py was submitted"));
  const std::string page = read_file(graded.out() / "python" / "vecadd" / "feedback.html");
  CHECK(contains(page, "Prism.languages.python"));
  CHECK(contains(page, "vecadd.py"));
  CHECK_FALSE(contains(read_file(graded.out() / "cuda" / "vecadd" / "feedback.html"),
                       "Prism.languages.python={"));
}

TEST_CASE("a course takes only the languages that it names, and says which to the others",
          "[program][python]") {
  need_numba();
  const FewCases labs;
  const std::string right = reference_program("vecadd", "python/" + std::string(kStage));
  const auto graded_with = [&](const std::string& rules) {
    return Class("vecadd",
                 {{"cuda", {"vecadd.cu", testing::right_source()}},
                  {"other_name", {"main.cu", testing::right_source()}},
                  {"python", {"vecadd.py", right}}},
                 labs.variable(), rules);
  };
  const auto score = [](const Class& graded, const std::string& student) {
    const json grade = graded.grade_of(student);
    INFO(student << ": " << summary_of(grade));
    CHECK(grade.at("status") == "graded");
    return grade.at("score").get<double>();
  };

  const Class only_cuda = graded_with("schema = 1\nlanguages = [\"cuda\"]\n");
  INFO(only_cuda.result.out << only_cuda.result.err);
  REQUIRE(only_cuda.result.ok());
  CHECK(score(only_cuda, "cuda") == 100);
  CHECK(score(only_cuda, "other_name") == 100);
  CHECK(score(only_cuda, "python") == 0);
  const std::string refused =
      "vecadd.py is in Python, and this course takes the lab in CUDA C++ only; submit vecadd.cu";
  CHECK(contains(summary_of(only_cuda.grade_of("python")), refused));
  CHECK(contains(only_cuda.result.out,
                 "    python: Fix the build first: " + refused));  // in the closing list

  // The lab's own key takes precedence.
  const Class only_python =
      graded_with("schema = 1\nlanguages = [\"cuda\"]\n[labs.vecadd]\nlanguages = [\"python\"]\n");
  INFO(only_python.result.out << only_python.result.err);
  REQUIRE(only_python.result.ok());
  CHECK(score(only_python, "python") == 100);
  CHECK(score(only_python, "cuda") == 0);
  CHECK(contains(summary_of(only_python.grade_of("cuda")),
                 "vecadd.cu is in CUDA C++, and this course takes the lab in Python only; submit "
                 "vecadd.py"));
}

TEST_CASE("what cannot be called is a build failure with its line, and runs nothing",
          "[program][python]") {
  need_numba();
  const std::string right = reference_program("vecadd", "python/" + std::string(kStage));
  const Class graded(
      "vecadd",
      {{"syntax", {"vecadd.py", changed(right, "if i < c.size:", "if i < c.size")}},
       {"no_function", {"vecadd.py", changed(right, "def vecadd(", "def addition(")}},
       {"two_parameters", {"vecadd.py", changed(right, "def vecadd(a, b, c)", "def vecadd(a, b)")}},
       {"torch", {"vecadd.py", "import torch\n" + right}},
       {"kernel", {"vecadd.py", changed(right, "def vecadd", "@cuda.jit\ndef vecadd")}},
       {"empty", {"vecadd.py", "\n"}}});
  INFO(graded.result.out << graded.result.err);
  REQUIRE(graded.result.ok());
  const std::map<std::string, std::string> says = {
      {"syntax", "SyntaxError: expected ':'"},
      {"no_function", "no function `vecadd(a, b, c)` is defined; write it in vecadd.py"},
      {"two_parameters", "`vecadd` has 2 parameters; it is called as `vecadd(a, b, c)`"},
      {"torch", "vecadd.py:1: there is no module `torch` where submissions run"},
      {"kernel", "`vecadd` is compiled for the device"},
      {"empty", "vecadd.py is empty"}};
  for (const auto& [student, text] : says) {
    const json grade = graded.grade_of(student);
    INFO(student << ": " << summary_of(grade));
    CHECK(grade.at("score") == 0);
    CHECK(grade.at("status") == "graded");
    CHECK(grade.at("cases").empty());
    CHECK(contains(summary_of(grade), text));
  }
}

TEST_CASE("mistakes of a program in Python are named with their line", "[program][python]") {
  need_numba();
  const FewCases labs;
  const std::string right = reference_program("vecadd", "python/" + std::string(kStage));
  const std::string call = "    add[blocks, THREADS](d_a, d_b, d_c)\n";
  const Class graded(
      "vecadd",
      {{"noise",
        {"vecadd.py", changed(right, call, "    print('c = [1, 2]', '*' * 1000)\n" + call)}},
       {"exits", {"vecadd.py", changed(right, call, call + "    raise SystemExit(0)\n")}},
       {"raises", {"vecadd.py", changed(right, call, "    missing(d_a)\n" + call)}},
       {"host", {"vecadd.py", "def vecadd(a, b, c):\n    c[:] = a + b\n"}},
       {"bounds", {"vecadd.py", changed(right, "if i < c.size:", "if i <= c.size:")}}},
      labs.variable());
  INFO(graded.result.out << graded.result.err);
  REQUIRE(graded.result.ok());
  CHECK(graded.grade_of("noise").at("score") == 100);
  const json exits = graded.grade_of("exits");
  CHECK(contains(summary_of(exits), "`vecadd` must return, not exit"));
  CHECK(passed_part(exits) < 0.2);  // but for the case without elements
  const json raises = graded.grade_of("raises");
  INFO(summary_of(raises));
  CHECK(
      contains(summary_of(raises),
               "`vecadd` did not return. vecadd.py:25: NameError: name 'missing' is not defined"));
  CHECK(raises.at("integrity").empty());
  const json host = graded.grade_of("host");
  INFO(summary_of(host));
  CHECK(host.at("score") <= 20);
  const json bounds = graded.grade_of("bounds");
  INFO(bounds.at("findings").dump(1));
  CHECK(bounds.at("pitfall") == "P1");
  REQUIRE_FALSE(bounds.at("findings").empty());
  CHECK(bounds.at("findings").at(0).at("kind") == "oob-global-read");
  CHECK(bounds.at("findings").at(0).at("file") == "vecadd.py");
  CHECK(bounds.at("findings").at(0).at("line") == 15);
  const std::string page = read_file(graded.out() / "bounds" / "vecadd" / "feedback.html");
  CHECK(contains(page, "vecadd.py:15"));
}

TEST_CASE("two dimensions and barriers: a matrix product in Python", "[program][python]") {
  need_numba();
  const std::string right = reference_program("gemm", "python/stages/03_tiled.py");
  const Class graded(
      "gemm",
      {{"right", {"gemm.py", right}},
       {"swapped",
        {"gemm.py", changed(right, "grid = ((n + TILE - 1) // TILE, (m + TILE - 1) // TILE)",
                            "grid = ((m + TILE - 1) // TILE, (n + TILE - 1) // TILE)")}},
       {"no_barrier", {"gemm.py", changed(right, "        cuda.syncthreads()\n", "")}}});
  INFO(graded.result.out << graded.result.err);
  REQUIRE(graded.result.ok());
  CHECK(graded.grade_of("right").at("score") == 100);
  const json swapped = graded.grade_of("swapped");
  INFO(summary_of(swapped));
  CHECK(passed_part(swapped) < 0.8);
  const json no_barrier = graded.grade_of("no_barrier");
  INFO(summary_of(no_barrier));
  CHECK(no_barrier.at("pitfall") == "P22");
  CHECK(no_barrier.at("findings").at(0).at("file") == "gemm.py");
}

TEST_CASE("a kernel in Python that never ends is stopped and named", "[program][python]") {
  need_numba();
  const ScratchFolder folder;
  const FewCases labs;
  const std::string right = reference_program("vecadd", "python/" + std::string(kStage));
  // In one case: each takes as long as the limit is.
  write_file_atomically(folder.path() / "vecadd.py",
                        changed(right, "if i < c.size:", "while i < c.size and c.size == 100:"));
  const ProcessResult result =
      warpgrade({"check", "vecadd", (folder.path() / "vecadd.py").string(), "--device", "emulator"},
                {{"WARPGRADE_ROOT", labs.root().string()}});
  INFO(result.out << result.err);
  CHECK(result.code == 1);
  CHECK(contains(result.out, "Find the loop that does not terminate"));
}

TEST_CASE("without Numba a submission in Python is an error of the machine, not of the student",
          "[program][python]") {
  testing::need_sandbox();
  const ScratchFolder folder;
  // A Python that finds no module of that name stands for a machine without it.
  write_file_atomically(folder.path() / "bin" / "python3", "#!/bin/sh\nexit 0\n");
  fs::permissions(folder.path() / "bin" / "python3", fs::perms::owner_all);
  write_file_atomically(folder.path() / "in" / "ada" / "vecadd.py",
                        reference_program("vecadd", "python/" + std::string(kStage)));
  write_file_atomically(folder.path() / "in" / "bob" / "vecadd.cu", testing::right_source());
  const ProcessResult result =
      shell("WARPGRADE_PYTHON=$PWD/bin/python3 $W grade in --out out --device emulator --jobs 1",
            folder.path());
  INFO(result.out << result.err);
  CHECK(result.code == 70);
  const auto grade_of = [&](const char* student) {
    return json::parse(read_file(folder.path() / "out" / student / "vecadd" / "grade.json"));
  };
  CHECK(grade_of("ada").at("status") == "error");
  CHECK(contains(summary_of(grade_of("ada")), "package python3-numba"));
  CHECK(grade_of("bob").at("score") == 100);
}

TEST_CASE("a folder for the lab in Python has its stub, which can be checked",
          "[program][python]") {
  need_numba();
  const ScratchFolder folder;
  const ProcessResult started =
      shell("$W start vecadd/python work && cd work && ls && $W check vecadd . --device emulator",
            folder.path());
  INFO(started.out << started.err);
  CHECK(started.code == 1);
  CHECK(fs::exists(folder.path() / "work" / "vecadd.py"));
  CHECK(fs::exists(folder.path() / "work" / "README.md"));
  CHECK_FALSE(fs::exists(folder.path() / "work" / "vecadd.h"));
  CHECK(contains(started.out, "No kernel is launched yet"));
}

void check_python_attack(const Sample& sample, const json& grade) {
  if (sample.says("becomes") == "leak") {
    CHECK(grade.at("pitfall") == "P46");
  } else {
    CHECK(grade.at("score") <= 20);
    for (const auto& c : grade.at("cases")) {
      // Of no elements nothing has to be computed.
      if (!contains(c.at("shape").dump(), ":0")) CHECK(c.at("status") != "passed");
      CHECK(c.at("status") != "error");
    }
  }
  if (sample.says("flag") != "none") CHECK(flags_of(grade).contains(sample.says("flag")));
  // What attacks print of what they have found or changed.
  const std::string printed = grade.value("output", "");
  if (sample.name == "looks_around") CHECK(contains(printed, "found: []"));
  CHECK_FALSE(contains(printed, "wrote"));
  CHECK_FALSE(contains(printed, "succeeded:"));
}

void grade_samples(const std::vector<Sample>& some) {
  need_numba();
  REQUIRE(some.size() >= 3);
  // Of gemm there are samples, too.
  const FewCases labs;
  fs::create_directory_symlink(testing::source_folder() / "labs" / "gemm",
                               labs.root() / "labs" / "gemm");
  const GradedSamples graded(some, labs.variable());
  for (const Sample& sample : some) {
    const json grade = graded.grade_of(sample);
    INFO(sample.name << ": " << grade.at("summary") << "\n"
                     << grade.at("integrity").dump(1) << grade.at("output"));
    CHECK(grade.at("status") == "graded");
    CHECK(grade.at("items").at(0).at("status") == "passed");  // it is read as Python
    if (sample.says("becomes") == "right") {
      CHECK(passed_part(grade) == 1);
      CHECK(grade.at("integrity").empty());
    } else {
      check_python_attack(sample, grade);
    }
  }
}

// Divided because of the time.
TEST_CASE("no attack in Python gains a point or an excuse: first half",
          "[program][attacks][python]") {
  grade_samples(samples_in("python", 0, 2));
}

TEST_CASE("no attack in Python gains a point or an excuse: second half",
          "[program][attacks][python]") {
  grade_samples(samples_in("python", 1, 2));
}

TEST_CASE("honest programs in Python keep all points", "[program][attacks][python]") {
  grade_samples(samples_in("python/honest"));
}

TEST_CASE("the page on security has the attacks in Python", "[attacks][docs][python]") {
  const std::string page = read_file(testing::source_folder() / "docs" / "security.md");
  for (const Sample& sample : samples_in("python")) {
    CHECK(contains(page, row_of(sample, {"name", "tries", "holds"})));
  }
}

}  // namespace
}  // namespace warpgrade
