#include "grader/author/check/wrong_program.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <string>

#include "grader/author/check/stage.h"
#include "grader/core/error.h"
#include "grader/core/files.h"
#include "harness/core/lab_error.h"

namespace warpgrade {
using Catch::Matchers::Message;
namespace {

constexpr const char* kBase =
    "// Rung 2: a grid-stride loop.\n"
    "//\n"
    "// Any grid will do.\n"
    "#include \"x.h\"\n"
    "\n"
    "__global__ void x(int* a, int n) {\n"
    "  // One after the other.\n"
    "  for (int i = threadIdx.x; i < n; i += blockDim.x) a[i] = i;\n"
    "}\n";

constexpr const char* kClaim =
    "base = \"stages/02_loop.cu\"\n"
    "verdict = \"fails-safety\"\n"
    "pitfall = \"P1\"\n"
    "caught_by = 'case \"tail\"'\n"
    "mistake = \"The guard is off by one.\"\n";

constexpr const char* kReplace = "[[replace]]\nold = \"i < n\"\nnew = \"i <= n\"\n";

/// reference/x with one stage.
struct Folder {
  Folder() {
    lab.id = "x";
    lab.root = scratch.path();
    lab.reference = lab.root / "reference" / "x";
    write("stages/02_loop.cu", kBase);
  }
  void write(const std::string& name, const std::string& text) const {
    write_file_atomically(lab.reference / name, text);
  }
  /// Of one program, wrong/y.toml.
  [[nodiscard]] WrongProgram read(const std::string& toml) const {
    write("wrong/y.toml", toml);
    return wrong_programs(lab).at(0);
  }

