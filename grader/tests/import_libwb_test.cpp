#include <catch2/catch_test_macros.hpp>
#include <string>

#include "grader/tests/lab_root.h"
#include "grader/tests/program.h"

// Kits as courses publish them: what is empty, unfinished or left over in their folders.

namespace warpgrade {
namespace fs = std::filesystem;
using testing::contains;
using testing::LabRoot;
using testing::source_folder;
namespace {

/// The folder of a lab in a published kit.
fs::path make_kit(const LabRoot& root) {
  const fs::path kit = root / "Module3/VectorAdd";
  const fs::path own = source_folder() / "grader/tests/courses";
  write_file_atomically(kit / "template.cu", read_file(own / "labs/wb_vecadd/wb_vecadd.cu"));
  write_file_atomically(kit / "solution.cu", read_file(own / "reference/wb_vecadd/solution.cu"));
  write_file_atomically(kit / "description.markdown",
                        "---\ntitle: Adding \"Vectors\"\nauthor: a kit\n---\n\n# Objective\n\n"
                        "The code is in the [repository](LINKTOLAB). ![sum](sum.png)\n");
  write_file_atomically(kit / "sum.png", "a picture");
  write_file_atomically(kit / "questions.json", "[]");
  return kit;
}

std::string vector_of(int length, int factor) {
  std::string text = std::to_string(length) + "\n";
  for (int i = 0; i < length; ++i) text += std::to_string(factor * i) + ".5\n";
  return text;
}

void add_dataset(const fs::path& folder, int length) {
  write_file_atomically(folder / "input0.raw", vector_of(length, 1));
  write_file_atomically(folder / "input1.raw", vector_of(length, 2));
  std::string sum = std::to_string(length) + "\n";
  for (int i = 0; i < length; ++i) sum += std::to_string(3 * i + 1) + ".0\n";
  write_file_atomically(folder / "output.raw", sum);
}

TEST_CASE(
    "import-libwb takes a kit with placeholders and an empty config.json, and says what a "
    "person has to look at",
    "[program][lab][libwb]") {
  const LabRoot root;
  const fs::path kit = make_kit(root);
  write_file_atomically(kit / "config.json", "\n");
  add_dataset(kit / "data/0", 3);
  add_dataset(kit / "data/1", 300);
  fs::rename(kit / "data/1/output.raw", kit / "data/1/expect.raw");
  write_file_atomically(kit / "data/1/output.raw", "what a program left\n");
  write_file_atomically(kit / "data/2/input0.raw", vector_of(3, 1));
  // Both datasets need the same names.
  fs::rename(kit / "data/0/output.raw", kit / "data/0/expect.raw");
  const ProcessResult result = root.run({"lab", "import-libwb", kit.string()});
  INFO(result.out << result.err);
  CHECK(result.code == 0);
  CHECK_FALSE(contains(result.out, "PROBLEM"));
  CHECK(contains(result.out,
                 "What a person has to look at:\n"
                 "  - README.md: \"repository\" was a link to LINKTOLAB, which the folder does not "
                 "have; now it is words only, so say where students find it\n"
                 "  - config.json: it is empty, so the title, the weights of the datasets and the "
                 "type of the result were assumed\n"
                 "  - data/1/output.raw: it was left out, because expect.raw is the expected "
                 "output\n"));
  CHECK(contains(result.out,
                 "  - data/2: it was left out, because it has 1 input and 0 expected "
                 "outputs; add what is missing"));
  CHECK(contains(result.out, "  - questions.json: its questions are not imported"));
  CHECK(contains(read_file(root / "labs/vector_add/lab.toml"),
                 "title = \"Adding \\\"Vectors\\\"\"\n"));
  CHECK(contains(read_file(root / "labs/vector_add/README.md"),
                 "# Adding \"Vectors\"\n\n# Objective\n\nThe code is in the repository. "
                 "![sum](sum.png)\n"));
  CHECK(read_file(root / "labs/vector_add/sum.png") == "a picture");
}

TEST_CASE("import-libwb compiles a generator in C, and takes the weights of config.json",
          "[program][lab][libwb]") {
  const LabRoot root;
  const fs::path kit = make_kit(root);
  // Without casts, as C allows and C++ does not.
  write_file_atomically(kit / "dataset_generator.c", R"(#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
static void write(const char* folder, const char* name, const float* x, int n) {
  char path[256];
  sprintf(path, "%s/%s", folder, name);
  FILE* file = fopen(path, "w");
  fprintf(file, "%d", n);
  for (int i = 0; i < n; ++i) fprintf(file, "\n%.2f", x[i]);
  fclose(file);
}
static void create(const char* folder, int n) {
  mkdir(folder, 0700);
  float* a = malloc(n * sizeof *a);
  float* sum = malloc(n * sizeof *sum);
  for (int i = 0; i < n; ++i) a[i] = rand() % 20 / 4.0f;
  for (int i = 0; i < n; ++i) sum[i] = 2 * a[i];
  write(folder, "input0.raw", a, n);
  write(folder, "input1.raw", a, n);
  write(folder, "output.raw", sum, n);
}
int main() {
  mkdir("./VectorAdd", 0700);
  mkdir("./VectorAdd/Dataset", 0700);
  create("./VectorAdd/Dataset/0", 16);
  create("./VectorAdd/Dataset/1", 64);
  return 0;
}
)");
  write_file_atomically(kit / "config.json",
                        R"({"name": "Vector\n Addition", "output_type": "vector",
    "data": [
      {"score": 0.2, "input": ["0/input0.raw", "0/input1.raw"], "output": "0/output.raw"},
      {"score": 0.6, "input": ["1/input0.raw", "1/input1.raw"], "output": "1/output.raw"},
      {"score": 0.2, "input": ["9/input0.raw", "9/input1.raw"], "output": "9/output.raw"}]})");
  const ProcessResult result = root.run({"lab", "import-libwb", kit.string(), "--id", "sums"});
  INFO(result.out << result.err);
  CHECK(result.code == 0);
  CHECK(contains(result.out,
                 "config.json: it names 9/output.raw, which is not there; the dataset "
                 "was left out"));
  const std::string toml = read_file(root / "labs/sums/lab.toml");
  CHECK(contains(toml, "dataset = \"0\", points = 17.5,"));
  CHECK(contains(toml, "dataset = \"1\", points = 52.5,"));
  CHECK(contains(toml, "title = \"Vector Addition\"\n"));
  // A generator that is not a program: its first error, in one line.
  write_file_atomically(kit / "dataset_generator.c",
                        "#include <stdio.h>\nint main() { return x; }\n");
  const ProcessResult broken = root.run({"lab", "import-libwb", kit.string(), "--id", "more"});
  CHECK(broken.code == 2);
  CHECK(contains(broken.err, "dataset_generator.c does not compile: "));
  CHECK(contains(broken.err, "error: "));
  CHECK_FALSE(contains(broken.err, "\\x0a"));
}

TEST_CASE("import-libwb says which files are missing where no dataset is complete",
          "[program][lab][libwb]") {
  const LabRoot root;
  const fs::path kit = make_kit(root);
  write_file_atomically(kit / "data/0/input0.raw", vector_of(3, 1));
  const ProcessResult result = root.run({"lab", "import-libwb", kit.string()});
  CHECK(result.code == 2);
  CHECK(
      contains(result.err,
               "is complete; data/0: it was left out, because it has 1 input and 0 "
               "expected outputs; add what is missing, one output and at least one input. Nothing "
               "was imported"));
  CHECK_FALSE(fs::exists(root / "labs/vector_add"));
}

}  // namespace
}  // namespace warpgrade
