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
#include <cstring>

#include "grader/core/error.h"
#include "grader/core/interrupt.h"
#include "grader/process/pipe.h"
#include "grader/process/process.h"

namespace warpgrade {
namespace {

constexpr int kPollMs = 20;  // how late a time-out or ctrl-C is noticed
constexpr int kTellFd = 3;  // in the child, after its standard streams
constexpr int kThrew = 1;  // exit code of the child

void write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(fd, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) ::_exit(kThrew);  // nobody waits
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

[[noreturn]] void become(const std::function<void(const Tell&)>& function, int tell_fd,
                         std::chrono::seconds cpu) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  for (const int number : {SIGINT, SIGTERM, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) {
    ::signal(number, SIG_DFL);
  }
  // Pipes of other threads' children: they end when all copies are closed.
  if (tell_fd != kTellFd && ::dup2(tell_fd, kTellFd) < 0) ::_exit(kThrew);
  ::close_range(kTellFd + 1, ~0U, 0);
  const rlimit no_core = {0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  const auto seconds = static_cast<rlim_t>(cpu.count());
  const rlimit limit = {seconds, seconds + 1};
  ::setrlimit(RLIMIT_CPU, &limit);
  try {
    function([](std::string_view text) { write_all(kTellFd, text); });
  } catch (...) {
    ::_exit(kThrew);
  }
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

/// @returns whether there may be more
bool read_some(int fd, std::string& text) {
  std::array<char, 4096> buffer{};
  const ssize_t count = ::read(fd, buffer.data(), buffer.size());
  if (count < 0) return errno == EINTR;
  text.append(buffer.data(), static_cast<std::size_t>(count));
  return count > 0;
}

}  // namespace

Forked run_forked(const std::function<void(const Tell&)>& function, std::chrono::seconds cpu) {
  stop_if_interrupted();
  Pipe pipe = make_pipe();
  const pid_t pid = ::fork();
  if (pid < 0) {
    throw EnvironmentError(fmt::format("cannot start a process: {}", std::strerror(errno)));
  }
  if (pid == 0) become(function, pipe.write.get(), cpu);
  Copy copy(pid);
  pipe.write.reset();

  Forked result;
  const auto deadline = std::chrono::steady_clock::now() + cpu * kMaxStretch;
  bool in_time = true;
  for (bool more = true; more && in_time;) {
    pollfd waiting = {pipe.read.get(), POLLIN, 0};
    if (::poll(&waiting, 1, kPollMs) > 0) more = read_some(pipe.read.get(), result.told);
    stop_if_interrupted();
    in_time = std::chrono::steady_clock::now() < deadline;
  }
  const int status = in_time ? copy.wait() : copy.end_now();
  ProcessResult ended;
  const bool used_up = WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU;
  ended.end = !in_time || used_up   ? ProcessEnd::out_of_time
              : WIFSIGNALED(status) ? ProcessEnd::signalled
                                    : ProcessEnd::exited;
  ended.code = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
  ProcessLimits limits;
  limits.wall = cpu;
  result.returned = ended.ok();
  result.end = describe_end(ended, limits);
  return result;
}

}  // namespace warpgrade
