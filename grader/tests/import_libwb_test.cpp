#include <fmt/format.h>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <regex>
#include <string>
#include <vector>

#include "grader/core/text.h"
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

/// The program of a kit with the names that newer kits use: gputk.h, gpuTKArg_read, ...
std::string with_newer_names(const std::string& program) {
  static const std::regex kName("\\bwb([A-Z])");
  return std::regex_replace(replace_all(program, "<wb.h>", "<gputk.h>"), kName, "gpuTK$1");
}

/// One that reads a file, runs a kernel and writes a file, as most labs of kits do.
/// @param solved  else the students' part is missing
std::string program_of_kit(const std::string& read, const std::string& kernel,
                           const std::string& launch, const std::string& write, bool solved) {
  return "#include <wb.h>\n"
         "#define wbCheck(stmt) do { if ((stmt) != cudaSuccess) { "
         "wbLog(ERROR, \"Failed to run stmt \", #stmt); return -1; } } while (0)\n"
         "//@@ insert code here\n" +
         (solved ? kernel : "") + "int main(int argc, char** argv) {\n" +
         "  wbArg_t args = wbArg_read(argc, argv);\n  wbTime_start(IO, \"Importing data\");\n" +
         read + "  wbTime_stop(IO, \"Importing data\");\n  //@@ insert code here\n" +
         (solved ? launch : "") + write + "  return 0;\n}\n";
}

struct Kit {
  std::string folder, result;  // its name; the result's type
  std::string stub, solution;
};

Kit kit_of_course(const std::string& folder, const std::string& lab, const std::string& result) {
  const fs::path own = source_folder() / "grader/tests/courses";
  return {.folder = folder,
          .result = result,
          .stub = read_file(own / "labs" / lab / (lab + ".cu")),
          .solution = read_file(own / "reference" / lab / "solution.cu")};
}

Kit image_kit() {
  const auto program = [](bool solved) {
    return program_of_kit(
        "  wbImage_t in = wbImport(wbArg_getInputFile(args, 0));\n"
        "  int width = wbImage_getWidth(in), height = wbImage_getHeight(in);\n"
        "  wbImage_t out = wbImage_new(width, height, 1);\n"
        "  int n = width * height;\n  float *x, *y;\n"
        "  wbCheck(cudaMalloc((void**)&x, 3 * n * sizeof(float)));\n"
        "  wbCheck(cudaMalloc((void**)&y, n * sizeof(float)));\n"
        "  wbCheck(cudaMemcpy(x, wbImage_getData(in), 3 * n * sizeof(float), "
        "cudaMemcpyHostToDevice));\n",
        "__global__ void gray(const float* x, float* y, int n) {\n"
        "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
        "  if (i < n) y[i] = 0.21f * x[3 * i] + 0.71f * x[3 * i + 1] + 0.07f * x[3 * i + 2];\n}\n",
        "  gray<<<(n + 127) / 128, 128>>>(x, y, n);\n",
        "  wbCheck(cudaMemcpy(wbImage_getData(out), y, n * sizeof(float), "
        "cudaMemcpyDeviceToHost));\n  wbSolution(args, out);\n  cudaFree(x);\n  cudaFree(y);\n",
        solved);
  };
  return {.folder = "ImageColorToGrayscale",
          .result = "image",
          .stub = program(false),
          .solution = program(true)};
}

Kit histogram_kit() {
  const auto program = [](bool solved) {
    return program_of_kit(
        "  int n;\n  unsigned *in = (unsigned*)wbImport(wbArg_getInputFile(args, 0), &n, "
        "\"Integer\");\n"
        "  unsigned bins[64], *x, *y;\n"
        "  wbCheck(cudaMalloc((void**)&x, n * sizeof(unsigned)));\n"
        "  wbCheck(cudaMalloc((void**)&y, sizeof bins));\n"
        "  wbCheck(cudaMemcpy(x, in, n * sizeof(unsigned), cudaMemcpyHostToDevice));\n"
        "  wbCheck(cudaMemset(y, 0, sizeof bins));\n",
        "__global__ void count(const unsigned* x, unsigned* y, int n) {\n"
        "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
        "  if (i < n) atomicAdd(&y[x[i]], 1u);\n}\n",
        "  count<<<(n + 127) / 128, 128>>>(x, y, n);\n",
        "  wbCheck(cudaMemcpy(bins, y, sizeof bins, cudaMemcpyDeviceToHost));\n"
        "  wbSolution(args, bins, 64);\n  cudaFree(x);\n  cudaFree(y);\n",
        solved);
  };
  return {.folder = "Histogram",
          .result = "integral_vector",
          .stub = program(false),
          .solution = program(true)};
}

