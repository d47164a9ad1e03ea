#include "grader/class/export/export.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <map>
#include <nlohmann/json.hpp>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validation_results.hpp>
#include <valijson/validator.hpp>

#include "grader/core/csv.h"
#include "grader/core/files.h"
#include "grader/core/source_root.h"
#include "grader/process/process.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

using Fields = std::vector<std::string>;

fs::path rules() {
  return fs::path(kSourceRoot) / "grader" / "class" / "export" / "rules";
}

Instant at(std::string_view text) {
  std::string problem;
  return parse_instant(text, problem).value();
}

/// 70 points: a visible case that passes, a hidden one with n = 4099 that fails, and items for
/// each.
Grade grade_of(const std::string& student) {
  Grade g;
  g.lab = "vecadd";
  g.lab_title = "Vector addition";
  g.student = student;
  g.started = "2026-11-21T09:30:00Z";
  g.seconds = 3.2;
  g.summary = "Look at case \"secret\".";
  g.output = "printed by the student";
  const auto item = [&](const char* id, Category category, const char* title, double points,
                        double max, ItemStatus status, const char* message) {
    g.items.push_back({.id = id,
                       .category = category,
                       .title = title,
                       .points = points,
                       .max_points = max,
                       .status = status,
                       .message = message,
                       .hint = status == ItemStatus::passed ? "" : "a hint",
                       .pitfall = ""});
  };
  item("build", Category::build, "It builds", 5, 5, ItemStatus::passed, "");
  item("correctness/small", Category::correctness, "small", 45, 45, ItemStatus::passed, "");
  item("correctness/secret", Category::correctness, "secret", 0, 30, ItemStatus::failed,
       "c[4098] is wrong");
  item("safety", Category::safety, "No memory errors", 10, 10, ItemStatus::passed, "Clean.");
  item("concept/loads", Category::concept_check, "Loads", 10, 10, ItemStatus::passed,
       "counted on secret data");
  CaseReport small;
  small.name = "small";
  small.shape = {{"n", 100}};
  small.verdict = CaseVerdict::passed;
  small.seconds = 0.25;
  CaseReport secret = small;
  secret.name = "secret";
  secret.visible = false;
  secret.shape = {{"n", 4099}};
  secret.verdict = CaseVerdict::wrong;
  g.cases = {small, secret};
  g.before_release = BeforeRelease{.hidden_cases = 1, .assessment = {.summary = "Nothing to fix."}};
  std::vector<Item>& shown = g.before_release->assessment.items;
  for (const Item& i : g.items) {
    if (i.id != "correctness/secret") shown.push_back(i);
  }
  Item& loads = shown.back();
  loads.message = "Satisfied in a hidden case.";
  Item sum = g.items[2];
  sum.id = kHiddenItem;
  sum.title = "1 hidden case";
  sum.message = sum.hint = "";
  shown.insert(shown.begin() + 2, sum);
  return g;
}

/// A class in memory.
class TestClass {
 public:
  TestClass() { input.now = at("2026-11-25T00:00:00Z"); }

  Grade& add(Grade grade) {
    const std::string student = grade.student;
    const auto it = grades_.insert_or_assign(student, std::move(grade)).first;
    return it->second;
  }
  RosterEntry& enrol(const std::string& student, const std::string& name) {
    RosterEntry entry;
    entry.student = student;
    entry.name = name;
    input.record.course.file = "course.toml";
    input.record.course.roster.entries.push_back(entry);
    return input.record.course.roster.entries.back();
  }
  Exported run(const char* format) {
    input.book.rows.clear();
    for (const auto& [student, grade] : grades_) input.book.rows.push_back(row_of(grade));
    input.grade = [this](const GradeRow& row) { return grades_.at(row.student); };
    return export_format(format).run(input);
  }
  std::string text(const char* format) { return run(format).files.at(0).content; }

  ExportInput input;

 private:
  std::map<std::string, Grade> grades_;
};

std::vector<Fields> table(const std::string& csv) {
  std::string problem;
  std::vector<Fields> rows;
  for (CsvRow& row : parse_csv(csv, problem)) rows.push_back(std::move(row.fields));
  CHECK(problem.empty());
  for (const Fields& row : rows) CHECK(row.size() == rows.front().size());
  return rows;
}

std::string gradescope_violation(const std::string& text) {
  const auto document = nlohmann::json::parse(text);
  const auto rule = nlohmann::json::parse(read_file(rules() / "gradescope-results.schema.json"));
  valijson::Schema schema;
  valijson::SchemaParser().populateSchema(valijson::adapters::NlohmannJsonAdapter(rule), schema);
  valijson::Validator validator;
  valijson::ValidationResults results;
  if (validator.validate(schema, valijson::adapters::NlohmannJsonAdapter(document), &results)) {
    return {};
  }
  valijson::ValidationResults::Error error;
  results.popError(error);
  return error.description;
}

