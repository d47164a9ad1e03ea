#include <catch2/catch_test_macros.hpp>
#include <optional>
#include <string>
#include <vector>

#include "harness/core/lab_error.h"
#include "harness/lab/arguments.h"
#include "harness/lab/lab.h"
#include "harness/lab/python_form.h"
#include "harness/testing/temporary_folder.h"

namespace warpgrade {

namespace {

const std::string kPythonDatasets = R"(schema = 1
[[dataset]]
name = "small"
dims = { m = 3, n = 10 }
inputs.x = { distribution = "uniform" }
)";

const std::string kBaseLab = R"(schema = 1
id = "demo"
title = "Demo"
submit = ["demo.cu"]
[function]
name = "demo"
parameter = [
  { name = "x", role = "input", type = "f32", shape = ["m", "n"], memory = "host" },
  { name = "n", role = "scalar", type = "i32", value = "n" },
  { name = "y", role = "output", type = "f32", shape = ["2 * n"] },
]
[tolerance]
model = "exact"
[rubric]
build = 40
correctness = 60
safety = 0
concept = 0
performance = 0
[[case]]
name = "tail"
dataset = "small"
points = 60
hint = "Look at the end."
[[clue]]
pitfall = "none"
says = "It is C++."
fails = ["tail"]
)";

const std::string kPython = R"(schema = 1
title = "Demo in Python"
submit = ["demo.py"]
parameters = ["y", "x"]
[[rung]]
stage = "01_plain"
title = "Plain"
when = "n > 0 and global_load_requests > 0"
)";

std::string replaced(std::string text, const std::string& old_text, const std::string& new_text) {
  const std::size_t at = text.find(old_text);
  REQUIRE(at != std::string::npos);
  return text.replace(at, old_text.size(), new_text);
}

/// The lab, and its form in Python.
struct Both {
  TemporaryFolder root;
  std::optional<Lab> lab;
  std::optional<Lab> python;
};

void load(const std::string& python, const std::string& lab, Both& both) {
  both.root.write("labs/demo/lab.toml", lab);
  both.root.write("labs/demo/python/lab.toml", python);
  both.root.write("datasets/demo.toml", kPythonDatasets);
  both.lab = load_lab(both.root.path() / "labs" / "demo");
  REQUIRE(has_python_form(*both.lab));
  both.python = read_python_form(*both.lab);
}

std::string complaint_of_python(const std::string& python, const std::string& lab = kBaseLab) {
  Both both;
  try {
    load(python, lab, both);
  } catch (const LabError& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace

TEST_CASE("a lab in Python has the cases of the lab and programs of its own", "[lab][python]") {
  Both both;
  load(kPython, kBaseLab, both);
  const Lab& lab = *both.lab;
  CHECK_FALSE(is_in_python(lab));
  CHECK(name_of(lab) == "demo");
  CHECK(python_file(lab) == "demo.py");
  CHECK(solution_of(lab).filename() == "solution.cu");
  CHECK(common_reference(lab) == lab.reference);
  CHECK(takes_language(lab, Language::python));
  CHECK(takes_language(lab, Language::cuda));
  const Lab& python = *both.python;
  CHECK(is_in_python(python));
  CHECK_FALSE(has_python_form(python));
  CHECK(python.id == "demo");
  CHECK(name_of(python) == "demo/python");
  CHECK(python_file(python) == "demo.py");
  CHECK(python.title == "Demo in Python");
  CHECK(python.cases.size() == 1);
  CHECK(python.rungs.size() == 1);
  CHECK(python.clues.empty());
  CHECK_FALSE(takes_language(python, Language::cuda));
  Lab chosen = lab;
  chosen.only_language = Language::cuda;
  CHECK_FALSE(takes_language(chosen, Language::python));
  CHECK(python_parameters(python) == std::vector<std::string>{"y", "x"});
  CHECK(python.stub == lab.folder / "python" / "demo.py");
  CHECK(solution_of(python) == lab.reference / "python" / "solution.py");
  CHECK(stage_of(python, "01_plain") == lab.reference / "python" / "stages" / "01_plain.py");
  CHECK(common_reference(python) == lab.reference);
}

TEST_CASE("a lab without a folder for Python has no such form", "[lab][python]") {
  const TemporaryFolder root;
  root.write("labs/demo/lab.toml", kBaseLab);
  root.write("datasets/demo.toml", kPythonDatasets);
  const Lab lab = load_lab(root.path() / "labs" / "demo");
  CHECK_FALSE(has_python_form(lab));
  CHECK(python_file(lab).empty());
  CHECK_FALSE(takes_language(lab, Language::python));
}

TEST_CASE("extents of arrays are arguments after the function's own", "[lab][python]") {
  Both both;
  load(kPython, kBaseLab, both);
  std::vector<std::string> names;
  std::vector<std::string> formulas;
  for (const ExtentArgument& extent : extent_arguments(*both.python)) {
    names.push_back(extent.name);
    formulas.push_back(extent.value->text());
  }
  CHECK(names == std::vector<std::string>{"x.0", "x.1", "y.0"});
  CHECK(formulas == std::vector<std::string>{"m", "n", "2 * n"});
}

TEST_CASE("mistakes in the lab.toml of Python are named with their line", "[lab][python]") {
  const std::string file = "labs/demo/python/lab.toml";
  CHECK(complaint_of_python(replaced(kPython, "\"demo.py\"", "\"demo.cu\"")) ==
        file + ":3: 'submit' is not [\"demo.py\"]; make it that");
  CHECK(complaint_of_python(replaced(kPython, "\"y\", \"x\"", "\"y\"")) ==
        file +
            ":4: 'x' is in 'parameters' 0 times; name each array once, and each scalar at most "
            "once");
  CHECK(complaint_of_python(replaced(kPython, "\"y\", \"x\"", "\"y\", \"x\", \"n\", \"n\"")) ==
        file +
            ":4: 'n' is in 'parameters' 2 times; name each array once, and each scalar at most "
            "once");
  CHECK(complaint_of_python(replaced(kPython, "\"y\", \"x\"", "\"y\", \"x\", \"z\"")) ==
        file + ":4: parameter 'z' does not exist; did you mean 'x'?");
  CHECK(complaint_of_python(kPython + "[tolerance]\nmodel = \"exact\"\n").starts_with(file));
}

TEST_CASE("a parameter that has no form in Python is refused", "[lab][python]") {
  const std::string managed = replaced(kBaseLab, "memory = \"host\"", "memory = \"managed\"");
  CHECK(complaint_of_python(kPython, managed) ==
        "labs/demo/python/lab.toml:4: parameter 'x' of lab demo has no form in Python: arrays are "
        "in host or device memory, and of plain elements");
}

}  // namespace warpgrade
