#include "grader/submit/course/course.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <system_error>

#include "grader/core/text.h"
#include "grader/submit/course/aliases.h"
#include "grader/submit/course/student_name.h"
#include "grader/submit/course/table_file.h"
#include "harness/core/closest.h"
#include "harness/core/toml_table.h"
#include "harness/lab/lab.h"
#include "harness/lab/python_form.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

constexpr double kSecondsADay = 86400;

std::optional<Instant> instant_at(TomlTable& table, std::string_view key) {
  if (!table.has(key)) {
    return std::nullopt;
  }
  std::string problem;
  const std::optional<Instant> instant = parse_instant(table.date_time(key), problem);
  if (!instant) {
    table.fail(key, fmt::format("key '{}': {}", key, problem));
  }
  return instant;
}

double number_between(TomlTable& table, std::string_view key, double fallback, double least,
                      double most) {
  const double value = table.number_or(key, fallback);
  if (!(value >= least && value <= most)) {  // NaN fails
    table.fail(key,
               fmt::format("key '{}' is {}; it must be from {} to {}", key, value, least, most));
  }
  return value;
}

std::optional<double> pass_mark_at(TomlTable& table) {
  return table.has("pass") ? std::optional<double>(number_between(table, "pass", 0, 0, 100))
                           : std::nullopt;
}

/// "+01:00" as minutes.
std::chrono::minutes zone_at(TomlTable& table, std::string_view key) {
  const std::string text = table.string(key);
  std::string problem;
  // As part of a time, whose syntax is known.
  const std::optional<Instant> there = parse_instant("2026-01-01T12:00:00" + text, problem);
  const std::optional<Instant> utc = parse_instant("2026-01-01T12:00:00Z", problem);
  if (!there || !utc) {
    table.fail(key, fmt::format("key '{}' is not an offset such as \"+01:00\"; correct it", key));
  }
  return std::chrono::duration_cast<std::chrono::minutes>(*utc - *there);
}

/// "curve = [0, 0, 40, 50, 100, 100]"
Curve curve_at(TomlTable& table, std::string_view key) {
  Curve curve;
  if (!table.has(key)) return curve;
  const std::vector<double> numbers = table.numbers(key);
  const auto refuse = [&](const std::string& what) {
    table.fail(key, fmt::format("key '{}' {}; write pairs of a percentage and what it counts as, "
                                "ascending: [0, 0, 40, 50, 100, 100]",
                                key, what));
  };
  if (numbers.size() < 4 || numbers.size() % 2 != 0) refuse("needs two or more pairs");
  for (std::size_t i = 0; i < numbers.size(); i += 2) {
    if (!(numbers[i] >= 0 && numbers[i + 1] >= 0)) refuse("has a negative number");
    if (i > 0 && (numbers[i] <= numbers[i - 2] || numbers[i + 1] < numbers[i - 1])) {
      refuse("is not ascending");
    }
    curve.emplace_back(numbers[i], numbers[i + 1]);
  }
  return curve;
}

std::vector<HandItem> hand_items_at(TomlTable& table) {
  std::vector<HandItem> items;
  for (TomlTable& entry : table.tables("hand")) {
    HandItem item;
    item.id = entry.string("item");
    item.title = entry.string_or("title", item.id);
    item.points = number_between(entry, "points", 0, 0, 1e6);
    const bool twice = std::any_of(items.begin(), items.end(),
                                   [&](const HandItem& other) { return other.id == item.id; });
    if (twice || item.id.empty()) {
      entry.fail("item", "each item needs a name of its own; change it");
    }
    entry.finish();
    items.push_back(std::move(item));
  }
  return items;
}

/// "languages = ['cuda']"
std::set<Language> languages_at(TomlTable& table) {
  std::set<Language> chosen;
  if (!table.has("languages")) return chosen;
  const std::vector<std::string> known(kNamesOf<Language>.begin(), kNamesOf<Language>.end());
  for (const std::string& name : table.strings("languages")) {
    const std::optional<Language> language = from_slug<Language>(name);
    if (!language) {
      table.fail("languages", fmt::format("there is no language '{}'; the languages are {}",
                                          printable(name), join_and(known)));
    }
    chosen.insert(*language);
  }
  if (chosen.empty()) {
    table.fail("languages",
               "key 'languages' is empty, so that nothing could be submitted; name one or both");
  }
  return chosen;
}

