#include "grader/class/term/term.h"

#include <fmt/core.h>

#include <algorithm>
#include <mutex>
#include <set>
#include <system_error>
#include <tuple>
#include <utility>

#include "grader/class/table/class_record.h"
#include "grader/class/table/gradebook.h"
#include "grader/core/error.h"
#include "grader/core/text.h"
#include "grader/record/grade/grade_json.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kFewest = 5;  // grades from which a share says something
constexpr double kNearly = 0.05;  // share of those who differ from the rest

std::optional<Instant> started(const std::string& text) {
  std::string problem;
  return parse_instant(text, problem);
}

class TermReader {
 public:
  void run(const fs::path& out, const std::string& name, std::size_t jobs) {
    const ClassRecord record = load_class_record(out, {});
    std::mutex mutex;
    std::map<std::pair<std::string, std::string>, std::vector<MadeAttempt>> attempts;
    const Gradebook book =
        read_gradebook(out, jobs, [&](const Grade& grade, const fs::path& folder) {
          std::vector<MadeAttempt> found = graded_attempts(grade, folder);
          set_submitted(found, record.log, grade.student, grade.lab);
          const std::lock_guard lock(mutex);
          attempts[{grade.student, grade.lab}] = std::move(found);
        });
    std::map<std::string, TermLab> labs;
    for (const GradeRow& row : book.rows) {
      add(row, record, labs[row.lab], attempts[{row.student, row.lab}].size());
    }
    for (auto& [lab, found] : labs) {
      found.run = name;
      found.mean = found.scored > 0 ? found.mean / double(found.scored) : 0;
      term_.labs.push_back(std::move(found));
    }
    for (const auto& [key, found] : attempts) term_.progress[key.second].add(found);
  }

  Term finish() {
    for (auto& [key, item] : items_) {
      item.mean = item.grades > 0 ? item.mean / double(item.grades) : 0;
      term_.items.push_back(std::move(item));
    }
    std::stable_sort(term_.items.begin(), term_.items.end(), [](const auto& a, const auto& b) {
      return std::tie(a.lab, a.mean) < std::tie(b.lab, b.mean);
    });
    for (auto& [monday, week] : weeks_) {
      week.mean = week.mean / double(week.submissions);
      term_.weeks.push_back(week);
    }
    return std::move(term_);
  }

 private:
  void add(const GradeRow& row, const ClassRecord& record, TermLab& lab, std::size_t attempts) {
    lab.lab = row.lab;
    lab.title = row.lab_title.empty() ? row.lab : row.lab_title;
    ++lab.students;
    lab.attempts += std::max(attempts, static_cast<std::size_t>(std::max(row.attempt, 1)));
    const auto submitted = record.log.find(row.student, row.lab, row.attempt).submitted;
    const std::optional<Instant> at = submitted ? submitted : started(row.started);
    if (at && (!lab.first || *at < *lab.first)) lab.first = at;
    if (at && (!lab.last || *at > *lab.last)) lab.last = at;
    if (!row.pitfall.empty()) ++term_.pitfalls[row.pitfall];
    const Standing standing = record.standing(row);
    if (!standing.counts() || standing.max <= 0) return;
    const double percent = 100 * standing.raw / standing.max;
    ++lab.scored;
    lab.mean += percent;
    lab.full += standing.raw + kSamePoints >= standing.max ? 1 : 0;
    if (at) {
      // The first Monday was on day -3: 1970 began on a Thursday.
      const auto day = std::chrono::floor<std::chrono::days>(*at);
      const std::chrono::weekday weekday(day);
      const Instant monday = day - (weekday - std::chrono::Monday);
      TermWeek& week = weeks_[monday];
      week.monday = monday;
      ++week.submissions;
      week.mean += percent;
    }
    for (const ItemRow& item : row.items) {
      if (item.max_points <= 0) continue;
      TermItem& found = items_[{row.lab, item.id}];
      found.lab = row.lab;
      found.item = item.id;
      ++found.grades;
      found.full += item.points + kSamePoints >= item.max_points ? 1 : 0;
      found.none += item.points <= kSamePoints ? 1 : 0;
      found.mean += 100 * item.points / item.max_points;
    }
  }