/// xmllint's errors for a document under the JUnit schema; empty if it is valid.
std::string junit_violation(const std::string& text) {
  const ScratchFolder scratch;
  write_file_atomically(scratch.path() / "junit.xml", text);
  ProcessSpec spec;
  spec.argv = {"xmllint",
               "--noout",
               "--nonet",
               "--schema",
               (rules() / "junit.xsd").string(),
               (scratch.path() / "junit.xml").string()};
  spec.environment = base_environment();
  const ProcessResult result = run_process(spec);
  return result.ok() ? "" : result.out + result.err + "(not valid)";
}

bool has_xmllint() {
  ProcessSpec spec;
  spec.argv = {"sh", "-c", "command -v xmllint"};
  spec.environment = base_environment();
  return run_process(spec).ok();
}

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

/// Fails if any trace of the hidden case is in a text for students.
void check_hides(const std::string& text) {
  for (const char* trace : {"secret", "4099", "4098", "a hint", "printed by"}) {
    INFO(trace << " in\n" << text);
    CHECK_FALSE(contains(text, trace));
  }
}

TEST_CASE("Canvas's import has its columns, the points possible, and the students' ids",
          "[export][canvas]") {
  TestClass c;
  c.add(grade_of("s01"));
  RosterEntry& jane = c.enrol("s01", "Doe, \"J\"");
  jane.canvas_id = "42";
  jane.sis_id = "u42";
  jane.sis_login = "jdoe";
  jane.section = "A";
  c.enrol("s02", "=HYPERLINK(\"x\")");
  c.input.record.course.labs["vecadd"].canvas = "Lab 1 (77)";
  const Exported exported = c.run("canvas");
  const auto rows = table(exported.files.at(0).content);
  REQUIRE(rows.size() == 4);
  CHECK(rows[0] == Fields{"Student", "ID", "SIS User ID", "SIS Login ID", "Section", "Lab 1 (77)"});
  CHECK(rows[1] == Fields{"    Points Possible", "", "", "", "", "100"});
  CHECK(rows[2] == Fields{"Doe, \"J\"", "42", "u42", "jdoe", "A", "70"});
  CHECK(rows[3] == Fields{"'=HYPERLINK(\"x\")", "", "", "", "", ""});
  CHECK(exported.notes == Fields{"vecadd: no grade, hence an empty cell, for s02",
                                 "1 student has no canvas_id, sis_id or sis_login in the roster: "
                                 "Canvas may not find them"});
}

TEST_CASE("Moodle's import has columns that identify a student, and the grade",
          "[export][moodle]") {
  TestClass c;
  c.add(grade_of("s01"));
  RosterEntry& jane = c.enrol("s01", "Jane Doe");
  jane.moodle_id = "M1";
  jane.moodle_username = "jdoe";
  jane.email = "j@x.org";
  const auto rows = table(c.text("moodle"));
  REQUIRE(rows.size() == 2);
  CHECK(rows[0] ==
        Fields{"Full name", "ID number", "Username", "Email address", "Vector addition"});
  CHECK(rows[1] == Fields{"Jane Doe", "M1", "jdoe", "j@x.org", "70"});
}

TEST_CASE("an internal error is exported as nothing, never as 0, with a message", "[export]") {
  const GradeStatus status = GENERATE(GradeStatus::error, GradeStatus::partial);
  TestClass c;
  Grade fault = grade_of("s01");
  fault.status = status;
  for (Item& item : fault.items) {
    item.points = 0;
    item.status = status == GradeStatus::error ? ItemStatus::error : ItemStatus::not_assessed;
    item.message = "The grader failed.";
  }
  c.add(fault);
  c.input.staff = true;
  for (const char* format : {"canvas", "moodle", "csv", "gradescope", "junit", "markdown"}) {
    INFO(format);
    const Exported exported = c.run(format);
    REQUIRE_FALSE(exported.notes.empty());
    CHECK(contains(exported.notes[0], "s01, vecadd: no score is exported: "));
  }
  CHECK(table(c.text("canvas"))[2].back().empty());
  CHECK(table(c.text("moodle"))[1].back().empty());
  CHECK(c.run("gradescope").files.empty());
  const std::string junit = c.text("junit");
  CHECK(contains(junit, "failures=\"0\""));
  CHECK(contains(junit, status == GradeStatus::error
                            ? "<error type=\"grader\" message=\"The grader"
                            : "<skipped message=\"The grader failed.\"/>"));
  CHECK(contains(c.text("markdown"), "**No score**"));
}

