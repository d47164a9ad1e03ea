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

TEST_CASE("a program's output is an array if its file is complete", "[case][program][unit]") {
  const LaidOut run;
  const auto output = [&] {
    return complete_program_output(*run.data, run.lab.parameters.back(), run.prepared.folder);
  };
  CHECK_FALSE(output());
  run.root.write("run/files/y.raw", "3\n2\n4\n7\n");
  REQUIRE(output());
  CHECK(output()->as<float>()[2] == 7);
  run.root.write("run/files/y.raw", "2\n2\n4\n");
  CHECK_FALSE(output());
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
  CHECK(complaint(with("{x}\"", "{z}\""))
            .find("{z} is neither a [[program.file]] nor a dim of "
                  "dataset 'small'; did you mean 'x'?") != std::string::npos);
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
  CHECK(complaint(kLab, datasets("given.x = { file = \"none.raw\" }\n"))
            .find("datasets/demo/none.raw cannot be read") != std::string::npos);
  CHECK(complaint(kLab, datasets("given.x = { file = \"../x.raw\" }\n"))
            .find("it must be the name of a file in datasets/demo") != std::string::npos);
  CHECK(complaint(kLab, datasets("given.xx = { text = \"1\" }\ninputs.x = {}\n"))
            .find("given [[program.file]] 'xx'") != std::string::npos);
  CHECK(complaint(kLab, datasets("given.x = { text = \"3\\n1 2 3\" }\ninputs.x = {}\n"))
            .find("dataset 'small' has both given.x and inputs.x; keep one") != std::string::npos);
}

TEST_CASE("files are given to programs only, not to functions", "[case][program][unit]") {
  std::string toml = kLab;
  const std::size_t from = toml.find("[program]");
  toml.replace(from, toml.find("[tolerance]") - from,
               "[function]\nname = \"f\"\nparameter = [\n"
               "  { name = \"x\", role = \"inout\", type = \"f32\", shape = [\"n\"] },\n]\n");
  const std::string datasets =
      "schema = 1\n[[dataset]]\nname = \"small\"\ndims = { n = 3 }\n"
      "inputs.x = {}\ngiven.x = { text = \"1 2 3\" }\n";
  CHECK(complaint(toml, datasets).find("has 'given', which is for labs with [program]") !=
        std::string::npos);
}

TEST_CASE("a program's output may have a free order, of elements or of rows",
          "[case][program][unit]") {
  const LaidOut any(with("at = \"y.raw\"", "at = \"y.raw\", order = \"any\""));
  any.root.write("run/files/y.raw", "3\n6\n2\n4\n");
  CHECK(any.judge(0).status == CaseStatus::passed);
  any.root.write("run/files/y.raw", "3\n6\n2\n2\n");
  CHECK(any.judge(0).message ==
        "`y` is wrong at 1 of 3 elements. The order does not matter, but these do not belong: 2; "
        "and these are missing: 4.");

  const LaidOut rows(with("shape = [\"n\"], at = \"y.raw\"",
                          "shape = [\"n\", \"2\"], at = \"y.csv\", order = \"rows\""),
                     "schema = 1\n[[dataset]]\nname = \"small\"\ndims = { n = 3 }\n"
                     "given.x = { text = \"3\\n1 2 3\\n\" }\n"
                     "given.y = { text = \"1,2\\n3,4\\n5,6\\n\" }\n");
  rows.root.write("run/files/y.csv", "5,6\n1,2\n3,4\n");
  CHECK(rows.judge(0).status == CaseStatus::passed);
  rows.root.write("run/files/y.csv", "6,5\n1,2\n3,4\n");
  CHECK(rows.judge(0).status == CaseStatus::wrong);
}

TEST_CASE("an output of a program may have its own tolerance", "[case][program][unit]") {
  const LaidOut run(
      with("at = \"y.raw\"", "at = \"y.raw\", tolerance = { model = \"rounding\", terms = 8 }"));
  run.root.write("run/files/y.raw", "3\n2.0000002\n4\n6\n");
  CHECK(run.judge(0).status == CaseStatus::passed);
  CHECK(LaidOut().judge(0).status == CaseStatus::wrong);
}

