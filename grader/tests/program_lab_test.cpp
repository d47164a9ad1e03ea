#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "grader/core/text.h"
#include "grader/tests/lab_root.h"
#include "grader/tests/program.h"

// Labs whose students write programs: docs/programs.md. The programs with libwb are in
// grader/tests/courses, a folder of labs as an instructor has one.

namespace warpgrade {
namespace fs = std::filesystem;
using nlohmann::json;
using testing::contains;
using testing::documented_files;
using testing::LabRoot;
using testing::source_folder;
namespace {

fs::path courses() {
  return source_folder() / "grader" / "tests" / "courses";
}

/// A folder of labs to which those of grader/tests/courses can be added.
struct Course : LabRoot {
  /// One of the labs in grader/tests/courses.
  void add(const std::string& id) const {
    for (const char* part : {"labs", "reference", "datasets"}) {
      fs::create_directories(folder.path() / part);
      for (const std::string& name : {id, id + ".toml"}) {
        if (fs::exists(courses() / part / name)) {
          fs::copy(courses() / part / name, folder.path() / part / name,
                   fs::copy_options::recursive);
        }
      }
    }
  }
};

/// The lab of docs/adding-a-lab.md, made by its steps.
struct Squares : Course {
  Squares() {
    REQUIRE(run({"lab", "new", "squares", "--template", "program"}).code == 0);
    const auto files = documented_files("squares");
    REQUIRE(files.size() == 4);
    for (const auto& [path, text] : files) {
      REQUIRE(fs::exists(*this / path));
      write_file_atomically(*this / path, text);
    }
    solution = read_file(*this / "reference/squares/solution.cu");
  }