/// "3\n1\n2\n3\n", or with two extents a line per row.
std::string raw(const std::string& extents, const std::vector<int>& numbers) {
  std::string text = extents + "\n";
  for (const int number : numbers) text += std::to_string(number) + "\n";
  return text;
}

std::string netpbm(const std::string& kind, int width, int height, const std::string& bytes) {
  return fmt::format("{}\n#Created by a generator\n{} {}\n255\n{}", kind, width, height, bytes);
}

/// A dataset of the kit with something like n elements.
void add_data(const Kit& kit, const fs::path& folder, int n) {
  std::vector<int> in(n);
  for (int i = 0; i < n; ++i) in[i] = i * i % 61;
  if (kit.result == "image") {
    std::string colors, grays;
    for (int i = 0; i < n * 3; ++i) {
      const int r = i * 7 % 251, g = i * 11 % 241, b = i * 13 % 239;
      for (const int level : {r, g, b}) colors += static_cast<char>(level);
      grays += static_cast<char>(static_cast<int>(0.21 * r + 0.71 * g + 0.07 * b));
    }
    write_file_atomically(folder / "input.ppm", netpbm("P6", n, 3, colors));
    write_file_atomically(folder / "output.ppm", netpbm("P5", n, 3, grays));
    return;
  }
  if (kit.result == "matrix") {
    std::vector<int> product(n * n);
    for (int i = 0; i < n * n; ++i) {
      for (int k = 0; k < 3; ++k) product[i] += (i / n * 3 + k) % 5 * ((k * n + i % n) % 7);
    }
    std::vector<int> a(n * 3), b(n * 3);
    for (int i = 0; i < n * 3; ++i) {
      a[i] = i % 5;
      b[i] = i % 7;
    }
    write_file_atomically(folder / "input0.raw", raw(fmt::format("{} 3", n), a));
    write_file_atomically(folder / "input1.raw", raw(fmt::format("3 {}", n), b));
    write_file_atomically(folder / "output.raw", raw(fmt::format("{0} {0}", n), product));
    return;
  }
  std::vector<int> out(kit.result == "vector" ? n : 64);
  for (int i = 0; i < n; ++i) {
    if (kit.result == "vector") {
      out[i] = in[i] + (i > 0 ? out[i - 1] : 0);
    } else {
      ++out[in[i]];
    }
  }
  write_file_atomically(folder / "input0.raw", raw(std::to_string(n), in));
  write_file_atomically(folder / "output.raw", raw(std::to_string(out.size()), out));
}

TEST_CASE("the kits' labs with vectors, matrices, images and histograms pass lab check as imported",
          "[program][lab][libwb]") {
  const Kit kit = GENERATE(kit_of_course("ListScan", "wb_scan", "vector"),
                           kit_of_course("TiledMatrixMultiplication", "wb_gemm", "matrix"),
                           image_kit(), histogram_kit());
  const LabRoot root;
  const fs::path folder = root / "kit" / kit.folder;
  write_file_atomically(folder / "template.cu", with_newer_names(kit.stub));
  write_file_atomically(folder / "solution.cu", with_newer_names(kit.solution));
  write_file_atomically(folder / "config.json", "{}");
  add_data(kit, folder / "Dataset/0", 20);
  add_data(kit, folder / "Dataset/1", 37);
  const ProcessResult result = root.run({"lab", "import-libwb", folder.string()});
  INFO(result.out << result.err);
  CHECK(result.code == 0);
  CHECK(contains(result.out, "libwb's type of the result: -t " + kit.result));
  CHECK(contains(result.out, "solution has it all     1 of 1"));
}

TEST_CASE(
    "import-libwb says why a lab without template.cu, or with a generator that crashes, is none",
    "[program][lab][libwb]") {
  const LabRoot root;
  const fs::path kit = make_kit(root);
  write_file_atomically(kit / "dataset_generator.c", "int main() { return *(volatile int*)0; }\n");
  CHECK(contains(root.run({"lab", "import-libwb", kit.string()}).err,
                 "dataset_generator.c was ended by SIGSEGV (invalid memory access). Correct it, or "
                 "put datasets into data/0, data/1, ... instead. Nothing was imported"));
  fs::rename(kit / "template.cu", kit / "template.cpp");
  CHECK(contains(root.run({"lab", "import-libwb", kit.string()}).err,
                 "has template.cpp and no template.cu: a lab in OpenCL, OpenACC or MPI cannot be "
                 "graded; nothing was imported"));
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