LatePolicy read_late(TomlTable table) {
  table.set_title("[late]");
  LatePolicy late;
  late.grace = std::chrono::minutes(
      static_cast<long>(number_between(table, "grace_minutes", 0, 0, 60.0 * 24 * 365)));
  late.per_day = number_between(table, "per_day", 0, 0, 100);
  late.cap = number_between(table, "cap", 100, 0, 100);
  late.file_times = table.boolean_or("file_times", true);
  late.free_days = static_cast<int>(number_between(table, "free_days", 0, 0, 366));
  if (table.has("zone")) late.zone = zone_at(table, "zone");
  table.finish();
  return late;
}

Release read_release(TomlTable table) {
  table.set_title("[hidden]");
  Release release;
  if (table.has("release") && table.date_time("release") == "due") {
    release.at_due = true;
  } else {
    release.at = instant_at(table, "release");
  }
  table.finish();
  return release;
}

LabPlan read_plan(TomlTable table, const std::string& lab) {
  table.set_title(fmt::format("[labs.{}]", lab));
  LabPlan plan;
  plan.opens = instant_at(table, "opens");
  plan.due = instant_at(table, "due");
  plan.weight = number_between(table, "weight", 1, 0, 1e6);
  plan.canvas = table.string_or("canvas", "");
  plan.moodle = table.string_or("moodle", "");
  plan.pass = pass_mark_at(table);
  plan.by_hand = hand_items_at(table);
  plan.curve = curve_at(table, "curve");
  plan.bonus = table.boolean_or("bonus", false);
  plan.attempt_limit = static_cast<int>(number_between(table, "attempt_limit", 0, 0, 1000));
  plan.languages = languages_at(table);
  if (plan.opens && plan.due && *plan.opens >= *plan.due) {
    table.fail("opens",
               fmt::format("lab '{}' opens at {}, which is not before it is due at {}; correct one",
                           lab, instant_text(*plan.opens), instant_text(*plan.due)));
  }
  table.finish();
  return plan;
}

void read_total(TomlTable table, Course& course) {
  table.set_title("[total]");
  course.drop_lowest = static_cast<int>(number_between(table, "drop_lowest", 0, 0, 100));
  course.curve = curve_at(table, "curve");
  table.finish();
}

/// "ann = 'instructor'", or a table with `role` and `account`. A name is one person's, who has one
/// role; so is an account.
void read_staff(TomlTable table, Course& course) {
  table.set_title("[staff]");
  const std::vector<std::string> roles(kNamesOf<StaffRole>.begin(), kNamesOf<StaffRole>.end());
  for (const std::string& name : table.keys()) {
    std::size_t role = 0;
    if (table.is_table(name)) {
      TomlTable entry = table.table(name);
      role = entry.choice("role", roles);
      const std::string account = entry.string("account");
      for (const auto& [other, given] : course.staff_accounts) {
        if (lower(given) == lower(account)) {
          entry.fail("account", fmt::format("'{}' is the account of {}, too; correct one of them",
                                            printable(account), other));
        }
      }
      course.staff_accounts.emplace(name, account);
      entry.finish();
    } else {
      role = table.choice(name, roles);
    }
    if (const std::string why = student_name_problem(name); !why.empty()) {
      table.fail(name, fmt::format("the name '{}' {}; write another", printable(name), why));
    }
    if (course.roster.find(name) != nullptr) {
      table.fail(name, fmt::format("'{}' is in the roster, too, and a person has one role; give "
                                   "the member of staff another name",
                                   printable(name)));
    }
    course.staff.emplace(name, static_cast<StaffRole>(role));
  }
}

/// Why a table or a decision cannot name this lab; empty if it can.
/// @param known  empty: any
std::string unknown_lab(const std::string& id, const std::vector<std::string>& known) {
  if (known.empty() || std::find(known.begin(), known.end(), id) != known.end()) return {};
  const std::string near = closest(id, known);
  return fmt::format("there is no lab '{}'; {}", printable(id),
                     near.empty() ? fmt::format("the labs are {}", join_and(known))
                                  : fmt::format("did you mean '{}'?", near));
}

