#include "grader/serve/store/store.h"

#include <sqlite3.h>
#include <sys/stat.h>

#include <catch2/catch_test_macros.hpp>

#include "grader/core/files.h"

namespace warpgrade {
namespace {

struct Opened {
  ScratchFolder folder;
  std::filesystem::path file = folder.path() / "serve.db";
  Store store{file};

  std::int64_t add(const std::string& lab, AttemptKind kind) {
    std::vector<std::int64_t> replaced;
    return store.add(lab, kind, {{"a.cu", "one"}, {"b.toml", ""}}, replaced).id;
  }
};

AttemptResult result_of(double score) {
  return {.score = score,
          .max_score = 10,
          .passed = score == 10,
          .headline = "h",
          .problems = "[]",
          .report = "<p>"};
}

}  // namespace

TEST_CASE("checks begin before submissions, and each kind in order", "[serve][unit]") {
  Opened o;
  const auto s1 = o.add("vecadd", AttemptKind::submission);
  const auto s2 = o.add("gemm", AttemptKind::submission);
  const auto c1 = o.add("vecadd", AttemptKind::check);
  const auto c2 = o.add("gemm", AttemptKind::check);
  CHECK(o.store.position(*o.store.attempt(s2)) == 3);
  for (const std::int64_t id : {c1, c2, s1, s2}) CHECK(o.store.claim()->id == id);
  CHECK_FALSE(o.store.claim());
}

TEST_CASE("a newer check replaces a waiting check of its lab, and nothing else", "[serve][unit]") {
  Opened o;
  const auto running = o.add("vecadd", AttemptKind::check);
  REQUIRE(o.store.claim()->id == running);
  const auto waiting = o.add("vecadd", AttemptKind::check);
  const auto other = o.add("gemm", AttemptKind::check);
  const auto submission = o.add("vecadd", AttemptKind::submission);
  std::vector<std::int64_t> replaced;
  (void)o.store.add("vecadd", AttemptKind::check, {{"a.cu", "two"}}, replaced);
  CHECK(replaced == std::vector{waiting});
  CHECK(o.store.attempt(waiting)->state == AttemptState::replaced);
  CHECK(o.store.attempt(running)->state == AttemptState::running);
  CHECK(o.store.attempt(other)->state == AttemptState::waiting);
  CHECK(o.store.attempt(submission)->state == AttemptState::waiting);
}

TEST_CASE("a result is written once, and only under the latest claim", "[serve][unit]") {
  Opened o;
  const auto id = o.add("vecadd", AttemptKind::submission);
  const KeptAttempt first = *o.store.claim();
  CHECK(o.store.requeue_running() == 1);
  const KeptAttempt second = *o.store.claim();
  CHECK(second.id == id);
  CHECK_FALSE(o.store.finish(first, result_of(1)));
  CHECK_FALSE(o.store.fail(first, "late"));
  CHECK(o.store.finish(second, result_of(10)));
  CHECK_FALSE(o.store.finish(second, result_of(2)));
  CHECK(o.store.result(id)->score == 10);
  CHECK(o.store.requeue_running() == 0);
}

TEST_CASE("checks can be canceled, submissions and what has ended cannot", "[serve][unit]") {
  Opened o;
  const auto submission = o.add("vecadd", AttemptKind::submission);
  const auto check = o.add("vecadd", AttemptKind::check);
  CHECK_FALSE(o.store.cancel(submission));
  const KeptAttempt claimed = *o.store.claim();
  CHECK(o.store.cancel(check));
  CHECK_FALSE(o.store.cancel(check));
  CHECK_FALSE(o.store.finish(claimed, result_of(1)));
  CHECK_FALSE(o.store.result(check));
  CHECK_FALSE(o.store.cancel(4711));
}

TEST_CASE("files, results and drafts are there after the database was opened again",
          "[serve][unit]") {
  const ScratchFolder folder;
  const auto file = folder.path() / "serve.db";
  const FileSet files = {{"a.cu", std::string("one\0two", 7)}, {"b.toml", ""}};
  std::int64_t id = 0;
  {
    Store store(file);
    std::vector<std::int64_t> replaced;
    id = store.add("vecadd", AttemptKind::check, files, replaced).id;
    CHECK(store.finish(*store.claim(), result_of(7)));
    store.save_draft("vecadd", files);
  }
  const Store store(file);
  CHECK(store.files(id) == files);
  CHECK(store.draft("vecadd") == files);
  CHECK(store.draft("gemm").empty());
  CHECK(store.result(id)->report == "<p>");
  const auto progress = store.progress();
  CHECK(progress.at("vecadd").attempts == 1);
  CHECK(progress.at("vecadd").best == 7);
  CHECK_FALSE(progress.at("vecadd").submitted);
}

TEST_CASE("names and texts cannot change a statement", "[serve][unit]") {
  Opened o;
  const std::string evil = "'); DROP TABLE attempt; --";
  std::vector<std::int64_t> replaced;
  const auto id = o.store.add(evil, AttemptKind::check, {{evil, evil}}, replaced).id;
  CHECK(o.store.attempts(evil, 10).size() == 1);
  CHECK(o.store.files(id) == FileSet{{evil, evil}});
}

TEST_CASE("others on the machine cannot read the database", "[serve][unit]") {
  Opened o;
  struct stat status = {};
  REQUIRE(::stat(o.file.c_str(), &status) == 0);
  CHECK((status.st_mode & 077) == 0);
}

TEST_CASE("a locked, a damaged and a newer database are named as such", "[serve][unit]") {
  const ScratchFolder folder;
  const auto broken = folder.path() / "broken.db";
  write_file_atomically(broken, std::string(5000, 'x'));
  try {
    const Store store(broken);
    FAIL("it opened");
  } catch (const StoreError& e) {
    CHECK(e.kind == StoreError::Kind::broken);
    CHECK(std::string(e.what()) ==
          "The database " + broken.string() + " failed: file is not a database.");
  }

  Opened o;
  sqlite3* other = nullptr;
  REQUIRE(sqlite3_open(o.file.c_str(), &other) == SQLITE_OK);
  REQUIRE(sqlite3_exec(other, "BEGIN IMMEDIATE", nullptr, nullptr, nullptr) == SQLITE_OK);
  try {
    o.add("vecadd", AttemptKind::submission);
    FAIL("it was added");
  } catch (const StoreError& e) {
    CHECK(e.kind == StoreError::Kind::locked);
    CHECK(std::string(e.what()) == "Nothing was saved: another program has locked " +
                                       o.file.string() + ". Close it and try again.");
  }
  CHECK(o.store.attempts("vecadd", 10).empty());
  sqlite3_exec(other, "ROLLBACK; PRAGMA user_version = 999", nullptr, nullptr, nullptr);
  sqlite3_close(other);
  CHECK(o.add("vecadd", AttemptKind::submission) == 1);
  CHECK_THROWS_AS(Store(o.file), StoreError);
}

}  // namespace warpgrade