  ScratchFolder scratch;
  Lab lab;
};

TEST_CASE("what is made from a program that needs nvcc needs it, too",
          "[labcheck][wrong_program]") {
  const Folder folder;
  CHECK_FALSE(needs_nvcc(folder.read(std::string(kClaim) + kReplace).text));
  folder.write("stages/02_loop.cu", std::string("// compiler: nvcc\n") + kBase);
  CHECK(needs_nvcc(folder.read(std::string(kClaim) + kReplace).text));
  CHECK_FALSE(needs_nvcc("#include \"x.h\"\n// compiler: nvcc\n"));
  CHECK_THROWS_MATCHES(needs_nvcc("// compiler: clang\n"), LabError,
                       Message("'// compiler: clang' is not known; write '// compiler: nvcc' where "
                               "clang cannot compile a program, or leave the line out"));
}

TEST_CASE("a wrong program is made from its base, and begins with its claim",
          "[labcheck][wrong_program]") {
  const Folder folder;
  const WrongProgram program = folder.read(std::string(kClaim) + kReplace);
  CHECK(program.name == "y");
  CHECK(program.claim.verdict == MutantVerdict::fails_safety);
  CHECK(program.claim.pitfall == "P1");
  CHECK(program.claim.caught_by == "case");
  CHECK(program.claim.caught_name == "tail");
  CHECK(program.base == folder.lab.reference / "stages" / "02_loop.cu");
  CHECK(program.text ==
        "// verdict: fails-safety\n"
        "// pitfall: P1\n"
        "// caught-by: case \"tail\"\n"
        "// The guard is off by one.\n"
        "#include \"x.h\"\n"
        "\n"
        "__global__ void x(int* a, int n) {\n"
        "  // One after the other.\n"
        "  for (int i = threadIdx.x; i <= n; i += blockDim.x) a[i] = i;\n"
        "}\n");
  const Submission submission = submission_of(program, folder.lab);
  REQUIRE(submission.files.size() == 1);
  CHECK(submission.files.front().name == "y.cu");
  CHECK(submission.files.front().text == program.text);
}

TEST_CASE("the text that is made reads as the same program written whole",
          "[labcheck][wrong_program]") {
  const Folder folder;
  const WrongProgram made = folder.read(
      "base = \"stages/02_loop.cu\"\nverdict = \"crashes\"\npitfall = \"P23\"\n"
      "pitfall_with_clang = \"P22\"\ndiffers_with_clang = \"lanes branch apart\"\n"
      "caught_by = \"finding race-shared\"\n"
      "mistake = \"" +
      std::string(60, 'a') + ' ' + std::string(60, 'b') + "\"\n" + kReplace);
  CHECK(
      made.text.starts_with("// verdict: crashes\n"
                            "// pitfall: P23\n"
                            "// pitfall with clang: P22\n"
                            "// caught-by: finding race-shared\n"
                            "// differs with clang: lanes branch apart\n"
                            "// " +
                            std::string(60, 'a') + "\n// " + std::string(60, 'b') + "\n#include"));
  folder.write("wrong/z.cu", made.text);
  const WrongProgram whole = wrong_program(folder.lab, "z");
  CHECK(whole.base.empty());
  CHECK(whole.text == made.text);
  CHECK(whole.claim.verdict == made.claim.verdict);
  CHECK(whole.claim.pitfall_with_clang == "P22");
  CHECK(whole.claim.caught_name == made.claim.caught_name);
}

TEST_CASE("replacements are of the base, in any order", "[labcheck][wrong_program]") {
  const Folder folder;
  const std::string text =
      folder
          .read(std::string(kClaim) + kReplace +
                "[[replace]]\nold = \"\"\"\n  // One after the other.\n\"\"\"\nnew = \"\"\n"
                "[[replace]]\nold = \"int n)\"\nnew = \"int i < n)\"\n")
          .text;
  CHECK(
      text.ends_with("__global__ void x(int* a, int i < n) {\n"
                     "  for (int i = threadIdx.x; i <= n; i += blockDim.x) a[i] = i;\n}\n"));
}

TEST_CASE("only a program that misses a concept may be its base as it is",
          "[labcheck][wrong_program]") {
  const Folder folder;
  std::string claim = kClaim;
  CHECK_THROWS_AS(folder.read(claim), LabError);
  const std::string verdict = "fails-safety";
  claim.replace(claim.find(verdict), verdict.size(), "fails-concept");
  const WrongProgram program = folder.read(claim);
  CHECK(program.text.ends_with(std::string(kBase).substr(std::string(kBase).find("#include"))));
}

TEST_CASE("wrong programs are by name, whether they are written whole or not",
          "[labcheck][wrong_program]") {
  const Folder folder;
  folder.write("wrong/b.toml", std::string(kClaim) + kReplace);
  for (const char* name : {"wrong/c.cu", "wrong/a.cu"}) {
    folder.write(name, "// verdict: crashes\n// pitfall: none\n// caught-by: build\n");
  }
  const std::vector<WrongProgram> programs = wrong_programs(folder.lab);
  REQUIRE(programs.size() == 3);
  CHECK(programs[0].name == "a");
  CHECK(programs[1].name == "b");
  CHECK(programs[2].name == "c");
  Lab other = folder.lab;
  other.reference = other.root / "reference" / "none";
  CHECK(wrong_programs(other).empty());
}

TEST_CASE("a wrong program that is not there is reported with a name like it",
          "[labcheck][wrong_program]") {
  const Folder folder;
  folder.write("wrong/no_guard.toml", std::string(kClaim) + kReplace);
  folder.write("wrong/zeros.cu", "");
  CHECK_THROWS_MATCHES(wrong_program(folder.lab, "no_gard"), UsageError,
                       Message("lab x has no wrong program 'no_gard'; did you mean 'no_guard'?"));
  CHECK_THROWS_MATCHES(
      wrong_program(folder.lab, "something"), UsageError,
      Message("lab x has no wrong program 'something'; its wrong programs are no_guard and zeros"));
}

TEST_CASE("a program that is there twice is reported", "[labcheck][wrong_program]") {
  const Folder folder;
  folder.write("wrong/y.cu", "");
  CHECK_THROWS_MATCHES(
      folder.read(std::string(kClaim) + kReplace), LabError,
      Message("reference/x/wrong: y.cu and y.toml are one program; delete one of them"));
}

TEST_CASE("a base that is not there is reported with one like it", "[labcheck][wrong_program]") {
  const Folder folder;
  const auto based = [&](const std::string& base) {
    return folder.read("base = \"" + base + "\"\n" + kReplace);
  };
  CHECK_THROWS_MATCHES(based("stages/02_lop.cu"), LabError,
                       Message("reference/x/wrong/y.toml:1: reference/x has no program "
                               "'stages/02_lop.cu'; did you mean 'stages/02_loop.cu'?"));
  for (const std::string base : {"../y/solution.cu", "golden.cpp", "/etc/passwd"}) {
    CHECK_THROWS_MATCHES(based(base), LabError,
                         Message("reference/x/wrong/y.toml:1: reference/x has no program '" + base +
                                 "'; name one of its .cu files, such as \"solution.cu\""));
  }
}

TEST_CASE("what 'old' says must be in the base exactly once", "[labcheck][wrong_program]") {
  const Folder folder;
  const auto replaced = [&](const std::string& old, const std::string& text = "x") {
    return folder.read(std::string(kClaim) + "[[replace]]\nold = \"" + old + "\"\nnew = \"" + text +
                       "\"\n");
  };
  CHECK_THROWS_MATCHES(replaced("i < m"), LabError,
                       Message("reference/x/wrong/y.toml:7: 'old' is not in stages/02_loop.cu "
                               "below its first comment; copy it from there, spaces and line "
                               "breaks included"));
  // The first comment gives way to the claim.
  CHECK_THROWS_AS(replaced("Any grid will do."), LabError);
  CHECK_NOTHROW(replaced("// One after the other."));
  CHECK_THROWS_MATCHES(replaced("threadIdx.x; i < n", "threadIdx.x; i < n"), LabError,
                       Message("reference/x/wrong/y.toml:8: 'new' is the same text as 'old'; write "
                               "what differs"));
  CHECK_THROWS_MATCHES(replaced("int"), LabError,
                       Message("reference/x/wrong/y.toml:7: 'old' is 3 times in stages/02_loop.cu; "
                               "add what stands beside it until it is there once"));
  CHECK_THROWS_MATCHES(replaced(""), LabError,
                       Message("reference/x/wrong/y.toml:7: 'old' is empty; copy the text from "
                               "stages/02_loop.cu that 'new' replaces"));
}

TEST_CASE("one to three replacements that do not overlap make a wrong program",
          "[labcheck][wrong_program]") {
  const Folder folder;
  CHECK_THROWS_MATCHES(folder.read(kClaim), LabError,
                       Message("reference/x/wrong/y.toml:1: there is no [[replace]], so this is "
                               "stages/02_loop.cu itself; add one with 'old' and 'new'"));
  std::string four = kClaim;
  for (const char* old : {"int n", "int*", "i < n", "a[i]"}) {
    four += std::string("[[replace]]\nold = \"") + old + "\"\nnew = \"\"\n";
  }
  CHECK_THROWS_MATCHES(
      folder.read(four), LabError,
      Message(
          "reference/x/wrong/y.toml:6: 4 [[replace]] are more than 3; begin with a program that "
          "is nearer, or write this one whole, as a .cu file"));
  CHECK_THROWS_MATCHES(
      folder.read(std::string(kClaim) + kReplace + "[[replace]]\nold = \"x; i < \"\nnew = \"\"\n"),
      LabError,
      Message("reference/x/wrong/y.toml:10: 'old' overlaps that of another [[replace]] in "
              "stages/02_loop.cu; make one of the two"));
}

TEST_CASE("a description of a wrong program with an unknown or missing key is reported",
          "[labcheck][wrong_program]") {
  const Folder folder;
  CHECK_THROWS_MATCHES(
      folder.read("mistaken = true\n" + std::string(kClaim) + kReplace), LabError,
      Message("reference/x/wrong/y.toml:1: unknown key 'mistaken' in the file; did you mean "
              "'mistake'?"));
  CHECK_THROWS_MATCHES(
      folder.read(std::string(kClaim) + kReplace + "why = \"\"\n"), LabError,
      Message("reference/x/wrong/y.toml:9: unknown key 'why' in [[replace]] number 1; known keys: "
              "new, old"));
  CHECK_THROWS_MATCHES(folder.read("base = \"stages/02_loop.cu\"\n"), LabError,
                       Message("reference/x/wrong/y.toml:1: key 'verdict' is missing in the file; "
                               "add verdict = \"...\""));
  CHECK_THROWS_AS(folder.read("base = \n"), LabError);
  CHECK_THROWS_MATCHES(
      folder.read("base = \"stages/02_loop.cu\"\nverdict = \"explodes\"\npitfall = \"none\"\n"
                  "caught_by = \"build\"\nmistake = \"It explodes.\"\n"),
      LabError,
      Message("y.toml: 'explodes' is not a verdict; the verdicts are fails-build, "
              "fails-correctness, fails-safety, fails-concept, fails-performance, crashes and "
              "times-out"));
}

}  // namespace
}  // namespace warpgrade
