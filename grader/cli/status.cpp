#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "grader/class/term/attempt_progress.h"
#include "grader/cli/attempt_log/attempt_log.h"
#include "grader/cli/commands.h"
#include "grader/core/files.h"
#include "grader/core/installation.h"
#include "grader/core/instant.h"
#include "grader/core/text.h"
#include "grader/run/session/labs_by_week.h"
#include "grader/submit/course/course.h"
#include "harness/core/plural.h"

// `warpgrade status`: one line per lab, from what this user's checks gave.

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

struct StatusOptions {
  fs::path course;
  fs::path share;
};

std::vector<MadeAttempt> made_attempts(const std::vector<OwnAttempt>& attempts) {
  std::vector<MadeAttempt> made;
  for (const OwnAttempt& attempt : attempts) {
    made.push_back({.number = static_cast<int>(made.size()) + 1,
                    .at = attempt.at,
                    .mistake = attempt.mistake,
                    .complete = attempt.is_complete()});
  }
  return made;
}

/// The given course, or the one in the current folder; an empty one without.
Course course_of(const StatusOptions& options, const std::vector<Lab>& labs) {
  const fs::path here = "course.toml";
  std::error_code error;
  if (options.course.empty() && !fs::exists(here, error)) return {};
  std::vector<std::string> ids;
  for (const Lab& lab : labs) ids.push_back(lab.id);
  return load_course(options.course.empty() ? here : options.course, ids);
}

/// "in 3 days", "in 5 hours", "over"
std::string time_left(Instant due, Instant now) {
  if (due <= now) return "over";
  const auto minutes = std::chrono::duration_cast<std::chrono::minutes>(due - now).count();
  const auto text = [](long count, const char* unit) {
    return fmt::format("in {} {}{}", count, unit, count == 1 ? "" : "s");
  };
  constexpr long kHour = 60, kDay = 24 * kHour;
  if (minutes >= 2 * kDay) return text(minutes / kDay, "day");
  return minutes >= kHour ? text(minutes / kHour, "hour") : text(minutes, "minute");
}

/// What a student gives their course, if they want to: counts, and nothing that says who or when.
ExitCode share_counts(const fs::path& file, const std::vector<Lab>& labs) {
  std::string text;
  for (const Lab& lab : labs) {
    const std::vector<OwnAttempt> attempts = attempts_at(lab.id);
    if (attempts.empty()) continue;
    nlohmann::ordered_json line = {{"lab", lab.id}, {"checks", attempts.size()}};
    const std::vector<MadeAttempt> made = made_attempts(attempts);
    if (const auto way = way_to_full_marks(made)) line["checks_to_full_marks"] = way->attempts;
    for (const auto& [mistake, use] : hint_use(made)) {
      line["mistakes"][mistake] = {{"named", use.named}, {"followed", use.followed}};
    }
    text += line.dump() + "\n";
  }
  write_file_atomically(file, text);
  fmt::print(
      "{}: counts of your checks, without names, times or code. Read it, and hand it in "
      "if you want to.\n",
      file.string());
  return ExitCode::passed;
}

ExitCode print_status(const StatusOptions& options) {
  const Installation installation = find_installation();
  const std::vector<Lab> labs = labs_by_week(installation);
  if (!options.share.empty()) return share_counts(options.share, labs);
  const Course course = course_of(options, labs);
  const Instant now = now_utc();
  const auto row = [](const auto&... cells) {
    fmt::print("{:>4}  {:<16} {:>9} {:>9} {:>8}  {:<10} {:<30} {}\n", cells...);
  };
  row("week", "lab", "best", "last", "attempts", "due", "rung", "not right yet");
  std::size_t begun = 0, complete = 0;
  HintUse hints;
  for (const Lab& lab : labs) {
    const std::vector<OwnAttempt> attempts = attempts_at(lab.id);
    const std::optional<Instant> due = course.plan(lab.id).due;
    const std::string week = lab.schedule.week > 0 ? std::to_string(lab.schedule.week) : "-";
    const std::string when = due ? time_left(*due, now) : "-";
    const OwnAttempt* best = best_of(attempts);
    if (best == nullptr) {
      row(week, lab.id, "-", "-", 0, when, "-", "");
      continue;
    }
    ++begun;
    hints += sum_of(hint_use(made_attempts(attempts)));
    complete += best->is_complete() ? 1 : 0;
    const OwnAttempt& last = attempts.back();
    const auto points = [](const OwnAttempt& attempt) {
      return human_points(attempt.points) + "/" + human_points(attempt.max_points);
    };
    row(week, lab.id, points(*best), points(last), attempts.size(), when,
        best->rung == 0 ? "-" : fmt::format("{}/{} {}", best->rung, best->rungs, best->rung_title),
        last.failing.empty() ? "" : plural(last.failing.size(), "case"));
  }
  fmt::print("\n{} of {} labs begun, {} with all points.{}\n", begun, labs.size(), complete,
             course.file.empty() ? " Due dates: --course FILE." : "");
  if (hints.named > 0) {
    fmt::print("The first sentence named a mistake in {}; it was gone in the next one in {}.\n",
               plural(hints.named, "check"), hints.followed);
  }
  return ExitCode::passed;
}

}  // namespace

void add_status_command(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand(
      "status", "One line per lab: best score, rung, attempts, due date, from your own checks");
  const auto options = std::make_shared<StatusOptions>();
  command->add_option("--course", options->course,
                      "due dates (default: course.toml in this folder, if present)");
  command->add_option("--share", options->share,
                      "write counts of your checks to this file, without names, for your course");
  command->callback([&action, options] { action = [options] { return print_status(*options); }; });
}

}  // namespace warpgrade
