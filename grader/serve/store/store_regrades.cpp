#include "grader/serve/store/store_parts.h"

namespace warpgrade {
namespace {

std::optional<KeptRegrade> read_open(Database& database, const std::string& lab) {
  Statement row(database,
                "SELECT id, lab, person, begun_ms, state FROM regrade "
                "WHERE lab = ? AND state = 'open'");
  row.bind(lab);
  if (!row.next()) return std::nullopt;
  return KeptRegrade{.id = row.integer(0),
                     .lab = row.bytes(1),
                     .by = row.bytes(2),
                     .begun_ms = row.integer(3),
                     .state = from_slug<RegradeState>(row.bytes(4)).value()};
}

}  // namespace

std::optional<KeptRegrade> Store::begin_regrade(const std::string& lab, const std::string& by,
                                                const std::vector<std::string>& persons,
                                                std::vector<KeptAttempt>& attempts) {
  const std::lock_guard lock(parts_->mutex);
  Database& database = parts_->database;
  Transaction transaction(database);
  if (read_open(database, lab)) return std::nullopt;
  Statement(database, "INSERT INTO regrade (lab, person, begun_ms, state) VALUES (?, ?, ?, 'open')")
      .bind(lab)
      .bind(by)
      .bind(now_ms())
      .run();
  const std::optional<KeptRegrade> regrade = read_open(database, lab);
  for (const std::string& person : persons) {
    KeptAttempt attempt;
    attempt.person = person;
    attempt.lab = lab;
    attempt.kind = AttemptKind::regrade;
    attempt.urgency = Urgency::batch;
    attempt.requested_ms = now_ms();
    attempt.regrade = regrade->id;
    Statement added(database,
                    "INSERT INTO attempt (person, lab, kind, urgency, state, requested_ms, "
                    "files_hash, regrade) VALUES (?, ?, ?, ?, 'waiting', ?, '', ?) RETURNING id");
    added.bind(person)
        .bind(lab)
        .bind(slug(attempt.kind))
        .bind(slug(attempt.urgency))
        .bind(attempt.requested_ms)
        .bind(attempt.regrade);
    added.next();
    attempt.id = added.integer(0);
    added.run();
    attempts.push_back(std::move(attempt));
  }
  transaction.commit();
  return regrade;
}

std::optional<KeptRegrade> Store::open_regrade(const std::string& lab) const {
  const std::lock_guard lock(parts_->reading);
  return read_open(parts_->reader, lab);
}

std::vector<KeptAttempt> Store::regrade_attempts(std::int64_t regrade) const {
  const std::lock_guard lock(parts_->reading);
  Statement row(parts_->reader,
                std::string(kAttempt) + "WHERE regrade = ? AND kind = 'regrade' ORDER BY id");
  row.bind(regrade);
  std::vector<KeptAttempt> all;
  while (row.next()) all.push_back(read_attempt(row));
  return all;
}

bool Store::end_regrade(std::int64_t regrade, RegradeState state,
                        std::vector<std::int64_t>& canceled) {
  const std::lock_guard lock(parts_->mutex);
  Database& database = parts_->database;
  Transaction transaction(database);
  Statement(database, "UPDATE regrade SET state = ? WHERE id = ? AND state = 'open'")
      .bind(slug(state))
      .bind(regrade)
      .run();
  if (database.changes() != 1) return false;
  {
    Statement open(database,
                   "UPDATE attempt SET state = 'canceled', finished_ms = ? WHERE regrade = ? AND "
                   "kind = 'regrade' AND state IN ('waiting', 'running') RETURNING id");
    open.bind(now_ms()).bind(regrade);
    while (open.next()) canceled.push_back(open.integer(0));
  }
  transaction.commit();
  return true;
}

}  // namespace warpgrade
