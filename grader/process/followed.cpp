#include "grader/process/followed.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <linux/close_range.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>

#include "grader/core/error.h"
#include "grader/process/pipe.h"

namespace warpgrade {
namespace {

using Clock = std::chrono::steady_clock;
constexpr int kPollMs = 50;  // how late `stop` is noticed
constexpr std::chrono::seconds kGrace{10};
constexpr std::chrono::seconds kDrain{2};
constexpr std::size_t kErrorBytes = 8192;  // kept of standard error
constexpr std::size_t kLongestLine = 4096;

std::vector<char*> pointers(std::vector<std::string>& words) {
  std::vector<char*> result;
  for (std::string& word : words) result.push_back(word.data());
  result.push_back(nullptr);
  return result;
}

/// In the child, which shares our memory until exec: only system calls.
[[noreturn]] void become(char* const* argv, char* const* envp, const char* folder, int null,
                         int out, int err, int error_fd) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::dup2(null, 0) >= 0 && ::dup2(out, 1) >= 0 && ::dup2(err, 2) >= 0 &&
      (*folder == '\0' || ::chdir(folder) == 0)) {
    ::close_range(3, ~0u, CLOSE_RANGE_CLOEXEC);
    for (const int number : {SIGINT, SIGTERM, SIGPIPE}) std::signal(number, SIG_DFL);
    ::execve(argv[0], argv, envp);
  }
  const int error = errno;
  [[maybe_unused]] const ssize_t ignored = ::write(error_fd, &error, sizeof error);
  ::_exit(127);
}

/// Splits what arrives into lines.
class Lines {
 public:
  explicit Lines(const std::function<void(std::string_view)>& tell) : tell_(tell) {}

  void add(std::string_view bytes) {
    for (const char c : bytes) {
      if (c == '\n') {
        if (tell_) tell_(line_);
        line_.clear();
      } else if (line_.size() < kLongestLine) {
        line_ += c;
      }
    }
  }

 private:
  const std::function<void(std::string_view)>& tell_;
  std::string line_;
};

/// Some bytes of a pipe; closes it at its end.
std::string_view read_some(Descriptor& from, std::array<char, 65536>& buffer) {
  const ssize_t n = ::read(from.get(), buffer.data(), buffer.size());
  if (n < 0 && (errno == EINTR || errno == EAGAIN)) return {};
  if (n <= 0) {
    from.reset();
    return {};
  }
  return {buffer.data(), static_cast<std::size_t>(n)};
}

/// Kills the group and leaves no zombie, on every way out.
class Group {
 public:
  explicit Group(pid_t pid) : pid_(pid) {}
  Group(const Group&) = delete;
  Group& operator=(const Group&) = delete;
  ~Group() {
    ::kill(-pid_, SIGKILL);
    int status = 0;
    if (!reaped_) reap(status, 0);
  }
  bool reap(int& status, int options) {
    if (reaped_) return true;
    pid_t got = 0;
    do {
      got = ::waitpid(pid_, &status, options);
    } while (got < 0 && errno == EINTR);
    reaped_ = got == pid_;
    return reaped_;
  }

 private:
  pid_t pid_;
  bool reaped_ = false;
};

/// Signals a program that shall stop: first SIGTERM, later SIGKILL to its group.
class Stopper {
 public:
  explicit Stopper(pid_t pid) : pid_(pid) {}
  void stop() {
    if (!told_) {
      told_ = true;
      since_ = Clock::now();
      ::kill(pid_, SIGTERM);
    } else if (Clock::now() - since_ > kGrace) {
      ::kill(-pid_, SIGKILL);
    }
  }
  [[nodiscard]] bool told() const { return told_; }

 private:
  pid_t pid_;
  bool told_ = false;
  Clock::time_point since_;
};

}  // namespace

FollowedEnd follow(const FollowedProgram& program, const std::atomic<bool>& stop) {
  std::vector<std::string> argv_text = program.argv;
  std::vector<std::string> environment_text;
  for (const auto& [name, value] : program.environment) {
    environment_text.push_back(name + "=" + value);
  }
  const std::vector<char*> argv = pointers(argv_text);
  const std::vector<char*> envp = pointers(environment_text);
  const Descriptor null(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  Pipe out = make_pipe();
  Pipe err = make_pipe();
  Pipe start_error = make_pipe();
  const pid_t pid = ::vfork();
  if (pid == 0) {
    become(argv.data(), envp.data(), program.folder.c_str(), null.get(), out.write.get(),
           err.write.get(), start_error.write.get());
  }
  if (pid < 0) {
    throw EnvironmentError(fmt::format("cannot start a process: {}", std::strerror(errno)));
  }
  ::setpgid(pid, pid);
  Group group(pid);
  out.write.reset();
  err.write.reset();
  start_error.write.reset();
  int error = 0;
  if (::read(start_error.read.get(), &error, sizeof error) == sizeof error) {
    throw EnvironmentError(
        fmt::format("cannot start {}: {}", program.argv.at(0), std::strerror(error)));
  }

  FollowedEnd end;
  Lines lines(program.on_line);
  Stopper stopper(pid);
  std::array<char, 65536> buffer;
  int status = 0;
  Clock::time_point ended;
  const auto is_over = [&] {
    if (!group.reap(status, WNOHANG)) return false;
    if (ended == Clock::time_point()) ended = Clock::now();
    const bool drained = out.read.get() < 0 && err.read.get() < 0;
    return drained || Clock::now() - ended > kDrain;  // something that it started has the pipes
  };
  while (!is_over()) {
    std::array<pollfd, 2> waiting = {
        {{out.read.get(), POLLIN, 0}, {err.read.get(), POLLIN, 0}}};  // negative: ignored
    ::poll(waiting.data(), waiting.size(), kPollMs);
    if (waiting[0].revents != 0) {
      const std::string_view bytes = read_some(out.read, buffer);
      end.out += bytes.substr(0, program.output_bytes - end.out.size());
    }
    if (waiting[1].revents != 0) {
      const std::string_view bytes = read_some(err.read, buffer);
      lines.add(bytes);
      end.err += bytes;
      if (end.err.size() > kErrorBytes) end.err.erase(0, end.err.size() - kErrorBytes);
    }
    if (stop.load()) stopper.stop();
  }
  end.stopped = stopper.told();
  end.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return end;
}

}  // namespace warpgrade
