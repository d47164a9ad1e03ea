#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/core/instant.h"
#include "harness/core/names.h"

namespace warpgrade {

/// What a person has decided.
enum class DecisionKind : std::uint8_t {
  points,  // of an item, or of the whole lab: also what is graded by hand
  comment,  // on a line of the submission
  inquiry,  // a student's question about the grade
  answer,  // to the inquiry before it
  note,  // to the student
  excuse,  // the lab does not count for the student
  extension,  // of the lab's due date, for the student
  release,  // of the lab's hidden cases, to all students
  regrade,  // the lab's grades were replaced by those of a regrade
  withdraw,  // an earlier decision does not count any more
};
constexpr auto names_of(DecisionKind) {
  return names_up_to<DecisionKind::withdraw>("points", "comment", "inquiry", "answer", "note",
                                             "excuse", "extension", "release", "regrade",
                                             "withdraw");
}

/// One decision. Files are only appended to: what is superseded stays, as the audit trail.
struct Decision {
  DecisionKind kind = DecisionKind::points;
  /// A name or id of the roster; after load_course(), the roster's name. Empty for a release and a
  /// regrade.
  std::string student;
  std::string lab;
  std::string item = {};  // of `points`, or what is withdrawn of it; empty: the whole lab
  std::optional<double> points = std::nullopt;
  std::string file = {};  // of a comment
  int line = 0;
  std::optional<double> days = std::nullopt;  // of an extension, or `until`
  std::optional<Instant> until = std::nullopt;
  std::optional<DecisionKind> withdrawn = std::nullopt;
  /// For the student: a comment, an inquiry, an answer, a note. For staff: what a regrade changed.
  std::string text = {};
  std::string reason = {};  // for the student and the audit trail
  std::string by = {};
  Instant at = {};
  std::string where = {};  // "decisions/lab1.toml, decision 3"; not written
};

/// The decisions of a course, in the order of their times.
class Decisions {
 public:
  Decisions() = default;
  explicit Decisions(std::vector<Decision> all);

  [[nodiscard]] const std::vector<Decision>& all() const { return all_; }
  [[nodiscard]] std::vector<const Decision*> about(std::string_view student,
                                                   std::string_view lab) const;
  /// The last decision of a kind that was not withdrawn; null if there is none.
  /// @param item  of `points`; empty: the whole lab's
  [[nodiscard]] const Decision* current(DecisionKind kind, std::string_view student,
                                        std::string_view lab, std::string_view item = {}) const;
  /// The current points of items, one for each item.
  [[nodiscard]] std::vector<const Decision*> item_points(std::string_view student,
                                                         std::string_view lab) const;
  /// Gives each student that a decision is about the name that the function returns.
  void rename_students(const std::function<std::string(const std::string&)>& name);
  /// The same for the authors of inquiries, who are students and sign with a name of their own:
  /// they get the name of the student that the inquiry is about.
  void rename_authors_of_inquiries();

 private:
  std::vector<Decision> all_;
};

/// Reads a file with [[decision]] tables, or all *.toml of a folder; none if it does not exist.
/// @param root  messages name files relative to it
/// @throws LabError  "decisions/lab1.toml:12: what is wrong; what to do"
[[nodiscard]] Decisions read_decisions(const std::filesystem::path& path,
                                       const std::filesystem::path& root);

/// A decision as text that can be appended to a file.
[[nodiscard]] std::string decision_text(const Decision& decision);

/// Appends to a file, which is created if it does not exist.
/// @throws EnvironmentError  if it cannot be written
void append_decision(const std::filesystem::path& file, const Decision& decision);

/// What it is about, without who and why: "points of item race: 5".
[[nodiscard]] std::string decision_about(const Decision& decision);

}  // namespace warpgrade
