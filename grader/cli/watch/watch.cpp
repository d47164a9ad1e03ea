#include "grader/cli/watch/watch.h"

#include <fmt/core.h>

#include <chrono>
#include <ctime>
#include <optional>
#include <thread>

#include "grader/cli/watch/progress_since.h"
#include "grader/cli/watch/snapshot.h"
#include "grader/core/interrupt.h"
#include "grader/process/attached.h"
#include "grader/record/grade/grade_json.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kBetweenLooks{200};
constexpr milliseconds kQuiet{60};  // an editor may write several files

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
    AttachedProcess run(request.command);
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
