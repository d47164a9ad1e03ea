#include "harness/case/program_run.h"

#include <catch2/catch_test_macros.hpp>
#include <fstream>
#include <iterator>
#include <string>

#include "harness/testing/temporary_folder.h"

namespace warpgrade {
namespace {

const std::string kDatasets = R"(schema = 1
[[dataset]]
name = "small"
dims = { n = 3 }
given.x = { text = "3\n1 2 3\n" }
given.y = { text = "3\n2 4 6\n" }
)";

const std::string kLab = R"(schema = 1
id = "demo"
title = "Demo"
submit = ["demo.cu"]
[program]
arguments = ["-n", "{n}", "-i", "{x}", "-o", "{y}"]
file = [
  { name = "x", role = "input", type = "f32", shape = ["n"], at = "x.raw" },
  { name = "y", role = "output", type = "f32", shape = ["n"], at = "y.raw" },
]
[tolerance]
model = "exact"
[rubric]
build = 10
correctness = 70
safety = 20
concept = 0
performance = 0
[[case]]
name = "one"
dataset = "small"
points = 70
hint = "h"
)";

std::string with(const std::string& old_text, const std::string& new_text) {
  std::string text = kLab;
  const std::size_t at = text.find(old_text);
  REQUIRE(at != std::string::npos);
  return text.replace(at, old_text.size(), new_text);
}

/// A lab with one case, laid out.
struct LaidOut {
  explicit LaidOut(const std::string& toml = kLab, const std::string& datasets = kDatasets) {
    root.write("labs/demo/lab.toml", toml);
    root.write("datasets/demo.toml", datasets);
    lab = load_lab(root.path() / "labs/demo");
    data = make_case_data(lab, lab.cases.front(), Secret{}, GoldenLibrary());
    prepared = prepare_case(data, root.path() / "run");
  }
  CaseResult judge(int code, const std::string& output = "", bool cut = false) const {
    record_program(prepared, {.code = code, .output = output, .output_cut = cut, .input_read = 0});
    return judge_case(prepared);
  }
  TemporaryFolder root;
  Lab lab;
  std::shared_ptr<const CaseData> data;
  PreparedCase prepared;
};

std::string complaint(const std::string& toml, const std::string& datasets = kDatasets) {
  try {
    (void)LaidOut(toml, datasets);
  } catch (const LabError& error) {
    return error.what();
  }
  return "accepted";
}

TEST_CASE("a program's case is laid out as files and a command line", "[case][program][unit]") {
  const LaidOut run;
  const auto command = program_command(run.prepared);
  REQUIRE(command);
  CHECK(command->arguments == std::vector<std::string>{"-n", "3", "-i", "x.raw", "-o", "y.raw"});
  std::ifstream in(command->folder / "x.raw");
  const std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  CHECK(text == "3\n1 2 3\n");  // as it is written in the dataset
  CHECK_FALSE(std::filesystem::exists(command->folder / "y.raw"));
}

TEST_CASE("a program's outputs are compared, and its exit code first", "[case][program][unit]") {
  const LaidOut run;
  CHECK(run.judge(0).message == "The program left no file `y.raw`.");
  run.root.write("run/files/y.raw", "3\n2\n4\n6\n");
  CHECK(run.judge(0).status == CaseStatus::passed);
  CHECK(run.judge(1).message == "The program exited with code 1; 0 is expected.");
  run.root.write("run/files/y.raw", "3\n2\n4\n7\n");
  const CaseResult wrong = run.judge(0);
  CHECK(wrong.status == CaseStatus::wrong);
  CHECK(wrong.message.starts_with("`y` is wrong at 1 of 3 elements."));
  run.root.write("run/files/y.raw", "3\n6\n4\n2\n");
  CHECK(run.judge(0).message ==
        "`y` is wrong at 2 of 3 elements. The values are right, but in another order.");
  run.root.write("run/files/y.raw", "2\n2\n4\n");
  CHECK(run.judge(0).message == "`y.raw` states 2 in its first line; 3 are expected.");
}

TEST_CASE("a program that did not end by itself has no outputs", "[case][program][unit]") {
  const LaidOut run;
  run.root.write("run/files/y.raw", "3\n2\n4\n6\n");
  CHECK(judge_case(run.prepared).status == CaseStatus::incomplete);
}