TEST_CASE("late penalties reach every export, and the raw score is kept", "[export]") {
  TestClass c;
  c.add(grade_of("s01"));
  c.enrol("s01", "Jane Doe");
  Course& course = c.input.record.course;
  course.labs["vecadd"].due = at("2026-11-20T00:00:00Z");
  course.late.per_day = 10;
  course.release.at = at("2026-11-24T00:00:00Z");
  SubmissionRecord record;
  record.student = "s01";
  record.lab = "vecadd";
  record.submitted = at("2026-11-21T12:00:00Z");
  record.source = TimeSource::table;
  c.input.record.log.add(record);
  CHECK(table(c.text("canvas"))[2].back() == "56");
  CHECK(table(c.text("moodle"))[1].back() == "56");
  const auto results = nlohmann::json::parse(c.text("gradescope"));
  CHECK(results.at("score") == 56);
  CHECK(
      contains(results.at("output").get<std::string>(), "2 days late, 10 % per day = 20 % of 70"));
  const auto csv = table(c.text("csv"));
  CHECK(csv[0].at(4) == "score");
  CHECK(csv[1].at(4) == "70");
  CHECK(csv[1].at(csv[1].size() - 2) == "56");
  CHECK(contains(c.text("markdown"), "**56 / 100** (submitted 2026-11-21T12:00:00Z"));
}

TEST_CASE("Gradescope's results are valid, and hidden cases are hidden in them",
          "[export][gradescope]") {
  TestClass c;
  c.add(grade_of("s01"));
  c.input.staff = true;  // changes nothing: the file is the student's
  const Exported exported = c.run("gradescope");
  REQUIRE(exported.files.size() == 1);
  CHECK(exported.files[0].name == "s01/results.json");
  CHECK(gradescope_violation(exported.files[0].content).empty());
  auto results = nlohmann::json::parse(exported.files[0].content);
  CHECK(results.at("score") == 70);
  CHECK_FALSE(results.contains("execution_time"));  // hidden cases are part of it
  CHECK(results.at("stdout_visibility") == "hidden");
  REQUIRE(results.at("tests").size() == 5);
  CHECK(results.at("tests").at(1).at("visibility") == "visible");
  CHECK(results.at("tests").at(2).at("visibility") == "hidden");
  CHECK(results.at("tests").at(2).at("status") == "failed");
  results.at("tests").erase(2);
  check_hides(results.dump());
  results["tests"][0].erase("visibility");
  CHECK_FALSE(gradescope_violation(results.dump()).empty());
}

TEST_CASE("the release is translated into Gradescope's visibility values", "[export][gradescope]") {
  TestClass c;
  c.add(grade_of("s01"));
  const auto visibility = [&] {
    return nlohmann::json::parse(c.text("gradescope")).at("tests").at(2).at("visibility");
  };
  Release& release = c.input.record.course.release;
  CHECK(visibility() == "hidden");
  release.at = at("2026-11-25T00:00:01Z");
  CHECK(visibility() == "hidden");
  release.at = at("2026-11-25T00:00:00Z");
  CHECK(visibility() == "visible");
  release = {.at_due = true, .at = {}};
  CHECK(visibility() == "after_due_date");
  c.input.record.course.labs["vecadd"].due = at("2026-11-24T00:00:00Z");
  CHECK(visibility() == "visible");
}

TEST_CASE("JUnit XML is valid under its schema, whatever a student's name or output",
          "[export][junit]") {
  if (!has_xmllint()) {
    SKIP("needs xmllint (scripts/setup installs it)");
  }
  TestClass c;
  Grade odd = grade_of("a<b>&\"c'\u202E");
  odd.before_release = BeforeRelease{};
  odd.items[1].status = ItemStatus::failed;
  odd.items[1].message = "]]> \x01 \xff \xEF\xBF\xBF <![CDATA[ &amp; \"two\nlines\"";
  odd.items[1].title = "\"quoted\" & <tagged>";
  odd.items[3].status = ItemStatus::not_assessed;
  odd.items[4].status = ItemStatus::error;
  c.add(odd);
  c.add(grade_of("s02"));
  c.input.staff = GENERATE(false, true);
  const std::string xml = c.text("junit");
  INFO(xml);
  CHECK(junit_violation(xml).empty());
  CHECK_FALSE(junit_violation("<testsuites name=\"x\"/>").empty());
  CHECK_FALSE(junit_violation(xml.substr(0, xml.size() - 5)).empty());
}

