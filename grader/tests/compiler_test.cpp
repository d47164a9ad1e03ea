// Submissions compiled by nvcc and by clang, and what is said where one cannot be.

#include <unistd.h>

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>

#include "grader/build/toolchain/compiler.h"
#include "grader/core/text.h"
#include "grader/tests/lab_root.h"
#include "grader/tests/program.h"

namespace warpgrade {
namespace fs = std::filesystem;
using testing::contains;
using testing::right_source;
using testing::warpgrade;
namespace {

/// Compilers that this machine has.
std::vector<std::string> compilers() {
  std::vector<std::string> found;
  for (const CompilerRequest request : {CompilerRequest::nvcc, CompilerRequest::clang}) {
    try {
      (void)find_compiler(request, find_installation());
      found.emplace_back(slug(request));
    } catch (const std::runtime_error&) {
      // It is not here.
    }
  }
  return found;
}

void need(const std::string& compiler) {
  for (const std::string& found : compilers()) {
    if (found == compiler) return;
  }
  SKIP(compiler + " is not installed");
}

struct Checked {
  Checked(const std::string& file, std::string_view source, const std::string& compiler,
          const std::vector<std::pair<std::string, std::string>>& environment = {}) {
    write_file_atomically(folder.path() / file, source);
    run(file, compiler, environment);
  }
  void run(const std::string& file, const std::string& compiler,
           const std::vector<std::pair<std::string, std::string>>& environment) {
    result = warpgrade({"check", "vecadd", (folder.path() / file).string(), "--compiler", compiler,
                        "--json", (folder.path() / "grade.json").string()},
                       environment);
    if (fs::exists(folder.path() / "grade.json")) {
      grade = nlohmann::json::parse(read_file(folder.path() / "grade.json"));
    }
  }
  ScratchFolder folder;
  ProcessResult result;
  nlohmann::json grade;
};

std::string cpp20_source(const std::string& name) {
  return read_file(testing::source_folder() / "grader/tests/cpp20" / name);
}

/// A program that stands for clang++.
std::string script(const ScratchFolder& folder, const std::string& text) {
  const fs::path file = folder.path() / "clang++";
  write_file_atomically(file, "#!/bin/sh\n" + text);
  fs::permissions(file, fs::perms::owner_all);
  return file.string();
}

TEST_CASE("a solution has every point with each compiler, which its grade names",
          "[program][compiler]") {
  for (const std::string& compiler : compilers()) {
    const Checked checked("vecadd.cu", right_source(), compiler);
    INFO(compiler << checked.result.out << checked.result.err);
    REQUIRE(checked.result.code == 0);
    CHECK(checked.grade.at("score") == 100);
    CHECK(checked.grade.at("environment")
              .at("compiler")
              .get<std::string>()
              .starts_with(compiler + " "));
  }
}

TEST_CASE("a submission in C++20 has its points with each compiler", "[program][compiler]") {
  for (const std::string& compiler : compilers()) {
    const Checked checked("vecadd.cu", cpp20_source("concepts.cu"), compiler);
    INFO(compiler << checked.result.out << checked.result.err);
    REQUIRE(checked.result.code == 0);
    CHECK(checked.grade.at("score") >= 85);  // all but for its speed
    CHECK(checked.grade.at("integrity").empty());
  }
}

TEST_CASE("views of ranges are compiled by nvcc, and clang before 16 says that it cannot",
          "[program][compiler]") {
  for (const std::string& compiler : compilers()) {
    const Checked checked("vecadd.cu", cpp20_source("views.cu"), compiler);
    INFO(compiler << checked.result.out << checked.result.err);
    if (checked.result.code == 0) continue;
    CHECK(compiler == "clang");
    CHECK(contains(checked.result.out + checked.result.err,
                   " needs nvcc, or clang 16 or newer: compile with nvcc"));
  }
}

TEST_CASE("a lab in C++17 refuses concepts and keeps what is right in C++17",
          "[program][compiler]") {
  const testing::LabRoot root;
  for (const char* part : {"labs/vecadd", "reference/vecadd", "datasets/vecadd.toml"}) {
    fs::create_directories((root / part).parent_path());
    fs::copy(testing::source_folder() / part, root / part, fs::copy_options::recursive);
  }
  const fs::path lab = root / "labs/vecadd/lab.toml";
  write_file_atomically(lab, "standard = \"c++17\"\n" + read_file(lab));
  for (const std::string& compiler : compilers()) {
    const std::vector<std::pair<std::string, std::string>> environment = {
        {"WARPGRADE_ROOT", root.folder.path().string()}};
    CHECK(Checked("vecadd.cu", right_source(), compiler, environment).result.code == 0);
    const Checked concepts("vecadd.cu", cpp20_source("concepts.cu"), compiler, environment);
    CHECK(concepts.result.code == 1);
    CHECK(concepts.grade.at("score") == 0);
  }
}

TEST_CASE("a race is found at its line with each compiler", "[program][compiler]") {
  const std::string source = testing::reference_program("reduction", "wrong/no_barrier_in_loop");
  for (const std::string& compiler : compilers()) {
    const ScratchFolder folder;
    const fs::path file = folder.path() / "no_barrier_in_loop.cu";
    write_file_atomically(file, source);
    const ProcessResult result =
        warpgrade({"check", "reduction", file.string(), "--compiler", compiler, "--json",
                   (folder.path() / "grade.json").string()});
    INFO(compiler << result.out << result.err);
    REQUIRE(result.code == 1);
    const auto grade = nlohmann::json::parse(read_file(folder.path() / "grade.json"));
    bool has_line = false;
    for (const auto& finding : grade.at("findings")) {
      has_line =
          has_line || (finding.at("kind") == "race-shared" &&
                       finding.at("file") == "no_barrier_in_loop.cu" && finding.at("line") > 0);
    }
    CHECK(has_line);
  }
}

TEST_CASE("a program in HIP is graded as one in CUDA with each compiler", "[program][compiler]") {
  constexpr const char* kSource = R"(#include "vecadd.h"
#include <hip/hip_runtime.h>
__global__ void add(const float* a, const float* b, float* c, int n) {
  const int i = hipBlockIdx_x * hipBlockDim_x + hipThreadIdx_x;
  if (i < n) c[i] = a[i] + b[i];
}
void vecadd(const float* a, const float* b, float* c, int n) {
  if (n == 0) return;
  const size_t bytes = n * sizeof(float);
  float *x, *y, *z;
  hipMalloc((void**)&x, bytes); hipMalloc((void**)&y, bytes); hipMalloc((void**)&z, bytes);
  hipMemcpy(x, a, bytes, hipMemcpyHostToDevice);
  hipMemcpy(y, b, bytes, hipMemcpyHostToDevice);
  hipLaunchKernelGGL(add, dim3((n + 255) / 256), dim3(256), 0, 0, x, y, z, n);
  hipMemcpy(c, z, bytes, hipMemcpyDeviceToHost);
  hipFree(x); hipFree(y); hipFree(z);
}
)";
  for (const std::string& compiler : compilers()) {
    for (const char* name : {"vecadd.hip", "vecadd.hip.cpp"}) {
      const Checked checked(name, kSource, compiler);
      INFO(compiler << name << checked.result.out << checked.result.err);
      REQUIRE_FALSE(checked.grade.is_null());
      for (const auto& item : checked.grade.at("items")) {
        if (item.at("category") != "performance") CHECK(item.at("status") == "passed");
      }
    }
  }
}

TEST_CASE("a variable that one lane sets before a shuffle is right with each compiler",
          "[program][compiler]") {
  constexpr const char* kSource = R"(#include "vecadd.h"
__device__ int broadcast(int value) { return __shfl_sync(0xffffffffu, value, 0); }
__global__ void add(const float* a, const float* b, float* c, int n, int* next) {
  const int lane = threadIdx.x % 32;
  int first;
  if (lane == 0) first = atomicAdd(next, 32);
  const int i = broadcast(first) + lane;
  if (i < n) c[i] = a[i] + b[i];
}
void vecadd(const float* a, const float* b, float* c, int n) {
  if (n == 0) return;
  const size_t bytes = n * sizeof(float);
  float *x, *y, *z;
  int* next;
  cudaMalloc(&x, bytes); cudaMalloc(&y, bytes); cudaMalloc(&z, bytes); cudaMalloc(&next, 4);
  cudaMemset(next, 0, 4);
  cudaMemcpy(x, a, bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(y, b, bytes, cudaMemcpyHostToDevice);
  add<<<(n + 255) / 256, 256>>>(x, y, z, n, next);
  cudaMemcpy(c, z, bytes, cudaMemcpyDeviceToHost);
  cudaFree(x); cudaFree(y); cudaFree(z); cudaFree(next);
}
)";
  for (const std::string& compiler : compilers()) {
    const Checked checked("vecadd.cu", kSource, compiler);
    INFO(compiler << checked.result.out << checked.result.err);
    REQUIRE_FALSE(checked.grade.is_null());
    for (const auto& item : checked.grade.at("items")) {
      if (item.at("category") == "correctness") CHECK(item.at("status") == "passed");
    }
  }
}

TEST_CASE("a built-in function without an instruction is one error of the submission with clang",
          "[program][compiler]") {
  need("clang");
  const Checked checked(
      "vecadd.cu", "__global__ void sine(float* x) { *x = __builtin_sinf(*x); }\n" + right_source(),
      "clang");
  INFO(checked.result.out << checked.result.err);
  CHECK(checked.result.code == 1);
  const std::string summary = checked.grade.at("summary");
  CHECK(contains(summary,
                 "vecadd.cu:1: a built-in function of the compiler (__builtin_sin, "
                 "__builtin_sinf) has no instruction in device code: call sin() or sinf()"));
  CHECK_FALSE(contains(summary, "Cannot select"));
  const Checked fine(
      "vecadd.cu",
      "__global__ void ones(int* x) { *x = __builtin_popcount(*x); }\n" + right_source(), "clang");
  INFO(fine.result.out << fine.result.err);
  CHECK(fine.result.code == 0);
}

TEST_CASE("a folder for temporary files that a sandbox does not show does not disable it",
          "[program][compiler]") {
  testing::need_sandbox();
  const ScratchFolder temporary;
  const ScratchFolder cache;  // in which no compiler is noted as working
  const Checked checked(
      "vecadd.cu", "int broken = no_such_name;\n", "auto",
      {{"TMPDIR", temporary.path().string()}, {"XDG_CACHE_HOME", cache.path().string()}});
  INFO(checked.result.out << checked.result.err);
  CHECK(checked.result.code == 1);
  CHECK_FALSE(contains(checked.result.err, "not isolated"));
}

TEST_CASE("a source that a compiler crashes on gets no grade, and a person decides",
          "[program][compiler]") {
  need("clang");
  const Checked checked("vecadd.cu", "#pragma clang __debug crash\n" + right_source(), "clang");
  INFO(checked.result.out << checked.result.err);
  CHECK(checked.result.code == 3);
  CHECK(contains(checked.result.err,
                 "clang crashed (vecadd.cu:1:2: current parser token 'pragma'); the source may be "
                 "right: compile it with another compiler (--compiler)"));
  CHECK(checked.grade.is_null());
}

TEST_CASE("errors of each compiler name the submission's file and line", "[program][compiler]") {
  for (const std::string& compiler : compilers()) {
    const Checked checked("vecadd.cu", "int broken = no_such_name;\n" + right_source(), compiler);
    INFO(compiler << checked.result.out << checked.result.err);
    CHECK(checked.result.code == 1);
    CHECK(contains(checked.grade.at("summary").get<std::string>(), "vecadd.cu:1: "));
    CHECK(contains(checked.grade.at("summary").get<std::string>(), "no_such_name"));
  }
}

TEST_CASE("host assembly is refused with each compiler, and PTX in kernels is not",
          "[program][compiler]") {
  const std::string ptx =
      "__global__ void lane(int* p) { int x; asm(\"mov.u32 %0, %%laneid;\" : \"=r\"(x)); *p = x; "
      "}\n";
  for (const std::string& compiler : compilers()) {
    const Checked refused("vecadd.cu",
                          "static void nop() { asm volatile(\"nop\"); }\n"
                          "void (*use)() = nop;\n" +
                              right_source(),
                          compiler);
    INFO(compiler << refused.result.out << refused.result.err);
    CHECK(contains(refused.grade.at("summary").get<std::string>(),
                   "inline assembly at vecadd.cu:1: inline assembly is not allowed in host code"));
    const Checked fine("vecadd.cu", right_source() + ptx, compiler);
    INFO(fine.result.out << fine.result.err);
    CHECK(fine.result.code == 0);
  }
}

TEST_CASE("what only nvcc has costs no points with clang, and says what to do",
          "[program][compiler]") {
  need("clang");
  for (const char* header : {"cub/cub.cuh", "thrust/reduce.h", "cublas_v2.h"}) {
    const Checked checked("vecadd.cu", std::string("#include <") + header + ">\n" + right_source(),
                          "clang");
    INFO(checked.result.out << checked.result.err);
    CHECK(checked.result.code == 3);
    CHECK(checked.grade.is_null());
    CHECK(contains(checked.result.err, std::string("vecadd.cu:1: ") + header +
                                           " is not among the headers for clang "
                                           "(docs/cuda-headers.md): compile with nvcc; use "
                                           "--compiler nvcc"));
  }
}

TEST_CASE("a file that is named as a CUDA header is told when the build fails",
          "[program][compiler]") {
  need("clang");
  const ScratchFolder folder;
  write_file_atomically(folder.path() / "cuda_runtime.h", "this is not C++\n");
  write_file_atomically(folder.path() / "vecadd.cu",
                        "#include \"cuda_runtime.h\"\n" + right_source());
  const ProcessResult result =
      warpgrade({"check", "vecadd", (folder.path() / "vecadd.cu").string(), "--compiler", "clang",
                 "--json", (folder.path() / "grade.json").string()});
  INFO(result.out << result.err);
  CHECK(result.code == 1);
  CHECK(contains(read_file(folder.path() / "grade.json"),
                 "cuda_runtime.h has the name of a CUDA header and may be included instead of it: "
                 "rename it"));
}

TEST_CASE("WARPGRADE_COMPILER says what auto is, and --compiler what it is nevertheless",
          "[program][compiler]") {
  need("clang");
  const auto named = [](const std::string& option, const std::string& variable) {
    const Checked checked("vecadd.cu", right_source(), option, {{"WARPGRADE_COMPILER", variable}});
    INFO(checked.result.err);
    REQUIRE(checked.result.code == 0);
    const std::string name = checked.grade.at("environment").at("compiler");
    return name.substr(0, name.find(' '));
  };
  CHECK(named("auto", "clang") == "clang");
  const std::string first = compilers().front();  // nvcc where it is found
  CHECK(named("auto", "") == first);
  CHECK(named("auto", "auto") == first);
  CHECK(named(first, "clang") == first);
  const Checked unknown("vecadd.cu", right_source(), "auto", {{"WARPGRADE_COMPILER", "gcc"}});
  CHECK(unknown.result.code == 2);
  CHECK(unknown.result.err ==
        "warpgrade: WARPGRADE_COMPILER is 'gcc'; it can be auto, nvcc or clang\n");
}

TEST_CASE("a clang that cannot be used is one error, before anything is graded",
          "[program][compiler]") {
  const ScratchFolder folder;
  const auto error_with = [](const std::string& clang) {
    const Checked checked("vecadd.cu", right_source(), "clang", {{"WARPGRADE_CLANG", clang}});
    CHECK(checked.result.code == 3);
    CHECK(checked.grade.is_null());
    return checked.result.err;
  };
  CHECK(error_with("/nowhere/clang++") ==
        "warpgrade: /nowhere/clang++ was not found; install clang 14 or newer (Debian and Ubuntu: "
        "apt install clang)\n");
  CHECK(error_with(script(folder, "echo 'Debian clang version 13.0.1-11+b2'\n")) ==
        "warpgrade: Debian clang version 13.0.1-11+b2 is too old; install clang 14 or newer\n");
  CHECK(contains(error_with("g++"),
                 "g++ is not clang; set WARPGRADE_CLANG to a clang++ 14 or "
                 "newer\n"));
  CHECK(contains(
      error_with(script(folder,
                        "[ \"$1\" = --version ] && exec echo 'clang version 16.0.6'\n"
                        "echo \"error: unable to create target: 'No available targets are "
                        "compatible with triple \\\"nvptx64-nvidia-cuda\\\"'\" >&2\nexit 1\n")),
      "was built without the NVPTX target, which writes PTX; use the clang of Debian or Ubuntu"));
}

TEST_CASE("programs of clang's do not run on a GPU", "[program][compiler]") {
  need("clang");
  const ScratchFolder folder;
  write_file_atomically(folder.path() / "vecadd.cu", right_source());
  const ProcessResult result = warpgrade({"check", "vecadd", (folder.path() / "vecadd.cu").string(),
                                          "--compiler", "clang", "--device", "cuda"});
  CHECK(result.code == 3);
  CHECK(contains(result.err, "for --device cuda, use --compiler nvcc"));
}

TEST_CASE("a finding in a function of the lab's header is at the line that calls it",
          "[program][compiler]") {
  need("nvcc");  // clang does not tell where a function was inlined
  const ScratchFolder folder;
  const std::string right = testing::reference_program("tensor", "stages/04_stages.cu");
  const std::string call = "from + chunk, exists";
  const std::string source =
      replace_all(right, call, "reinterpret_cast<const char*>(from + chunk) + 2, exists");
  write_file_atomically(folder.path() / "tensor.cu", source);
  const fs::path json = folder.path() / "grade.json";
  const ProcessResult result = warpgrade({"check", "tensor", (folder.path() / "tensor.cu").string(),
                                          "--compiler", "nvcc", "--json", json.string()});
  INFO(result.out << result.err);
  REQUIRE(fs::exists(json));
  const std::string grade = read_file(json);
  CHECK_FALSE(contains(grade, (testing::source_folder() / "labs").string()));
  const nlohmann::json finding = nlohmann::json::parse(grade).at("findings").at(0);
  CHECK(finding.at("file") == "tensor.cu");
  CHECK(finding.at("line") ==
        1 + std::count(right.begin(), right.begin() + static_cast<std::ptrdiff_t>(right.find(call)),
                       '\n'));
  CHECK(contains(finding.at("where").get<std::string>(), ", in sm80.h:"));
}

TEST_CASE("a machine without nvcc grades with clang, and one without both says what to install",
          "[program][compiler]") {
  testing::need_sandbox();
  need("clang");
  if (!fs::exists("/usr/local/cuda")) {
    SKIP("nvcc is not where this test can hide it");
  }
  const ScratchFolder folder;
  write_file_atomically(folder.path() / "vecadd.cu", right_source());
  const std::string without =
      "PATH=/usr/bin:/bin bwrap --dev-bind / / --tmpfs $(readlink -f /usr/local/cuda) ";
  const ProcessResult by_clang = testing::shell(
      without + "$W check vecadd vecadd.cu --sandbox none --json grade.json", folder.path());
  INFO(by_clang.out << by_clang.err);
  CHECK(by_clang.code == 0);
  CHECK(contains(read_file(folder.path() / "grade.json"), "\"compiler\": \"clang "));
  const ProcessResult none = testing::shell(
      "WARPGRADE_CLANG=/nowhere " + without + "$W check vecadd vecadd.cu", folder.path());
  CHECK(none.code == 3);
  CHECK(none.err ==
        "warpgrade: neither nvcc nor clang++ was found: install clang 14 or newer (Debian and "
        "Ubuntu: apt install clang), or the CUDA Toolkit (12 or 13, no GPU needed), then run "
        "`warpgrade doctor`\n");
}

TEST_CASE("a class is compiled as course.toml says, and again by another compiler on request",
          "[program][compiler]") {
  need("clang");
  need("nvcc");
  testing::need_sandbox();
  const ScratchFolder folder;
  write_file_atomically(folder.path() / "in" / "ada" / "vecadd.cu", right_source());
  write_file_atomically(folder.path() / "in" / "course.toml", "schema = 1\ncompiler = \"clang\"\n");
  const auto compiler_after = [&](const std::string& option) {
    const ProcessResult result =
        testing::shell("$W grade in --out out --resume --cache cache " + option, folder.path());
    INFO(result.out << result.err);
    REQUIRE(result.code == 0);
    const auto grade =
        nlohmann::json::parse(read_file(folder.path() / "out" / "ada" / "vecadd" / "grade.json"));
    return grade.at("environment").at("compiler").get<std::string>().substr(0, 5);
  };
  CHECK(compiler_after("") == "clang");
  CHECK(compiler_after("--compiler nvcc") == "nvcc ");
  CHECK(compiler_after("") == "clang");
  write_file_atomically(folder.path() / "in" / "course.toml", "schema = 1\ncompiler = \"gcc\"\n");
  const ProcessResult wrong = testing::shell("$W grade in --out out", folder.path());
  CHECK(wrong.code != 0);
  CHECK(contains(wrong.err, "course.toml:2"));
}

}  // namespace
}  // namespace warpgrade