TEST_CASE("decimals that are printed widen the bound, and no others do", "[case][program][unit]") {
  const LaidOut exact;
  const LaidOut printed(with("at = \"y.raw\"", "at = \"y.raw\", absolute = 5e-5"));
  for (const LaidOut* run : {&exact, &printed}) {
    run->root.write("run/files/y.raw", "3\n2.00005\n3.99995\n6\n");
  }
  CHECK(exact.judge(0).status == CaseStatus::wrong);
  CHECK(printed.judge(0).status == CaseStatus::passed);
  printed.root.write("run/files/y.raw", "3\n2.0001\n4\n6\n");
  CHECK(printed.judge(0).status == CaseStatus::wrong);
}

TEST_CASE("patterns of a case match lines of standard output", "[case][program][unit]") {
  const LaidOut run(with("points = 70\nhint",
                         "points = 70\nprints = [\"^PASSED\"]\nnever_prints = [\"FAIL\"]\nhint"));
  run.root.write("run/files/y.raw", "3\n2\n4\n6\n");
  CHECK(run.judge(0, "start\nPASSED all\n").status == CaseStatus::passed);
  CHECK(run.judge(0, "start\nnot PASSED\n").message ==
        "Standard output has no line like /^PASSED/; its last line is 'not PASSED'.");
  CHECK(run.judge(0, "").message ==
        "Standard output has no line like /^PASSED/: nothing was printed.");
  CHECK(run.judge(0, "PASSED\nFAIL\n").message ==
        "Standard output has a line like /FAIL/, which it must not have.");
}

TEST_CASE("mistakes in [program] are named with their line and what to write",
          "[case][program][unit]") {
  CHECK(complaint(with("at = \"x.raw\"", "at = \"../x.raw\"")) ==
        "labs/demo/lab.toml:8: '../x.raw' is not a place for an input; write a file's name "
        "without a folder, or \"stdin\"");
  CHECK(complaint(with("at = \"y.raw\"", "at = \"stdin\"")).find("\"stdout\"") !=
        std::string::npos);
  CHECK(complaint(with("{x}\"", "{z}\"")).find("'z' in formula 'z' is not a dim") !=
        std::string::npos);
  CHECK(complaint(with("{x}\"", "{x\"")).find("has a { without a }; close it") !=
        std::string::npos);
  CHECK(complaint(with("points = 70\nhint", "points = 70\nexit_code = 300\nhint"))
            .find("'exit_code' is 300; it must be 0 to 127") != std::string::npos);
  CHECK(complaint(with("points = 70\nhint", "points = 70\nprints = [\"(\"]\nhint"))
            .find("is not a regular expression") != std::string::npos);
  CHECK(complaint(with("at = \"x.raw\"", "at = \"x.raw\", formt = \"csv\"")).find("formt") !=
        std::string::npos);
  CHECK(complaint(with("[program]", "[function]\nname = \"f\"\n[program]"))
            .find("there are [function] and [program]") != std::string::npos);
}

TEST_CASE("mistakes in given data are named with the file and the number",
          "[case][program][unit]") {
  const auto datasets = [](const std::string& line) {
    return "schema = 1\n[[dataset]]\nname = \"small\"\ndims = { n = 3 }\n" + line +
           "given.y = { text = \"3\\n2 4 6\\n\" }\n";
  };
  CHECK(complaint(kLab, datasets("given.x = { text = \"3\\n1 2\" }\n")) ==
        "datasets/demo.toml: 'x' of dataset 'small' has 2 numbers; 3 are expected; correct the "
        "text or the dims");
  CHECK(complaint(kLab, datasets("given.x = { file = \"demo/none.raw\" }\n"))
            .find("datasets/demo/none.raw cannot be read") != std::string::npos);
  CHECK(complaint(kLab, datasets("given.x = { file = \"../x.raw\" }\n"))
            .find("is not a file below datasets/") != std::string::npos);
  CHECK(complaint(kLab, datasets("given.xx = { text = \"1\" }\ninputs.x = {}\n"))
            .find("gives 'xx', which is not a [[program.file]]; did you mean 'x'?") !=
        std::string::npos);
}

TEST_CASE("a program lab without golden.cpp says which dataset gives no outputs",
          "[case][program][unit]") {
  CHECK(complaint(kLab,
                  "schema = 1\n[[dataset]]\nname = \"small\"\ndims = { n = 3 }\n"
                  "inputs.x = {}\n") ==
        "reference/demo/golden.cpp is missing, and dataset 'small' of datasets/demo.toml does not "
        "give all outputs; write one of them");
}

}  // namespace
}  // namespace warpgrade
