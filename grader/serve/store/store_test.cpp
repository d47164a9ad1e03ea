#include "grader/serve/store/store.h"

#include <sqlite3.h>
#include <sys/stat.h>

#include <catch2/catch_test_macros.hpp>

#include "grader/core/files.h"
#include "grader/testing/database.h"

namespace warpgrade {
namespace {

Urgency urgency_of(AttemptKind kind) {
  return kind == AttemptKind::check ? Urgency::interactive : Urgency::later;
}

struct Opened {
  ScratchFolder folder;
  std::filesystem::path file = folder.path() / "serve.db";
  testing::TestDatabase database{file};
  Store store{database.address()};

  std::int64_t add(const std::string& lab, AttemptKind kind) {
    std::vector<std::int64_t> replaced;
    return store.add("", lab, kind, urgency_of(kind), {{"a.cu", "one"}, {"b.toml", ""}}, replaced)
        .id;
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

TEST_CASE("a waiting attempt is begun once", "[serve][unit]") {
  Opened o;
  const auto first = o.add("vecadd", AttemptKind::submission);
  const auto second = o.add("gemm", AttemptKind::check);
  REQUIRE(o.store.waiting().size() == 2);
  CHECK(o.store.waiting()[0].urgency == Urgency::later);
  CHECK(o.store.waiting()[1].urgency == Urgency::interactive);
  CHECK(o.store.claim(second)->id == second);
  CHECK_FALSE(o.store.claim(second));
  CHECK_FALSE(o.store.claim(4711));
  REQUIRE(o.store.waiting().size() == 1);
  CHECK(o.store.waiting()[0].id == first);
}

TEST_CASE("a newer check replaces a waiting check of its lab, and nothing else", "[serve][unit]") {
  Opened o;
  const auto running = o.add("vecadd", AttemptKind::check);
  REQUIRE(o.store.claim(running));
  const auto waiting = o.add("vecadd", AttemptKind::check);
  const auto other = o.add("gemm", AttemptKind::check);
  const auto submission = o.add("vecadd", AttemptKind::submission);
  std::vector<std::int64_t> replaced;
  (void)o.store.add("", "vecadd", AttemptKind::check, Urgency::interactive, {{"a.cu", "two"}},
                    replaced);
  CHECK(replaced == std::vector{waiting});
  CHECK(o.store.attempt(waiting)->state == AttemptState::replaced);
  CHECK(o.store.attempt(running)->state == AttemptState::running);
  CHECK(o.store.attempt(other)->state == AttemptState::waiting);
  CHECK(o.store.attempt(submission)->state == AttemptState::waiting);
}

TEST_CASE("a result is written once, and only under the latest claim", "[serve][unit]") {
  Opened o;
  const auto id = o.add("vecadd", AttemptKind::submission);
  const KeptAttempt first = *o.store.claim(id);
  CHECK(o.store.requeue_running() == 1);
  const KeptAttempt second = *o.store.claim(id);
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
  const KeptAttempt claimed = *o.store.claim(check);
  CHECK(o.store.cancel(check));
  CHECK_FALSE(o.store.cancel(check));
  CHECK_FALSE(o.store.finish(claimed, result_of(1)));
  CHECK_FALSE(o.store.result(check));
  CHECK_FALSE(o.store.cancel(4711));
}

TEST_CASE("files, results and drafts are there after the database was opened again",
          "[serve][unit]") {
  const ScratchFolder folder;
  const testing::TestDatabase database(folder.path() / "serve.db");
  const FileSet files = {{"a.cu", std::string("one\0two", 7)}, {"b.toml", ""}};
  std::int64_t id = 0;
  {
    Store store(database.address());
    std::vector<std::int64_t> replaced;
    id = store.add("", "vecadd", AttemptKind::check, Urgency::interactive, files, replaced).id;
    CHECK(store.finish(*store.claim(id), result_of(7)));
    store.save_draft("", "vecadd", files);
  }
  const Store store(database.address());
  CHECK(store.files(id) == files);
  CHECK(store.draft("", "vecadd") == files);
  CHECK(store.draft("", "gemm").empty());
  CHECK(store.result(id)->report == "<p>");
  const auto progress = store.progress("");
  CHECK(progress.at("vecadd").attempts == 1);
  CHECK(progress.at("vecadd").best == 7);
  CHECK_FALSE(progress.at("vecadd").submitted);
}

TEST_CASE("names and texts cannot change a statement", "[serve][unit]") {
  Opened o;
  const std::string evil = "'); DROP TABLE attempt; --";
  std::vector<std::int64_t> replaced;
  const auto id =
      o.store.add(evil, evil, AttemptKind::check, Urgency::interactive, {{evil, evil}}, replaced)
          .id;
  CHECK(o.store.attempts(evil, evil, 10).size() == 1);
  CHECK(o.store.files(id) == FileSet{{evil, evil}});
}

TEST_CASE("each person has attempts, drafts and waiting checks of their own", "[serve][unit]") {
  Opened o;
  std::vector<std::int64_t> replaced;
  const auto add = [&](const std::string& person, AttemptKind kind) {
    return o.store.add(person, "vecadd", kind, urgency_of(kind), {{"a.cu", person}}, replaced).id;
  };
  const std::int64_t jane = add("s01", AttemptKind::check);
  const std::int64_t jim = add("s02", AttemptKind::check);
  CHECK(replaced.empty());
  add("s01", AttemptKind::check);
  CHECK(replaced == std::vector<std::int64_t>{jane});
  CHECK(o.store.attempt(jim)->person == "s02");
  CHECK(o.store.attempts("s01", "vecadd", 10).size() == 2);
  CHECK(o.store.attempts("s02", "vecadd", 10).size() == 1);
  o.store.save_draft("s01", "vecadd", {{"a.cu", "mine"}});
  CHECK(o.store.draft("s02", "vecadd").empty());
  const std::int64_t first = add("s02", AttemptKind::submission);
  const std::int64_t second = add("s02", AttemptKind::submission);
  CHECK(o.store.waiting("s02", AttemptKind::submission) == 2);
  CHECK(o.store.waiting("s01", AttemptKind::submission) == 0);
  const auto submissions = o.store.submissions("s02", "vecadd");
  REQUIRE(submissions.size() == 2);
  CHECK(submissions[0].id == first);
  CHECK(submissions[1].id == second);
  CHECK(o.store.all_submissions().size() == 2);
}

TEST_CASE("a regrade has one attempt per person, which no list of attempts shows",
          "[serve][unit]") {
  Opened o;
  std::vector<std::int64_t> replaced, canceled;
  const auto submit = [&](const std::string& person) {
    return o.store
        .add(person, "vecadd", AttemptKind::submission, Urgency::later, {{"a.cu", "x"}}, replaced)
        .id;
  };
  const std::int64_t own = submit("s01");
  std::vector<KeptAttempt> attempts;
  const auto regrade = o.store.begin_regrade("vecadd", "ann", {"s01", "s02"}, attempts);
  REQUIRE(regrade);
  REQUIRE(attempts.size() == 2);
  CHECK(attempts[1].person == "s02");
  CHECK(attempts[1].urgency == Urgency::batch);
  CHECK(o.store.waiting().size() == 3);
  CHECK(o.store.attempts("s01", "vecadd", 10).size() == 1);
  CHECK(o.store.submissions("s01", "vecadd").size() == 1);
  CHECK(o.store.all_submissions().size() == 1);
  CHECK(o.store.progress("s01").at("vecadd").attempts == 1);
  CHECK(o.store.waiting("s01", AttemptKind::submission) == 1);

  // One regrade of a lab at a time, and another lab has its own.
  std::vector<KeptAttempt> more;
  CHECK_FALSE(o.store.begin_regrade("vecadd", "bob", {"s01"}, more));
  CHECK(more.empty());
  CHECK(o.store.begin_regrade("histogram", "bob", {"s01"}, more));
  const auto claimed = o.store.claim(attempts[0].id);
  REQUIRE(claimed);
  CHECK(claimed->regrade == regrade->id);
  CHECK(o.store.end_regrade(regrade->id, RegradeState::discarded, canceled));
  CHECK(canceled == std::vector<std::int64_t>{attempts[0].id, attempts[1].id});
  CHECK_FALSE(o.store.end_regrade(regrade->id, RegradeState::applied, canceled));
  CHECK_FALSE(o.store.finish(*claimed, {}));
  CHECK_FALSE(o.store.open_regrade("vecadd"));
  CHECK(o.store.open_regrade("histogram"));
  CHECK(o.store.regrade_attempts(regrade->id)[0].state == AttemptState::canceled);
  CHECK(o.store.attempt(own)->state == AttemptState::waiting);
}

TEST_CASE("others on the machine cannot read the database", "[serve][unit]") {
  if (testing::tests_have_postgresql()) SKIP("about a file of SQLite");
  Opened o;
  struct stat status = {};
  REQUIRE(::stat(o.file.c_str(), &status) == 0);
  CHECK((status.st_mode & 077) == 0);
}

TEST_CASE("a locked, a damaged and a newer database are named as such", "[serve][unit]") {
  if (testing::tests_have_postgresql()) SKIP("about a file of SQLite");
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
  CHECK(o.store.attempts("", "vecadd", 10).empty());
  sqlite3_exec(other, "ROLLBACK; PRAGMA user_version = 999", nullptr, nullptr, nullptr);
  sqlite3_close(other);
  CHECK(o.add("vecadd", AttemptKind::submission) == 1);
  CHECK_THROWS_AS(Store(o.file), StoreError);
}

}  // namespace warpgrade
