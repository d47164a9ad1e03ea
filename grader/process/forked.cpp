#include "grader/process/forked.h"

#include <fmt/core.h>
#include <linux/close_range.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include "grader/core/error.h"
#include "grader/core/interrupt.h"
#include "grader/process/pipe.h"
#include "grader/process/process.h"
#include "grader/process/watch.h"

namespace warpgrade {
namespace {

constexpr int kPollMs = 20;  // how late a time-out or ctrl-C is noticed
constexpr int kTellFd = 3;  // in the child, after its standard streams
// Exit codes of the child.
constexpr int kThrew = 1;
constexpr int kLeft = 2;  // by exit()

void write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(fd, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) ::_exit(kThrew);  // nobody waits
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

[[noreturn]] void become(const std::function<void(const Tell&)>& function, int tell_fd,
                         std::chrono::seconds time) {
  // Before anything that ours registered: files and threads that it would clean up are ours.
  (void)std::atexit([] { ::_exit(kLeft); });
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  for (const int number : {SIGINT, SIGTERM, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) {
    ::signal(number, SIG_DFL);
  }
  // Pipes of other threads' children: they end when all copies are closed.
  if (tell_fd != kTellFd && ::dup2(tell_fd, kTellFd) < 0) ::_exit(kThrew);
  ::close_range(kTellFd + 1, ~0U, 0);
  const rlimit no_core = {0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  if (time.count() > 0) {
    const auto seconds = static_cast<rlim_t>(time.count());
    const rlimit limit = {seconds, seconds + 1};
    ::setrlimit(RLIMIT_CPU, &limit);
  }
  try {
    function([](std::string_view text) { write_all(kTellFd, text); });
  } catch (...) {
    ::_exit(kThrew);
  }
  (void)std::fflush(nullptr);  // what it printed
  ::_exit(0);  // no destructors: they belong to the process that waits
}

/// A child that does not outlive this.
class Copy {
 public:
  explicit Copy(pid_t pid) : pid_(pid) {}
  ~Copy() {
    if (!reaped_) (void)end_now();
  }
  Copy(const Copy&) = delete;
  Copy& operator=(const Copy&) = delete;

  [[nodiscard]] int wait() {
    int status = 0;
    while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
    }
    reaped_ = true;
    return status;
  }
  int end_now() {
    ::kill(pid_, SIGKILL);
    return wait();
  }

 private:
  pid_t pid_;
  bool reaped_ = false;
};

std::uint64_t own_resident_bytes() {
  std::ifstream pages("/proc/self/statm");
  std::uint64_t all = 0;
  std::uint64_t resident = 0;
  pages >> all >> resident;
  return resident * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

/// @returns whether there may be more
bool read_some(int fd, std::string& text) {
  std::array<char, 65536> buffer{};
  const ssize_t count = ::read(fd, buffer.data(), buffer.size());
  if (count < 0) return errno == EINTR;
  text.append(buffer.data(), static_cast<std::size_t>(count));
  return count > 0;
}

}  // namespace

Forked run_forked(const std::function<void(const Tell&)>& function, const ForkedLimits& limits) {
  stop_if_interrupted();
  ProcessSpec spec;
  spec.limits.wall = limits.time;
  if (limits.more_bytes > 0) spec.limits.resident_bytes = own_resident_bytes() + limits.more_bytes;
  Pipe pipe = make_pipe();
  (void)std::fflush(nullptr);  // the copy would print it again
  const pid_t pid = ::fork();
  if (pid < 0) {
    throw EnvironmentError(fmt::format("cannot start a process: {}", std::strerror(errno)));
  }
  if (pid == 0) become(function, pipe.write.get(), limits.time);
  Copy copy(pid);
  pipe.write.reset();

  Forked result;
  ProcessResult ended;
  ended.end = ProcessEnd::exited;
  const auto started = std::chrono::steady_clock::now();
  Watch watch(spec, pid);
  for (bool more = true; more && ended.end == ProcessEnd::exited;) {
    pollfd waiting = {pipe.read.get(), POLLIN, 0};
    const bool quiet = ::poll(&waiting, 1, kPollMs) == 0;
    if (!quiet) more = read_some(pipe.read.get(), result.told);
    stop_if_interrupted();
    if (quiet) ended.end = watch.look(std::chrono::steady_clock::now() - started);
  }
  const bool stopped = ended.end != ProcessEnd::exited;
  const int status = stopped ? copy.end_now() : copy.wait();
  if (!stopped && WIFSIGNALED(status)) {
    ended.end = WTERMSIG(status) == SIGXCPU ? ProcessEnd::out_of_time : ProcessEnd::signalled;
  }
  ended.code = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
  ended.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  result.returned = ended.ok();
  result.out_of_time = ended.end == ProcessEnd::out_of_time;
  result.starved = ended.end == ProcessEnd::starved;
  const bool exited = ended.end == ProcessEnd::exited;
  result.end = exited && ended.code == kLeft    ? "called exit()"
               : exited && ended.code == kThrew ? "threw an exception"
                                                : describe_end(ended, spec.limits);
  return result;
}

}  // namespace warpgrade
