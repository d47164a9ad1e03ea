#include "grader/serve/store/leases.h"

#include <chrono>
#include <string>

#include "grader/serve/store/schema.h"
#include "grader/serve/store/store_parts.h"

namespace warpgrade {
namespace {

constexpr const char* kNotBroughtToAnEnd =
    "It could not be done: each of the workers that began it ended before. It is kept, and the "
    "staff can look into it.";

std::vector<std::int64_t> ids_of(Statement& row) {
  std::vector<std::int64_t> ids;
  while (row.next()) ids.push_back(row.integer(0));
  return ids;
}

}  // namespace

std::int64_t workers_alive_since(Database& database) {
  return database.clock_ms() -
         std::chrono::duration_cast<std::chrono::milliseconds>(kWorkerGone).count();
}

Leases::Leases(const DatabaseAddress& address) : database_(open_database(address)) {}

Leases::~Leases() = default;

Leases::Places Leases::places(const std::string& rules) {
  const std::lock_guard lock(mutex_);
  Statement row(*database_, "SELECT rules, at_once FROM worker WHERE seen_ms > ?");
  row.bind(workers_alive_since(*database_));
  Places places;
  while (row.next()) {
    const auto at_once = static_cast<std::size_t>(row.integer(1));
    if (row.bytes(0) == rules) {
      places.all += at_once;
      ++places.workers;
    } else {
      places.of_others += at_once;
    }
  }
  return places;
}

bool Leases::offer(std::int64_t attempt, std::int64_t turn, const std::string& rules) {
  const std::lock_guard lock(mutex_);
  Statement(*database_, "UPDATE attempt SET turn = ?, rules = ? WHERE id = ? AND state = 'waiting'")
      .bind(turn)
      .bind(rules)
      .bind(attempt)
      .run();
  return database_->changes() == 1;
}

void Leases::offer_with(const std::string& rules) {
  const std::lock_guard lock(mutex_);
  Statement(*database_,
            "UPDATE attempt SET rules = ? WHERE state = 'waiting' AND turn > 0 AND rules <> ?")
      .bind(rules)
      .bind(rules)
      .run();
}

std::vector<KeptAttempt> Leases::withdraw() {
  const std::lock_guard lock(mutex_);
  Transaction transaction(*database_);
  std::vector<std::int64_t> ids;
  {
    Statement row(*database_,
                  "UPDATE attempt SET turn = 0 WHERE state = 'waiting' AND turn > 0 RETURNING id");
    ids = ids_of(row);
  }
  std::vector<KeptAttempt> all;
  for (const std::int64_t id : ids) {
    Statement row(*database_, std::string(kAttempt) + "WHERE id = ?");
    row.bind(id);
    if (row.next()) all.push_back(read_attempt(row));
  }
  transaction.commit();
  return all;
}

std::vector<Leases::Offered> Leases::offered() {
  const std::lock_guard lock(mutex_);
  Statement row(*database_,
                "SELECT id, state, step, handed FROM attempt WHERE turn > 0 AND state IN "
                "('waiting', 'running') ORDER BY turn");
  std::vector<Offered> all;
  while (row.next()) {
    all.push_back({.id = row.integer(0),
                   .running = row.bytes(1) == slug(AttemptState::running),
                   .step = row.bytes(2),
                   .handed_over = row.integer(3) != 0});
  }
  return all;
}

Leases::Reaped Leases::reap() {
  const std::lock_guard lock(mutex_);
  const std::int64_t now = database_->clock_ms();
  Reaped reaped;
  {
    // Mostly there are none, and looking needs no lock.
    Statement expired(*database_,
                      "SELECT 1 FROM attempt WHERE state = 'running' AND lease_ms > 0 AND lease_ms "
                      "< ? LIMIT 1");
    expired.bind(now);
    if (!expired.next()) return reaped;
  }
  {
    Statement row(*database_,
                  "UPDATE attempt SET state = 'failed', message = ?, finished_ms = ?, lease_ms = 0 "
                  "WHERE state = 'running' AND lease_ms > 0 AND lease_ms < ? AND claim >= ? "
                  "RETURNING id");
    row.bind(kNotBroughtToAnEnd).bind(now).bind(now).bind(kMostClaims);
    reaped.failed = ids_of(row);
  }
  Statement row(*database_,
                "UPDATE attempt SET state = 'waiting', worker = '', lease_ms = 0, step = '' WHERE "
                "state = 'running' AND lease_ms > 0 AND lease_ms < ? RETURNING id");
  row.bind(now);
  reaped.waiting = ids_of(row);
  return reaped;
}

FileSet Leases::handed_over(std::int64_t attempt) {
  const std::lock_guard lock(mutex_);
  Statement row(*database_, "SELECT name, content FROM graded_file WHERE attempt = ?");
  row.bind(attempt);
  FileSet files;
  while (row.next()) files.emplace(row.bytes(0), row.bytes(1));
  return files;
}

void Leases::alive(const std::string& worker, std::size_t at_once, const std::string& rules) {
  const std::lock_guard lock(mutex_);
  const std::int64_t now = database_->clock_ms();
  Transaction transaction(*database_, Database::Flush::later);
  Statement(*database_,
            "INSERT INTO worker (name, at_once, rules, seen_ms) VALUES (?, ?, ?, ?) ON CONFLICT "
            "(name) DO UPDATE SET at_once = excluded.at_once, rules = excluded.rules, seen_ms = "
            "excluded.seen_ms")
      .bind(worker)
      .bind(static_cast<std::int64_t>(at_once))
      .bind(rules)
      .bind(now)
      .run();
  transaction.commit();
}

void Leases::gone(const std::string& worker) {
  const std::lock_guard lock(mutex_);
  Statement(*database_, "DELETE FROM worker WHERE name = ?").bind(worker).run();
}

std::optional<KeptAttempt> Leases::claim(const std::string& worker, const std::string& rules,
                                         std::chrono::milliseconds lease) {
  const std::lock_guard lock(mutex_);
  {
    // Idle workers only look, which needs no lock.
    Statement any(*database_,
                  "SELECT 1 FROM attempt WHERE state = 'waiting' AND turn > 0 AND rules = ? "
                  "LIMIT 1");
    any.bind(rules);
    if (!any.next()) return std::nullopt;
  }
  Transaction transaction(*database_);
  const std::int64_t now = database_->clock_ms();
  std::int64_t id = 0;
  {
    Statement first(*database_, std::string("SELECT id FROM attempt WHERE state = 'waiting' AND "
                                            "turn > 0 AND rules = ? ORDER BY turn LIMIT 1 ") +
                                    database_->skipping_locked());
    first.bind(rules);
    if (!first.next()) return std::nullopt;
    id = first.integer(0);
  }
  Statement(*database_,
            "UPDATE attempt SET state = 'running', claim = claim + 1, claimed_ms = ?, worker = ?, "
            "lease_ms = ?, step = '', handed = 0 WHERE id = ?")
      .bind(now)
      .bind(worker)
      .bind(now + lease.count())
      .bind(id)
      .run();
  std::optional<KeptAttempt> claimed;
  {
    Statement row(*database_, std::string(kAttempt) + "WHERE id = ?");
    row.bind(id);
    if (row.next()) claimed = read_attempt(row);
  }
  transaction.commit();
  return claimed;
}

bool Leases::only_for_others(const std::string& rules) {
  const std::lock_guard lock(mutex_);
  Statement row(*database_,
                "SELECT count(*), coalesce(sum(CASE rules WHEN ? THEN 1 ELSE 0 END), 0) FROM "
                "attempt WHERE state = 'waiting' AND turn > 0");
  row.bind(rules);
  row.next();
  return row.integer(0) > 0 && row.integer(1) == 0;
}

bool Leases::renew(const KeptAttempt& claimed, const std::string& step,
                   std::chrono::milliseconds lease) {
  const std::lock_guard lock(mutex_);
  const std::int64_t now = database_->clock_ms();
  Transaction transaction(*database_, Database::Flush::later);
  Statement(*database_,
            "UPDATE attempt SET lease_ms = ?, step = ? WHERE id = ? AND claim = ? AND state = "
            "'running' AND handed = 0")
      .bind(now + lease.count())
      .bind(step)
      .bind(claimed.id)
      .bind(claimed.claim)
      .run();
  const bool renewed = database_->changes() == 1;
  transaction.commit();
  return renewed;
}

bool Leases::hand_over(const KeptAttempt& claimed, const FileSet& files) {
  const std::lock_guard lock(mutex_);
  Transaction transaction(*database_);
  // From now on no time ends the claim: the work is done.
  Statement(*database_,
            "UPDATE attempt SET handed = 1, lease_ms = 0 WHERE id = ? AND claim = ? AND state = "
            "'running' AND handed = 0")
      .bind(claimed.id)
      .bind(claimed.claim)
      .run();
  if (database_->changes() != 1) return false;
  Statement(*database_, "DELETE FROM graded_file WHERE attempt = ?").bind(claimed.id).run();
  for (const auto& [name, content] : files) {
    Statement(*database_, "INSERT INTO graded_file (attempt, name, content) VALUES (?, ?, ?)")
        .bind(claimed.id)
        .bind(name)
        .bind_bytes(content)
        .run();
  }
  transaction.commit();
  return true;
}

void Leases::give_back(const KeptAttempt& claimed) {
  const std::lock_guard lock(mutex_);
  Statement(*database_,
            "UPDATE attempt SET state = 'waiting', worker = '', lease_ms = 0, step = '' WHERE id = "
            "? AND claim = ? AND state = 'running' AND handed = 0")
      .bind(claimed.id)
      .bind(claimed.claim)
      .run();
}

}  // namespace warpgrade
