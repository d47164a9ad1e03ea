// A class of 55 as five platforms deliver it: everybody's grade is that of the program, wherever it
// was submitted and whatever else the machine does.

#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/generators/catch_generators_range.hpp>
#include <chrono>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>
#include <vector>

#include "grader/class/grading/mapping.h"
#include "grader/core/files.h"
#include "grader/core/text.h"
#include "grader/tests/platform_class.h"
#include "grader/tests/program.h"

namespace warpgrade {
namespace fs = std::filesystem;
using nlohmann::json;
using testing::class_platforms;
using testing::class_programs;
using testing::class_students;
using testing::ClassProgram;
using testing::ClassStudent;
using testing::contains;
using testing::need_sandbox;
using testing::shell;
using testing::text_of;
using testing::write_platform_class;
namespace {

/// What must be equal for equal programs.
json verdict(const fs::path& grade_file) {
  if (!fs::exists(grade_file)) return "no grade";
  const json grade = json::parse(read_file(grade_file));
  json result;
  for (const char* key : {"status", "score", "max_score", "failure", "pitfall"}) {
    result[key] = grade.at(key);
  }
  for (const json& item : grade.at("items")) {
    result["items"][item.at("id").get<std::string>()] = {item.at("status"), item.at("points")};
  }
  std::set<std::string> kinds;
  for (const json& finding : grade.at("findings")) kinds.insert(finding.at("kind"));
  result["findings"] = kinds;
  return result;
}

struct Graded {
  ProcessResult run;
  fs::path out;
  std::map<std::pair<std::string, std::string>, json> verdicts;  // by student and lab
};

/// Grades a class of class_students().
Graded grade(const fs::path& folder, const std::string& name, const std::string& cache) {
  Graded graded;
  graded.run = shell(
      fmt::format("$W grade {0} --out out-{0} --device emulator --jobs 2 --cache {1}", name, cache),
      folder, std::chrono::minutes(60));
  INFO(graded.run.out << graded.run.err);
  REQUIRE(graded.run.code == 0);
  graded.out = folder / ("out-" + name);
  for (const ClassStudent& student : class_students()) {
    for (const ClassProgram& program : student.programs) {
      graded.verdicts[{student.student, program.lab}] =
          verdict(graded.out / student.student / program.lab / "grade.json");
    }
  }
  return graded;
}

/// The verdict on each program alone, by lab and name.
std::map<std::pair<std::string, std::string>, json> verdicts_alone(const fs::path& folder,
                                                                   const std::string& cache) {
  int number = 0;
  for (const ClassProgram& program : class_programs()) {
    write_file_atomically(folder / "alone" / fmt::format("p{}", number++) / (program.lab + ".cu"),
                          text_of(program));
  }
  const ProcessResult run =
      shell("$W grade alone --out out-alone --device emulator --jobs 2 --cache " + cache, folder,
            std::chrono::minutes(30));
  INFO(run.out << run.err);
  REQUIRE(run.code == 0);
  std::map<std::pair<std::string, std::string>, json> verdicts;
  number = 0;
  for (const ClassProgram& program : class_programs()) {
    verdicts[{program.lab, program.name}] =
        verdict(folder / "out-alone" / fmt::format("p{}", number++) / program.lab / "grade.json");
  }
  return verdicts;
}

TEST_CASE("in five platforms' layouts a class of 55 gets the grades of its programs",
          "[program][layouts][any_compiler]") {
  need_sandbox();
  const ScratchFolder scratch;
  const auto alone = verdicts_alone(scratch.path(), "cache");
  for (const ClassProgram& program : class_programs()) {
    INFO(program.lab << " " << program.name);
    const json& expected = alone.at({program.lab, program.name});
    REQUIRE(expected.is_object());
    CHECK((expected.at("score") == expected.at("max_score")) == (program.name == "solution.cu"));
    CHECK((expected.at("score") == 0) == (program.name == "wrong/does_not_compile"));
  }
  for (const std::string& platform : class_platforms()) {
    write_platform_class(scratch.path() / platform, platform);
    const Graded graded = grade(scratch.path(), platform, "cache");
    INFO(platform << "\n" << graded.run.out << graded.run.err);
    for (const ClassStudent& student : class_students()) {
      INFO(student.student);
      for (const ClassProgram& program : student.programs) {
        INFO(program.lab << " " << program.name);
        CHECK(graded.verdicts.at({student.student, program.lab}) ==
              alone.at({program.lab, program.name}));
      }
      if (student.unreadable.empty()) continue;
      INFO(student.unreadable);
      CHECK((contains(graded.run.out, "  " + student.student + ": ") ||
             contains(graded.run.err, "submitted nothing: " + student.student + "\n")));
    }
    // Nobody else has a grade: an empty file, a damaged archive and no program have one for the lab
    // that is due.
    const json table = json::parse(read_file(graded.out / "grades.json"));
    CHECK(table.at("grades").size() == graded.verdicts.size() + 3);
  }
}

/// Programs that compute beside a run, and end with it.
class Load {
 public:
  explicit Load(int programs) {
    for (int i = 0; i < programs; ++i) {
      const pid_t child = fork();
      if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        for (;;) getppid();
      }
      REQUIRE(child > 0);
      children_.push_back(child);
    }
  }
  ~Load() {
    for (const pid_t child : children_) {
      kill(child, SIGKILL);
      waitpid(child, nullptr, 0);
    }
  }
  Load(const Load&) = delete;
  Load& operator=(const Load&) = delete;