  /// The grade of the solution with one thing changed.
  [[nodiscard]] json grade(const std::string& from, const std::string& to) const {
    REQUIRE(contains(solution, from));
    write_file_atomically(*this / "squares.cu", replace_all(solution, from, to));
    const fs::path file = *this / "grade.json";
    const ProcessResult result = run({"check", "squares", (*this / "squares.cu").string(), "--json",
                                      file.string(), "--device", "emulator"});
    INFO(result.out << result.err);
    REQUIRE(fs::exists(file));
    return json::parse(read_file(file));
  }
  std::string solution;
};

/// The case's verdict and message.
std::string told(const json& grade, const std::string& name) {
  for (const json& c : grade.at("cases")) {
    if (c.at("name") == name) {
      return c.at("status").get<std::string>() + ": " + c.at("message").get<std::string>();
    }
  }
  return "no such case";
}

TEST_CASE("the program lab of docs/adding-a-lab.md passes lab check", "[program][lab][docs]") {
  const Squares lab;
  const ProcessResult result = lab.run({"lab", "check", "squares"});
  INFO(result.out << result.err);
  CHECK(result.code == 0);
}

TEST_CASE("a new program lab passes lab check until its author changes it",
          "[program][lab][any_compiler]") {
  const Course course;
  REQUIRE(course.run({"lab", "new", "blur", "--template", "program"}).code == 0);
  const ProcessResult result = course.run({"lab", "check", "blur"});
  INFO(result.out << result.err);
  CHECK(result.code == 0);
  CHECK(course.run({"lab", "new", "blur2", "--template", "poem"}).code == 2);
}

TEST_CASE("a right program has all points, hidden cases and expected failures included",
          "[program][lab][any_compiler]") {
  const Squares lab;
  const json grade = lab.grade("return 2;", "return 2;");
  CHECK(grade.at("score") == 100);
  CHECK(told(grade, "no count") == "passed: ");
}

TEST_CASE("an exit code that is not expected fails the case, with the last line printed",
          "[program][lab][any_compiler]") {
  const Squares lab;
  const json grade = lab.grade("return 2;", "std::puts(\"bad usage\"); return 1;");
  CHECK(told(grade, "no count") ==
        "wrong: The program exited with code 1; 2 is expected. The last line that it printed: "
        "'bad usage'.");
  CHECK(told(grade, "ten") == "passed: ");
}

TEST_CASE("a program that never reads its input gets that as its message",
          "[program][lab][any_compiler]") {
  const Squares lab;
  const json grade = lab.grade("std::cin >> value", "value = 3");
  CHECK(contains(told(grade, "ten"), "It never read its standard input."));
}

TEST_CASE("a program that calls nothing of CUDA is judged by what it leaves, with clang, too",
          "[program][lab][compiler]") {
  const Squares lab;
  const std::string file = (lab / "squares.cu").string();
  write_file_atomically(file, "int main(int argc, char**) { return argc == 2 ? 0 : 2; }\n");
  const std::string out = (lab / "grade.json").string();
  const ProcessResult result = lab.run(
      {"check", "squares", file, "--json", out, "--device", "emulator", "--compiler", "clang"});
  if (result.code == 3) SKIP("clang is not installed");
  const json grade = json::parse(read_file(out));
  CHECK(told(grade, "no count") == "passed: ");
  CHECK(told(grade, "ten") ==
        "wrong: The program printed nothing. It never read its standard input.");
}

TEST_CASE("too few numbers, words among them and no output are one message each",
          "[program][lab][any_compiler]") {
  const Squares lab;
  CHECK(contains(told(lab.grade("for (const float value : x) std",
                                "x.pop_back(); for (const float value : x) std"),
                      "ten"),
                 "Standard output has 9 numbers; 10 are expected."));
  CHECK(contains(told(lab.grade("for (const float value : x) std",
                                "std::puts(\"Result:\"); for (const float value : x) std"),
                      "ten"),
                 "Standard output has 'Result:' in line 1 where a number is expected."));
  CHECK(told(lab.grade("std::printf(\"%.4f\\n\", value);", ";"), "ten") ==
        "wrong: The program printed nothing.");
}

TEST_CASE("right values in another order fail where order counts", "[program][lab][any_compiler]") {
  const Squares lab;
  const json grade = lab.grade("for (const float value : x) std",
                               "std::swap(x[2], x[7]); for (const float value : x) std");
  CHECK(contains(told(grade, "ten"), "The values are right, but in another order."));
}

TEST_CASE("a gigabyte of standard output costs the case and nothing else",
          "[program][lab][any_compiler]") {
  const Squares lab;
  const json grade =
      lab.grade("for (const float value : x) std",
                "const std::vector<char> ones(1 << 20, '1');"
                "for (int i = 0; i < 1024; ++i) std::fwrite(ones.data(), 1, ones.size(), stdout);"
                "for (const float value : x) std");
  CHECK(contains(told(grade, "ten"),
                 "The program printed more than 16 MiB to standard output, of which only these "
                 "were kept"));
  CHECK(told(grade, "no count") == "passed: ");
}

TEST_CASE("files left behind are a note and cost nothing", "[program][lab][any_compiler]") {
  Squares lab;
  lab.solution =
      replace_all(lab.solution, "#include <vector>", "#include <sys/stat.h>\n#include <vector>");
  const json grade = lab.grade("for (const float value : x) std",
                               "if (FILE* f = std::fopen(\"notes.txt\", \"w\")) std::fclose(f);"
                               "mkdir(\"closed\", 0);"
                               "for (const float value : x) std");
  CHECK(grade.at("score") == 100);
  CHECK(told(grade, "ten") ==
        "passed: The program also left 2 files behind: `closed`, `notes.txt`. That costs nothing; "
        "remove what it does not need.");
}

TEST_CASE("a dataset's file that was cut is one error that names it",
          "[program][lab][any_compiler]") {
  const Course course;
  course.add("wb_convolution3d");
  const fs::path file = course / "datasets/wb_convolution3d/block.raw";
  write_file_atomically(file, read_file(file).substr(0, 200));
  const std::string solution = (courses() / "reference/wb_convolution3d/solution.cu").string();
  const ProcessResult result =
      course.run({"check", "wb_convolution3d", solution, "--device", "emulator"});
  CHECK(result.code == 2);
  CHECK(contains(result.err,
                 "datasets/wb_convolution3d/block.raw: 'input' of dataset 'block' has 39 numbers; "
                 "123 are expected; correct the file or the dims"));
}

TEST_CASE("findings count in programs as in functions", "[program][lab][any_compiler]") {
  const Squares lab;
  const json grade = lab.grade("if (i < n) x", "x");
  CHECK(grade.at("score") < 100);
  bool found = false;
  for (const json& finding : grade.at("findings")) {
    found = found || contains(finding.at("kind").get<std::string>(), "oob-global");
  }
  CHECK(found);
}

TEST_CASE("a program that computes on the host earns nothing", "[program][lab][any_compiler]") {
  const Squares lab;
  const json grade = lab.grade("cudaMemcpy(x.data(), device, bytes, cudaMemcpyDeviceToHost);",
                               "for (float& value : x) value *= value;");
  CHECK(contains(told(grade, "ten"), "broke_contract: "));
  CHECK(contains(grade.at("integrity").dump(), "computed-on-host"));
}

TEST_CASE("a right program has all points where zeros would pass, too",
          "[program][lab][any_compiler]") {
  const Squares lab;
  // The squares are less than `absolute` allows, so that four decimals are all 0.
  const fs::path data = lab / "datasets/squares.toml";
  std::string text = read_file(data);
  for (const auto& [from, to] :
       {std::pair("1 2 3 4 5 -6 7 8 9.5 10", "1e-4 2e-4 3e-4 4e-4 5e-4 -6e-4 7e-4 8e-4 9e-4 1e-3"),
        std::pair("low = -10, high = 10", "low = -1e-3, high = 1e-3")}) {
    REQUIRE(contains(text, from));
    text = replace_all(text, from, to);
  }
  write_file_atomically(data, text);
  const json grade = lab.grade("return 2;", "return 2;");
  INFO(grade.dump(1));
  CHECK(grade.at("score") == 100);
  CHECK(grade.at("integrity").empty());
}

TEST_CASE("a program without main, and one that starts programs, are refused with a reason",
          "[program][lab][any_compiler]") {
  const Squares lab;
  CHECK(contains(lab.grade("int main(", "int solve(").at("summary").get<std::string>(),
                 "no function `main` is defined; write the whole program in squares.cu"));
  CHECK(contains(lab.grade("float* device;", "std::system(\"ls\"); float* device;")
                     .at("summary")
                     .get<std::string>(),
                 "a submission may not start, trace or signal processes"));
}

TEST_CASE("a program that prints PASSED is caught where its kernels do nothing",
          "[program][lab][any_compiler]") {
  const Course course;
  course.add("self_check");
  const ProcessResult result = course.run({"lab", "check", "self_check"});
  INFO(result.out << result.err);
  CHECK(result.code == 0);
}

TEST_CASE("the emulator adds to a self-check what docs/programs.md says", "[program][lab][docs]") {
  const Course course;
  course.add("self_check");
  const ProcessResult result = course.run(
      {"check", "self_check", (courses() / "reference/self_check/wrong/no_guard.cu").string(),
       "--device", "emulator"});
  INFO(result.out << result.err);
  CHECK(contains(result.out, "80 / 100 points"));
  const std::string line =
      "error: 4-byte read past the end of cudaMalloc #1 (4000 bytes) [oob-global-read, P1]\n";
  CHECK(contains(result.out, line));
  CHECK(contains(read_file(source_folder() / "docs" / "programs.md"), line));
}

TEST_CASE("start and data give students of a program lab a Makefile and the case's files",
          "[program][lab][any_compiler]") {
  const Course course;
  course.add("wb_spmv");
  REQUIRE(course.run({"start", "wb_spmv", (course / "mine").string()}).code == 0);
  CHECK(contains(read_file(course / "mine/Makefile"), "-std=c++20 --extended-lambda"));
  CHECK(contains(read_file(course / "mine/Makefile"), "/harness/libwb $< -o $@"));
  CHECK_FALSE(fs::exists(course / "mine/wb_spmv.h"));
  fs::create_directory(course / "data");
  const ProcessResult data = course.run(
      {"data", "wb_spmv", "--case", "written by hand", "--out", (course / "data").string()});
  CHECK(data.code == 0);
  CHECK(contains(data.out,
                 "warpsim -- ./wb_spmv -i col.raw,row.raw,data.raw,vec.raw -o output.raw -t "
                 "vector\n"));
  CHECK(read_file(course / "data/vec.raw") == "4\n1 2 3 4\n");
}

TEST_CASE("programs with libwb run unmodified under warpsim, with either compiler",
          "[program][libwb][any_compiler]") {
  const std::string source = (courses() / "reference/wb_vecadd/solution.cu").string();
  const ScratchFolder folder;
  const auto write = [&](const char* name, const char* text) {
    write_file_atomically(folder.path() / name, text);
  };
  write("a.raw", "3\n1\n2\n3\n");
  write("b.raw", "3\n0.5\n0\n-1\n");
  write("right.raw", "3\n1.5\n2\n2\n");
  write("other.raw", "3\n1.5\n2\n3\n");
  const std::string libwb = (source_folder() / "harness" / "libwb").string();
  const bool with_nvcc = GENERATE(true, false);
  const std::string clang = "'" + (source_folder() / "scripts" / "clang_cuda").string() + "'";
  const std::string compile =
      with_nvcc ? "command -v nvcc >/dev/null || exit 77; nvcc -cudart shared -lineinfo"
                : "command -v clang++ >/dev/null || exit 77; " + clang;
  const ProcessResult built =
      testing::shell(compile + " -I '" + libwb + "' '" + source + "' -o program", folder.path());
  if (built.code == 77) SKIP("this compiler is not installed");
  INFO(built.out << built.err);
  REQUIRE(built.code == 0);
  const auto run = [&](const std::string& options) {
    return testing::shell("$(dirname \"$W\")/warpsim --error-exitcode 9 -- ./program " + options,
                          folder.path());
  };
  const ProcessResult right = run("-i a.raw,b.raw -e right.raw -o out.raw -t vector");
  INFO(right.out << right.err);
  CHECK(right.code == 0);
  CHECK(contains(right.out, "The solution is correct.\n"));
  CHECK(read_file(folder.path() / "out.raw") == "3\n1.5\n2\n2\n");
  CHECK(contains(run("-i a.raw,b.raw -e other.raw -t vector").out,
                 "The solution is wrong in row 2, column 0: 3 is expected, it is 2.\n"));
  CHECK(contains(run("-i a.raw -t vector").err,
                 "wb: input file 1 is asked for, and the command line names 1"));
  write("b.raw", "4\n0.5\n0\n-1\n");
  CHECK(contains(run("-i a.raw,b.raw -t vector").err,
                 "wb: 'b.raw' has 3 numbers; 4 x 1 are expected"));
}

TEST_CASE("programs of libwb courses are graded right, and their wrong twins wrong",
          "[program][lab][libwb][any_compiler]") {
  const std::string id =
      GENERATE("wb_vecadd", "wb_gemm", "wb_convolution3d", "wb_equalize", "wb_scan", "wb_spmv");
  const Course course;
  course.add(id);
  const ProcessResult result = course.run({"lab", "check", id});
  INFO(result.out << result.err);
  CHECK(result.code == 0);
  CHECK(contains(result.out, "mutants"));
}

/// A folder as a course with libwb has it.
void make_libwb_folder(const fs::path& folder) {
  write_file_atomically(folder / "template.cu",
                        read_file(courses() / "labs/wb_vecadd/wb_vecadd.cu"));
  write_file_atomically(folder / "solution.cu",
                        read_file(courses() / "reference/wb_vecadd/solution.cu"));
  write_file_atomically(folder / "description.markdown", "# Vector addition\n");
}

TEST_CASE("import-libwb makes a lab of template, solution and datasets, and proves it",
          "[program][lab][libwb][any_compiler]") {
  const Course course;
  const fs::path from = course / "VectorAdd";
  make_libwb_folder(from);
  for (const auto& [number, length] : {std::pair{"0", 3}, std::pair{"1", 300}}) {
    std::string a = std::to_string(length) + "\n";
    std::string sum = a;
    for (int i = 0; i < length; ++i) {
      a += std::to_string(i) + ".25\n";
      sum += std::to_string(2 * i) + ".50\n";
    }
    for (const char* name : {"input0.raw", "input1.raw"}) {
      write_file_atomically(from / "data" / number / name, a);
    }
    write_file_atomically(from / "data" / number / "output.raw", sum);
  }
  const ProcessResult result = course.run({"lab", "import-libwb", from.string()});
  INFO(result.out << result.err);
  CHECK(result.code == 0);
  CHECK(contains(result.out, "  labs/vector_add/lab.toml\n"));
  CHECK(contains(result.out, "  - points: 10 for the build, 20 for safety, 70 shared equally"));
  CHECK(contains(result.out, "  - the tolerance: 0.0001 of the expected value, and 0.005"));
  CHECK(contains(result.out, "  - libwb's type of the result: -t vector"));
  CHECK(contains(course.run({"lab", "import-libwb", from.string()}).err,
                 "labs/vector_add already exists; nothing was changed"));

  // A dataset that was cut.
  write_file_atomically(from / "data/1/output.raw", "");
  const ProcessResult cut = course.run({"lab", "import-libwb", from.string(), "--id", "other"});
  CHECK(cut.code == 2);
  CHECK(contains(cut.err, "1/output.raw is not a whole file of its format (raw)"));
  CHECK_FALSE(fs::exists(course / "labs/other"));
}

TEST_CASE("import-libwb runs the folder's generator where there are no datasets",
          "[program][lab][libwb][any_compiler]") {
  const Course course;
  const fs::path from = course / "VectorAdd";
  make_libwb_folder(from);
  write_file_atomically(from / "dataset_generator.cpp", R"(#include "wb.h"
static char* base_dir;
static void write_data(const char* name, const float* data, int n) {
  FILE* file = fopen(name, "w");
  fprintf(file, "%d", n);
  for (int i = 0; i < n; ++i) fprintf(file, "\n%.2f", data[i]);
  fclose(file);
}
static void create_dataset(int number, int n) {
  const char* folder = wbDirectory_create(wbPath_join(base_dir, number));
  vector<float> a(n), b(n), sum(n);
  for (int i = 0; i < n; ++i) {
    a[i] = (rand() % 100) / 4.0f;
    b[i] = (rand() % 100) / 4.0f;
    sum[i] = a[i] + b[i];
  }
  write_data(wbPath_join(folder, "input0.raw"), a.data(), n);
  write_data(wbPath_join(folder, "input1.raw"), b.data(), n);
  write_data(wbPath_join(folder, "output.raw"), sum.data(), n);
}
int main() {
  base_dir = wbPath_join(wbDirectory_current(), "VectorAdd", "Dataset");
  create_dataset(0, 64);
  create_dataset(1, 1000);
  return 0;
}
)");
  const ProcessResult result = course.run({"lab", "import-libwb", from.string()});
  INFO(result.out << result.err);
  CHECK(result.code == 0);
  CHECK(contains(result.out, "  - the datasets: those that its generator made now"));
  CHECK(fs::exists(course / "datasets/vector_add/1/input0.raw"));
}

TEST_CASE("import-libwb takes weights, the type and the order of inputs from config.json",
          "[program][lab][libwb][any_compiler]") {
  const Course course;
  const fs::path from = course / "VectorAdd";
  make_libwb_folder(from);
  for (const std::string number : {"0", "1"}) {
    for (const char* name : {"second.raw", "first.raw"}) {
      write_file_atomically(from / "data" / number / name, "2\n1\n" + number + "\n");
    }
    write_file_atomically(from / "data" / number / "output.raw",
                          number == "0" ? "2\n2\n0\n" : "2\n2\n2\n");
  }
  write_file_atomically(from / "config.json", R"({"name": "Vectors", "output_type": "vector",
    "data": [
      {"score": 0.25, "input": ["0/second.raw", "0/first.raw"], "output": "0/output.raw"},
      {"score": 0.75, "input": ["1/second.raw", "1/first.raw"], "output": "1/output.raw"}]})");
  const ProcessResult result = course.run({"lab", "import-libwb", from.string(), "--id", "sums"});
  INFO(result.out << result.err);
  CHECK(result.code == 0);
  const std::string toml = read_file(course / "labs/sums/lab.toml");
  CHECK(contains(toml, "title = \"Vectors\""));
  CHECK(contains(toml, "dataset = \"1\", points = 52.5,"));
  CHECK(contains(toml, "arguments = [\"-i\", \"{second},{first}\", \"-o\""));
  CHECK_FALSE(contains(result.out, "libwb's type of the result"));
}

TEST_CASE("import-libwb of a folder that is none is one error",
          "[program][lab][libwb][any_compiler]") {
  const Course course;
  fs::create_directory(course / "empty");
  const ProcessResult result = course.run({"lab", "import-libwb", (course / "empty").string()});
  CHECK(result.code == 2);
  CHECK(contains(result.err,
                 "is not the folder of a lab with libwb: it lacks template.cu and datasets "
                 "(data/0/input.raw and output.raw, ...) or dataset_generator.cpp."));
  CHECK(contains(course.run({"lab", "import-libwb", (course / "none").string()}).err,
                 "there is no folder"));
}

}  // namespace
}  // namespace warpgrade
