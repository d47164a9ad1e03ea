#include "grader/submit/decisions/decisions.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <system_error>
#include <utility>

#include "grader/core/error.h"
#include "grader/core/files.h"
#include "grader/core/text.h"
#include "grader/core/toml_text.h"
#include "harness/core/lab_error.h"
#include "harness/core/toml_table.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

constexpr double kMostPoints = 1e6;
constexpr double kMostDays = 366;

/// Whether a person must say why.
bool needs_reason(DecisionKind kind) {
  return kind == DecisionKind::excuse || kind == DecisionKind::extension ||
         kind == DecisionKind::regrade || kind == DecisionKind::withdraw;
}

bool has_text(DecisionKind kind) {
  return kind == DecisionKind::comment || kind == DecisionKind::inquiry ||
         kind == DecisionKind::answer || kind == DecisionKind::note ||
         kind == DecisionKind::regrade;
}

Instant required_instant(TomlTable& table, std::string_view key) {
  std::string problem;
  const std::optional<Instant> instant = parse_instant(table.date_time(key), problem);
  if (!instant) table.fail(key, fmt::format("key '{}': {}", key, problem));
  return *instant;
}

std::string text_at(TomlTable& table, std::string_view key) {
  std::string text = table.string(key);
  if (trimmed(text).empty()) {
    table.fail(key, fmt::format("key '{}' is empty; write one or more words", key));
  }
  return text;
}

double number_at(TomlTable& table, std::string_view key, double most) {
  const double value = table.number(key);
  if (!(value >= 0 && value <= most)) {  // NaN fails
    table.fail(key, fmt::format("key '{}' is {}; it must be from 0 to {}", key, value, most));
  }
  return value;
}

DecisionKind kind_at(TomlTable& table, std::string_view key) {
  const auto& names = kNamesOf<DecisionKind>;
  return static_cast<DecisionKind>(table.choice(key, {names.begin(), names.end()}));
}

void read_extension(TomlTable& table, Decision& decision) {
  if (table.has("days") == table.has("until")) {
    table.fail("days",
               "an extension has either days = 3 or until = 2026-11-27T23:59:00+01:00; write one");
  }
  if (table.has("days")) decision.days = number_at(table, "days", kMostDays);
  if (table.has("until")) decision.until = required_instant(table, "until");
}

Decision read_decision(TomlTable table) {
  Decision decision;
  decision.kind = kind_at(table, "kind");
  if (decision.kind == DecisionKind::withdraw) {
    decision.withdrawn = kind_at(table, "of");
    if (decision.withdrawn == DecisionKind::regrade) {
      table.fail("of", "a regrade has replaced the grades and is not withdrawn; regrade again");
    }
  }
  const bool is_for_all =
      (decision.withdrawn ? *decision.withdrawn : decision.kind) == DecisionKind::release ||
      decision.kind == DecisionKind::regrade;
  if (!is_for_all) decision.student = text_at(table, "student");
  decision.lab = text_at(table, "lab");
  decision.by = text_at(table, "by");
  decision.at = required_instant(table, "at");
  switch (decision.kind) {
    case DecisionKind::points:
      decision.item = table.string_or("item", "");
      decision.points = number_at(table, "points", kMostPoints);
      break;
    case DecisionKind::comment:
      decision.file = text_at(table, "file");
      decision.line = static_cast<int>(table.integer("line"));
      if (decision.line < 1) table.fail("line", "lines are counted from 1; write a line's number");
      break;
    case DecisionKind::extension:
      read_extension(table, decision);
      break;
    case DecisionKind::withdraw:
      decision.item = table.string_or("item", "");
      break;
    case DecisionKind::inquiry:
    case DecisionKind::answer:
    case DecisionKind::note:
    case DecisionKind::excuse:
    case DecisionKind::release:
    case DecisionKind::regrade:
      break;
  }
  if (has_text(decision.kind)) decision.text = text_at(table, "text");
  decision.reason =
      needs_reason(decision.kind) ? text_at(table, "reason") : table.string_or("reason", "");
  table.finish();
  return decision;
}

void read_file_of(const fs::path& file, const fs::path& root, std::vector<Decision>& all) {
  TomlTable table = TomlTable::parse(file, root);
  if (table.integer("schema") != 1) {
    table.fail("schema", "this version supports only schema = 1; write schema = 1");
  }
  std::size_t number = 0;
  for (TomlTable& entry : table.tables("decision")) {
    ++number;
    entry.set_title(fmt::format("[[decision]] {}", number));
    all.push_back(read_decision(std::move(entry)));
    all.back().where =
        fmt::format("{}, decision {}", file.lexically_relative(root).generic_string(), number);
  }
  table.finish();
}

bool is_about(const Decision& decision, DecisionKind kind, std::string_view item) {
  return (decision.kind == kind || decision.withdrawn == kind) &&
         (kind != DecisionKind::points || decision.item == item);
}

}  // namespace

