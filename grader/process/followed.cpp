#include "grader/process/followed.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>

#include "grader/core/error.h"
#include "grader/process/child.h"
#include "grader/process/pipe.h"

namespace warpgrade {
namespace {

using Clock = std::chrono::steady_clock;
constexpr int kStopPollMs = 50;  // how late `stop` is noticed
constexpr std::chrono::seconds kGrace{10};
constexpr std::chrono::seconds kDrain{2};
constexpr std::size_t kErrorBytes = 8192;  // kept of standard error
constexpr std::size_t kLongestLine = 4096;

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

/// Signals a program that shall stop: first SIGTERM, later SIGKILL to its group.
class Stopper {
 public:
  explicit Stopper(const Child& child) : child_(child) {}
  void stop() {
    if (!told_) {
      told_ = true;
      since_ = Clock::now();
      ::kill(child_.pid(), SIGTERM);
    } else if (Clock::now() - since_ > kGrace) {
      child_.end_group();
    }
  }
  [[nodiscard]] bool told() const { return told_; }

 private:
  const Child& child_;
  bool told_ = false;
  Clock::time_point since_;
};

}  // namespace

FollowedEnd follow(const FollowedProgram& program, const std::atomic<bool>& stop) {
  const Descriptor null(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  Pipe out = make_pipe();
  Pipe err = make_pipe();
  Child child({.argv = program.argv,
               .folder = program.folder,
               .environment = program.environment,
               .descriptors = {},
               .confinement = {},
               .limits = {}},
              {.in = null.get(), .out = out.write.get(), .err = err.write.get()});
  out.write.reset();
  err.write.reset();
  if (child.start_error() != 0) {
    throw EnvironmentError(
        fmt::format("cannot start {}: {}", program.argv.at(0), std::strerror(child.start_error())));
  }

  FollowedEnd end;
  Lines lines(program.on_line);
  Stopper stopper(child);
  std::array<char, 65536> buffer;
  int status = 0;
  Clock::time_point ended;
  const auto is_over = [&] {
    if (!child.try_reap(status, false)) return false;
    if (ended == Clock::time_point()) ended = Clock::now();
    const bool drained = out.read.get() < 0 && err.read.get() < 0;
    return drained || Clock::now() - ended > kDrain;  // something that it started has the pipes
  };
  while (!is_over()) {
    std::array<pollfd, 2> waiting = {
        {{out.read.get(), POLLIN, 0}, {err.read.get(), POLLIN, 0}}};  // negative: ignored
    ::poll(waiting.data(), waiting.size(), kStopPollMs);
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
