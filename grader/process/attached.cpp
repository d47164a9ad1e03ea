#include "grader/process/attached.h"

#include <fmt/core.h>
#include <spawn.h>
#include <sys/wait.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <string_view>

#include "grader/core/error.h"

extern char** environ;  // NOLINT(readability-redundant-declaration)

namespace warpgrade {

std::vector<std::pair<std::string, std::string>> whole_environment() {
  std::vector<std::pair<std::string, std::string>> variables;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const std::size_t equals = text.find('=');
    if (equals != std::string_view::npos) {
      variables.emplace_back(text.substr(0, equals), text.substr(equals + 1));
    }
  }
  return variables;
}

AttachedProcess::AttachedProcess(std::vector<std::string> argv) {
  std::vector<char*> words;
  for (std::string& word : argv) words.push_back(word.data());
  words.push_back(nullptr);
  if (const int error = ::posix_spawnp(&pid_, words[0], nullptr, nullptr, words.data(), environ)) {
    pid_ = -1;
    throw EnvironmentError(fmt::format("cannot start {}: {}", argv[0], std::strerror(error)));
  }
}

std::optional<int> AttachedProcess::ended() {
  int status = 0;
  if (pid_ <= 0 || ::waitpid(pid_, &status, WNOHANG) != pid_) return std::nullopt;
  pid_ = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

void AttachedProcess::wait() {
  while (pid_ > 0 && ::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
}

void AttachedProcess::stop() {
  if (pid_ > 0) ::kill(pid_, SIGTERM);
  wait();
}

}  // namespace warpgrade