/// What persons have decided: in decisions/ beside the course file, or where it says.
/// @param known  labs
void read_decisions_of(TomlTable& table, const fs::path& folder,
                       const std::vector<std::string>& known, Course& course) {
  std::error_code error;
  const std::string where = table.string_or("decisions", "decisions");
  course.decisions_folder = folder / where;
  if (table.has("decisions") && !fs::exists(course.decisions_folder, error)) {
    table.fail("decisions", fmt::format("there is no '{}' beside course.toml; create the folder",
                                        printable(where)));
  }
  course.decisions = read_decisions(course.decisions_folder, folder);
  // Assistants who do not know the students' names write aliases.
  const Aliases aliases = Aliases::read(course.decisions_folder / kAliasesFile);
  course.decisions.rename_students([&](const std::string& name) { return aliases.student(name); });
  for (const Decision& decision : course.decisions.all()) {
    if (!decision.student.empty() && !course.roster.entries.empty() &&
        course.roster.find(decision.student) == nullptr) {
      throw LabError(fmt::format("{}: there is no student '{}' in the roster; correct the name",
                                 decision.where, printable(decision.student)));
    }
    if (const std::string why = unknown_lab(decision.lab, known); !why.empty()) {
      throw LabError(fmt::format("{}: {}", decision.where, why));
    }
  }
  course.decisions.rename_students([&](const std::string& name) {
    const RosterEntry* entry = course.roster.find(name);
    return entry == nullptr ? name : entry->student;
  });
}

void read_labs(TomlTable table, const std::vector<std::string>& known, Course& course) {
  for (const std::string& id : table.keys()) {
    if (const std::string why = unknown_lab(id, known); !why.empty()) table.fail(id, why);
    course.labs.emplace(id, read_plan(table.table(id), id));
  }
  // A factor of an unknown time would silently give the student no extension.
  for (const RosterEntry& entry : course.roster.entries) {
    for (const auto& [id, plan] : course.labs) {
      if (entry.time_factor > 1 && plan.due && !plan.opens) {
        table.fail(id, fmt::format("lab '{}' has no key 'opens', and {} has a time_factor, which "
                                   "needs it; add opens = 2026-11-06T08:00:00+01:00",
                                   id, printable(entry.student)));
      }
    }
  }
}

}  // namespace

LabPlan Course::plan(const std::string& lab) const {
  const auto it = labs.find(lab);
  return it == labs.end() ? LabPlan{} : it->second;
}

std::optional<double> Course::pass_mark(const std::string& lab, std::optional<double> own) const {
  const LabPlan p = plan(lab);
  return p.pass ? p.pass : pass ? pass : own;
}

int Course::attempts_that_count(const std::string& lab) const {
  const int own = plan(lab).attempt_limit;
  return own > 0 ? own : attempt_limit;
}

std::optional<Language> Course::only_language(const Lab& lab) const {
  const auto only = [](const std::set<Language>& chosen) {
    return chosen.size() == 1 ? std::optional(*chosen.begin()) : std::nullopt;
  };
  const bool has_form = is_in_python(lab) || has_python_form(lab);
  if (const std::set<Language> own = plan(lab.id).languages; !own.empty()) {
    if (only(own) == Language::python && !has_form) {
      throw LabError(
          fmt::format("{}: [labs.{}] takes Python only, and the lab has no form in Python; write "
                      "languages = [\"cuda\"]",
                      file.filename().string(), lab.id));
    }
    return only(own);
  }
  return has_form ? only(languages) : std::nullopt;
}

double on_curve(const Curve& curve, double percent) {
  if (curve.empty()) return percent;
  // Beyond its ends, the nearest point counts.
  if (percent <= curve.front().first) return curve.front().second;
  for (std::size_t i = 1; i < curve.size(); ++i) {
    const auto& [x0, y0] = curve[i - 1];
    const auto& [x1, y1] = curve[i];
    if (percent <= x1) return y0 + (y1 - y0) * (percent - x0) / (x1 - x0);
  }
  return curve.back().second;
}

namespace {

/// A due date with what a person granted for this lab.
Instant extended(Instant due, const Decision* extension) {
  if (extension == nullptr) return due;
  if (extension->until) return std::max(due, *extension->until);
  const double seconds = extension->days.value_or(0) * kSecondsADay;
  return due + std::chrono::seconds(static_cast<long>(std::ceil(seconds)));
}

}  // namespace

