#include "grader/cli/watch/watch.h"

#include <fmt/core.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <ctime>
#include <optional>
#include <thread>

#include "grader/cli/watch/progress_since.h"
#include "grader/cli/watch/snapshot.h"
#include "grader/core/interrupt.h"
#include "grader/record/grade/grade_json.h"

extern char** environ;  // NOLINT(readability-redundant-declaration)

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kBetweenLooks{200};
constexpr milliseconds kQuiet{60};  // an editor may write several files

/// A run of the command, whose output goes where ours goes.
class Run {
 public:
  explicit Run(const std::vector<std::string>& command) {
    std::vector<char*> argv;
    argv.reserve(command.size() + 1);
    for (const std::string& word : command) argv.push_back(const_cast<char*>(word.c_str()));
    argv.push_back(nullptr);
    if (const int error = ::posix_spawn(&pid_, argv[0], nullptr, nullptr, argv.data(), environ)) {
      throw EnvironmentError(fmt::format("cannot start {}: {}", command[0], std::strerror(error)));
    }
  }
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;
  ~Run() { stop(); }

  /// Its exit code, or nothing while it runs; 128 and the signal's number if a signal ended it.
  std::optional<int> ended() {
    int status = 0;
    if (pid_ <= 0 || ::waitpid(pid_, &status, WNOHANG) != pid_) return std::nullopt;
    pid_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }

  /// Its own children end with it.
  void stop() {
    if (pid_ <= 0) return;
    ::kill(pid_, SIGTERM);
    while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
    }
    pid_ = -1;
  }

 private:
  pid_t pid_ = -1;
};

void say(const std::string& text) {
  const std::time_t now = std::time(nullptr);
  std::tm local = {};
  ::localtime_r(&now, &local);
  fmt::print("-- {:02}:{:02}:{:02}  {}\n", local.tm_hour, local.tm_min, local.tm_sec, text);
  std::fflush(stdout);
}

/// Waits until the files differ from `seen` and nobody is writing any more.
Snapshot wait_for_change(const fs::path& work, const Snapshot& seen) {
  Snapshot now = Snapshot::of(work);
  while (!interrupted() && (now == seen || now.empty())) {
    std::this_thread::sleep_for(kBetweenLooks);
    now = Snapshot::of(work);
  }
  for (;;) {
    std::this_thread::sleep_for(kQuiet);
    Snapshot next = Snapshot::of(work);
    if (interrupted() || (next == now && !next.empty())) return next;
    now = std::move(next);
  }
}

std::optional<StudentView> read_view(const fs::path& file) {
  std::error_code error;
  if (!fs::exists(file, error)) return std::nullopt;
  return view_in_check(read_grade(file));
}

}  // namespace

ExitCode watch(const WatchRequest& request) {
  install_interrupt_handlers();
  std::optional<StudentView> before;
  ExitCode last = ExitCode::not_yet;
  Snapshot seen = wait_for_change(request.work, {});
  while (!interrupted()) {
    say("checking " + request.work.string());
    std::error_code ignored;
    fs::remove(request.grade, ignored);
    Run run(request.command);
    std::optional<int> code;
    Snapshot now = seen;
    while (!code && !interrupted()) {
      std::this_thread::sleep_for(milliseconds(50));
      code = run.ended();
      now = Snapshot::of(request.work);
      if (!code && now != seen) break;
    }
    if (!code) {
      run.stop();
      if (interrupted()) break;
      say("the files changed: starting again");
      seen = wait_for_change(request.work, {});
      continue;
    }
    last = static_cast<ExitCode>(*code);
    if (last == ExitCode::passed || last == ExitCode::not_yet) {
      const std::optional<StudentView> after = read_view(request.grade);
      if (before && after) say("since the last check: " + progress_since(*before, *after));
      if (after) before = after;
    }
    say("waiting for a change; Ctrl-C ends");
    seen = wait_for_change(request.work, seen);
  }
  return last;
}

}  // namespace warpgrade
