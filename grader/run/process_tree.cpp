#include "grader/run/process_tree.h"

#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

std::uint64_t resident_bytes(pid_t pid) {
  std::ifstream in(fmt::format("/proc/{}/statm", pid));
  std::uint64_t size = 0;
  std::uint64_t resident = 0;
  in >> size >> resident;
  return resident * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

std::chrono::nanoseconds waited_for_processor(pid_t pid) {
  std::ifstream in(fmt::format("/proc/{}/schedstat", pid));
  std::int64_t ran = 0;
  std::int64_t waited = 0;
  in >> ran >> waited;
  return std::chrono::nanoseconds(waited);
}

/// Any of its threads may have started a child.
void append_children(pid_t pid, std::vector<pid_t>& out) {
  std::error_code error;
  fs::directory_iterator threads(fmt::format("/proc/{}/task", pid), error);
  for (; !error && threads != fs::directory_iterator(); threads.increment(error)) {
    std::ifstream in(threads->path() / "children");
    for (pid_t child = 0; in >> child;) {
      out.push_back(child);
    }
  }
}

/// Parent and child of every process: for kernels that list no children.
std::vector<std::pair<pid_t, pid_t>> all_parents() {
  std::vector<std::pair<pid_t, pid_t>> pairs;
  std::error_code error;
  fs::directory_iterator processes("/proc", error);
  for (; !error && processes != fs::directory_iterator(); processes.increment(error)) {
    const std::string name = processes->path().filename().string();
    pid_t pid = 0;
    if (std::from_chars(name.data(), name.data() + name.size(), pid).ec != std::errc{}) {
      continue;
    }
    std::ifstream in(processes->path() / "stat");
    std::string line;
    std::getline(in, line);
    // The program's name, in parentheses, may hold anything.
    const std::size_t end = line.rfind(") ");
    pid_t parent = 0;
    if (end != std::string::npos && end + 4 < line.size()) {
      std::from_chars(line.data() + end + 4, line.data() + line.size(), parent);
      pairs.emplace_back(parent, pid);
    }
  }
  return pairs;
}

}  // namespace

TreeUse use_of_tree(pid_t root, std::size_t enough) {
  static const bool lists_children =
      ::access(fmt::format("/proc/{0}/task/{0}/children", ::getpid()).c_str(), R_OK) == 0;
  const auto pairs = lists_children ? std::vector<std::pair<pid_t, pid_t>>{} : all_parents();
  TreeUse use;
  std::vector<pid_t> waiting = {root};
  while (!waiting.empty() && (enough == 0 || use.processes <= enough)) {
    const pid_t pid = waiting.back();
    waiting.pop_back();
    ++use.processes;
    use.resident_bytes += resident_bytes(pid);
    use.waited = std::max(use.waited, waited_for_processor(pid));
    if (lists_children) {
      append_children(pid, waiting);
    }
    for (const auto& [parent, child] : pairs) {
      if (parent == pid) {
        waiting.push_back(child);
      }
    }
  }
  return use;
}

std::uint64_t bytes_in(const fs::path& folder, std::uint64_t enough) {
  constexpr std::uint64_t kBlock = 4096;
  std::uint64_t bytes = 0;
  std::error_code error;
  fs::recursive_directory_iterator entries(folder, fs::directory_options::skip_permission_denied,
                                           error);
  for (; !error && entries != fs::recursive_directory_iterator() && bytes <= enough;
       entries.increment(error)) {
    struct stat info {};
    // Of the entry itself: a link leads anywhere. What is allocated counts, not a sparse length.
    if (::lstat(entries->path().c_str(), &info) == 0) {
      bytes += std::max<std::uint64_t>(kBlock, static_cast<std::uint64_t>(info.st_blocks) * 512);
    }
  }
  return bytes;
}

}  // namespace warpgrade
