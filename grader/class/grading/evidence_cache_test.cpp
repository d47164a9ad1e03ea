#include "grader/class/grading/evidence_cache.h"

#include <atomic>
#include <catch2/catch_test_macros.hpp>
#include <chrono>
#include <stdexcept>
#include <thread>
#include <vector>

#include "grader/class/grading/cluster.h"
#include "grader/class/grading/part.h"
#include "grader/class/grading/receipt.h"
#include "grader/class/page/progress.h"
#include "grader/class/slurm/slurm.h"
#include "grader/core/error.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

const std::string kKey(64, 'a');

Grade some_grade(const std::string& student = "s01") {
  Grade grade;
  grade.lab = "vecadd";
  grade.student = student;
  grade.started = "2026-11-21T09:30:00Z";
  Item item;
  item.id = "build";
  item.points = 5;
  item.max_points = 5;
  item.status = ItemStatus::passed;
  grade.items = {item};
  return grade;
}

fs::path only_entry(const fs::path& folder) {
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) {
      return entry.path();
    }
  }
  return {};
}

/// Evidence of a submission that took so many seconds.
Observed some_evidence(double seconds = 5) {
  Observed seen;
  seen.build_log = "a warning";
  seen.seconds = seconds;
  return seen;
}

std::optional<Grade> graded(const Observed& seen) {
  Grade grade = some_grade();
  grade.seconds = seen.seconds;
  return grade;
}

EvidenceCache::Made made(double seconds = 5) {
  return {.grade = *graded(some_evidence(seconds)), .seen = some_evidence(seconds)};
}

TEST_CASE("evidence that was stored is found by its key and by no other", "[grade_class][cache]") {
  const ScratchFolder folder;
  const EvidenceCache cache(folder.path());
  CHECK_FALSE(cache.find(kKey).has_value());
  cache.store(kKey, some_evidence());
  const auto found = EvidenceCache(folder.path()).find(kKey);
  REQUIRE(found.has_value());
  CHECK(found->seconds == 5);
  CHECK(found->build_log == "a warning");
  CHECK_FALSE(cache.find(std::string(64, 'b')).has_value());
}

TEST_CASE("a damaged entry is ignored and replaced", "[grade_class][cache]") {
  const ScratchFolder folder;
  EvidenceCache cache(folder.path());
  cache.store(kKey, some_evidence());
  const fs::path file = only_entry(folder.path());
  const std::string whole = read_file(file);
  std::string flipped = whole;
  flipped[flipped.find("a warning")] = 'A';
  std::vector<std::string> damaged = {"",          "x",     whole.substr(0, whole.size() / 2),
                                      whole + " ", flipped, std::string(200, '\0')};
  for (const std::string& text : damaged) {
    write_file_atomically(file, text);
    CHECK_FALSE(cache.find(kKey).has_value());
    bool found = true;
    const Grade grade = cache.find_or_make(
        kKey, graded, [](const Observed*) { return made(); }, found);
    CHECK(grade.seconds == 5);
    CHECK_FALSE(found);
    CHECK(cache.find(kKey).has_value());
  }
}

TEST_CASE("an entry under another key's name is ignored", "[grade_class][cache]") {
  const ScratchFolder folder;
  const EvidenceCache cache(folder.path());
  cache.store(kKey, some_evidence());
  const std::string other = std::string(2, 'a') + std::string(62, 'c');
  fs::copy(only_entry(folder.path()), folder.path() / "aa" / (other + ".evidence"));
  CHECK_FALSE(cache.find(other).has_value());
}

TEST_CASE("evidence of an internal error is never kept", "[grade_class][cache]") {
  const ScratchFolder folder;
  EvidenceCache cache(folder.path());
  bool found = false;
  for (const bool has_evidence : {true, false}) {
    const Grade grade = cache.find_or_make(
        kKey, graded,
        [&](const Observed*) {
          EvidenceCache::Made error = made();
          error.grade.status = GradeStatus::error;
          if (!has_evidence) error.seen.reset();
          return error;
        },
        found);
    CHECK(grade.status == GradeStatus::error);
    CHECK_FALSE(cache.find(kKey).has_value());
  }
}

TEST_CASE("a case that a clock stopped is run again", "[grade_class][cache]") {
  const ScratchFolder folder;
  EvidenceCache cache(folder.path());
  bool found = false;
  for (const bool stopped : {true, false}) {
    static_cast<void>(cache.find_or_make(
        kKey, graded,
        [&](const Observed*) {
          EvidenceCache::Made run = made();
          run.seen->evidence.cases.emplace_back().stopped_by_clock = stopped;
          return run;
        },
        found));
    CHECK_FALSE(found);
    CHECK(cache.find(kKey).has_value() != stopped);
  }
}

TEST_CASE("insufficient evidence is passed to the run that completes it, and replaced",
          "[grade_class][cache]") {
  const ScratchFolder folder;
  EvidenceCache cache(folder.path());
  cache.store(kKey, some_evidence(1));
  bool found = true;
  const auto from = [](const Observed& seen) {
    return seen.seconds > 1 ? graded(seen) : std::nullopt;
  };
  double given = 0;
  const auto make = [&](const Observed* known) {
    given = known->seconds;
    return made(2);
  };
  CHECK(cache.find_or_make(kKey, from, make, found).seconds == 2);
  CHECK(given == 1);
  CHECK_FALSE(found);
  CHECK(cache.find_or_make(kKey, from, make, found).seconds == 2);
  CHECK(found);
}

