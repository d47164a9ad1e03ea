#include "grader/tests/program.h"

#include <catch2/catch_test_macros.hpp>
#include <cstdlib>
#include <stdexcept>

#include "grader/author/check/wrong_program.h"
#include "harness/lab/lab.h"

namespace warpgrade::testing {
namespace fs = std::filesystem;
namespace {

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  if (value == nullptr) {
    throw std::runtime_error(std::string(name) + " is not set: run the tests through ctest");
  }
  return value;
}

ProcessSpec spec_for(std::vector<std::string> argv) {
  ProcessSpec spec;
  spec.argv = std::move(argv);
  spec.environment = base_environment();
  for (const char* name : {"CUDA_HOME", "ASAN_OPTIONS", "XDG_CACHE_HOME", "WARPGRADE_COMPILER",
                           "WARPGRADE_LONG_TESTS"}) {
    if (const char* value = std::getenv(name)) {
      spec.environment.emplace_back(name, value);
    }
  }
  // Do not reuse evidence of another test.
  spec.environment.emplace_back("WARPGRADE_CACHE", "none");
  // Do not record attempts as the user's.
  spec.environment.emplace_back("XDG_STATE_HOME", "/dev/null");
  spec.limits.wall = std::chrono::minutes(4);
  spec.limits.output_bytes = 1 << 20;
  return spec;
}

}  // namespace

fs::path source_folder() {
  return variable("WARPGRADE_SOURCE");
}

std::string program() {
  return variable("WARPGRADE_PROGRAM");
}

ProcessResult warpgrade(const std::vector<std::string>& arguments,
                        const std::vector<std::pair<std::string, std::string>>& environment) {
  std::vector<std::string> argv = {program()};
  argv.insert(argv.end(), arguments.begin(), arguments.end());
  ProcessSpec spec = spec_for(std::move(argv));
  for (const auto& entry : environment) {
    std::erase_if(spec.environment, [&](const auto& e) { return e.first == entry.first; });
    spec.environment.push_back(entry);
  }
  return run_process(spec);
}

ProcessResult shell(const std::string& script, const fs::path& folder, std::chrono::minutes limit) {
  ProcessSpec spec = spec_for({"sh", "-c", script});
  spec.folder = folder;
  spec.limits.wall = limit;
  spec.environment.emplace_back("W", program());
  return run_process(spec);
}

void need_sandbox() {
  if (!shell("bwrap --unshare-all --dev-bind / / --size 65536 --tmpfs /mnt true", "/").ok()) {
    SKIP("bubblewrap does not work here");
  }
}

bool is_part(const std::string& family, std::size_t part, std::size_t parts) {
  std::string quoted;
  for (const char c : family) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  const std::string script = (source_folder() / "scripts" / "tests" / "in_turn.py").string();
  const ProcessResult asked = shell("'" + script + "' '" + quoted + "' " + std::to_string(part) +
                                        "/" + std::to_string(parts) + " true",
                                    "/");
  if (asked.code != 77 && !asked.ok()) throw std::runtime_error(asked.err);
  return asked.ok();
}

void need_part(const std::string& family, std::size_t part, std::size_t parts) {
  if (is_part(family, part, parts)) return;
  SKIP("a commit runs one in " << parts << " of these tests (WARPGRADE_LONG_TESTS=1: all)");
}

std::string reference_program(const std::string& lab, const std::string& name) {
  constexpr std::string_view kWrong = "wrong/";
  if (!name.starts_with(kWrong)) return read_file(source_folder() / "reference" / lab / name);
  return wrong_program(load_lab(source_folder() / "labs" / lab), name.substr(kWrong.size())).text;
}

std::string right_source() {
  return reference_program("vecadd", "solution.cu");
}

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

}  // namespace warpgrade::testing