  Term term_;
  std::map<std::pair<std::string, std::string>, TermItem> items_;
  std::map<Instant, TermWeek> weeks_;
};

/// The results folders in a folder: itself, those in it, and those in folders of years in it.
std::vector<fs::path> runs_in(const fs::path& whole) {
  std::vector<fs::path> runs;
  std::error_code error;
  const auto is_run = [&](const fs::path& path) { return fs::exists(path / "grades.json", error); };
  if (is_run(whole)) runs.push_back(whole);
  for (const fs::directory_entry& entry : fs::directory_iterator(whole, error)) {
    if (is_run(entry.path())) {
      runs.push_back(entry.path());
    } else if (entry.is_directory(error)) {
      for (const fs::directory_entry& inner : fs::directory_iterator(entry.path(), error)) {
        if (is_run(inner.path())) runs.push_back(inner.path());
      }
    }
  }
  std::sort(runs.begin(), runs.end());
  return runs;
}

std::string day_text(const std::optional<Instant>& at) {
  return at ? instant_text(*at).substr(0, 10) : "unknown";
}

std::string share(std::size_t part, std::size_t all) {
  return all == 0 ? "-" : fmt::format("{:.0f} %", 100.0 * double(part) / double(all));
}

}  // namespace

std::vector<const TermItem*> items_without_information(const Term& term, bool full) {
  std::vector<const TermItem*> found;
  for (const TermItem& item : term.items) {
    const std::size_t same = full ? item.full : item.none;
    const bool nearly = double(same) >= (1 - kNearly) * double(item.grades);
    if (item.grades >= kFewest && nearly) found.push_back(&item);
  }
  return found;
}

Term read_term(const fs::path& folder, std::size_t jobs) {
  std::error_code error;
  const fs::path whole = fs::absolute(folder / ".", error).lexically_normal().parent_path();
  const std::vector<fs::path> runs = runs_in(whole);
  if (runs.empty()) {
    throw UsageError(
        fmt::format("{} contains no results of `warpgrade grade`; expected folders "
                    "with grades.json",
                    folder.string()));
  }
  TermReader reader;
  for (const fs::path& run : runs) {
    const bool is_whole = run == whole;
    reader.run(run, (is_whole ? run.filename() : run.lexically_relative(whole)).string(), jobs);
  }
  return reader.finish();
}

std::string term_text(const Term& term) {
  std::string text = fmt::format("{:<16} {:<16} {:<10} {:<10} {:>8} {:>8} {:>7} {:>7}\n", "run",
                                 "lab", "first", "last", "students", "attempts", "mean %", "full");
  for (const TermLab& lab : term.labs) {
    text += fmt::format("{:<16} {:<16} {:<10} {:<10} {:>8} {:>8} {:>7.1f} {:>7}\n",
                        one_line(lab.run).substr(0, 16), lab.lab, day_text(lab.first),
                        day_text(lab.last), lab.students, lab.attempts, lab.mean,
                        share(lab.full, lab.scored));
  }
  std::vector<std::pair<std::size_t, std::string>> pitfalls;
  for (const auto& [id, count] : term.pitfalls) pitfalls.emplace_back(count, id);
  std::sort(pitfalls.rbegin(), pitfalls.rend());
  for (const auto& [count, id] : pitfalls) {
    text += fmt::format("pitfall {:<6} {:>4}\n", id, count);
  }
  for (const bool full : {true, false}) {
    for (const TermItem* item : items_without_information(term, full)) {
      text += fmt::format("{} gets {} of {} ({} of {} grades)\n",
                          full ? "nearly everybody" : "nearly nobody", item->item, item->lab,
                          full ? item->full : item->none, item->grades);
    }
  }
  for (const auto& [lab, progress] : term.progress) {
    if (progress.hints.named == 0 && progress.attempts.empty()) continue;
    text += fmt::format("{}: the named pitfall is gone in the next attempt in {} of {}", lab,
                        progress.hints.followed, progress.hints.named);
    if (!progress.attempts.empty()) {
      text += fmt::format("; median {:g} attempts", median_of(progress.attempts));
      if (!progress.hours.empty()) text += fmt::format(" and {:.1f} h", median_of(progress.hours));
      text += " from the first failing attempt to full points";
    }
    text += "\n";
  }
  return text;
}

}  // namespace warpgrade
