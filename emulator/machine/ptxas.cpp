#include "emulator/machine/ptxas.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>
#include <vector>

namespace warpsim {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds kTimeLimit{20};

bool is_program(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored) && ::access(path.c_str(), X_OK) == 0;
}

fs::path find_ptxas() {
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"}) {
    const char* home = std::getenv(variable);
    if (home != nullptr && is_program(fs::path(home) / "bin/ptxas")) {
      return fs::path(home) / "bin/ptxas";
    }
  }
  const char* path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    if (!folder.empty() && is_program(fs::path(folder) / "ptxas")) {
      return fs::path(folder) / "ptxas";
    }
  }
  const fs::path usual = "/usr/local/cuda/bin/ptxas";
  return is_program(usual) ? usual : fs::path();
}

/// A file with a name of its own, gone at the end.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& content) {
    std::error_code error;
    std::string name = (fs::temp_directory_path(error) / "warpsim-XXXXXX").string();
    const int file = ::mkstemp(name.data());
    if (file < 0) return;
    ::close(file);
    path_ = name;
    std::ofstream(path_, std::ios::binary) << content;
  }
  ~TemporaryFile() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove(path_, ignored);
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

/// Waits for a child of ours, and ends it when the time is up. @returns true when it succeeded
bool wait_for(pid_t child, Clock::time_point deadline) {
  int status = 0;
  for (;;) {
    const pid_t ended = ::waitpid(child, &status, WNOHANG);
    if (ended == child) return WIFEXITED(status) && WEXITSTATUS(status) == 0;
    if (ended < 0) return false;
    if (Clock::now() > deadline) break;
    ::poll(nullptr, 0, 5);
  }
  ::kill(child, SIGKILL);
  ::waitpid(child, &status, 0);
  return false;
}

/// Runs a program and returns what it printed; nothing when it failed.
std::optional<std::string> output_of(std::vector<std::string> command) {
  const TemporaryFile output("");
  if (output.path().empty()) return std::nullopt;
  std::vector<char*> arguments;
  for (std::string& argument : command) arguments.push_back(argument.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output.path().c_str(), O_WRONLY, 0);
  ::posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  pid_t child = 0;
  const int error =
      ::posix_spawn(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  if (error != 0 || !wait_for(child, Clock::now() + kTimeLimit)) return std::nullopt;
  std::ifstream file(output.path(), std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

fs::path cache_folder() {
  const char* cache = std::getenv("XDG_CACHE_HOME");
  if (cache != nullptr && *cache == '/') return fs::path(cache) / "warpsim";
  const char* home = std::getenv("HOME");
  return home != nullptr && *home == '/' ? fs::path(home) / ".cache/warpsim" : fs::path();
}

/// FNV-1a: the same in every run and on every host, unlike std::hash.
std::uint64_t hash_of(std::string_view text, std::uint64_t hash) {
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3u;
  return hash;
}

/// Where an answer is kept: by the module, the architecture and the ptxas that was asked.
fs::path cache_file(const fs::path& ptxas, const std::string& ptx, int architecture) {
  const fs::path folder = cache_folder();
  if (folder.empty()) return {};
  std::error_code error;
  const auto changed = fs::last_write_time(ptxas, error).time_since_epoch().count();
  const std::string tool = fmt::format("{} {} {}", ptxas.string(), changed, architecture);
  const std::uint64_t first = hash_of(tool, hash_of(ptx, 0xCBF29CE484222325u));
  const std::uint64_t second = hash_of(ptx, hash_of(tool, 0x84222325CBF29CE4u));
  return folder / fmt::format("{:016x}{:016x}.registers", first, second);
}

void keep(const fs::path& file, const std::string& text) {
  std::error_code error;
  fs::create_directories(file.parent_path(), error);
  const fs::path fresh = file.string() + fmt::format(".{}", ::getpid());
  if (error || !(std::ofstream(fresh, std::ios::binary) << text).flush()) return;
  fs::rename(fresh, file, error);
}

}  // namespace

std::map<std::string, std::uint32_t> parse_ptxas(std::string_view output) {
  constexpr std::string_view kEntry = "Compiling entry function '";
  constexpr std::string_view kProperties = "Function properties for ";
  constexpr std::string_view kUsed = "Used ";
  std::map<std::string, std::uint32_t> registers;
  std::string entry;
  std::istringstream lines{std::string(output)};
  for (std::string line; std::getline(lines, line);) {
    if (const auto at = line.find(kEntry); at != line.npos) {
      const std::size_t start = at + kEntry.size();
      entry = line.substr(start, line.find('\'', start) - start);
    } else if (line.find(kProperties) != line.npos) {
      continue;  // "Used" follows for the entry whose compilation was announced
    } else if (const auto used = line.find(kUsed); used != line.npos && !entry.empty()) {
      const unsigned long count = std::strtoul(line.c_str() + used + kUsed.size(), nullptr, 10);
      if (count > 0 && count <= 255 && line.find(" registers") != line.npos) {
        registers[entry] = static_cast<std::uint32_t>(count);
      }
      entry.clear();
    }
  }
  return registers;
}

std::map<std::string, std::uint32_t> ptxas_registers(const std::string& ptx, int architecture) {
  const fs::path ptxas = find_ptxas();
  if (ptxas.empty()) return {};
  const fs::path kept = cache_file(ptxas, ptx, architecture);
  if (!kept.empty()) {
    std::ifstream file(kept, std::ios::binary);
    if (file) return parse_ptxas(std::string(std::istreambuf_iterator<char>(file), {}));
  }
  const TemporaryFile source(ptx);
  if (source.path().empty()) return {};
  std::vector<std::string> command = {
      ptxas.string(),         "-v", fmt::format("-arch=sm_{}", architecture),
      source.path().string(), "-o", "/dev/null"};
  std::optional<std::string> output = output_of(command);
  if (!output) {
    // A part of a program that is linked on the device refers to names of other parts.
    command.push_back("--compile-only");
    output = output_of(command);
  }
  if (!output) return {};
  if (!kept.empty()) keep(kept, *output);
  return parse_ptxas(*output);
}

}  // namespace warpsim
