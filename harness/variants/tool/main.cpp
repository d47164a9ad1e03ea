#include <fmt/core.h>
#include <sys/wait.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "harness/variants/generate.h"

// Compiles the variants of a lab's golden function at build time.
// usage: golden_variants <golden.cpp> <library> <folder> <command of a compiler>...
// The command gets "-o <library> <source>"; the source is in the folder. For a golden function
// without variants the library is a text that says why.

namespace {

namespace fs = std::filesystem;

std::string read(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

std::string shell_word(const std::string& word) {
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

int run(const std::vector<std::string>& arguments) {
  const fs::path library = arguments[1];
  const fs::path folder = arguments[2];
  fs::create_directories(folder);
  fs::create_directories(library.parent_path());
  std::string command;
  for (std::size_t i = 3; i < arguments.size(); ++i) command += shell_word(arguments[i]) + " ";
  const fs::path source = folder / "variants.cpp";
  const fs::path log = folder / "log";
  command += fmt::format("-o {} {} 2> {}", shell_word(library.string()),
                         shell_word(source.string()), shell_word(log.string()));
  const auto compile = [&](const std::string& text) {
    std::ofstream(source, std::ios::binary) << text;
    const int status = std::system(command.c_str());
    return warpgrade::GoldenCompilation{.done = status == 0, .log = read(log)};
  };
  const warpgrade::GoldenVariantSource made =
      warpgrade::compile_golden_variants(read(arguments[0]), compile);
  if (!made.problem.empty()) {
    fmt::print(stderr, "{}: no variants for first sentences: {}\n", arguments[0], made.problem);
    std::ofstream(library, std::ios::binary) << made.problem;
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  if (arguments.size() < 4) {
    fmt::print(
        stderr,
        "usage: golden_variants <golden.cpp> <library> <folder> <command of a compiler>...\n");
    return 2;
  }
  try {
    return run(arguments);
  } catch (const std::exception& error) {
    fmt::print(stderr, "golden_variants: {}\n", error.what());
    return 1;
  }
}
