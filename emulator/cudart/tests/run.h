#pragma once

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

// Runs a command, for tests of whole programs.

namespace warpsim::testing {

namespace fs = std::filesystem;

inline std::string slurp(const fs::path& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

struct Run {
  int status = 0;  // as waitpid gives it
  std::string out;
  std::string err;
  nlohmann::json report;

  [[nodiscard]] int exit_code() const { return WIFEXITED(status) ? WEXITSTATUS(status) : -1; }
  [[nodiscard]] int signal() const { return WIFSIGNALED(status) ? WTERMSIG(status) : 0; }
  [[nodiscard]] std::vector<std::string> kinds() const {
    std::vector<std::string> result;
    for (const auto& finding : report.at("findings")) result.push_back(finding.at("kind"));
    return result;
  }
  [[nodiscard]] nlohmann::json finding(const std::string& kind) const {
    const auto& all = report.at("findings");
    const auto found = std::ranges::find_if(all, [&](const auto& f) { return f["kind"] == kind; });
    REQUIRE(found != all.end());
    return *found;
  }
};

/// Runs a command with its output in files, in a folder that is removed afterwards.
inline Run run(std::vector<std::string> command) {
  const fs::path folder =
      fs::temp_directory_path() / ("warpsim_scenario." + std::to_string(::getpid()));
  fs::create_directories(folder);
  const fs::path json = folder / "report.json";
  for (auto& word : command) {
    if (word == "REPORT") word = json;
  }
  const pid_t child = ::fork();
  if (child == 0) {
    std::vector<char*> words;
    for (auto& word : command) words.push_back(word.data());
    words.push_back(nullptr);
    const auto redirect = [&](const char* name, int to) {
      ::dup2(::open((folder / name).c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), to);
    };
    redirect("out", STDOUT_FILENO);
    redirect("err", STDERR_FILENO);
    ::execv(words[0], words.data());
    ::_exit(127);
  }
  Run result;
  ::waitpid(child, &result.status, 0);
  result.out = slurp(folder / "out");
  result.err = slurp(folder / "err");
  if (fs::exists(json)) result.report = nlohmann::json::parse(slurp(json));
  fs::remove_all(folder);
  return result;
}

}  // namespace warpsim::testing
