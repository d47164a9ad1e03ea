#include "grader/build/toolchain/clang_command.h"

#include <fmt/core.h>

#include <filesystem>
#include <system_error>

#include "grader/build/toolchain/clang_messages.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

fs::path settings(const Compiler& clang) {
  return clang.cuda_headers / "warpgrade" / "clang";
}

std::string options_in(const fs::path& file) {
  return "@" + file.string();
}

fs::path first_header(const Compiler& clang) {
  // With its whole path: the submission may have a file of this name.
  return clang.cuda_headers / "cuda_runtime.h";
}

std::vector<std::string> common_options(const Compiler& clang, const ClangTarget& target) {
  return {clang.program.string(),
          options_in(settings(clang) / "both.options"),
          fmt::format("--cuda-gpu-arch=sm_{}", target.architecture),
          fmt::format("-std={}", target.standard),
          "-I",
          clang.cuda_headers.string()};
}

std::vector<std::string> device_options(const Compiler& clang, const ClangTarget& target) {
  std::vector<std::string> command = common_options(clang, target);
  command.insert(command.end(), {"-O3", options_in(settings(clang) / "device.options")});
  std::error_code error;
  const fs::path own = settings(clang) / fmt::format("device_sm_{}.options", target.architecture);
  if (fs::exists(own, error)) command.push_back(options_in(own));
  return command;
}

std::vector<std::string> host_options(const Compiler& clang, const ClangTarget& target) {
  std::vector<std::string> command = common_options(clang, target);
  // -O0 as nvcc compiles for the host, where it is not told otherwise.
  command.insert(command.end(), {"-O0", "-g1", options_in(settings(clang) / "host.options")});
  return command;
}

void include_headers(const Compiler& clang, const fs::path& parsed,
                     std::vector<std::string>& command) {
  if (parsed.empty()) {
    command.insert(command.end(), {"-include", first_header(clang).string()});
  } else {
    command.insert(command.end(), {"-Xclang", "-include-pch", "-Xclang", parsed.string()});
  }
}

void write_headers(const Compiler& clang, std::vector<std::string>& command) {
  // The driver would go on to an assembler.
  command.insert(command.end(), {"-S", "-Xclang", "-emit-pch", first_header(clang).string()});
}

}  // namespace

std::vector<std::string> clang_device_command(const Compiler& clang, const ClangTarget& target,
                                              const fs::path& parsed, Variables variables) {
  std::vector<std::string> command = device_options(clang, target);
  if (variables == Variables::defined) {
    command.push_back(options_in(settings(clang) / "device_defined.options"));
  } else {
    // The option has another name in some versions.
    const std::string major = clang.version.substr(0, clang.version.find('.'));
    const fs::path own = settings(clang) / fmt::format("device_undefined_clang_{}.options", major);
    std::error_code error;
    command.push_back(
        options_in(fs::exists(own, error) ? own : settings(clang) / "device_undefined.options"));
  }
  include_headers(clang, parsed, command);
  return command;
}

std::vector<std::string> clang_host_command(const Compiler& clang, const ClangTarget& target,
                                            const fs::path& parsed) {
  std::vector<std::string> command = host_options(clang, target);
  include_headers(clang, parsed, command);
  return command;
}

std::vector<std::string> clang_device_headers(const Compiler& clang, const ClangTarget& target) {
  std::vector<std::string> command = device_options(clang, target);
  write_headers(clang, command);
  return command;
}

std::vector<std::string> clang_host_headers(const Compiler& clang, const ClangTarget& target) {
  std::vector<std::string> command = host_options(clang, target);
  write_headers(clang, command);
  return command;
}

bool has_undefined_variables(const Compiler& clang, const std::string& output) {
  return clang_meaning(clang.cuda_headers, {"undefined"}, output, {}).found();
}

std::string clang_problem(const Compiler& clang, int architecture, const std::string& output) {
  return clang_meaning(clang.cuda_headers, {"compiler"}, output,
                       {{"clang", clang.program.string()},
                        {"version", clang.name()},
                        {"architecture", fmt::format("sm_{}", architecture)}})
      .text;
}

}  // namespace warpgrade
