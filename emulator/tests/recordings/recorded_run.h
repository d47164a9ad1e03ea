#pragma once

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "emulator/recording/recording.h"

namespace warpsim::recording {

namespace fs = std::filesystem;

inline std::string contents(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// A run of a test program under warpsim, in a folder of its own.
class Run {
 public:
  explicit Run(const std::string& command, const std::string& options = "") {
    folder_ = fs::temp_directory_path() / fmt::format("recordings.{}.{}", ::getpid(), number_++);
    fs::create_directories(folder_);
    const std::string line = fmt::format(
        "'{}' --quiet --error-exitcode 0 --json '{}/report.json' --record '{}/run.rec' {} -- {}/{} "
        ">'{}/out' 2>&1",
        WARPSIM_LAUNCHER, folder_.string(), folder_.string(), options, WARPSIM_PROGRAMS, command,
        folder_.string());
    INFO(line);
    const int status = std::system(line.c_str());
    REQUIRE(WIFEXITED(status));
    REQUIRE(WEXITSTATUS(status) == 0);
    bytes = contents(folder_ / "run.rec");
    report = nlohmann::json::parse(contents(folder_ / "report.json"));
    printed = contents(folder_ / "out");
  }
  ~Run() { fs::remove_all(folder_); }
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  [[nodiscard]] Recording recording() const { return decode(bytes); }

  std::string bytes;
  std::string printed;  // by the program and by warpsim
  nlohmann::json report;

 private:
  static inline int number_ = 0;
  fs::path folder_;
};

inline std::vector<Step> steps_of(const Block& block) {
  std::vector<Step> steps;
  for_each_step(block, [&](const Step& step) { steps.push_back(step); });
  return steps;
}

}  // namespace warpsim::recording
