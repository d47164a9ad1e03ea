#include "grader/process/process_tree.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

/// The content of a file in /proc. Not with streams, which are too slow: this runs for each process
/// of each submission many times per second.
std::string content(const std::string& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  std::string text;
  std::array<char, 4096> part;
  while (fd >= 0) {
    const ssize_t n = ::read(fd, part.data(), part.size());
    if (n > 0) text.append(part.data(), static_cast<std::size_t>(n));
    // What fits in one read comes in one, nearly always less than half of the buffer.
    if (n < static_cast<ssize_t>(part.size() / 2)) {
      ::close(fd);
      break;
    }
  }
  return text;
}

/// Removes the number at the start of `text` and returns it; 0 if there is none.
std::int64_t take_number(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

/// Of a process.
struct ProcessStat {
  /// Of its main thread: 'D' in the kernel, waiting for a disk or for memory; 'T' stopped by a
  /// signal.
  char state = ' ';
  /// With that of the children that it has waited for.
  std::chrono::nanoseconds processor{0};
  std::int64_t threads = 0;
  std::uint64_t resident_bytes = 0;
};

ProcessStat stat_of(const std::string& folder) {
  static const std::int64_t tick = 1'000'000'000 / std::max(1L, ::sysconf(_SC_CLK_TCK));
  static const auto page = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  const std::string file = content(folder + "/stat");
  // The program's name, in parentheses, may contain any character.
  const std::size_t name = file.rfind(") ");
  if (name == std::string::npos) return {};
  std::string_view text = std::string_view(file).substr(name + 2);
  ProcessStat stat{.state = text.empty() ? ' ' : text.front()};
  constexpr int kBeforeTimes = 11;  // fields from the state to the times of this process
  for (int i = 0; i < kBeforeTimes; ++i) {
    text.remove_prefix(std::min(text.find(' '), text.size()));
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  }
  constexpr int kTimes = 4;  // in user mode and in the kernel, and the same of its children
  for (int i = 0; i < kTimes; ++i)
    stat.processor += std::chrono::nanoseconds(take_number(text) * tick);
  take_number(text);  // priority
  take_number(text);  // nice value
  stat.threads = take_number(text);
  take_number(text);  // unused, 0
  take_number(text);  // time of start
  take_number(text);  // address space
  stat.resident_bytes = static_cast<std::uint64_t>(take_number(text)) * page;
  return stat;
}

ThreadState thread_at(const std::string& folder, pid_t id, char state) {
  const std::string file = content(folder + "/schedstat");
  std::string_view text = file;
  ThreadState thread{.id = id, .runnable = state == 'R', .blocked = state == 'D' || state == 'T'};
  thread.ran = std::chrono::nanoseconds(take_number(text));
  thread.waited = std::chrono::nanoseconds(take_number(text));
  return thread;
}

void append_children_of_thread(const std::string& thread, std::vector<pid_t>& out) {
  const std::string file = content(thread + "/children");
  std::string_view text = file;
  while (const auto child = static_cast<pid_t>(take_number(text))) {
    out.push_back(child);
  }
}

/// The threads of a process. Any of them may have started a child.
/// @param out       null: not needed
/// @param children  null: not needed
void append_threads(pid_t pid, const ProcessStat& stat, std::vector<ThreadState>* out,
                    std::vector<pid_t>* children) {
  if (out == nullptr && children == nullptr) return;
  const std::string tasks = fmt::format("/proc/{}/task", pid);
  const auto append = [&](const std::string& folder, pid_t id, char state_of_thread) {
    if (out != nullptr) out->push_back(thread_at(folder, id, state_of_thread));
    if (children != nullptr) append_children_of_thread(folder, *children);
  };
  if (stat.threads == 1) {
    append(fmt::format("{}/{}", tasks, pid), pid, stat.state);
    return;
  }
  std::error_code error;
  fs::directory_iterator threads(tasks, error);
  for (; !error && threads != fs::directory_iterator(); threads.increment(error)) {
    const std::string folder = threads->path().string();
    pid_t id = 0;
    const std::string name = threads->path().filename().string();
    std::from_chars(name.data(), name.data() + name.size(), id);
    append(folder, id, id == pid || out == nullptr ? stat.state : stat_of(folder).state);
  }
}

/// Parent and child of every process: for kernels without /proc/<pid>/task/<tid>/children.
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
    // The program's name, in parentheses, may contain any character.
    const std::size_t end = line.rfind(") ");
    pid_t parent = 0;
    if (end != std::string::npos && end + 4 < line.size()) {
      std::from_chars(line.data() + end + 4, line.data() + line.size(), parent);
      pairs.emplace_back(parent, pid);
    }
  }
  return pairs;
}