TEST_CASE("if several threads request one grade at the same time, one makes it",
          "[grade_class][cache]") {
  EvidenceCache cache;
  std::atomic<int> count = 0;
  std::atomic<int> reused = 0;
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 6; ++i) {
      threads.emplace_back([&] {
        bool found = false;
        const Grade grade = cache.find_or_make(
            kKey, graded,
            [&](const Observed*) {
              ++count;
              std::this_thread::sleep_for(std::chrono::milliseconds(30));
              return made();
            },
            found);
        reused += found && grade.seconds == 5 ? 1 : 0;
      });
    }
  }
  CHECK(count == 1);
  CHECK(reused == 5);
}

TEST_CASE("if making a grade fails, the next thread tries", "[grade_class][cache]") {
  EvidenceCache cache;
  bool found = false;
  const auto fails = [](const Observed*) -> EvidenceCache::Made { throw std::runtime_error("no"); };
  CHECK_THROWS_AS(cache.find_or_make(kKey, graded, fails, found), std::runtime_error);
  CHECK(cache
            .find_or_make(
                kKey, graded, [](const Observed*) { return made(); }, found)
            .seconds == 5);
}

TEST_CASE("a receipt is valid as long as grade and page are unchanged", "[grade_class][receipt]") {
  const ScratchFolder out;
  const fs::path folder = out.path() / "s01" / "vecadd";
  write_file_atomically(folder / "grade.json", "{}");
  write_file_atomically(folder / "feedback.html", "page");
  GradeRow row = row_of(some_grade());
  row.flags = {"\xff odd bytes"};
  write_receipt(out.path(), row, kKey, "page");
  const auto found = find_receipt(out.path(), "s01", "vecadd", kKey);
  REQUIRE(found.has_value());
  CHECK(found->row.score == 5);
  CHECK(found->row.points.at(Category::build) == 5);
  CHECK(found->page == "page");
  CHECK_FALSE(find_receipt(out.path(), "s01", "vecadd", std::string(64, 'b')).has_value());
  CHECK_FALSE(find_receipt(out.path(), "s02", "vecadd", kKey).has_value());

  SECTION("a grade that was changed is not") {
    write_file_atomically(folder / "grade.json", "{ }");
    CHECK_FALSE(find_receipt(out.path(), "s01", "vecadd", kKey).has_value());
  }
  SECTION("a page that is gone is made again") {
    fs::remove(folder / "feedback.html");
    CHECK_FALSE(find_receipt(out.path(), "s01", "vecadd", kKey).has_value());
  }
  SECTION("a damaged receipt is none") {
    write_file_atomically(out.path() / ".warpgrade" / "receipts" / "s01" / "vecadd.json",
                          "{\"key\"");
    CHECK_FALSE(find_receipt(out.path(), "s01", "vecadd", kKey).has_value());
  }
}

TEST_CASE("a part of a class is read back as written, whatever the folders' names",
          "[grade_class][part]") {
  const ScratchFolder folder;
  const Part part{.folder = folder.path(),
                  .number = 3,
                  .device = DeviceRequest::cuda,
                  .tasks = {{"s01", "vecadd"}, {"no \xff utf-8\n", "gemm"}}};
  write_part(part);
  const Part read = read_part(folder.path(), 3);
  CHECK(read.tasks == part.tasks);
  CHECK(read.device == DeviceRequest::cuda);
  CHECK_THROWS_AS(read_part(folder.path(), 4), UsageError);
  write_file_atomically(folder.path() / "part-4.tasks", "half a fi");
  CHECK_THROWS_AS(read_part(folder.path(), 4), UsageError);

  CHECK_FALSE(find_part_result(part, 1).has_value());
  write_part_result(part, 1, row_of(some_grade()));
  const auto row = find_part_result(part, 1);
  REQUIRE(row.has_value());
  CHECK(row->student == "no \xff utf-8\n");
  CHECK(row->lab == "gemm");
  CHECK(row->score == 5);
}

TEST_CASE("no job array is longer than Slurm accepts", "[grade_class][slurm]") {
  CHECK(part_size(10, 0) == 8);
  CHECK(part_size(10, 1) == 1);
  CHECK(part_size(2400, 1) == 3);
  CHECK(part_size(0, 0) == 8);
}

TEST_CASE("a list of array elements is written as ranges", "[grade_class][slurm]") {
  CHECK(index_ranges({0}) == "0");
  CHECK(index_ranges({0, 1, 2, 7, 9, 10}) == "0-2,7,9-10");
  CHECK(index_ranges({}).empty());
}

TEST_CASE("the pace has rate and time left as soon as they are known", "[report][progress]") {
  CHECK(pace(0, 10, 5).empty());
  CHECK(pace(3, 10, 0.5).empty());
  CHECK(pace(20, 100, 10) == "2.0/s, 40 s left");
  CHECK(pace(10, 100, 100) == "6.0/min, 15 min left");
  CHECK(pace(100, 2400, 1000) == "6.0/min, 6 h 24 min left");
  CHECK(pace(10, 10, 5) == "2.0/s");
}

}  // namespace
}  // namespace warpgrade
