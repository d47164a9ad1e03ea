#include "grader/serve/store/store.h"

#include "grader/core/sha256.h"
#include "grader/serve/store/store_parts.h"

namespace warpgrade {
namespace {

std::string hash_of(std::string_view bytes) {
  Sha256 sha;
  sha.add(bytes);
  return sha.hex();
}

std::string hash_of(const FileSet& files) {
  Sha256 sha;
  for (const auto& [name, content] : files) {
    sha.add_field(name);
    sha.add_field(content);
  }
  return sha.hex();
}

std::string with(std::string_view condition) {
  return std::string(kAttempt) + std::string(condition);
}

}  // namespace

KeptAttempt read_attempt(const Statement& row) {
  KeptAttempt attempt;
  attempt.id = row.integer(0);
  attempt.lab = row.bytes(1);
  attempt.kind = from_slug<AttemptKind>(row.bytes(2)).value();
  attempt.state = from_slug<AttemptState>(row.bytes(3)).value();
  attempt.requested_ms = row.integer(4);
  attempt.claimed_ms = row.integer(5);
  attempt.finished_ms = row.integer(6);
  attempt.claim = row.integer(7);
  attempt.files_hash = row.bytes(8);
  attempt.message = row.bytes(9);
  attempt.person = row.bytes(14);
  attempt.urgency = from_slug<Urgency>(row.bytes(15)).value();
  attempt.regrade = row.integer(16);
  if (!row.is_null(10)) {
    attempt.result = AttemptResult{.score = row.real(10),
                                   .max_score = row.real(11),
                                   .passed = row.integer(12) != 0,
                                   .headline = row.bytes(13),
                                   .problems = {},
                                   .report = {}};
  }
  return attempt;
}

Store::Store(const DatabaseAddress& address) : parts_(std::make_unique<Parts>(address)) {}

Store::~Store() = default;

KeptAttempt Store::add(const std::string& person, const std::string& lab, AttemptKind kind,
                       Urgency urgency, const FileSet& files, std::vector<std::int64_t>& replaced) {
  const std::lock_guard lock(parts_->mutex);
  Database& database = parts_->database;
  Transaction transaction(database);
  if (kind == AttemptKind::check) {
    Statement older(database,
                    "UPDATE attempt SET state = 'replaced', finished_ms = ? "
                    "WHERE state = 'waiting' AND kind = 'check' AND person = ? AND lab = ? "
                    "RETURNING id");
    older.bind(now_ms()).bind(person).bind(lab);
    while (older.next()) replaced.push_back(older.integer(0));
  }
  KeptAttempt attempt;
  attempt.person = person;
  attempt.lab = lab;
  attempt.kind = kind;
  attempt.urgency = urgency;
  attempt.requested_ms = now_ms();
  attempt.files_hash = hash_of(files);
  {
    Statement added(database,
                    "INSERT INTO attempt (person, lab, kind, urgency, state, requested_ms, "
                    "files_hash) VALUES (?, ?, ?, ?, 'waiting', ?, ?) RETURNING id");
    added.bind(person)
        .bind(lab)
        .bind(slug(kind))
        .bind(slug(urgency))
        .bind(attempt.requested_ms)
        .bind(attempt.files_hash);
    added.next();
    attempt.id = added.integer(0);
    added.run();
  }
  for (const auto& [name, content] : files) {
    const std::string hash = hash_of(content);
    Statement(database, "INSERT INTO file (hash, content) VALUES (?, ?) ON CONFLICT DO NOTHING")
        .bind(hash)
        .bind_bytes(content)
        .run();
    Statement(database, "INSERT INTO attempt_file (attempt, name, hash) VALUES (?, ?, ?)")
        .bind(attempt.id)
        .bind(name)
        .bind(hash)
        .run();
  }
  transaction.commit();
  return attempt;
}

std::vector<KeptAttempt> Store::waiting() const {
  const std::lock_guard lock(parts_->reading);
  Statement row(parts_->reader, with("WHERE state = 'waiting' ORDER BY id"));
  std::vector<KeptAttempt> all;
  while (row.next()) all.push_back(read_attempt(row));
  return all;
}

std::optional<KeptAttempt> Store::claim(std::int64_t id) {
  const std::lock_guard lock(parts_->mutex);
  Database& database = parts_->database;
  Transaction transaction(database);
  std::optional<KeptAttempt> attempt;
  {
    Statement row(database, with("WHERE state = 'waiting' AND id = ?"));
    row.bind(id);
    if (!row.next()) return std::nullopt;
    attempt = read_attempt(row);
  }
  attempt->state = AttemptState::running;
  attempt->claimed_ms = now_ms();
  ++attempt->claim;
  Statement(database,
            "UPDATE attempt SET state = 'running', claimed_ms = ?, claim = ?, turn = 0, worker = "
            "'', lease_ms = 0, handed = 0 WHERE id = ? AND state = 'waiting'")
      .bind(attempt->claimed_ms)
      .bind(attempt->claim)
      .bind(attempt->id)
      .run();
  if (database.changes() != 1) return std::nullopt;  // a worker was faster
  transaction.commit();
  return attempt;
}

bool Store::finish(const KeptAttempt& claimed, const AttemptResult& result) {
  const std::lock_guard lock(parts_->mutex);
  Database& database = parts_->database;
  Transaction transaction(database);
  if (!parts_->end(claimed, AttemptState::done, "")) return false;
  // Not in the table of results, whose reports would have to be read to reach it.
  Statement(database, "UPDATE attempt SET pitfall = ? WHERE id = ?")
      .bind(result.pitfall)
      .bind(claimed.id)
      .run();
  Statement(database, "INSERT INTO result VALUES (?, ?, ?, ?, ?, ?, ?)")
      .bind(claimed.id)
      .bind(result.score)
      .bind(result.max_score)
      .bind(static_cast<std::int64_t>(result.passed))
      .bind(result.headline)
      .bind(result.problems)
      .bind_bytes(result.report)
      .run();
  transaction.commit();
  return true;
}

bool Store::fail(const KeptAttempt& claimed, const std::string& message) {
  const std::lock_guard lock(parts_->mutex);
  Transaction transaction(parts_->database);
  if (!parts_->end(claimed, AttemptState::failed, message)) return false;
  transaction.commit();
  return true;
}

bool Store::cancel(std::int64_t id) {
  const std::lock_guard lock(parts_->mutex);
  Statement(parts_->database,
            "UPDATE attempt SET state = 'canceled', finished_ms = ? "
            "WHERE id = ? AND kind = 'check' AND state IN ('waiting', 'running')")
      .bind(now_ms())
      .bind(id)
      .run();
  return parts_->database.changes() == 1;
}

std::size_t Store::requeue_running() {
  const std::lock_guard lock(parts_->mutex);
  Database& database = parts_->database;
  Transaction transaction(database);
  database.run("UPDATE attempt SET state = 'waiting' WHERE state = 'running' AND worker = ''");
  const auto requeued = static_cast<std::size_t>(database.changes());
  database.run("UPDATE attempt SET turn = 0 WHERE state = 'waiting' AND turn > 0");
  transaction.commit();
  return requeued;
}

std::optional<KeptAttempt> Store::attempt(std::int64_t id) const {
  const std::lock_guard lock(parts_->reading);
  Statement row(parts_->reader, with("WHERE id = ?"));
  row.bind(id);
  return row.next() ? std::optional(read_attempt(row)) : std::nullopt;
}

std::vector<KeptAttempt> Store::attempts(const std::string& person, const std::string& lab,
                                         std::size_t limit) const {
  const std::lock_guard lock(parts_->reading);
  Statement row(parts_->reader, with("WHERE person = ? AND lab = ? AND kind != 'regrade' "
                                     "ORDER BY id DESC LIMIT ?"));
  row.bind(person).bind(lab).bind(static_cast<std::int64_t>(limit));
  std::vector<KeptAttempt> all;
  while (row.next()) all.push_back(read_attempt(row));
  return all;
}

std::vector<KeptAttempt> Store::submissions(const std::string& person,
                                            const std::string& lab) const {
  const std::lock_guard lock(parts_->reading);
  Statement row(parts_->reader,
                with("WHERE person = ? AND lab = ? AND kind = 'submission' ORDER BY id"));
  row.bind(person).bind(lab);
  std::vector<KeptAttempt> all;
  while (row.next()) all.push_back(read_attempt(row));
  return all;
}

std::vector<KeptAttempt> Store::all_submissions() const {
  const std::lock_guard lock(parts_->reading);
  Statement row(parts_->reader, with("WHERE kind = 'submission' ORDER BY id"));
  std::vector<KeptAttempt> all;
  while (row.next()) all.push_back(read_attempt(row));
  return all;
}

std::vector<MadeCheck> Store::made_checks() const {
  const std::lock_guard lock(parts_->reading);
  Statement row(
      parts_->reader,
      "SELECT person, lab, requested_ms, CASE WHEN score >= max_score THEN 1 ELSE 0 END, pitfall "
      "FROM attempt JOIN result ON attempt = id WHERE kind = 'check' ORDER BY id");
  std::vector<MadeCheck> all;
  while (row.next()) {
    all.push_back({.person = row.bytes(0),
                   .lab = row.bytes(1),
                   .requested_ms = row.integer(2),
                   .complete = row.integer(3) != 0,
                   .pitfall = row.bytes(4)});
  }
  return all;
}

FileSet Store::files(std::int64_t id) const {
  const std::lock_guard lock(parts_->reading);
  Statement row(parts_->reader,
                "SELECT name, content FROM attempt_file JOIN file USING (hash) WHERE attempt = ?");
  row.bind(id);
  FileSet files;
  while (row.next()) files.emplace(row.bytes(0), row.bytes(1));
  return files;
}

std::optional<AttemptResult> Store::result(std::int64_t id) const {
  const std::lock_guard lock(parts_->reading);
  Statement row(parts_->reader,
                "SELECT score, max_score, passed, headline, problems, report, pitfall "
                "FROM result JOIN attempt ON attempt = id WHERE id = ?");
  row.bind(id);
  if (!row.next()) return std::nullopt;
  return AttemptResult{.score = row.real(0),
                       .max_score = row.real(1),
                       .passed = row.integer(2) != 0,
                       .headline = row.bytes(3),
                       .pitfall = row.bytes(6),
                       .problems = row.bytes(4),
                       .report = row.bytes(5)};
}

std::size_t Store::waiting(const std::string& person, AttemptKind kind) const {
  const std::lock_guard lock(parts_->reading);
  Statement row(parts_->reader,
                "SELECT count(*) FROM attempt WHERE state = 'waiting' AND kind = ? AND person = ?");
  row.bind(slug(kind)).bind(person);
  row.next();
  return static_cast<std::size_t>(row.integer(0));
}

QueueState Store::queue() const {
  const std::lock_guard lock(parts_->reading);
  QueueState queue;
  Statement row(parts_->reader,
                "SELECT state, urgency, count(*), min(requested_ms) FROM attempt WHERE state IN "
                "('waiting', 'running') GROUP BY state, urgency ORDER BY state, urgency");
  while (row.next()) {
    queue.counts.push_back({.state = from_slug<AttemptState>(row.bytes(0)).value(),
                            .urgency = from_slug<Urgency>(row.bytes(1)).value(),
                            .attempts = row.integer(2),
                            .oldest_ms = row.integer(3)});
  }
  Statement workers(parts_->reader, "SELECT count(*) FROM worker WHERE seen_ms > ?");
  workers.bind(workers_alive_since(parts_->reader));
  workers.next();
  queue.workers = workers.integer(0);
  return queue;
}

std::map<std::string, Store::LabProgress> Store::progress(const std::string& person) const {
  const std::lock_guard lock(parts_->reading);
  Statement row(parts_->reader,
                "SELECT lab, count(*), max(score), "
                "max(CASE kind WHEN 'submission' THEN score END), max(max_score) "
                "FROM attempt LEFT JOIN result ON attempt = id "
                "WHERE person = ? AND kind != 'regrade' GROUP BY lab");
  row.bind(person);
  std::map<std::string, LabProgress> labs;
  while (row.next()) {
    LabProgress& lab = labs[row.bytes(0)];
    lab.attempts = static_cast<std::size_t>(row.integer(1));
    if (!row.is_null(2)) lab.best = row.real(2);
    if (!row.is_null(3)) lab.submitted = row.real(3);
    lab.max_score = row.real(4);
  }
  return labs;
}

void Store::save_draft(const std::string& person, const std::string& lab, const FileSet& files) {
  const std::lock_guard lock(parts_->mutex);
  Database& database = parts_->database;
  Transaction transaction(database, Database::Flush::later);
  for (const auto& [name, content] : files) {
    Statement(database,
              "INSERT INTO draft (person, lab, name, content) VALUES (?, ?, ?, ?) "
              "ON CONFLICT (person, lab, name) DO UPDATE SET content = excluded.content")
        .bind(person)
        .bind(lab)
        .bind(name)
        .bind_bytes(content)
        .run();
  }
  transaction.commit();
}

FileSet Store::draft(const std::string& person, const std::string& lab) const {
  const std::lock_guard lock(parts_->reading);
  Statement row(parts_->reader, "SELECT name, content FROM draft WHERE person = ? AND lab = ?");
  row.bind(person).bind(lab);
  FileSet files;
  while (row.next()) files.emplace(row.bytes(0), row.bytes(1));
  return files;
}

}  // namespace warpgrade
