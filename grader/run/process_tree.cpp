#include "grader/run/process_tree.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <fstream>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

/// What a file of /proc holds. Without streams: this is done for each process of each submission
/// many times a second.
std::string content(const std::string& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  std::string text;
  std::array<char, 4096> part;
  while (fd >= 0) {
    const ssize_t n = ::read(fd, part.data(), part.size());
    if (n <= 0) {
      ::close(fd);
      break;
    }
    text.append(part.data(), static_cast<std::size_t>(n));
  }
  return text;
}

/// The number that `text` starts with, which it then no longer does; 0 where there is none.
std::int64_t take_number(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

std::uint64_t resident_bytes(pid_t pid) {
  static const auto page = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  const std::string file = content(fmt::format("/proc/{}/statm", pid));
  std::string_view text = file;
  take_number(text);  // of addresses
  return static_cast<std::uint64_t>(take_number(text)) * page;
}

std::chrono::nanoseconds waited_for_processor(pid_t pid) {
  const std::string file = content(fmt::format("/proc/{}/schedstat", pid));
  std::string_view text = file;
  take_number(text);  // how long it ran
  return std::chrono::nanoseconds(take_number(text));
}

void append_children_of_thread(const std::string& thread, std::vector<pid_t>& out) {
  const std::string file = content(thread + "/children");
  std::string_view text = file;
  while (const auto child = static_cast<pid_t>(take_number(text))) {
    out.push_back(child);
  }
}

/// Any of its threads may have started a child.
void append_children(pid_t pid, std::vector<pid_t>& out) {
  const std::string tasks = fmt::format("/proc/{}/task", pid);
  struct stat info {};
  constexpr nlink_t kOneThread = 3;  // a folder's own two links, and one of each folder in it
  if (::stat(tasks.c_str(), &info) == 0 && info.st_nlink == kOneThread) {
    append_children_of_thread(fmt::format("{}/{}", tasks, pid), out);
    return;
  }
  std::error_code error;
  fs::directory_iterator threads(tasks, error);
  for (; !error && threads != fs::directory_iterator(); threads.increment(error)) {
    append_children_of_thread(threads->path().string(), out);
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
