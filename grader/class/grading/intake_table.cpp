#include "grader/class/grading/intake_table.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "grader/core/text.h"
#include "grader/submit/submission/guess.h"
#include "harness/core/plural.h"

namespace warpgrade {
namespace {

constexpr std::size_t kWidestCell = 60;
constexpr const char* kByName = "by its name";

std::vector<const Lab*> pointers(const std::vector<Lab>& labs) {
  std::vector<const Lab*> all;
  for (const Lab& lab : labs) all.push_back(&lab);
  return all;
}

/// Why these files are graded for the lab.
std::string why_taken(const ClassIntake& taken, const StudentEntry& student, const Lab& lab) {
  if (student.assigned.contains(lab.id)) return "by the mapping";
  for (const Guess& guess : taken.intake.listing.content.guesses) {
    if (guess.student == student.student && guess.lab == lab.id) return guess.why;
  }
  return kByName;
}

/// Whether a byte of UTF-8 begins a character.
bool begins_letter(char c) {
  return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
}

/// Characters of a text in UTF-8.
std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), begins_letter));
}

std::string cell(const std::string& text) {
  std::string shown = one_line(text);
  if (width_of(shown) <= kWidestCell) return shown;
  std::size_t size = 0;
  for (std::size_t letters = 0; letters < kWidestCell - 3; ++letters) {
    do {
      ++size;
    } while (!begins_letter(shown[size]));
  }
  return shown.substr(0, size) + "...";
}

std::string files_text(const std::vector<std::string>& files) {
  std::string text;
  for (const std::string& file : files) text += (text.empty() ? "" : ", ") + file;
  return text.empty() ? "-" : text;
}

/// The first names of a list, and how many more there are.
std::string first_names(std::vector<std::string> names) {
  constexpr std::size_t kShown = 10;
  const std::size_t more = names.size() - std::min(names.size(), kShown);
  names.resize(names.size() - more);
  if (more > 0) names.push_back(fmt::format("{} more", more));
  return join_and(names);
}

/// Rows as columns that are as wide as their widest cell.
class TextTable {
 public:
  void add(std::vector<std::string> row) {
    widths_.resize(std::max(widths_.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) {
      row[i] = cell(row[i]);
      widths_[i] = std::max(widths_[i], width_of(row[i]));
    }
    rows_.push_back(std::move(row));
  }
  [[nodiscard]] std::string text() const {
    std::string text;
    for (const std::vector<std::string>& row : rows_) {
      for (std::size_t i = 0; i + 1 < row.size(); ++i) {
        text += row[i] + std::string(widths_[i] - width_of(row[i]) + 2, ' ');
      }
      text += row.back() + "\n";
    }
    return text;
  }

 private:
  std::vector<std::vector<std::string>> rows_;
  std::vector<std::size_t> widths_;
};

}  // namespace

std::vector<MappingLine> mapping_of(const ClassIntake& taken) {
  std::vector<MappingLine> lines;
  const std::vector<const Lab*> labs = pointers(taken.labs);
  for (const StudentEntry& student : taken.intake.students()) {
    const std::size_t before = lines.size();
    for (const Lab* lab : labs) {
      if (!has_submission(student, *lab)) continue;
      const StudentEntry& attempt = *taken.intake.attempts(student, *lab).back();
      const SubmissionRecord record = taken.intake.record(student, attempt, *lab);
      lines.push_back({.work = record.came_as,
                       .student = student.student,
                       .lab = lab->id,
                       .files = record.files,
                       .why = why_taken(taken, student, *lab)});
    }
    if (lines.size() > before) continue;
    const std::string why = !student.problem.empty() ? student.problem
                            : !student.fault.empty() ? student.fault
                                                     : "nothing in it is named like a lab";
    lines.push_back({.work = student.came_as,
                     .student = student.student,
                     .lab = "",
                     .files = left_out(student, labs),
                     .why = why});
  }
  return lines;
}

std::string intake_text(const ClassIntake& taken) {
  const Intake& intake = taken.intake;
  TextTable table;
  table.add({"student", "lab", "graded", "submitted", "why"});
  std::set<std::string> with_work;
  std::vector<std::string> without_work;
  for (const MappingLine& line : mapping_of(taken)) {
    const auto lab = std::find_if(taken.labs.begin(), taken.labs.end(),
                                  [&](const Lab& l) { return l.id == line.lab; });
    const StudentEntry* student = intake.find(line.student);
    std::string when = "-";
    std::string why = line.why;
    if (lab != taken.labs.end() && student != nullptr) {
      with_work.insert(line.student);
      const auto attempts = intake.attempts(*student, *lab);
      const auto at = intake.record(*student, *attempts.back(), *lab).submitted;
      when = at ? instant_text(*at) : "unknown";
      if (attempts.back()->attempt > 1) {
        why += fmt::format(", attempt {}", attempts.back()->attempt);
      }
      const StudentEntry& submitter = intake.submitter(*student, *lab);
      const std::vector<std::string> members = intake.other_members(*student, *lab);
      if (&submitter != student) {
        why = fmt::format("not graded: the group's submission is {}'s", submitter.student);
      } else if (!members.empty()) {
        why += fmt::format(", also for {}", join_and(members));
      }
    }
    if (line.lab.empty()) without_work.push_back(one_line(line.student));
    table.add({line.student, line.lab.empty() ? "-" : line.lab, files_text(line.files), when, why});
  }
  std::string text = table.text();
  std::vector<std::string> absent;
  for (const RosterEntry& entry : intake.course.roster.entries) {
    const std::set<std::string> group = intake.course.groups.with(entry.student);
    const bool by_group = std::any_of(group.begin(), group.end(), [&](const std::string& name) {
      return intake.find(name) != nullptr;
    });
    if (!by_group && intake.find(entry.student) == nullptr) {
      absent.push_back(printable(entry.student));
    }
  }
  text += fmt::format("{} with work for {}.\n", plural(with_work.size(), "student"),
                      plural(taken.labs.size(), "lab"));
  const bool is_complete = intake.unclear.empty() && without_work.empty();
  if (!without_work.empty()) {
    text += fmt::format("Submitted, and nothing in it is graded: {}.\n",
                        first_names(std::move(without_work)));
  }
  if (!absent.empty()) {
    text +=
        fmt::format("In the roster, and nothing came in: {}.\n", first_names(std::move(absent)));
  }
  if (is_complete) return text + "All submitted files were recognized.\n";
  if (intake.unclear.empty()) return text;
  text += fmt::format("Not recognized ({}):\n", intake.unclear.size());
  for (const auto& [what, say] : intake.unclear) {
    text += fmt::format("  {}\n    -> {}\n", one_line(what), one_line(say));
  }
  return text;
}

}  // namespace warpgrade
