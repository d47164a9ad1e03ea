#include "grader/serve/classroom/rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "grader/core/text.h"
#include "grader/submit/course/late.h"
#include "harness/core/plural.h"

namespace warpgrade {
namespace {

int days_late(const Course& course, const std::string& student, const std::string& lab,
              Instant when) {
  SubmissionRecord submitted;
  submitted.student = student;
  submitted.lab = lab;
  submitted.submitted = when;
  return started_days_late(course, submitted);
}

std::string due_text(const Course& course, const std::string& student, const std::string& lab) {
  const std::optional<Instant> due = course.due(lab, student);
  if (!due) return {};
  std::string text = "due " + shown_time(*due);
  if (due != course.plan(lab).due) text += " (extended)";
  const int late = days_late(course, student, lab, now_utc());
  if (late > 0) text += fmt::format(", {} late now", plural(static_cast<std::size_t>(late), "day"));
  return text;
}

std::string group_text(const Course& course, const std::string& student, const std::string& lab) {
  const Group* group = course.groups.of(student, lab);
  if (group == nullptr) return {};
  std::vector<std::string> others;
  for (const std::string& name : group->students) {
    const RosterEntry* entry = course.roster.find(name);
    if (name != student) others.push_back(entry == nullptr ? name : entry->shown_name());
  }
  return others.empty() ? std::string() : "with " + join_and(others);
}

}  // namespace

std::string shown_time(Instant when) {
  const std::string exact = instant_text(when);  // "2026-11-20T22:59:00Z"
  constexpr std::size_t kDate = 10, kTime = 5;
  return fmt::format("{} {} UTC", exact.substr(0, kDate), exact.substr(kDate + 1, kTime));
}

std::string release_of(const Course& course, const std::string& lab) {
  const bool decided = course.decisions.current(DecisionKind::release, "", lab) != nullptr;
  const std::optional<Instant> from = course.release.at;
  if (decided || (from && now_utc() >= *from)) return "released";
  if (from) return "released from " + shown_time(*from);
  return course.release.at_due ? "released to each student at the due date" : "not released";
}

bool is_near_due(const Course& course, const std::string& student, const std::string& lab,
                 Instant now) {
  constexpr std::chrono::hours kNear{24};
  const std::optional<Instant> due = course.due(lab, student);
  return due && now >= *due - kNear && now <= *due + kNear;
}

std::vector<std::string> group_of(const Course& course, const std::string& student,
                                  const std::string& lab) {
  const Group* group = course.groups.of(student, lab);
  return group == nullptr ? std::vector{student} : group->students;
}

Instant submitted_at(const KeptAttempt& attempt) {
  return Instant(std::chrono::seconds(attempt.requested_ms / 1000));
}

std::string lateness_of(const Course& course, const KeptAttempt& attempt) {
  const std::optional<Instant> due = course.due(attempt.lab, attempt.person);
  if (!due) return {};
  const int late = days_late(course, attempt.person, attempt.lab, submitted_at(attempt));
  return fmt::format(
      "due {}: {}", instant_text(*due),
      late == 0 ? std::string("in time") : plural(static_cast<std::size_t>(late), "day") + " late");
}

std::string rules_of(const Course& course, const std::string& student, const std::string& lab) {
  std::vector<std::string> rules = {due_text(course, student, lab),
                                    group_text(course, student, lab)};
  if (const int limit = course.attempts_that_count(lab); limit > 0) {
    rules.push_back(
        fmt::format("{} can be made", plural(static_cast<std::size_t>(limit), "submission")));
  }
  std::erase(rules, "");
  return fmt::format("{}", fmt::join(rules, "; "));
}

}  // namespace warpgrade