TEST_CASE("JUnit's counts match its contents", "[export][junit]") {
  TestClass c;
  c.add(grade_of("s01"));
  c.input.staff = true;
  const std::string xml = c.text("junit");
  CHECK(contains(xml,
                 "<testsuites name=\"warpgrade\" tests=\"5\" failures=\"1\" errors=\"0\" "
                 "skipped=\"0\" time=\"0.500\">"));
  CHECK(
      contains(xml, "<testcase classname=\"vecadd.correctness\" name=\"small\" time=\"0.250\"/>"));
  CHECK(contains(xml,
                 "<failure type=\"failed\" message=\"c[4098] is wrong\">0 of 30 points&#10;a "
                 "hint</failure>"));
  CHECK(contains(xml, "timestamp=\"2026-11-21T09:30:00\""));
}

TEST_CASE("before the release, students see only the number of hidden cases",
          "[export][junit][markdown]") {
  TestClass c;
  c.add(grade_of("s01"));
  c.input.record.course.release.at = at("2026-12-01T00:00:00Z");
  for (const char* format : {"junit", "markdown"}) {
    const std::string text = c.text(format);
    check_hides(text);
    CHECK(contains(text, "1 hidden case"));
    CHECK(contains(text, "their results are shown from 2026-12-01T00:00:00Z"));
  }
  CHECK(contains(c.text("markdown"), "**70 / 70** for the visible part."));
  CHECK(contains(c.text("junit"), "failures=\"0\" errors=\"0\" skipped=\"1\""));

  SECTION("and staff see them, as students do afterwards") {
    const bool staff = GENERATE(true, false);
    c.input.staff = staff;
    c.input.now = staff ? c.input.now : at("2026-12-01T00:00:00Z");
    CHECK(contains(c.text("junit"), "name=\"secret\""));
    CHECK(contains(c.text("markdown"), "| secret | 0 / 30 | failed |"));
    CHECK(contains(c.text("markdown"), "**70 / 100**"));
  }
}

TEST_CASE("the class's file for students says what their pages say", "[export][csv]") {
  TestClass c;
  c.add(grade_of("s01")).integrity = {{.kind = "ended-early", .message = "m", .evidence = ""}};
  check_hides(c.text("csv"));
  CHECK(contains(c.text("csv"), ",0,Nothing to fix."));
  c.input.staff = true;
  CHECK(contains(c.text("csv"), ",1,\"Look at case \"\"secret\"\".\""));
}

TEST_CASE(
    "of a grade without origins of its texts, those that may come from hidden "
    "cases are kept back",
    "[export]") {
  TestClass c;
  Grade& grade = c.add(grade_of("s01"));
  grade.before_release.reset();
  bool built = true;
  SECTION("built") {
    grade.items[3].message = "element 4098 is written twice";
  }
  SECTION("not built, so that no case says whether it is hidden") {
    built = false;
    grade.cases.clear();
    for (Item& item : grade.items) item.message = "Not run: it does not build.";
  }
  for (const char* format : {"junit", "markdown", "csv"}) {
    const std::string text = c.text(format);
    check_hides(text);
    if (format[0] != 'c') CHECK(contains(text, "small") == built);
  }
  CHECK(contains(c.text("markdown"), built ? "1 hidden case:" : "2 hidden cases:"));
  const auto results = nlohmann::json::parse(c.text("gradescope"));
  CHECK(results.at("tests").at(2).at("visibility") == "hidden");
}

TEST_CASE("a student's words cannot become markup in a summary", "[export][markdown]") {
  TestClass c;
  Grade grade = grade_of("s01");
  grade.before_release->assessment.items[0].message = "a|b\n<script> @all [x](y) `z` **b** \u202E";
  c.add(grade);
  CHECK(contains(c.text("markdown"),
                 "a\\|b &lt;script&gt; &#64;all \\[x\\](y) \\`z\\` "
                 "\\*\\*b\\*\\* \\\\u202e"));
}

TEST_CASE("a class's summary has one line per grade, and the course total so far",
          "[export][markdown]") {
  TestClass c;
  c.add(grade_of("s01"));
  c.add(grade_of("s02"));
  c.enrol("s01", "Jane Doe");
  c.input.record.course.labs["vecadd"].weight = 1;
  const std::string text = c.text("markdown");
  CHECK(contains(text, "| Jane Doe | vecadd | 70 / 100 | 0 | 70 / 100 | no due date |"));
  CHECK(contains(text, "| s02 | 70 % |  |"));
  CHECK_FALSE(contains(text, "secret"));
}

}  // namespace
}  // namespace warpgrade