TEST_CASE("a predicate decides about a program's outputs, when all are there",
          "[case][program][unit]") {
  CHECK(complaint(with("at = \"y.raw\"", "at = \"y.raw\", predicate = true")) ==
        "reference/demo/golden.cpp is missing, which decides about outputs with predicate = true; "
        "write it, with WARPGRADE_ACCEPTS(check) { ... }");
  const LaidOut run;
  Lab lab = run.lab;
  lab.parameters.back().comparison.by_predicate = true;
  CaseData data = *run.data;
  data.lab = &lab;
  data.accepts = [](const Dims&, const auto&, const std::map<std::string, Array>& outputs) {
    std::vector<RejectedElement> rejected;
    if (outputs.at("y").as<float>()[0] != 7) rejected.push_back({"y", 0, "The first is not 7."});
    return rejected;
  };
  PreparedCase prepared = run.prepared;
  prepared.data = std::make_shared<const CaseData>(data);
  const auto judged = [&](const std::string& text) {
    run.root.write("run/files/y.raw", text);
    record_program(prepared, {.code = 0, .output = "", .output_cut = false, .input_read = 0});
    return judge_case(prepared);
  };
  CHECK(judged("3\n7\n0\n0\n").status == CaseStatus::passed);
  CHECK(judged("3\n8\n0\n0\n").message == "`y` is wrong at 1 of 3 elements. The first is not 7.");
  CHECK(judged("2\n7\n").message == "`y.raw` states 2 in its first line; 3 are expected.");
}

TEST_CASE("text that a program prints is compared with a readable difference",
          "[case][program][unit]") {
  std::string toml = with("type = \"f32\", shape = [\"n\"], at = \"y.raw\"",
                          "type = \"char\", shape = [\"11\"], at = \"stdout\"");
  toml.replace(toml.find(", \"-o\", \"{y}\""), std::string(", \"-o\", \"{y}\"").size(), "");
  const LaidOut run(
      toml,
      "schema = 1\n[[dataset]]\nname = \"small\"\ndims = { n = 3 }\n"
      "given.x = { text = \"3\\n1 2 3\\n\" }\ngiven.y = { text = \"one two\\nsix\" }\n");
  CHECK(run.judge(0, "one two\nsix").status == CaseStatus::passed);
  CHECK(run.judge(0, "one two\nsix\n").status == CaseStatus::passed);
  CHECK(run.judge(0, "one two\nsex")
            .message.ends_with("The first difference is in line 2, column 2:\n"
                               "  got  \"sex\"\n  want \"six\""));
  CHECK(run.judge(0, "one too").message ==
        "Standard output has 7 characters; 11 are expected. The first difference is in line 1, "
        "column 6:\n  got  \"one too\"\n  want \"one two\"");
  CHECK(run.judge(0, "one two").message == "Standard output has 7 characters; 11 are expected.");
}

TEST_CASE("named settings reach a program by their names", "[case][program][unit]") {
  const LaidOut run(with("arguments = [\"-n\", \"{n}\"", "arguments = [\"--{op}\", \"{n}\"") +
                        "[[setting]]\nname = \"op\"\nvalues = [\"sum\", \"max\"]\n",
                    "schema = 1\n[[dataset]]\nname = \"small\"\ndims = { n = 3 }\n"
                    "settings = { op = \"max\" }\ngiven.x = { text = \"3\\n1 2 3\\n\" }\n"
                    "given.y = { text = \"3\\n2 4 6\\n\" }\n");
  const std::vector<std::string> words = program_command(run.prepared)->arguments;
  CHECK(words.at(0) == "--max");
  CHECK(words.at(1) == "3");
}

TEST_CASE("a program may read the arrays of a generated sparse matrix", "[case][program][unit]") {
  const LaidOut run(
      with("file = [\n  { name = \"x\", role = \"input\", type = \"f32\", shape = [\"n\"], at = "
           "\"x.raw\" },",
           "sparse = [{ name = \"m\", format = \"csr\", rows = \"n\", columns = \"n\", nonzeros = "
           "\"4\" }]\nfile = [\n  { name = \"x\", role = \"input\", type = \"i32\", of = \"m\", "
           "part = \"row_starts\", at = \"x.raw\" },"),
      "schema = 1\n[[dataset]]\nname = \"small\"\ndims = { n = 3 }\n"
      "inputs.m = { row_lengths = \"equal\" }\ngiven.y = { text = \"3\\n2 4 6\\n\" }\n");
  const Array& starts = run.data->inputs.at("x");
  REQUIRE(starts.count() == 4);
  CHECK(starts.as<std::int32_t>()[0] == 0);
  CHECK(starts.as<std::int32_t>()[3] == 4);
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
