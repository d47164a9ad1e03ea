#include "grader/submit/course/student_name.h"

#include <catch2/catch_test_macros.hpp>
#include <set>
#include <vector>

#include "grader/core/text.h"

namespace warpgrade {
namespace {

TEST_CASE("a student's name is the one under which the work was submitted", "[course][name]") {
  for (const char* name :
       {"s01", "Jane Doe", "Zoë", "O'Neil", "grades", "grades.json.bak", "index", "100%", "%zz",
        "a.b", "a-b", "中村", "student=1", "attempts", "x%2", "con"}) {
    INFO(name);
    CHECK(student_name_problem(name).empty());
    CHECK(safe_student_name(name) == name);
  }
}

TEST_CASE("a name that cannot be one is written with %XX", "[course][name]") {
  CHECK(safe_student_name("grades.json") == "grades%2Ejson");
  CHECK(safe_student_name("Grades.CSV") == "Grades%2ECSV");
  CHECK(safe_student_name("index.html") == "index%2Ehtml");
  CHECK(safe_student_name("submissions.json") == "submissions%2Ejson");
  CHECK(safe_student_name(".warpgrade") == "%2Ewarpgrade");
  CHECK(safe_student_name("..") == "%2E.");
  CHECK(safe_student_name("-rf") == "%2Drf");
  CHECK(safe_student_name("a\nb") == "a%0Ab");
  CHECK(safe_student_name("a\tb") == "a%09b");
  CHECK(safe_student_name("a\x1b[2Jb") == "a%1B[2Jb");
  CHECK(safe_student_name("a/../b\\c") == "a%2F..%2Fb%5Cc");
  CHECK(safe_student_name("eve\xE2\x80\xAE") == "eve%E2%80%AE");  // right-to-left override
  CHECK(safe_student_name("ada\xE2\x80\x8B") == "ada%E2%80%8B");  // zero-width space
  CHECK(safe_student_name("ada\xE2\x80\xA8") == "ada%E2%80%A8");  // line separator
  CHECK(safe_student_name("\xC3") == "%C3");
  CHECK(safe_student_name("J\xF6rg") == "J%F6rg");  // Latin-1
  CHECK(safe_student_name(" ada ") == "%20ada%20");
  CHECK(safe_student_name("ada  100 / 100") == "ada%20 100 %2F 100");
  CHECK(safe_student_name("a%0Ab") == "a%250Ab");
  CHECK(safe_student_name("") == "%00");
}

TEST_CASE("different names stay different, and each result is valid", "[course][name]") {
  const std::vector<std::string> names = {"a\nb",
                                          "a%0Ab",
                                          "a%250Ab",
                                          "a%0ab",
                                          "grades.json",
                                          "grades%2Ejson",
                                          "GRADES.json",
                                          "%2E.",
                                          "..",
                                          ".",
                                          " ",
                                          "  ",
                                          "%20",
                                          "",
                                          "%00",
                                          "a ",
                                          "a%20",
                                          std::string(200, 'a'),
                                          std::string(201, 'a'),
                                          safe_student_name(std::string(200, 'a')),
                                          std::string(300, '\n'),
                                          std::string(301, '\n'),
                                          std::string(119, 'x') + "\xC3\xA9",
                                          std::string(119, 'x') + "\xC3\xA9\xC3\xA9"};
  std::set<std::string> seen;
  for (const std::string& name : names) {
    const std::string safe = safe_student_name(name);
    INFO(safe);
    CHECK(seen.insert(safe).second);
    CHECK(safe.size() <= 120);
    CHECK(is_one_line(safe));
    CHECK(safe.find_first_of("/\\") == std::string::npos);
    CHECK(safe.front() != '.');
    CHECK(safe.front() != '-');
    // A submission under another student's escaped name gets a different one.
    CHECK((safe == name || safe_student_name(safe) != safe));
  }
}

TEST_CASE("an invalid name in a roster or an option is rejected with the reason",
          "[course][name]") {
  CHECK(student_name_problem("grades.json") == "is the name of a result file");
  CHECK(student_name_problem("a\nb") == "contains unprintable characters");
  CHECK(student_name_problem("a  b") == "has leading, trailing or repeated spaces");
  CHECK(student_name_problem("-x") == "begins with a dash");
  CHECK(student_name_problem(std::string(121, 'a')) == "is longer than 120 bytes");
  CHECK(student_name_problem("a%20b") ==
        "contains a percent sign followed by two digits, like an encoded name");
}

}  // namespace
}  // namespace warpgrade
