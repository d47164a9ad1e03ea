#include <fmt/core.h>

#include <algorithm>

#include "grader/class/export/export.h"
#include "grader/core/plural_points.h"
#include "grader/core/text.h"

namespace warpgrade {
namespace {

/// Text for XML 1.0, in an attribute or between tags.
std::string xml(std::string_view raw) {
  std::string text = escaped(raw, [](char c) -> std::string_view {
    switch (c) {
      case '&':
        return "&amp;";
      case '<':
        return "&lt;";
      case '>':
        return "&gt;";
      case '"':
        return "&quot;";
      case '\n':
        return "&#10;";  // a newline in an attribute is read as a space
      default:
        return {};
    }
  });
  // The two code points that are valid in UTF-8 but not in XML 1.0.
  text = replace_all(text, "\xEF\xBF\xBE", "\xEF\xBF\xBD");
  return replace_all(text, "\xEF\xBF\xBF", "\xEF\xBF\xBD");
}

struct Counts {
  std::size_t tests = 0;
  std::size_t failures = 0;
  std::size_t errors = 0;
  std::size_t skipped = 0;
  double seconds = 0;

  void add(const Counts& other) {
    tests += other.tests;
    failures += other.failures;
    errors += other.errors;
    skipped += other.skipped;
    seconds += other.seconds;
  }
  [[nodiscard]] std::string attributes() const {
    return fmt::format(R"(tests="{}" failures="{}" errors="{}" skipped="{}" time="{:.3f}")", tests,
                       failures, errors, skipped, seconds);
  }
};

/// The contents of <testcase>; empty for a pass.
std::string outcome(const Item& item, Counts& counts) {
  const std::string points =
      fmt::format("{} of {}", human_points(item.points), plural_points(item.max_points));
  const std::string body = item.hint.empty() ? points : points + "\n" + item.hint;
  switch (item.status) {
    case ItemStatus::passed:
      return {};
    case ItemStatus::not_assessed:
      ++counts.skipped;
      return fmt::format("      <skipped message=\"{}\"/>\n", xml(item.message));
    case ItemStatus::error:
      ++counts.errors;
      return fmt::format("      <error type=\"grader\" message=\"{}\"/>\n", xml(item.message));
    default:
      ++counts.failures;
      return fmt::format("      <failure type=\"{}\" message=\"{}\">{}</failure>\n",
                         xml(item.pitfall.empty() ? slug(item.status) : item.pitfall),
                         xml(item.message), xml(body));
  }
}

std::string testcase(std::string_view lab, std::string_view category, std::string_view name,
                     double seconds, const std::string& inside) {
  const std::string head =
      fmt::format("    <testcase classname=\"{}.{}\" name=\"{}\" time=\"{:.3f}\"", xml(lab),
                  xml(category), xml(name), seconds);
  return inside.empty() ? head + "/>\n" : head + ">\n" + inside + "    </testcase>\n";
}

/// The time of an item's case; 0 for other items.
double seconds_of(const Grade& grade, const Item& item) {
  const auto it = std::find_if(grade.cases.begin(), grade.cases.end(), [&](const CaseReport& c) {
    return item.id == "correctness/" + c.name;
  });
  return it == grade.cases.end() ? 0 : it->seconds;
}

std::string suite(const GradeRow& row, const ExportInput& input, Counts& total) {
  const Grade grade = input.grade(row);
  const StudentView view = view_of(grade, row, input);
  Counts counts;
  std::string cases;
  for (const Item& item : listed_items(view)) {
    const double seconds = seconds_of(view.grade, item);
    ++counts.tests;
    counts.seconds += seconds;
    const std::string inside = outcome(item, counts);
    cases += testcase(grade.lab, slug(item.category), item.title, seconds, inside);
  }
  if (!view.released) {
    ++counts.tests;
    ++counts.skipped;
    const std::string count = hidden_text(view.hidden_cases);
    cases += testcase(
        grade.lab, "correctness", count, 0,
        fmt::format("      <skipped message=\"{}\"/>\n", xml(count + "; " + view.release)));
  }
  total.add(counts);
  // xs:dateTime without a zone, as in the common schema.
  const std::string timestamp = grade.started.substr(0, 19);
  return fmt::format("  <testsuite name=\"{}\" {} timestamp=\"{}\">\n{}  </testsuite>\n",
                     xml(row.student + "/" + row.lab), counts.attributes(), xml(timestamp), cases);
}

}  // namespace

/// JUnit XML as read by Jenkins, GitLab and GitHub Actions: one suite per grade, one test per item
/// of the rubric. An internal error is an <error>; an item that this machine cannot assess is
/// <skipped>.
///
/// @source the schema of the Jenkins xunit plugin, junit-10.xsd
Exported export_junit(const ExportInput& input) {
  Counts total;
  std::string suites;
  Exported exported{.files = {}, .notes = withheld_notes(input)};
  for (const GradeRow& row : input.book.rows) {
    if (!row.by_hand) suites += suite(row, input, total);
  }
  exported.files.push_back(
      {"", fmt::format("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"warpgrade\" "
                       "{}>\n{}</testsuites>\n",
                       total.attributes(), suites)});
  return exported;
}

}  // namespace warpgrade