Decisions::Decisions(std::vector<Decision> all) : all_(std::move(all)) {
  std::stable_sort(all_.begin(), all_.end(),
                   [](const Decision& a, const Decision& b) { return a.at < b.at; });
}

std::vector<const Decision*> Decisions::about(std::string_view student,
                                              std::string_view lab) const {
  std::vector<const Decision*> found;
  for (const Decision& decision : all_) {
    if (decision.student == student && decision.lab == lab) found.push_back(&decision);
  }
  return found;
}

const Decision* Decisions::current(DecisionKind kind, std::string_view student,
                                   std::string_view lab, std::string_view item) const {
  const Decision* last = nullptr;
  for (const Decision* decision : about(student, lab)) {
    if (is_about(*decision, kind, item)) last = decision;
  }
  return last == nullptr || last->kind != kind ? nullptr : last;
}

std::vector<const Decision*> Decisions::item_points(std::string_view student,
                                                    std::string_view lab) const {
  std::set<std::string> items;
  for (const Decision* decision : about(student, lab)) {
    if (decision->kind == DecisionKind::points) items.insert(decision->item);
  }
  items.erase("");
  std::vector<const Decision*> found;
  for (const std::string& item : items) {
    const Decision* decision = current(DecisionKind::points, student, lab, item);
    if (decision != nullptr) found.push_back(decision);
  }
  return found;
}

void Decisions::rename_students(const std::function<std::string(const std::string&)>& name) {
  for (Decision& decision : all_) {
    if (!decision.student.empty()) decision.student = name(decision.student);
  }
}

void Decisions::rename_authors_of_inquiries() {
  for (Decision& decision : all_) {
    if (decision.kind == DecisionKind::inquiry) decision.by = decision.student;
  }
}

Decisions read_decisions(const fs::path& path, const fs::path& root) {
  std::vector<Decision> all;
  std::error_code error;
  if (!fs::is_directory(path, error)) {
    if (fs::exists(path, error)) read_file_of(path, root, all);
    return Decisions(std::move(all));
  }
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(path, error)) {
    const fs::path& file = entry.path();
    if (file.extension() == ".toml" && !file.filename().string().starts_with('.')) {
      files.push_back(file);
    }
  }
  if (error) throw LabError(fmt::format("{} cannot be read: {}", path.string(), error.message()));
  std::sort(files.begin(), files.end());
  for (const fs::path& file : files) read_file_of(file, root, all);
  return Decisions(std::move(all));
}

std::string decision_text(const Decision& d) {
  std::string text = "[[decision]]\n";
  const auto add = [&](std::string_view key, const std::string& value) {
    text += fmt::format("{} = {}\n", key, value);
  };
  const auto add_text = [&](std::string_view key, const std::string& value) {
    if (!value.empty()) add(key, toml_string(value));
  };
  add("kind", toml_string(slug(d.kind)));
  if (d.withdrawn) add("of", toml_string(slug(*d.withdrawn)));
  add_text("student", d.student);
  add_text("lab", d.lab);
  add_text("item", d.item);
  if (d.points) add("points", fmt::format("{}", *d.points));
  add_text("file", d.file);
  if (d.line > 0) add("line", std::to_string(d.line));
  if (d.days) add("days", fmt::format("{}", *d.days));
  if (d.until) add("until", instant_text(*d.until));
  add_text("text", d.text);
  add_text("reason", d.reason);
  add_text("by", d.by);
  add("at", instant_text(d.at));
  return text;
}

void append_decision(const fs::path& file, const Decision& decision) {
  std::error_code error;
  const std::string before = fs::exists(file, error) ? read_file(file) : "schema = 1\n";
  const bool ends = before.empty() || before.ends_with('\n');
  write_file_atomically(file, before + (ends ? "\n" : "\n\n") + decision_text(decision));
}

std::string decision_about(const Decision& d) {
  std::string line;
  switch (d.kind) {
    case DecisionKind::points:
      line = d.item.empty() ? "points" : fmt::format("points of item {}", d.item);
      line += ": " + human_points(d.points.value_or(0));
      break;
    case DecisionKind::comment:
      line = fmt::format("comment on {}:{}", d.file, d.line);
      break;
    case DecisionKind::excuse:
      line = "excused";
      break;
    case DecisionKind::extension:
      line = d.until ? fmt::format("extension until {}", instant_text(*d.until))
                     : fmt::format("extension by {} days", human_points(d.days.value_or(0)));
      break;
    case DecisionKind::withdraw:
      line = fmt::format("withdrawn: {}{}", slug(d.withdrawn.value_or(DecisionKind::points)),
                         d.item.empty() ? "" : " of item " + d.item);
      break;
    case DecisionKind::release:
      line = "hidden cases released";
      break;
    case DecisionKind::regrade:
      line = "regraded";
      break;
    case DecisionKind::inquiry:
    case DecisionKind::answer:
    case DecisionKind::note:
      line = slug(d.kind);
      break;
  }
  return line;
}

}  // namespace warpgrade
