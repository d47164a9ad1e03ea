#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>

#include "grader/core/text.h"
#include "grader/tests/program.h"

namespace warpgrade {
namespace fs = std::filesystem;
using testing::contains;
using testing::right_source;
using testing::warpgrade;
namespace {

/// `warpgrade check vecadd` on a source in a new folder.
struct Checked {
  explicit Checked(std::string_view source) {
    write_file_atomically(folder.path() / "vecadd.cu", source);
    result = warpgrade({"check", "vecadd", (folder.path() / "vecadd.cu").string(), "--device",
                        "emulator", "--json", (folder.path() / "grade.json").string()});
    INFO(result.out << result.err);
    REQUIRE(fs::exists(folder.path() / "grade.json"));
    grade = nlohmann::json::parse(read_file(folder.path() / "grade.json"));
  }
  ScratchFolder folder;
  ProcessResult result;
  nlohmann::json grade;
};

TEST_CASE("a folder whose only file has another name is checked, and the name is noted",
          "[program][check]") {
  const ScratchFolder folder;
  write_file_atomically(folder.path() / "work" / "main.cu", right_source());
  const auto result =
      warpgrade({"check", "vecadd", (folder.path() / "work").string(), "--device", "emulator"});
  INFO(result.out << result.err);
  CHECK(result.code == 0);
  CHECK(contains(result.out + result.err, "main.cu is used for vecadd"));
}

TEST_CASE("the solution has every point and exit code 0, and its page opens offline",
          "[program][check]") {
  const ScratchFolder folder;
  write_file_atomically(folder.path() / "vecadd.cu", right_source());
  const ProcessResult result =
      warpgrade({"check", "vecadd", (folder.path() / "vecadd.cu").string(), "--device", "emulator",
                 "--html", (folder.path() / "page.html").string()});
  INFO(result.out << result.err);
  CHECK(result.code == 0);
  CHECK(contains(result.out, "100 / 100 points"));
  CHECK(contains(result.out, "Done:  Everything that could be assessed here passes."));
  const std::string page = read_file(folder.path() / "page.html");
  CHECK(contains(page, ">100</span> <span class=\"of\">of 100 points"));
  for (const char* request : {"src=\"http", "href=\"http", "url(http"}) {
    CHECK_FALSE(contains(page, request));
  }
}

TEST_CASE("two checks of one file give the same grade, except for times", "[program][check]") {
  const std::string source = testing::reference_program("vecadd", "wrong/no_guard");
  Checked one(source);
  Checked other(source);
  for (nlohmann::json* grade : {&one.grade, &other.grade}) {
    grade->erase("started");
    grade->erase("seconds");
    for (auto& c : grade->at("cases")) {
      c.erase("seconds");
    }
  }
  CHECK(one.grade == other.grade);
}

TEST_CASE("a lambda for the device builds where it is, and by a macro in a header",
          "[program][check]") {
  const std::string each =
      "template <class F> __global__ void each(int n, F f) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) f(i);\n}\n";
  const std::string launch =
      "inline void add(const float* a, const float* b, float* c, int n) {\n  if (n > 0) "
      "each<<<(n + 255) / 256, 256>>>(n, [=] DEVICE(int i) { c[i] = a[i] + b[i]; });\n}\n";
  const std::string rest =
      "void vecadd(const float* a, const float* b, float* c, int n) {\n"
      "  float *x, *y, *z;\n  size_t bytes = n * sizeof(float);\n  if (n == 0) return;\n"
      "  cudaMalloc(&x, bytes); cudaMalloc(&y, bytes); cudaMalloc(&z, bytes);\n"
      "  cudaMemcpy(x, a, bytes, cudaMemcpyHostToDevice);\n"
      "  cudaMemcpy(y, b, bytes, cudaMemcpyHostToDevice);\n  add(x, y, z, n);\n"
      "  cudaMemcpy(c, z, bytes, cudaMemcpyDeviceToHost);\n"
      "  cudaFree(x); cudaFree(y); cudaFree(z);\n}\n";
  const std::string head = "#include \"vecadd.h\"\n#include <cuda_runtime.h>\n";
  const std::string macro = "#define DEVICE __device__\n";
  CHECK(Checked(head + each + replace_all(launch, "DEVICE", "__device__ ") + rest)
            .grade.at("score") == 100);
  const ScratchFolder folder;
  write_file_atomically(folder.path() / "add.cuh", "#pragma once\n" + macro + each + launch);
  write_file_atomically(folder.path() / "vecadd.cu", head + "#include \"add.cuh\"\n" + rest);
  const ProcessResult in_header =
      warpgrade({"check", "vecadd", folder.path().string(), "--device", "emulator"});
  INFO(in_header.out << in_header.err);
  CHECK(contains(in_header.out, "100 / 100 points"));
}

TEST_CASE("a compile error has the student's file and line", "[program][check]") {
  const Checked checked(
      "#include \"vecadd.h\"\n\nvoid vecadd(const float* a, const float* b, "
      "float* c, int n) {\n  undeclared = 1;\n}\n");
  CHECK(checked.result.code == 1);
  CHECK(contains(checked.result.out, "vecadd.cu:4: identifier \"undeclared\" is undefined"));
  const std::string file = (checked.folder.path() / "vecadd.cu").string();
  CHECK(contains(checked.result.out, "\n" + file + ":4:1: error: identifier \"undeclared\""));
  // Not the folder of the build.
  CHECK_FALSE(contains(replace_all(checked.result.out, file, ""), "/warpgrade-"));
  CHECK(checked.grade.at("score") == 0);
}

TEST_CASE("a function with other parameters is distinguished from a missing one",
          "[program][check]") {
  const Checked other("void vecadd(float* a, float* b, float* c, long n) {}\n");
  CHECK(other.result.code == 1);
  CHECK(other.grade.at("items").at(0).at("message") ==
        "no function `void vecadd(const float* a, const float* b, float* c, int n)` is defined; "
        "found `vecadd(float*, float*, float*, long)`: the parameters differ");
  const Checked c_name(
      "extern \"C\" void vecadd(const float* a, const float* b, float* c, int n) {}\n");
  CHECK(c_name.grade.at("items").at(0).at("message") ==
        "no function `void vecadd(const float* a, const float* b, float* c, int n)` is defined; "
        "found `vecadd` declared as extern \"C\": remove that");
  const Checked none("int answer() { return 42; }\n");
  CHECK(none.grade.at("items").at(0).at("message") ==
        "no function `void vecadd(const float* a, const float* b, float* c, int n)` is defined; "
        "write it in vecadd.cu");
}

TEST_CASE("a library's headers build, are flagged for review, and a lab may allow them",
          "[program][check]") {
  const std::string source =
      "#include <cub/cub.cuh>\n#include <thrust/device_vector.h>\n" + right_source();
  const Checked checked(source);
  INFO(checked.result.out << checked.result.err);
  CHECK(checked.grade.at("score") == 100);
  REQUIRE(checked.grade.at("integrity").size() == 2);
  CHECK(checked.grade.at("integrity").at(0).at("kind") == "library");

  const ScratchFolder folder;
  for (const char* part : {"labs", "reference", "datasets", "docs"}) {
    fs::copy(testing::source_folder() / part, folder.path() / part, fs::copy_options::recursive);
  }
  const fs::path lab = folder.path() / "labs" / "vecadd" / "lab.toml";
  write_file_atomically(lab, replace_all(read_file(lab), "[function]",
                                         "allowed_libraries = [\"cub\", \"thrust\"]\n[function]"));
  write_file_atomically(folder.path() / "vecadd.cu", source);
  const fs::path json = folder.path() / "grade.json";
  const ProcessResult result = warpgrade({"check", "vecadd", (folder.path() / "vecadd.cu").string(),
                                          "--device", "emulator", "--json", json.string()},
                                         {{"WARPGRADE_ROOT", folder.path().string()}});
  INFO(result.out << result.err);
  REQUIRE(result.code == 0);
  CHECK(nlohmann::json::parse(read_file(json)).at("integrity").empty());
}

TEST_CASE("a kernel may be given a lambda for the device", "[program][check]") {
  const Checked checked(
      "#include <cuda_runtime.h>\n#include \"vecadd.h\"\n"
      "template <class F> __global__ void each(int n, F f) { if (threadIdx.x < n) f(threadIdx.x); "
      "}\n"
      "void vecadd(const float*, const float*, float* c, int) {\n"
      "  each<<<1, 32>>>(4, [=] __device__(int i) { c[i] = 0; });\n}\n");
  CHECK(checked.grade.at("items").at(0).at("status") == "passed");
}

TEST_CASE("a rejected call in a header is reported with its include", "[program][check]") {
  const Checked checked("#undef NVTX_DISABLE\n#include <nvtx3/nvToolsExt.h>\n" + right_source() +
                        "\nvoid mark() { nvtxMarkA(\"x\"); }\n");
  CHECK(checked.grade.at("score") == 0);
  CHECK(contains(checked.grade.at("items").at(0).at("message").get<std::string>(),
                 ", from `#include <nvtx3/nvToolsExt.h>` at vecadd.cu:2: a submission may not "));
}

TEST_CASE("a function on host pointers may reset the device, one on device pointers may not",
          "[program][check]") {
  std::string source =
      read_file(testing::source_folder() / "grader" / "tests" / "attacks" / "right.cuh") +
      "#include \"vecadd.h\"\nvoid vecadd(const float* a, const float* b, float* c, int n) {\n"
      "  add_on_device(a, b, c, n);\n  cudaDeviceReset();\n}\n";
  const Checked host(source);
  INFO(host.result.out << host.result.err);
  CHECK(host.grade.at("score") == 100);

  source = read_file(testing::source_folder() / "reference" / "reduction" / "solution.cu");
  constexpr const char* kLast = "CHECK(cudaGetLastError());";
  source = replace_all(source, kLast, std::string(kLast) + "\n  cudaDeviceReset();");
  const ScratchFolder folder;
  write_file_atomically(folder.path() / "reduction.cu", source);
  const fs::path json = folder.path() / "grade.json";
  const ProcessResult result =
      warpgrade({"check", "reduction", (folder.path() / "reduction.cu").string(), "--device",
                 "emulator", "--json", json.string()});
  const auto grade = nlohmann::json::parse(read_file(json));
  INFO(result.out << result.err);
  CHECK(contains(grade.at("summary").get<std::string>(),
                 "cudaDeviceReset destroyed the caller's buffers: remove the call."));
  CHECK(grade.at("findings").empty());
}

TEST_CASE("a function that is right only once is detected by a second call", "[program][check]") {
  const Checked checked(
      "#include <cuda_runtime.h>\n#include \"vecadd.h\"\n"
      "__device__ unsigned calls;\n"
      "__global__ void add(const float* a, const float* b, float* c, int n) {\n"
      "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  if (i < n) c[i] = a[i] + (calls == 0 ? b[i] : 0);\n}\n"
      "__global__ void count() { calls++; }\n"
      "void vecadd(const float* a, const float* b, float* c, int n) {\n"
      "  if (n == 0) return;\n  const size_t size = n * sizeof(float);\n"
      "  float *x, *y, *z;\n"
      "  cudaMalloc(&x, size);\n  cudaMalloc(&y, size);\n  cudaMalloc(&z, size);\n"
      "  cudaMemcpy(x, a, size, cudaMemcpyHostToDevice);\n"
      "  cudaMemcpy(y, b, size, cudaMemcpyHostToDevice);\n"
      "  add<<<(n + 255) / 256, 256>>>(x, y, z, n);\n  count<<<1, 1>>>();\n"
      "  cudaMemcpy(c, z, size, cudaMemcpyDeviceToHost);\n"
      "  cudaFree(x);\n  cudaFree(y);\n  cudaFree(z);\n}\n");
  INFO(checked.result.out << checked.result.err);
  CHECK(checked.result.code == 1);
  CHECK(contains(
      checked.grade.at("summary").get<std::string>(),
      "Case \"one more than a block\": Correct when called once, but not as the second call in one "
      "process, after case \"exactly one block\": which state is left from the first? "));
  CHECK(checked.grade.at("findings").empty());
}

TEST_CASE("a library that is not part of the lab does not link, and is named", "[program][check]") {
  const Checked checked(right_source() +
                        "\nextern \"C\" int cublasCreate_v2(void**);\n"
                        "int use() { return cublasCreate_v2(nullptr); }\n");
  CHECK(checked.result.code == 1);
  CHECK(contains(checked.grade.at("items").at(0).at("message").get<std::string>(),
                 "cublasCreate_v2"));
}

TEST_CASE("a student's own main, operator new and names of the harness are harmless",
          "[program][check]") {
  const Checked checked(right_source() +
                        "\n#include <cstdlib>\n#include <new>\n"
                        "void* operator new(std::size_t n) { return std::malloc(n); }\n"
                        "void operator delete(void* p) noexcept { std::free(p); }\n"
                        "void operator delete(void* p, std::size_t) noexcept { std::free(p); }\n"
                        "extern \"C\" void warpgrade_call(void**) { std::exit(7); }\n"
                        "int main() { return 3; }\n");
  INFO(checked.result.out);
  CHECK(checked.result.code == 0);
}

TEST_CASE("a program's output is kept and shown, and changes nothing", "[program][check]") {
  std::string source = right_source();
  const std::size_t body = source.rfind("int n) {");
  REQUIRE(body != std::string::npos);
  source.insert(body + 8, " printf(\"score: 100/100 \\x1b[2J\\n\"); ");
  const Checked checked("#include <cstdio>\n" + source);
  INFO(checked.result.out);
  CHECK(checked.result.code == 0);
  CHECK(checked.grade.at("output") == "score: 100/100 \\x1b[2J\n");
}

TEST_CASE("a program that exits early earns nothing for correctness, with the reason",
          "[program][check]") {
  const Checked checked(
      "#include <cstdlib>\n#include \"vecadd.h\"\n"
      "void vecadd(const float*, const float*, float*, int) {\n"
      "  cudaFree(nullptr);\n  std::exit(0);\n}\n");
  CHECK(checked.result.code == 1);
  CHECK(checked.grade.at("findings").empty());  // of memory that the harness had no time to free
  CHECK(checked.grade.at("summary") ==
        "The program ended (exit code 0) before the harness finished; `vecadd` must return, not "
        "exit.");
  CHECK(checked.grade.at("score") == 5);  // it builds
  CHECK(checked.grade.at("integrity").at(0).at("kind") == "ended-early");
}

TEST_CASE("host code that never ends is stopped, and not once per case", "[program][check]") {
  // The first case computes, the second waits: both are stopped.
  const Checked checked(
      "#include <unistd.h>\n#include \"vecadd.h\"\n"
      "void vecadd(const float*, const float*, float*, int n) {\n"
      "  volatile int x = 0;\n  while (true) {\n    if (n == 100) {\n      x = x + 1;\n"
      "    } else {\n      usleep(1000);\n    }\n  }\n}\n");
  CHECK(checked.result.code == 1);
  CHECK(checked.grade.at("cases").at(0).at("status") == "never_ends");
  CHECK(contains(checked.grade.at("cases").at(0).at("message").get<std::string>(),
                 "No kernel was running"));
  CHECK(checked.grade.at("cases").at(1).at("status") == "never_ends");
  CHECK(checked.grade.at("cases").back().at("status") == "not_run");
}

TEST_CASE("a submission that is not a source gets one clear reason and exit code 1",
          "[program][check]") {
  const auto reason = [](std::string_view source) {
    const Checked checked(source);
    CHECK(checked.result.code == 1);
    CHECK(checked.grade.at("score") == 0);
    return checked.grade.at("items").at(0).at("message").get<std::string>();
  };
  CHECK(reason("") == "vecadd.cu is empty");
  CHECK(reason(std::string_view("\x7f"
                                "ELF\0\1",
                                6)) ==
        "vecadd.cu is not a text file (a zero byte at offset 4); submit the source");
  CHECK(reason(std::string(50u << 20, 'x')) ==
        "vecadd.cu has 50.0 MiB; a source file may have at most 1.0 MiB");
  CHECK(reason("#include \"../other/vecadd.cu\"\n").find("vecadd.cu:1 includes") == 0);
}

TEST_CASE("a symbolic link out of its folder is rejected", "[program][check]") {
  const ScratchFolder folder;
  write_file_atomically(folder.path() / "outside.cu", right_source());
  fs::create_directory(folder.path() / "work");
  fs::create_symlink("../outside.cu", folder.path() / "work" / "vecadd.cu");
  const ProcessResult result =
      warpgrade({"check", "vecadd", (folder.path() / "work" / "vecadd.cu").string()});
  CHECK(result.code == 1);
  CHECK(contains(result.out, "vecadd.cu is a symbolic link that leads"));
}

TEST_CASE("a submitted folder or archive is checked as it is graded", "[program][check]") {
  const ScratchFolder folder;
  const fs::path work = folder.path() / "work";
  write_file_atomically(work / "vecadd" / "vecadd.cu", "#include \"add.cuh\"\n" + right_source());
  write_file_atomically(work / "vecadd" / "add.cuh", "// nothing\n");
  write_file_atomically(work / "notes.txt", "mine");
  REQUIRE(testing::shell("tar czf ../work.tar.gz .", work).ok());
  for (const char* name : {"work", "work.tar.gz", "work/vecadd/vecadd.cu"}) {
    const ProcessResult result =
        warpgrade({"check", "vecadd", (folder.path() / name).string(), "--device", "emulator"});
    INFO(name << result.out << result.err);
    CHECK(result.code == 0);
    CHECK(contains(result.out, "100 / 100 points"));
  }
  // A missing file is reported as in a grade.
  fs::rename(work / "vecadd" / "vecadd.cu", work / "vector.cu");
  write_file_atomically(work / "matrix.cu", right_source());
  const ProcessResult result = warpgrade({"check", "scan", work.string()});
  CHECK(result.code == 1);
  CHECK(contains(result.out, "no scan.cu was submitted"));
  CHECK(contains(result.out, "vector.cu"));
}

TEST_CASE("a launch with no elements costs in proportion to its case", "[program][check]") {
  std::string source = read_file(testing::source_folder() / "grader" / "tests" / "samples" /
                                 "s01-one-thread-each" / "vecadd.cu");
  const std::size_t guard = source.find("if (n == 0)");
  REQUIRE(guard != std::string::npos);
  source.replace(guard, 11, "if (n < 0)");
  const Checked checked(source);
  INFO(checked.result.out);
  CHECK(checked.result.code == 1);
  CHECK(checked.grade.at("score") == 93.4);  // 3 of the case, 1.8 each of safety and time
  CHECK(contains(checked.grade.at("items").back().at("message").get<std::string>(),
                 "Not every case passes, so 88 % of these points count."));
}

TEST_CASE("wrong usage is exit code 2 and one sentence", "[program][check]") {
  const ScratchFolder folder;
  const auto complaint = [](const std::vector<std::string>& arguments) {
    const ProcessResult result = warpgrade(arguments);
    CHECK(result.code == 2);
    CHECK(result.out.empty());
    CHECK(split_lines(result.err).size() == 1);
    return result.err;
  };
  CHECK(contains(complaint({"check", "vecadd", (folder.path() / "x.cu").string()}),
                 "warpgrade: there is no file "));
  CHECK(contains(complaint({"check", "vecadd", (folder.path() / "x.zip").string()}),
                 "warpgrade: there is no file "));
  write_file_atomically(folder.path() / "vecadd.txt", "text");
  CHECK(contains(
      complaint({"check", "vecadd", (folder.path() / "vecadd.txt").string()}),
      "vecadd.txt is not a .cu, .hip or .py file, a folder or an archive (.zip, .tar.gz)"));
  CHECK(contains(complaint({"check", "vecad", "x.cu"}),
                 "there is no lab 'vecad', did you mean 'vecadd'?"));
  CHECK(contains(complaint({"check1", "vecadd", "x.cu"}),
                 "there is no command 'check1', did you mean 'check'?"));
}

TEST_CASE("an output that cannot be written is exit code 3 and names the path",
          "[program][check]") {
  const ScratchFolder folder;
  write_file_atomically(folder.path() / "vecadd.cu", "");
  const ProcessResult result = warpgrade({"check", "vecadd", (folder.path() / "vecadd.cu").string(),
                                          "--json", "/proc/warpgrade/grade.json"});
  CHECK(result.code == 3);
  CHECK(contains(result.err, "warpgrade: cannot write /proc/warpgrade"));
}

}  // namespace
}  // namespace warpgrade
