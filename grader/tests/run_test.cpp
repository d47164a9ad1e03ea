// `warpgrade run`: programs that belong to no lab.

#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>

#include "grader/tests/program.h"

namespace warpgrade {
using testing::contains;
using testing::warpgrade;
namespace {

constexpr const char* kSums = R"(#include <cstdio>
#include <cstdlib>
__global__ void add(int n, int value, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = value;
}
int main(int argc, char** argv) {
  int value = 0;
  if (std::scanf("%d", &value) != 1) value = -1;
  const int n = std::atoi(argv[argc - 1]);
  int *out, first = 0;
  cudaMalloc(&out, n * sizeof(int));
  add<<<(n + 63) / 64, 64>>>(n, value, out);
  cudaMemcpy(&first, out, sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(out);
  std::printf("%d words, <b>%d</b>\n", argc, first);
}
)";

struct Written {
  explicit Written(const std::string& source, const std::string& name = "program.cu") {
    write_file_atomically(folder.path() / name, source);
  }
  [[nodiscard]] std::string at(const char* name) const { return (folder.path() / name).string(); }
  [[nodiscard]] ProcessResult run(std::vector<std::string> more) const {
    more.insert(more.begin(), {"run", at("program.cu")});
    return warpgrade(more);
  }
  ScratchFolder folder;
};

nlohmann::json json_of(const ProcessResult& result) {
  INFO(result.out << result.err);
  return nlohmann::json::parse(result.out);
}

}  // namespace

TEST_CASE("a program gets its arguments and input, and its output is printed unchanged",
          "[program][run]") {
  const Written program(kSums);
  write_file_atomically(program.at("in.txt"), "42\n");
  const ProcessResult result =
      program.run({"--input", program.at("in.txt"), "--html", program.at("page.html"), "--pictures",
                   "--", "--three", "100"});
  INFO(result.err);
  CHECK(result.code == 0);
  CHECK(result.out == "3 words, <b>42</b>\n");
  CHECK(contains(result.err, "It ran to its end, and no error was found."));
  CHECK(contains(result.err, "add(int, int, int*): 1 launch"));
  const std::string page = read_file(program.at("page.html"));
  CHECK(contains(page, "&lt;b&gt;42"));
  CHECK_FALSE(contains(page, "<b>42"));
  CHECK_FALSE(contains(page, "{{"));
  CHECK(contains(page, "aria-label=\"PTX of line 5\""));
  CHECK_FALSE(contains(page, "aria-label=\"PTX of line 9\""));  // host code
  CHECK(contains(page, "id=\"watched-block\""));
}

TEST_CASE("without an input the program reads nothing", "[program][run]") {
  const Written program(kSums);
  CHECK(program.run({"10"}).out == "2 words, <b>-1</b>\n");
}

TEST_CASE("a finding has its line, and the exit code says that there is one", "[program][run]") {
  std::string source = kSums;
  source.erase(source.find("if (i < n) "), 11);
  const Written program(source);
  const ProcessResult result = program.run({"--format", "json", "--", "100"});
  CHECK(result.code == 1);
  const nlohmann::json said = json_of(result);
  CHECK_FALSE(said.at("passed").get<bool>());
  CHECK(said.at("diagnostics").at(0).at("kind") == "oob-global-write");
  CHECK(said.at("diagnostics").at(0).at("line") == 5);
  CHECK(said.at("headline").get<std::string>().starts_with("program.cu:5: "));
}

TEST_CASE("how a program ended is said where nothing else is wrong", "[program][run]") {
  const Written three("int main() { return 3; }\n");
  const ProcessResult result = three.run({});
  CHECK(result.code == 1);
  CHECK(contains(result.err, "It ended with exit code 3 and ran no kernel."));
  const Written aborts("#include <cstdlib>\nint main() { std::abort(); }\n");
  const ProcessResult aborted = aborts.run({});
  CHECK(aborted.code == 1);
  CHECK(contains(aborted.err, "The program was ended by SIGABRT"));
}

TEST_CASE("what does not build is said with its line, for people and programs", "[program][run]") {
  const Written program("int main() { nonsense; }\n");
  const ProcessResult text = program.run({});
  CHECK(text.code == 1);
  CHECK(contains(text.err, "It does not build: program.cu:1: "));
  const nlohmann::json said = json_of(program.run({"--format", "json"}));
  CHECK(said.at("diagnostics").at(0).at("kind") == "compiler");
  CHECK(said.at("diagnostics").at(0).at("line") == 1);
}

TEST_CASE("a folder is a program of all its files, for the card that is named", "[program][run]") {
  const ScratchFolder folder;
  const auto write = [&](const char* name, const char* text) {
    write_file_atomically(folder.path() / name, text);
  };
  write("main.cu",
        "#include \"kernel.cuh\"\n#include <cstdio>\nint main() {\n  cudaDeviceProp p;\n"
        "  cudaGetDeviceProperties(&p, 0);\n  std::printf(\"%d.%d %d\\n\", p.major, "
        "p.minor, seven());\n}\n");
  write("kernel.cuh", "int seven();\n");
  write("other.cu", "#include \"kernel.cuh\"\nint seven() { return 7; }\n");
  const ProcessResult result =
      warpgrade({"run", folder.path().string(), "--card", "t4", "--compiler", "auto"});
  INFO(result.err);
  CHECK(result.out == "7.5 7\n");
  const ProcessResult none = warpgrade({"run", folder.path().string(), "--card", "t5"});
  CHECK(none.code == 2);
  CHECK(contains(none.err, "there is no card 't5'; the emulator knows t4, "));
}

TEST_CASE("what has no program in it is refused in one line", "[program][run]") {
  const ScratchFolder folder;
  const ProcessResult empty = warpgrade({"run", folder.path().string()});
  CHECK(empty.code == 2);
  CHECK(contains(empty.err, "there is no .cu file in "));
  CHECK(warpgrade({"run", (folder.path() / "none.cu").string()}).code == 2);
}

}  // namespace warpgrade
