#include <catch2/catch_test_macros.hpp>
#include <filesystem>

#include "grader/cli/watch/progress_since.h"
#include "grader/cli/watch/snapshot.h"
#include "grader/core/files.h"
#include "grader/testing/evidence.h"
#include "grader/testing/report.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

TEST_CASE("a snapshot sees a file written in place, renamed over, added and removed", "[watch]") {
  const ScratchFolder folder;
  const fs::path file = folder.path() / "vecadd.cu";
  CHECK(Snapshot::of(file).empty());
  write_file_atomically(file, "one");
  const Snapshot first = Snapshot::of(file);
  CHECK_FALSE(first.empty());
  CHECK(Snapshot::of(file) == first);
  write_file_atomically(file, "two");  // renames, and the size is the same
  const Snapshot second = Snapshot::of(file);
  CHECK(second != first);
  write_file_atomically(folder.path() / "helper.cuh", "");
  CHECK(Snapshot::of(file) != second);
  fs::remove(folder.path() / "helper.cuh");
  CHECK(Snapshot::of(file) == second);
}

TEST_CASE("a snapshot ignores what a check writes, and hidden folders", "[watch]") {
  const ScratchFolder folder;
  write_file_atomically(folder.path() / "vecadd.cu", "one");
  const Snapshot first = Snapshot::of(folder.path());
  write_file_atomically(folder.path() / "feedback.html", "page");
  write_file_atomically(folder.path() / ".git" / "x.cu", "other");
  write_file_atomically(folder.path() / ".#vecadd.cu", "lock");
  CHECK(Snapshot::of(folder.path()) == first);
}

TEST_CASE("progress names points and the cases that changed", "[watch]") {
  StudentView before = testing::shown(testing::wrong_grade(testing::test_lab()));
  StudentView after = before;
  CHECK(progress_since(before, after) == "5 points as before");
  after.grade.cases.at(0).verdict = CaseVerdict::passed;
  after.grade.items.at(1).points += 20;
  CHECK(progress_since(before, after) == "5 to 25 points; now right: \"small\"");
  CHECK(progress_since(after, before) == "25 to 5 points; no longer right: \"small\"");
}

}  // namespace
}  // namespace warpgrade
