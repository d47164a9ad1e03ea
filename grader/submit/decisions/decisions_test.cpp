#include "grader/submit/decisions/decisions.h"

#include <catch2/catch_test_macros.hpp>
#include <string>

#include "grader/core/files.h"
#include "harness/core/lab_error.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

Instant at(std::string_view text) {
  std::string problem;
  return parse_instant(text, problem).value();
}

constexpr const char* kEntry = R"toml([[decision]]
kind = "points"
student = "s01"
lab = "vecadd"
item = "build"
points = 3
by = "ann"
at = 2026-11-30T10:00:00Z
)toml";

/// What is wrong with a file of decisions.
std::string problem(const std::string& toml) {
  const ScratchFolder folder;
  write_file_atomically(folder.path() / "decisions" / "a.toml", toml);
  try {
    (void)read_decisions(folder.path() / "decisions", folder.path());
    return "";
  } catch (const LabError& error) {
    return error.what();
  }
}

std::string with(const std::string& from, const std::string& to) {
  std::string text = std::string("schema = 1\n") + kEntry;
  text.replace(text.find(from), from.size(), to);
  return text;
}

Decision points(const char* when, double value, const std::string& item = "") {
  Decision decision;
  decision.student = "s01";
  decision.lab = "vecadd";
  decision.item = item;
  decision.points = value;
  decision.by = "ann";
  decision.at = at(when);
  return decision;
}

TEST_CASE("what is appended to a file of decisions is read again", "[decisions]") {
  const ScratchFolder folder;
  const fs::path file = folder.path() / "decisions" / "lab1.toml";
  Decision comment = points("2026-11-30T10:00:00Z", 0);
  comment.kind = DecisionKind::comment;
  comment.points.reset();
  comment.file = "vecadd.cu";
  comment.line = 12;
  comment.text = "Why \"256\"?\nA \\ and \xC3\xA4";
  Decision longer = points("2026-11-30T11:00:00Z", 0);
  longer.kind = DecisionKind::extension;
  longer.points.reset();
  longer.days = 2.5;
  longer.reason = "ill";
  append_decision(file, comment);
  append_decision(file, points("2026-11-30T12:00:00Z", 7.5, "report"));
  append_decision(file, longer);
  const Decisions read = read_decisions(folder.path() / "decisions", folder.path());
  REQUIRE(read.all().size() == 3);
  CHECK(read.all()[0].text == comment.text);
  CHECK(read.all()[0].line == 12);
  CHECK(read.all()[1].days == 2.5);  // in the order of their times
  CHECK(read.all()[2].points == 7.5);
  CHECK(read.all()[2].where == "decisions/lab1.toml, decision 2");
}

TEST_CASE("the last decision counts, and a withdrawn one does not", "[decisions]") {
  Decision withdrawn = points("2026-11-30T12:00:00Z", 0, "build");
  withdrawn.kind = DecisionKind::withdraw;
  withdrawn.withdrawn = DecisionKind::points;
  const std::vector<Decision> two = {points("2026-11-30T11:00:00Z", 5, "build"),
                                     points("2026-11-30T10:00:00Z", 3, "build")};
  const Decisions decisions(two);
  const auto current = [](const Decisions& all, const char* student, const char* item) {
    const Decision* found = all.current(DecisionKind::points, student, "vecadd", item);
    return found == nullptr ? -1 : *found->points;
  };
  CHECK(current(decisions, "s01", "build") == 5);
  CHECK(current(decisions, "s02", "build") == -1);
  CHECK(current(decisions, "s01", "") == -1);  // not the whole lab
  CHECK(decisions.item_points("s01", "vecadd").size() == 1);
  std::vector<Decision> three = two;
  three.push_back(withdrawn);
  CHECK(current(Decisions(three), "s01", "build") == -1);
  CHECK(Decisions(three).about("s01", "vecadd").size() == 3);  // the trail stays
}

TEST_CASE("an invalid decision is one line with file, place and what to do", "[decisions]") {
  CHECK(problem(with("schema", "schema")).empty());
  CHECK(problem(with("points = 3", "points = -3")).starts_with("decisions/a.toml:7: "));
  CHECK(problem(with("kind = \"points\"", "kind = \"point\"")).find("decisions/a.toml:3: ") == 0);
  CHECK(problem(with("by = \"ann\"\n", "")).find("key 'by'") != std::string::npos);
  CHECK(problem(with("T10:00:00Z", "T10:00:00")).find("time zone") != std::string::npos);
  CHECK(problem(with("item = ", "itme = ")).find("itme") != std::string::npos);
  CHECK(problem(with("kind = \"points\"", "kind = \"excuse\"")) != "");
  CHECK(problem("schema = 2\n").find("schema = 1") != std::string::npos);
}

TEST_CASE("a release names no student, and everything else does", "[decisions]") {
  const std::string release =
      "schema = 1\n[[decision]]\nkind = \"release\"\nlab = \"vecadd\"\nby = \"ann\"\n"
      "at = 2026-11-30T10:00:00Z\n";
  CHECK(problem(release).empty());
  CHECK(problem(release + "student = \"s01\"\n").find("unknown key 'student'") !=
        std::string::npos);
  CHECK(problem(with("student = \"s01\"\n", "")).find("key 'student'") != std::string::npos);
}

TEST_CASE("a regrade names no student, says what and why, and is not withdrawn", "[decisions]") {
  const std::string head =
      "schema = 1\n[[decision]]\nlab = \"vecadd\"\nby = \"ann\"\nat = 2026-11-30T10:00:00Z\n"
      "reason = \"a case was wrong\"\n";
  CHECK(problem(head + "kind = \"regrade\"\ntext = \"3 grades\"\n").empty());
  CHECK(problem(head + "kind = \"regrade\"\n").find("key 'text'") != std::string::npos);
  CHECK(problem(head + "kind = \"withdraw\"\nof = \"regrade\"\n").find("regrade again") !=
        std::string::npos);
}

TEST_CASE("a course without decisions has none", "[decisions]") {
  const ScratchFolder folder;
  CHECK(read_decisions(folder.path() / "decisions", folder.path()).all().empty());
}

}  // namespace
}  // namespace warpgrade