 private:
  std::vector<pid_t> children_;
};

// busy_class.sh runs it; docs/scale.md has its figures.
TEST_CASE("a class of 55 has the same grades beside 20 busy programs", "[.load][any_compiler]") {
  need_sandbox();
  const ScratchFolder scratch;
  write_platform_class(scratch.path() / "moodle", "moodle");
  fs::create_directory_symlink("moodle", scratch.path() / "busy");
  const Graded quiet = grade(scratch.path(), "moodle", "none");
  fmt::print("quiet: {:.0f} s\n{}\n", quiet.run.seconds, quiet.run.err);
  const Load load(20);
  const Graded busy = grade(scratch.path(), "busy", "none");
  fmt::print("busy: {:.0f} s\n{}\n", busy.run.seconds, busy.run.err);
  CHECK(quiet.verdicts == busy.verdicts);
}

/// The lines of the mapping that intake writes for a class, without their reasons.
std::vector<MappingLine> mapping_of_class(const fs::path& folder) {
  const ProcessResult result = shell("$W intake in --write out.csv --overwrite", folder);
  INFO(result.out << result.err);
  REQUIRE(result.code < 2);
  std::vector<MappingLine> lines = parse_mapping(read_file(folder / "out.csv"), "out.csv").lines();
  for (MappingLine& line : lines) line.why.clear();
  return lines;
}

TEST_CASE("a mapping that nobody has edited changes nothing, on every platform",
          "[program][layouts]") {
  const std::string platform = GENERATE(from_range(class_platforms()));
  CAPTURE(platform);
  const ScratchFolder folder;
  write_platform_class(folder.path() / "in", platform);
  const std::vector<MappingLine> before = mapping_of_class(folder.path());
  fs::copy(folder.path() / "out.csv", folder.path() / "in" / kMappingFile);
  const std::vector<MappingLine> after = mapping_of_class(folder.path());
  REQUIRE(before.size() >= testing::kClassSize - 3);
  CHECK(mapping_csv(before) == mapping_csv(after));
  std::set<std::pair<std::string, std::string>> works;
  for (const MappingLine& line : before) {
    if (!line.lab.empty()) CHECK(works.emplace(line.work, line.lab).second);
  }
}

}  // namespace
}  // namespace warpgrade
