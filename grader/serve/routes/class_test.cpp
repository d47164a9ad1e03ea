#include <fmt/core.h>

#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>
#include <thread>

#include "grader/class/export/export.h"
#include "grader/core/sha256.h"
#include "grader/core/source_root.h"
#include "grader/testing/served_class.h"

// Due dates, grades and decisions of a class over its routes.

namespace warpgrade {
using testing::TestClass;
namespace {

constexpr const char* kLate = "[late]\nper_day = 10\n[labs.vecadd]\ndue = 2020-01-02T00:00:00Z\n";

std::map<std::string, std::string> decision(const std::string& kind,
                                            std::map<std::string, std::string> fields) {
  fields.emplace("kind", kind);
  fields.emplace("lab", "vecadd");
  fields.emplace("text", "because of <this>");
  return fields;
}

}  // namespace

TEST_CASE("a receipt names each file's checksum and the time that counts for the due date",
          "[serve][unit]") {
  TestClass served("[labs.vecadd]\ndue = 2099-01-02T00:00:00Z\n");
  const std::string session = served.sign_in("s01");
  const std::int64_t id = served.submit(session, "// mine\n");
  const KeptAttempt attempt = served.store().attempt(id).value();
  const std::string receipt = served.get(session, fmt::format("/attempts/{}/receipt", id)).body;
  Sha256 sha;
  sha.add("// mine\n");
  CHECK(receipt ==
        fmt::format("Receipt {}-{}, due 2099-01-02T00:00:00Z: in time\nStudent: s01\nLab: vecadd\n"
                    "Submitted: {}\nSHA-256: {}  vecadd.cu\n",
                    id, attempt.files_hash.substr(0, 12),
                    instant_text(Instant(std::chrono::seconds(attempt.requested_ms / 1000))),
                    sha.hex()));
  CHECK(served.get(session, "/").has("due 2099-01-02 00:00 UTC"));
}

TEST_CASE("late work is accepted and its receipt says how late, an extension counts",
          "[serve][unit]") {
  TestClass served(kLate);
  const std::string session = served.sign_in("s01");
  const std::int64_t late = served.submit(session);
  CHECK(served.get(session, fmt::format("/attempts/{}/receipt", late)).has(" days late"));
  served.write_course("[labs.vecadd]\ndue = 2099-01-02T00:00:00Z\n");
  CHECK(served
            .post_form(served.sign_in("bob"), "/students/s01/decisions",
                       decision("extension", {{"days", "2"}}))
            .status == 303);
  CHECK(served.get(session, "/").has("due 2099-01-04 00:00 UTC (extended)"));
  CHECK(served.get(served.sign_in("s02"), "/").has("due 2099-01-02 00:00 UTC"));
}

TEST_CASE("no more submissions are accepted than count, and checks are not limited",
          "[serve][unit]") {
  TestClass served("[labs.vecadd]\nattempt_limit = 2\n");
  const std::string session = served.sign_in("s01");
  CHECK(served.submit(session) != 0);
  CHECK(served.submit(session) != 0);
  CHECK(served.submit(session) == 0);
  const std::string files = R"({"files": {"vecadd.cu": "// x\n"}})";
  CHECK(served.send_json(session, "POST", "/labs/vecadd/submissions", files).has("2 of 2"));
  CHECK(served.send_json(session, "POST", "/labs/vecadd/checks", files).status == 201);
  CHECK(served.submit(served.sign_in("s02")) != 0);
}

TEST_CASE("a student may begin so many checks and so many submissions per minute",
          "[serve][unit]") {
  TestClass served("", "", /*per_minute=*/2);
  const std::string jane = served.sign_in("s01");
  const auto check = [&](const std::string& session) {
    return served.send_json(session, "POST", "/labs/vecadd/checks",
                            R"({"files": {"vecadd.cu": "// the last one\n"}})");
  };
  CHECK(check(jane).status == 201);
  CHECK(check(jane).status == 201);
  CHECK(check(jane).status == 429);
  CHECK(check(jane).has("Wait a minute"));
  CHECK(served.get(jane, "/labs/vecadd/files").has("the last one"));
  CHECK(check(served.sign_in("s02")).status == 201);
  // Checks do not keep anybody from submitting.
  CHECK(served.submit(jane) != 0);
  CHECK(served.submit(jane) != 0);
  CHECK(served.submit(jane) == 0);
  const std::string staff = served.sign_in("bob");
  for (int i = 0; i < 4; ++i) CHECK(check(staff).status == 201);
}

TEST_CASE("a check or submission without a result says what, where and what next",
          "[serve][unit]") {
  TestClass served;
  const std::string session = served.sign_in("s01");
  const nlohmann::json body = {{"files", {{"vecadd.cu", TestClass::kNoCompiler}}}};
  const auto failed = [&](const std::string& what) {
    const auto reply = served.send_json(session, "POST", "/labs/vecadd/" + what, body.dump());
    const auto id = nlohmann::json::parse(reply.body).at("id").get<std::int64_t>();
    served.wait_for(id);
    return nlohmann::json::parse(served.get(session, fmt::format("/attempts/{}", id)).body);
  };
  const nlohmann::json check = failed("checks");
  CHECK(check["state"] == "failed");
  CHECK_FALSE(check.contains("points"));
  REQUIRE(check["problems"].size() == 1);
  CHECK(check["problems"][0] ==
        nlohmann::json({{"severity", "error"},
                        {"message", "nvcc was not found\n  in PATH"},
                        {"where",
                         "check 1 at vecadd, on the machine of the server, at the step: "
                         "compiling"},
                        {"next",
                         "Check again. If it fails again, tell the staff of the course: "
                         "check 1 at vecadd."}}));
  CHECK(failed("submissions")["problems"][0]["next"] ==
        "Your submission and its time are kept. Ask the staff of the course to grade it again: "
        "submission 2 at vecadd.");
}

TEST_CASE("submissions within a day of their due date are urgent", "[serve][unit]") {
  TestClass served;
  const std::string session = served.sign_in("s01");
  const auto urgency_at = [&](std::chrono::hours before) {
    served.write_course(fmt::format("[labs.vecadd]\ndue = {}\n", instant_text(now_utc() + before)));
    const std::int64_t id = served.submit(session);
    return served.store().attempt(id).value().urgency;
  };
  CHECK(urgency_at(std::chrono::hours(23)) == Urgency::near_due);
  CHECK(urgency_at(std::chrono::hours(-23)) == Urgency::near_due);
  CHECK(urgency_at(std::chrono::hours(25)) == Urgency::later);
  CHECK(urgency_at(std::chrono::hours(-25)) == Urgency::later);
}

TEST_CASE("the members of a group are named, and each sees own attempts only", "[serve][unit]") {
  TestClass served("[labs.histogram]\n[labs.vecadd]\n");
  CHECK(served.get(served.sign_in("s01"), "/").has("with Roe, Jim"));
  CHECK(served.get(served.sign_in("s02"), "/").has("with Doe, Jane"));
  CHECK_FALSE(served.get(served.sign_in("s03"), "/").has("; with "));
  CHECK_FALSE(served.get(served.sign_in("s03"), "/").has("<p>with "));
}

TEST_CASE("students see hidden cases and the points that count after the release only",
          "[serve][unit]") {
  TestClass served("[labs.vecadd]\n");
  const std::string student = served.sign_in("s01");
  const std::int64_t attempt = served.submit(student);
  served.wait_for(attempt);
  const std::string report = fmt::format("/attempts/{}/report", attempt);
  const std::string staff = served.sign_in("bob");
  for (const std::string& target : {report, std::string("/grades/vecadd")}) {
    CAPTURE(target);
    CHECK(served.get(student, target).status == 200);
    CHECK_FALSE(served.get(student, target).has("moonrise"));
  }
  CHECK(served.get(staff, report).has("moonrise"));
  CHECK(served.get(staff, "/class/s01/vecadd/feedback.html").has("moonrise"));
  CHECK_FALSE(served.get(student, "/grades").has(" count"));
  CHECK(served.get(staff, "/students/s01").has(" count"));
  CHECK_FALSE(served.get(student, fmt::format("/attempts/{}", attempt)).has("moonrise"));

  CHECK(served.post_form(staff, "/labs/vecadd/release", {}).status == 403);
  CHECK(served.post_form(served.sign_in("ann"), "/labs/vecadd/release", {}).status == 303);
  CHECK(served.get(student, report).has("moonrise"));
  CHECK(served.get(student, "/grades/vecadd").has("moonrise"));
  CHECK(served.get(student, "/grades").has(" count"));
}

TEST_CASE("what staff decides in the browser is what the command line reads", "[serve][unit]") {
  TestClass served("[labs.vecadd]\n");
  const std::string student = served.sign_in("s01");
  served.wait_for(served.submit(student));
  const std::string staff = served.sign_in("bob");
  const auto send = [&](std::map<std::string, std::string> fields) {
    return served.post_form(staff, "/students/s01/decisions", std::move(fields)).status;
  };
  CHECK(send(decision("points", {{"item", "build"}, {"points", "2.5"}})) == 303);
  CHECK(send(decision("note", {})) == 303);
  const ClassRecord record =
      load_class_record(served.folder() / "results", served.folder() / "course.toml");
  const auto items = record.course.decisions.item_points("s01", "vecadd");
  REQUIRE(items.size() == 1);
  CHECK(items[0]->points == 2.5);
  CHECK(items[0]->by == "bob");
  CHECK(items[0]->reason == "because of <this>");
  // And the other way: what is written into the files by hand.
  write_file_atomically(
      served.folder() / "decisions" / "hand.toml",
      "schema = 1\n[[decision]]\nkind = \"points\"\nstudent = \"s01\"\nlab = \"vecadd\"\n"
      "points = 77\nreason = \"by hand\"\nby = \"ann\"\nat = 2026-01-01T00:00:00Z\n");
  CHECK(served.get(staff, "/students/s01").has("77 of 100 count"));
  CHECK(served.get(staff, "/students/s01").has("because of &lt;this&gt;"));

  for (const auto& fields :
       {decision("points", {{"points", "-1"}}), decision("points", {{"points", "x"}}),
        decision("points", {{"item", "no-item"}, {"points", "1"}}), decision("points", {}),
        decision("note", {{"text", " "}}), decision("note", {{"lab", "scan"}}),
        decision("release", {}), decision("withdraw", {}), decision("", {}),
        decision("extension", {{"days", "1000"}})}) {
    CHECK(send(fields) == 400);
  }
  CHECK(load_class_record(served.folder() / "results", served.folder() / "course.toml")
            .course.decisions.all()
            .size() == 3);
}

TEST_CASE("a question about a grade reaches the staff, and its answer the student",
          "[serve][unit]") {
  TestClass served("[labs.vecadd]\n");
  const std::string student = served.sign_in("s01");
  const std::string staff = served.sign_in("bob");
  const std::string ask = "/grades/vecadd/inquiries";
  CHECK(served.post_form(student, ask, {{"text", " \n"}}).status == 400);
  CHECK(served.post_form(student, ask, {{"text", std::string(4001, 'x')}}).status == 400);
  CHECK(served.post_form(student, ask, {{"text", "Why <b>0</b>?\n[[decision]]\n"}}).status == 303);
  CHECK(served.post_form(student, ask, {{"text", "bad \xff\x01 bytes\r\nand \"quotes\\"}}).status ==
        303);
  CHECK(served.classroom().files.problem().empty());
  CHECK(served.get(staff, "/class").has("open question: vecadd"));
  CHECK(served.get(staff, "/students/s01").has("Why &lt;b&gt;0&lt;/b&gt;?"));
  CHECK(served
            .post_form(staff, "/students/s01/decisions",
                       decision("answer", {{"text", "The file was damaged."}}))
            .status == 303);
  CHECK_FALSE(served.get(staff, "/class").has("open question"));
  CHECK(served.get(student, "/grades").has("The file was damaged."));
  CHECK_FALSE(served.get(served.sign_in("s02"), "/grades").has("damaged"));
  for (int i = 0; i < 5; ++i) {
    CHECK(served.post_form(student, ask, {{"text", "And?"}}).status == 303);
  }
  CHECK(served.post_form(student, ask, {{"text", "And?"}}).status == 409);
}

TEST_CASE("the page of the class follows the submissions and grades", "[serve][unit]") {
  TestClass served("[labs.vecadd]\n");
  const std::string staff = served.sign_in("ann");
  CHECK(served.get(staff, "/class").has("<td>0 of 3</td>"));
  served.wait_for(served.submit(served.sign_in("s01")));
  served.wait_for(served.submit(served.sign_in("s03")));
  const TestClass::Reply page = served.get(staff, "/class");
  CHECK(page.has("<td>2 of 3</td>"));
  CHECK(page.has("P2: 2 students"));
  CHECK(page.has("1 submission, the last at"));
  CHECK(served.get(staff, "/class/page").has("Doe, Jane"));
}

TEST_CASE("staff sees where the class is stuck, from checks and submissions of students",
          "[serve][unit]") {
  TestClass served("[labs.vecadd]\n");
  const std::string staff = served.sign_in("ann");
  CHECK_FALSE(served.get(staff, "/class").has("Where the class is stuck"));
  const std::string student = served.sign_in("s01");
  const std::string files = R"({"files": {"vecadd.cu": "// x\n"}})";
  for (const std::string& session : {student, student, staff}) {
    const auto reply = served.send_json(session, "POST", "/labs/vecadd/checks", files);
    served.wait_for(nlohmann::json::parse(reply.body).at("id").get<std::int64_t>());
  }
  CHECK(served.get(staff, "/class").has("P1 in 2<br>"));
  served.wait_for(served.submit(student));
  const TestClass::Reply page = served.get(staff, "/class");
  CHECK(page.has("P2 in 1<br>"));  // which is about a hidden case
  CHECK(page.has("<td>1 of 2</td>"));  // the second check named it again
  CHECK(served.get(student, "/class").status == 403);
}

TEST_CASE("staff sees similar submissions side by side, as the command line shows them",
          "[serve][unit]") {
  TestClass served("[labs.vecadd]\n");
  const std::string staff = served.sign_in("bob");
  const std::string target = "/class/similar/vecadd";
  CHECK(served.get(staff, target).has("No submission at this lab is graded yet."));
  const std::string copied =
      read_file(std::filesystem::path(kSourceRoot) / "reference/vecadd/solution.cu");
  const std::string other = "#include \"vecadd.h\"\nvoid vecadd(int) { launch_nothing(); }\n";
  for (const auto& [student, source] :
       std::map<std::string, std::string>{{"s01", copied}, {"s02", copied}, {"s03", other}}) {
    served.wait_for(served.submit(served.sign_in(student), source));
  }
  const TestClass::Reply page = served.get(staff, target);
  CHECK(page.status == 200);
  CHECK(page.has("100 %"));
  CHECK(page.has("s01"));
  CHECK(page.has("s02"));
  CHECK_FALSE(page.has("launch_nothing"));
  CHECK(page.headers.at("Content-Security-Policy").starts_with("sandbox"));
}

TEST_CASE("an export from the browser has the bytes of the command line's", "[serve][unit]") {
  TestClass served("[labs.vecadd]\n");
  const std::string staff = served.sign_in("ann");
  CHECK(served.get(staff, "/export/gradescope").status == 404);
  served.wait_for(served.submit(served.sign_in("s01")));
  for (const char* format : {"csv", "canvas", "moodle", "markdown"}) {
    CAPTURE(format);
    const TestClass::Reply reply = served.get(staff, fmt::format("/export/{}", format));
    CHECK(reply.status == 200);
    CHECK(reply.headers.at("Content-Disposition")
              .starts_with(fmt::format("attachment; filename=\"grades-{}.", format)));
    const ExportInput input =
        read_export_input(served.folder() / "results", "", served.folder() / "course.toml");
    CHECK(reply.body == export_format(format).run(input).files.at(0).content);
  }
}

TEST_CASE("a link that an instructor makes signs its student in", "[serve][unit]") {
  TestClass served;
  const TestClass::Reply page =
      served.post_form(served.sign_in("ann"), "/students/s02/invitation", {});
  // The page escapes what HTML needs.
  const std::size_t token = page.body.find("token=");
  REQUIRE(token != std::string::npos);
  const TestClass::Reply reply =
      served.post_form("", "/sign-in", {{"invitation", page.body.substr(token + 6, 64)}});
  CHECK(served.get(TestClass::session_in(reply), "/").has("Roe, Jim"));
}

}  // namespace warpgrade
