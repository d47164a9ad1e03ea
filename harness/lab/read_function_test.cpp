#include "harness/lab/read_function.h"

#include <catch2/catch_test_macros.hpp>

#include "harness/case/case_data.h"
#include "harness/case/request.h"
#include "harness/lab/shapes.h"
#include "harness/testing/temporary_folder.h"

namespace warpgrade {

namespace {

/// A lab with these parameters and other parts of [function], in a folder of its own.
struct TestLab {
  std::string function;  // after [function]
  std::string datasets = "[[dataset]]\nname = \"d\"\ndims = { n = 8 }\n";  // the first named "d"
  std::string before = {};  // [[record]], [[setting]]
  std::string after = {};  // [[waive]]

  [[nodiscard]] Lab load() const {
    const TemporaryFolder root;
    root.write("datasets/t/data.txt", "12345678");
    root.write("datasets/t.toml", "schema = 1\n" + datasets);
    root.write("labs/t/lab.toml",
               "schema = 1\nid = \"t\"\ntitle = \"T\"\nsubmit = [\"t.cu\"]\n" + before +
                   "[function]\n" + function +
                   "[tolerance]\nmodel = \"exact\"\n"
                   "[rubric]\nbuild = 90\ncorrectness = 10\nsafety = 0\nconcept = 0\n"
                   "performance = 0\n"
                   "[[case]]\nname = \"c\"\ndataset = \"d\"\npoints = 10\nhint = \"h\"\n" +
                   after);
    return load_lab(root.path() / "labs/t");
  }
  /// Without the line's number, which the tables above determine.
  [[nodiscard]] std::string complaint() const {
    try {
      (void)load();
    } catch (const LabError& error) {
      const std::string text = error.what();
      return text.substr(text.find(": ") + 2);
    }
    return "accepted";
  }
};

const std::string kOut = "{ name = \"y\", role = \"output\", type = \"f32\", shape = [\"n\"] },\n";

std::string parameters(const std::string& rows) {
  return "name = \"t\"\nparameter = [\n" + rows + kOut + "]\n";
}

const std::string kMatrix = "sparse = [{ name = \"a\", format = \"csr\" }]\n";
const std::string kMatrixData =
    "[[dataset]]\nname = \"d\"\ndims = { n = 8, rows = 8, columns = 9, nonzeros = 20 }\n"
    "inputs.a = { row_lengths = \"power-law\" }\n";

std::string part(const std::string& name, const std::string& type, const std::string& more = "") {
  return "{ name = \"" + name + "\", role = \"input\", type = \"" + type +
         "\", of = \"a\", part = \"" + name + "\"" + more + " },\n";
}

}  // namespace

TEST_CASE("the arrays of a sparse matrix belong together", "[lab][sparse]") {
  const Lab lab =
      TestLab{.function = kMatrix + parameters(part("row_starts", "i32") + part("columns", "i64") +
                                               part("values", "f32")),
              .datasets = kMatrixData}
          .load();
  const auto inputs = make_inputs(lab, lab.cases.front(), Secret{});
  CHECK(inputs.at("row_starts").shape == std::vector<std::uint64_t>{9});
  CHECK(inputs.at("row_starts").as<std::int32_t>()[8] == 20);
  CHECK(inputs.at("columns").shape == std::vector<std::uint64_t>{20});
  CHECK(inputs.at("columns").as<std::int64_t>()[0] < 9);
  CHECK(inputs.at("values").type == ElementType::f32);
}

TEST_CASE("a part that the format lacks, or of the wrong type or role, is an error",
          "[lab][sparse]") {
  const auto with = [](const std::string& rows, const std::string& datasets = kMatrixData) {
    return TestLab{.function = kMatrix + parameters(rows), .datasets = datasets}.complaint();
  };
  CHECK(with(part("row_order", "i32")) ==
        "a matrix in format csr has no part 'row_order'; it has row_starts, columns, values");
  CHECK(with(part("columns", "f32")) == "'columns' holds indices; write type = \"i32\"");
  CHECK(with(part("columns", "i32", ", shape = [\"n\"]")) ==
        "the shape of 'columns' follows from [[function.sparse]] \"a\"; remove 'shape'");
  CHECK(
      with(
          "{ name = \"v\", role = \"input\", type = \"f32\", of = \"b\", part = \"values\" },\n") ==
      "[[function.sparse]] 'b' does not exist; did you mean 'a'?");
  CHECK(with(part("columns", "i32"),
             "[[dataset]]\nname = \"d\"\ndims = { n = 8, rows = 1, columns "
             "= 9, nonzeros = 20 }\ninputs.a = {}\n") ==
        "dataset 'd', input 'a': 20 elements do not fit in 1 rows of at most 9; change the dims");
  CHECK(with(part("columns", "i32"),
             "[[dataset]]\nname = \"d\"\ndims = { n = 8, rows = 8, columns "
             "= 9, nonzeros = 20 }\n") ==
        "dataset 'd' does not say how input 'a' is filled; add inputs.a = { row_lengths = "
        "\"uniform\", distribution = \"uniform\" }");
  CHECK(with(part("columns", "i32"),
             "[[dataset]]\nname = \"d\"\ndims = { n = 8, rows = 8, columns "
             "= 9, nonzeros = 20 }\ninputs.a = { row_lengths = \"equl\" }\n") ==
        "key 'row_lengths' in [a] is 'equl'; did you mean 'equal'? it must be one of uniform, "
        "equal, power-law, empty-rows, one-long");
}

TEST_CASE("content from a file or the dataset must fit the parameter", "[lab][dataset]") {
  const auto with = [](const std::string& type, const std::string& fill) {
    return TestLab{
        .function = parameters("{ name = \"x\", role = \"input\", type = \"" + type +
                               "\", shape = [\"n\"] },\n"),
        .datasets = "[[dataset]]\nname = \"d\"\ndims = { n = 8 }\ninputs.x = { " + fill + " }\n"};
  };
  const Lab lab = with("char", "file = \"data.txt\", offset = 1").load();
  CHECK(make_inputs(lab, lab.cases.front(), Secret{}).at("x").as<char>()[7] == '8');
  CHECK(lab.cases.front().data.fills.at("x").offset == 1);
  CHECK(with("char", "text = \"short\"").complaint() ==
        "dataset 'd', input 'x': `text` has 5 elements (5), the parameter 8 (8); make them equal");
  CHECK(with("char", "text = \"a\", file = \"data.txt\"").complaint() ==
        "'file' and 'text' both give the content; keep one");
  CHECK(with("char", "file = \"dat.txt\"").complaint() ==
        "datasets/t/dat.txt: no such file; add it or correct the name");
  CHECK(with("char", "file = \"../t.toml\"").complaint() ==
        "'file' is '../t.toml'; it must be the name of a file in datasets/t");
  CHECK(with("f32", "values = [1, \"2\"]").complaint() ==
        "key 'values' in [x] must be a list of numbers; write values = [1, 2]");
  CHECK(with("f32", "row_lengths = \"equal\"").complaint() ==
        "dataset 'd', input 'x': it is not a sparse matrix; remove 'row_lengths'");
  CHECK(with("f32", "textt = \"a\"").complaint() ==
        "unknown key 'textt' in [x]; did you mean 'text'?");
}

TEST_CASE("a setting has the number of its name's place", "[lab][setting]") {
  const auto with = [](const std::string& value) {
    return TestLab{
        .function =
            parameters("{ name = \"op\", role = \"scalar\", type = \"i32\", value = \"op\" },\n"),
        .datasets =
            "[[dataset]]\nname = \"d\"\ndims = { n = 8 }\nsettings = { op = " + value + " }\n",
        .before = "[[setting]]\nname = \"op\"\nvalues = [\"sum\", \"max\"]\n"};
  };
  CHECK(with("\"max\"").load().cases.front().data.dims.at("op") == 1);
  CHECK(with("\"maxx\"").complaint() ==
        "key 'op' in [settings] is 'maxx'; did you mean 'max'? it must be one of sum, max");
  CHECK(with("1").complaint() == "key 'op' in [settings] must be a string; write op = \"...\"");
}

TEST_CASE("a mandatory category may be waived, with a reason and only if there is no case",
          "[lab][waive]") {
  const auto with = [](const std::string& category, const std::string& reason) {
    return TestLab{
        .function = parameters(""),
        .datasets = "[[dataset]]\nname = \"d\"\ndims = { n = 37 }\ncategories = [\"prime\"]\n",
        .after = "[[waive]]\ncategory = \"" + category + "\"\nreason = \"" + reason + "\"\n"};
  };
  const Lab lab = with("extremes", "All values are small.").load();
  const auto missing = missing_categories(lab);
  CHECK(std::find(missing.begin(), missing.end(), "extremes") == missing.end());
  CHECK(std::find(missing.begin(), missing.end(), "size-one") != missing.end());
  CHECK(with("prime", "All values are small.").complaint() ==
        "a case has category 'prime', so that there is nothing to waive; remove this [[waive]]");
  CHECK(with("extremes", "no").complaint() ==
        "'no' does not say why there is no such case; write reason = \"The image is always 512 x "
        "512.\"");
  CHECK(with("extreme", "All values are small.").complaint() ==
        "mandatory category 'extreme' does not exist; did you mean 'extremes'?");
}

TEST_CASE("a cheap answer may be waived for a case, once and with a reason", "[lab][waive]") {
  const auto with = [](const std::string& answer, const std::string& on, const std::string& reason,
                       int times = 1) {
    std::string waivers;
    for (int i = 0; i < times; ++i) {
      waivers += "[[waive_answer]]\nanswer = \"" + answer + "\"\ncase = \"" + on +
                 "\"\nreason = \"" + reason + "\"\n";
    }
    return TestLab{.function = parameters(""), .after = waivers};
  };
  const Lab lab = with("half-precision", "c", "All values are small.").load();
  REQUIRE(lab.answer_waivers.size() == 1);
  CHECK(lab.answer_waivers[0].answer == CheapAnswer::half_precision);
  CHECK(lab.answer_waivers[0].on == "c");
  CHECK(with("half-precison", "c", "All values are small.").complaint() ==
        "cheap answer 'half-precison' does not exist; did you mean 'half-precision'?");
  CHECK(with("zeros", "d", "All values are small.").complaint() ==
        "case 'd' does not exist; did you mean 'c'?");
  CHECK(with("zeros", "c", "no").complaint() ==
        "'no' does not say why this answer may pass; write reason = \"Half of the 65536 values "
        "estimate their sum as well.\"");
  CHECK(with("zeros", "c", "All values are small.", 2).complaint() ==
        "answer 'zeros' of case \"c\" is waived twice; remove one");
}

TEST_CASE("a record is one parameter with an array for each field", "[lab][record]") {
  const std::string record =
      "[[record]]\nname = \"Point\"\narrays = \"PointArrays\"\nfield = [{ name = \"tag\", type = "
      "\"u8\" }, { name = \"x\", type = \"f64\" }, { name = \"id\", type = \"i16\" }]\n";
  const auto with = [&](const std::string& more, const std::string& fills = "inputs.p = {}\n") {
    return TestLab{
        .function = parameters("{ name = \"p\", role = \"input\", type = \"Point\", shape "
                               "= [\"n\"]" +
                               more + " },\n"),
        .datasets = "[[dataset]]\nname = \"d\"\ndims = { n = 8 }\n" + fills,
        .before = record};
  };
  const Lab lab = with("").load();
  REQUIRE(lab.parameters.size() == 4);
  CHECK(lab.parameters[1].name == "p.x");
  CHECK(lab.parameters[1].group == "p");
  CHECK(lab.records[0].fields[1].offset == 8);
  CHECK(lab.records[0].fields[2].offset == 16);
  CHECK(lab.records[0].size == 24);
  CHECK(with("", "inputs.p.tag = {}\ninputs.p.x = {}\n").complaint() ==
        "dataset 'd' does not say how input 'p' is filled; add inputs.p = { distribution = "
        "\"uniform\" }");
  CHECK(with("", "inputs.p.y = {}\n")
            .complaint()
            .starts_with("dataset 'd': input 'p.y' does not exist; "));
  CHECK(with(", layout = \"struct-of-array\"").complaint() ==
        "key 'layout' in [[function.parameter]] \"p\" is 'struct-of-array'; did you mean "
        "'struct-of-arrays'? it must be one of array-of-structs, struct-of-arrays");
}

TEST_CASE("steps have parameters of the function, and each is used", "[lab][steps]") {
  const auto with = [](const std::string& steps) {
    return TestLab{.function = "parameter = [\n" + kOut + "]\nstep = [" + steps + "]\n"};
  };
  const Lab lab = with(
                      "{ name = \"a\", parameters = [\"y\"] }, { name = \"b\", parameters = "
                      "[\"y\"], times = 3 }")
                      .load();
  CHECK(lab.function == "a");
  CHECK(lab.steps.at(1).times->text() == "3");
  CHECK(with("{ name = \"a\", parameters = [\"z\"] }").complaint() ==
        "parameter 'z' does not exist; did you mean 'y'?");
  CHECK(with("{ name = \"a\", parameters = [] }").complaint() ==
        "no [[function.step]] has the parameter 'y'; add it to one or remove it");
  CHECK(with("").complaint() == "'step' is empty; add one or give a 'name'");
}

TEST_CASE("the request passes memory, streams, structures and repetitions", "[case][request]") {
  const Lab lab =
      TestLab{
          .function =
              "parameter = [\n{ name = \"p\", role = \"output\", type = \"Point\", memory = "
              "\"managed\", shape = [\"n\"] },\n{ name = \"s\", role = \"stream\" },\n{ name = "
              "\"x\", role = \"input\", type = \"bool\", memory = \"pinned\", shape = [\"n\"] },"
              "\n]\nstep = [{ name = \"a\", parameters = [\"p\", \"s\", \"x\"], times = \"n\" }]"
              "\n",
          .datasets = "[[dataset]]\nname = \"d\"\ndims = { n = 8 }\ninputs.x = {}\n",
          .before =
              "[[record]]\nname = \"Point\"\nfield = [{ name = \"k\", type = \"i16\" }, { "
              "name = \"x\", type = \"f32\" }]\n"}
          .load();
  CaseData data;
  data.lab = &lab;
  data.spec = &lab.cases.front();
  // The poison of both fields, and zero between them.
  CHECK(make_request(data, "0") ==
        "warpgrade-request 1\nnonce 0\nrecord record.txt\n"
        "array p output managed 8 8 0 a5a50000a5a5f5ff - out-p.bin\n"
        "stream s\n"
        "array x input pinned 1 8 0 a5 in-x.bin -\n"
        "scalar a 0800000000000000\n"
        "end\n");
}

TEST_CASE("a returned value is an output of one element outside of the signature",
          "[lab][function]") {
  const std::string count =
      "[[function.parameter]]\nname = \"count\"\nrole = \"output\"\ntype = \"i32\"\n"
      "returned = true\n";
  const Lab lab = TestLab{.function = "name = \"t\"\n" + count}.load();
  CHECK(lab.parameters[0].is_returned);
  CHECK(lab.parameters[0].memory == Memory::host);
  CHECK(TestLab{.function = "name = \"t\"\n" + count + "shape = [\"n\"]\n"}.complaint() ==
        "a returned value is one element; remove 'shape'");
  CHECK(TestLab{.function = "name = \"t\"\n" + count +
                            "[[function.parameter]]\nname = \"more\"\nrole = \"output\"\n"
                            "type = \"i32\"\nreturned = true\n"}
            .complaint() == "several parameters are returned; a function returns one value");
}

TEST_CASE("a case may call some of the functions, whose outputs alone have elements",
          "[lab][function]") {
  const std::string outputs =
      "parameter = [{ name = \"a\", role = \"output\", type = \"i32\", shape = [\"n\"] },\n"
      "{ name = \"b\", role = \"output\", type = \"i32\", shape = [\"n\", \"2\"] }]\n"
      "step = [{ name = \"first\", parameters = [\"a\"] },\n"
      "{ name = \"second\", parameters = [\"b\"], times = \"3\" }]\n";
  const auto cases = [](const std::string& calls) {
    return "[[case]]\nname = \"one\"\ndataset = \"d\"\npoints = 0\nhint = \"h\"\n" + calls;
  };
  const Lab lab = TestLab{.function = outputs, .after = cases("calls = [\"second\"]\n")}.load();
  const auto value = [&](const Case& spec, const Expression& formula) {
    return evaluate(lab, formula, spec.data.dims);
  };
  const Case& all = lab.cases[0];
  const Case& second = lab.cases[1];
  CHECK(value(all, *lab.steps[0].times) == 1);
  CHECK(value(all, *lab.steps[1].times) == 3);
  CHECK(value(second, *lab.steps[0].times) == 0);
  CHECK(value(second, *lab.steps[1].times) == 3);
  CHECK(shape_of(lab, lab.parameters[0], second.data.dims) == std::vector<std::uint64_t>{0});
  CHECK(shape_of(lab, lab.parameters[1], second.data.dims) == std::vector<std::uint64_t>{8, 2});
  CHECK(shape_of(lab, lab.parameters[0], all.data.dims) == std::vector<std::uint64_t>{8});
  CHECK(TestLab{.function = outputs, .after = cases("calls = [\"third\"]\n")}.complaint() ==
        "function 'third' does not exist; known: first, second");
  CHECK(TestLab{.function = outputs, .after = cases("calls = []\n")}.complaint() ==
        "'calls' is empty; name the functions that this case calls");
  const Lab without = TestLab{.function = outputs, .after = cases("")}.load();
  CHECK_FALSE(without.steps[0].times.has_value());
}

TEST_CASE("a structure by value has a formula for each field", "[lab][function]") {
  const auto with_value = [](const std::string& value) {
    return TestLab{
        .function =
            "name = \"t\"\nparameter = [\n"
            "{ name = \"y\", role = \"output\", type = \"i32\", shape = [\"n\"] },\n"
            "{ name = \"size\", role = \"scalar\", type = \"Size\", value = " +
            value + " }]\n",
        .before =
            "[[record]]\nname = \"Size\"\n"
            "field = [{ name = \"width\", type = \"i32\" }, { name = \"half\", type = \"f32\" "
            "}]\n"};
  };
  const Lab lab = with_value("{ width = \"n\", half = \"n / 2\" }").load();
  REQUIRE(lab.parameters.size() == 3);
  CHECK(lab.parameters[2].name == "size.half");
  CHECK(lab.parameters[2].argument() == "size");
  CHECK(lab.parameters[2].layout == FieldLayout::by_value);
  CHECK(evaluate(lab, *lab.parameters[2].value, lab.cases[0].data.dims) == 4);
  CHECK(with_value("{ width = \"n\" }").complaint().find("'half'") != std::string::npos);
  CHECK(with_value("{ width = \"n\", half = 1, third = 2 }").complaint().find("'third'") !=
        std::string::npos);
}

}  // namespace warpgrade
