#include "grader/class/grading/closing_list.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <vector>

#include "grader/core/text.h"
#include "grader/submit/submission/guess.h"

namespace warpgrade {
namespace {

constexpr std::size_t kLongestName = 200;  // bytes of a path or a reason
constexpr std::size_t kFilesShown = 5;  // of one student; and students with the same error

std::string short_line(const std::string& text) {
  return one_line(text).substr(0, kLongestName);
}

std::string unclear_text(const std::vector<Unclear>& unclear) {
  if (unclear.empty()) return "All submitted files were recognized.\n";
  std::string text = fmt::format("Not recognized ({}):\n", unclear.size());
  for (const auto& [what, say] : unclear) {
    text += fmt::format("  {}\n    -> {}\n", one_line(what), one_line(say));
  }
  return text;
}

/// Lines of one kind, by lab.
class Section {
 public:
  explicit Section(std::string title) : title_(std::move(title)) {}

  void add(const std::string& lab, std::string line) {
    lines_[lab].push_back(std::move(line));
    ++count_;
  }
  [[nodiscard]] std::string text() const {
    if (count_ == 0) return {};
    std::string text = fmt::format("{} ({}):\n", title_, count_);
    for (const auto& [lab, lines] : lines_) {
      text += fmt::format("  {}\n", lab);
      for (const std::string& line : lines) text += fmt::format("    {}\n", line);
    }
    return text;
  }

 private:
  std::string title_;
  std::map<std::string, std::vector<std::string>> lines_;
  std::size_t count_ = 0;
};

std::string guessed(const std::vector<Guess>& guesses) {
  Section section("Taken although named otherwise");
  for (const Guess& guess : guesses) {
    section.add(guess.lab, fmt::format("{}: {}, {}", one_line(guess.student),
                                       short_line(guess.path), guess.why));
  }
  return section.text();
}

std::string zeros(const ClassWork& work, const Gradebook& book) {
  Section section("0 points");
  Section by_rules("0 points under the course's rules");
  for (const GradeRow& row : book.rows) {
    if (row.status != GradeStatus::graded) continue;
    if (row.score <= 0) {
      section.add(row.lab, fmt::format("{}: {}", one_line(row.student), short_line(row.summary)));
      continue;
    }
    const Standing standing = work.record.standing(row);
    if (standing.counts() && standing.adjusted <= 0) {
      by_rules.add(row.lab,
                   fmt::format("{}: {}", one_line(row.student), one_line(standing.because)));
    }
  }
  return section.text() + by_rules.text();
}

/// Errors that are not a student's; one that several have is one line.
std::string without_grade(const Gradebook& book) {
  std::map<std::pair<std::string, std::string>, std::vector<std::string>> students;
  for (const GradeRow& row : book.rows) {
    if (row.status != GradeStatus::error) continue;
    students[{row.lab, row.summary}].push_back(one_line(row.student));
  }
  Section section("Not graded because of an error, and without a score until graded again");
  for (auto& [key, names] : students) {
    const std::size_t more = names.size() - std::min(names.size(), kFilesShown);
    names.resize(names.size() - more);
    if (more > 0) names.push_back(fmt::format("{} more", more));
    section.add(key.first, fmt::format("{}: {}", join_and(names), one_line(key.second)));
  }
  return section.text();
}

std::string of_no_lab(const ClassWork& work) {
  std::vector<std::string> lines;
  const auto labs = work.labs();
  for (const StudentEntry& student : work.intake.students()) {
    std::vector<std::string> files = left_out(student, labs);
    if (files.empty()) continue;
    const std::size_t more = files.size() - std::min(files.size(), kFilesShown);
    files.resize(files.size() - more);
    for (std::string& file : files) file = short_line(file);
    if (more > 0) files.push_back(fmt::format("{} more", more));
    lines.push_back(fmt::format("  {}: {}\n", one_line(student.student), join_and(files)));
  }
  if (lines.empty()) return {};
  std::string text = fmt::format("Programs that were left out ({}):\n", lines.size());
  for (const std::string& line : lines) text += line;
  text +=
      "    -> if one is for a lab: name it <lab>.cu, or list the lab in course.toml, or use "
      "--lab\n";
  return text;
}

}  // namespace

std::string closing_list(const ClassWork& work, const Gradebook& book) {
  return unclear_text(work.intake.unclear) + guessed(work.intake.listing.content.guesses) +
         zeros(work, book) + without_grade(book) + of_no_lab(work);
}

}  // namespace warpgrade