struct CloseListing {
  void operator()(DIR* folder) const { ::closedir(folder); }
};
using Listing = std::unique_ptr<DIR, CloseListing>;

/// Opens a folder for reading; null if it is not a folder, or not readable.
Listing list(int parent, const char* name) {
  const int fd = ::openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  DIR* folder = fd < 0 ? nullptr : ::fdopendir(fd);
  if (folder == nullptr && fd >= 0) {
    ::close(fd);
  }
  return Listing(folder);
}

}  // namespace

TreeUse use_of_tree(pid_t root, std::size_t enough, bool with_threads) {
  static const bool lists_children =
      ::access(fmt::format("/proc/{0}/task/{0}/children", ::getpid()).c_str(), R_OK) == 0;
  const auto pairs = lists_children ? std::vector<std::pair<pid_t, pid_t>>{} : all_parents();
  TreeUse use;
  std::vector<pid_t> waiting = {root};
  while (!waiting.empty() && (enough == 0 || use.processes <= enough)) {
    const pid_t pid = waiting.back();
    waiting.pop_back();
    ++use.processes;
    use.latest = pid;
    const ProcessStat stat = stat_of(fmt::format("/proc/{}", pid));
    use.processor += stat.processor;
    use.resident_bytes += stat.resident_bytes;
    append_threads(pid, stat, with_threads ? &use.threads : nullptr,
                   lists_children ? &waiting : nullptr);
    for (const auto& [parent, child] : pairs) {
      if (parent == pid) {
        waiting.push_back(child);
      }
    }
  }
  return use;
}

void LostTime::sample(const std::vector<ThreadState>& threads, std::chrono::nanoseconds elapsed) {
  const std::chrono::nanoseconds interval = elapsed - at_;
  std::chrono::nanoseconds longest{0};
  std::map<pid_t, Thread> now;
  for (const ThreadState& thread : threads) {
    const auto found = threads_.find(thread.id);
    const bool is_known = found != threads_.end() && found->second.ran <= thread.ran;
    const Thread before = is_known ? found->second : Thread{};
    // One that is still waiting is not counted by the kernel yet.
    const bool still_waits = is_known && thread.runnable && thread.ran == before.ran;
    const std::chrono::nanoseconds waited =
        std::max(thread.waited, before.waited + (still_waits ? interval : interval * 0));
    longest = std::max(longest, thread.blocked ? interval : waited - before.waited);
    now.emplace(thread.id, Thread{.ran = thread.ran, .waited = waited});
  }
  total_ += std::clamp(longest, std::chrono::nanoseconds(0), interval);
  threads_ = std::move(now);
  at_ = elapsed;
}

FolderUse use_of_folder(const fs::path& folder, std::uint64_t bytes, std::size_t entries) {
  constexpr std::uint64_t kBlock = 4096;
  FolderUse use;
  // By descriptors: a path may be longer than PATH_MAX.
  std::vector<Listing> open;
  open.push_back(list(AT_FDCWD, folder.c_str()));
  while (!open.empty() && !use.too_deep && use.bytes <= bytes && use.entries <= entries) {
    DIR* at = open.back().get();
    const dirent* entry = at != nullptr ? ::readdir(at) : nullptr;
    if (entry == nullptr) {
      open.pop_back();
      continue;
    }
    const std::string_view name = entry->d_name;
    struct stat info {};
    // The entry itself, not the target of a link. Allocated blocks count, not a sparse length.
    if (name == "." || name == ".." ||
        ::fstatat(::dirfd(at), entry->d_name, &info, AT_SYMLINK_NOFOLLOW) != 0) {
      continue;
    }
    ++use.entries;
    use.bytes += std::max<std::uint64_t>(kBlock, static_cast<std::uint64_t>(info.st_blocks) * 512);
    if (S_ISDIR(info.st_mode)) {
      use.too_deep = open.size() > kMostNested;
      open.push_back(list(::dirfd(at), entry->d_name));
    }
  }
  return use;
}

std::uint64_t bytes_in_memory_folders(pid_t pid, std::uint64_t size) {
  std::uint64_t bytes = 0;
  for (const char* folder : {"tmp", "dev/shm"}) {
    struct statvfs info {};
    // The size shows that it is the sandbox's file system and not the machine's.
    const fs::path seen = fs::path("/proc") / std::to_string(pid) / "root" / folder;
    if (::statvfs(seen.c_str(), &info) == 0 && info.f_blocks * info.f_frsize == size) {
      bytes += (info.f_blocks - info.f_bfree) * info.f_frsize;
    }
  }
  return bytes;
}

}  // namespace warpgrade