std::optional<Instant> Course::due(const std::string& lab, const std::string& student) const {
  const LabPlan p = plan(lab);
  if (!p.due) return p.due;
  const Decision* extension = decisions.current(DecisionKind::extension, student, lab);
  const RosterEntry* entry = roster.find(student);
  if (entry == nullptr) return extended(*p.due, extension);
  double extra = entry->extra_days * kSecondsADay;
  if (p.opens) {
    extra += (entry->time_factor - 1) * static_cast<double>((*p.due - *p.opens).count());
  }
  return extended(*p.due + std::chrono::seconds(static_cast<long>(std::ceil(extra))), extension);
}

bool Course::released(const std::string& lab, const std::string& student, Instant now) const {
  const Decision* decided = decisions.current(DecisionKind::release, "", lab);
  if (decided != nullptr && now >= decided->at) return true;
  const std::optional<Instant> at = release.at_due ? due(lab, student) : release.at;
  return at && now >= *at;
}

bool Course::answers_released(const std::string& lab, const std::string& student,
                              Instant now) const {
  const std::optional<Instant> at = due(lab, student);
  return at && now > *at;
}

std::string Course::release_text(const std::string& lab, const std::string& student) const {
  const std::optional<Instant> at = release.at_due ? due(lab, student) : release.at;
  return at ? fmt::format("their results are shown from {}", instant_text(*at))
            : "no date is set for showing their results";
}

Course load_course(const fs::path& file, const std::vector<std::string>& known_labs) {
  std::error_code error;
  if (!fs::is_regular_file(file, error)) {
    throw LabError(
        fmt::format("{}: no such file; docs/course.md has an example", file.generic_string()));
  }
  TomlTable table = TomlTable::parse(file, file.parent_path());
  Course course;
  course.file = fs::absolute(file, error).lexically_normal();
  const fs::path folder = course.file.parent_path();
  if (table.integer("schema") != 1) {
    table.fail("schema", "this version supports only schema = 1; write schema = 1");
  }
  course.title = table.string_or("title", "");
  course.pass = pass_mark_at(table);
  course.attempts = static_cast<Attempts>(table.choice_or("attempts", {"last", "best"}, 0));
  course.languages = languages_at(table);
  if (table.has("compiler")) {
    const auto& names = kNamesOf<CompilerRequest>;
    course.compiler =
        static_cast<CompilerRequest>(table.choice_or("compiler", {names.begin(), names.end()}, 0));
  }
  if (const std::string roster = table.string_or("roster", ""); !roster.empty()) {
    if (!fs::is_regular_file(folder / roster, error)) {
      table.fail("roster", fmt::format("there is no file '{}' beside course.toml; correct the name",
                                       printable(roster)));
    }
    course.roster_file = folder / roster;
    course.roster = read_roster(course.roster_file, roster);
  }
  if (const std::string times = table.string_or("submitted", ""); !times.empty()) {
    if (!fs::is_regular_file(folder / times, error)) {
      table.fail("submitted", fmt::format("there is no file '{}' beside course.toml; correct the "
                                          "name",
                                          printable(times)));
    }
    course.submitted_file = folder / times;
  }
  if (const std::string groups = table.string_or("groups", ""); !groups.empty()) {
    if (!fs::is_regular_file(folder / groups, error)) {
      table.fail("groups", fmt::format("there is no file '{}' beside course.toml; correct the name",
                                       printable(groups)));
    }
    course.groups_file = folder / groups;
    course.groups =
        parse_groups(read_course_file(course.groups_file, groups), groups, course.roster);
    for (const Group& group : course.groups.all()) {
      const std::string why = group.lab.empty() ? "" : unknown_lab(group.lab, known_labs);
      if (!why.empty()) {
        throw LabError(fmt::format("{}: group {}: {}", groups, printable(group.name), why));
      }
    }
  }
  if (table.has("staff")) read_staff(table.table("staff"), course);
  read_decisions_of(table, folder, known_labs, course);
  course.attempt_limit = static_cast<int>(number_between(table, "attempt_limit", 0, 0, 1000));
  if (table.has("total")) read_total(table.table("total"), course);
  if (table.has("late")) course.late = read_late(table.table("late"));
  if (table.has("hidden")) course.release = read_release(table.table("hidden"));
  if (table.has("labs")) read_labs(table.table("labs"), known_labs, course);
  table.finish();
  return course;
}

}  // namespace warpgrade
