#include "grader/serve/store/schema.h"

#include <chrono>
#include <iterator>

#include "grader/serve/store/postgresql.h"
#include "grader/serve/store/sqlite.h"

namespace warpgrade {
namespace {

/// By version, from 1. A database of PostgreSQL begins with kPostgresqlBaseline; later versions
/// have one text for both (BIGINT, DOUBLE PRECISION and BYTEA are types of SQLite, too) where they
/// can.
constexpr const char* kMigrations[] = {R"(
CREATE TABLE file (hash TEXT PRIMARY KEY, content BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE attempt (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  lab TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('check', 'submission')),
  state TEXT NOT NULL
    CHECK (state IN ('waiting', 'running', 'done', 'failed', 'canceled', 'replaced')),
  requested_ms INTEGER NOT NULL,
  claimed_ms INTEGER NOT NULL DEFAULT 0,
  finished_ms INTEGER NOT NULL DEFAULT 0,
  claim INTEGER NOT NULL DEFAULT 0,
  files_hash TEXT NOT NULL,
  message TEXT NOT NULL DEFAULT '');
CREATE INDEX attempt_of_lab ON attempt (lab, id);
CREATE INDEX attempt_in_queue ON attempt (state, kind, id) WHERE state IN ('waiting', 'running');
CREATE TABLE attempt_file (
  attempt INTEGER NOT NULL REFERENCES attempt (id),
  name TEXT NOT NULL,
  hash TEXT NOT NULL REFERENCES file (hash),
  PRIMARY KEY (attempt, name)) WITHOUT ROWID;
CREATE TABLE result (
  attempt INTEGER PRIMARY KEY REFERENCES attempt (id),
  score REAL NOT NULL,
  max_score REAL NOT NULL,
  passed INTEGER NOT NULL,
  headline TEXT NOT NULL,
  problems TEXT NOT NULL,
  report BLOB NOT NULL);
CREATE TABLE draft (lab TEXT NOT NULL, name TEXT NOT NULL, content BLOB NOT NULL,
  PRIMARY KEY (lab, name)) WITHOUT ROWID;
)",
                                       R"(
ALTER TABLE attempt ADD COLUMN person TEXT NOT NULL DEFAULT '';
DROP INDEX attempt_of_lab;
CREATE INDEX attempt_of_person ON attempt (person, lab, id);
CREATE TABLE draft_of_person (person TEXT NOT NULL, lab TEXT NOT NULL, name TEXT NOT NULL,
  content BLOB NOT NULL, PRIMARY KEY (person, lab, name)) WITHOUT ROWID;
INSERT INTO draft_of_person SELECT '', lab, name, content FROM draft;
DROP TABLE draft;
ALTER TABLE draft_of_person RENAME TO draft;
CREATE TABLE invitation (hash TEXT PRIMARY KEY, person TEXT NOT NULL, expires_ms INTEGER NOT NULL)
  WITHOUT ROWID;
CREATE TABLE session (hash TEXT PRIMARY KEY, person TEXT NOT NULL, expires_ms INTEGER NOT NULL)
  WITHOUT ROWID;
CREATE INDEX session_of_person ON session (person);
)",
                                       R"(
ALTER TABLE attempt ADD COLUMN pitfall TEXT NOT NULL DEFAULT '';
ALTER TABLE attempt ADD COLUMN urgency TEXT NOT NULL DEFAULT 'later';
UPDATE attempt SET urgency = 'interactive' WHERE kind = 'check';
)",
                                       R"(
CREATE TABLE regrade (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  lab TEXT NOT NULL,
  person TEXT NOT NULL,
  begun_ms INTEGER NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('open', 'applied', 'discarded')));
CREATE UNIQUE INDEX open_regrade ON regrade (lab) WHERE state = 'open';
CREATE TABLE attempt_with_regrades (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  lab TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('check', 'submission', 'regrade')),
  state TEXT NOT NULL
    CHECK (state IN ('waiting', 'running', 'done', 'failed', 'canceled', 'replaced')),
  requested_ms INTEGER NOT NULL,
  claimed_ms INTEGER NOT NULL DEFAULT 0,
  finished_ms INTEGER NOT NULL DEFAULT 0,
  claim INTEGER NOT NULL DEFAULT 0,
  files_hash TEXT NOT NULL,
  message TEXT NOT NULL DEFAULT '',
  person TEXT NOT NULL DEFAULT '',
  pitfall TEXT NOT NULL DEFAULT '',
  urgency TEXT NOT NULL DEFAULT 'later',
  regrade INTEGER NOT NULL DEFAULT 0);
INSERT INTO attempt_with_regrades SELECT id, lab, kind, state, requested_ms, claimed_ms, finished_ms,
  claim, files_hash, message, person, pitfall, urgency, 0 FROM attempt;
DROP TABLE attempt;
ALTER TABLE attempt_with_regrades RENAME TO attempt;
CREATE INDEX attempt_of_person ON attempt (person, lab, id);
CREATE INDEX attempt_in_queue ON attempt (state, kind, id) WHERE state IN ('waiting', 'running');
CREATE INDEX attempt_of_regrade ON attempt (regrade, id) WHERE kind = 'regrade';
)",
                                       R"(
CREATE TABLE lti_context (
  id INTEGER PRIMARY KEY,
  platform TEXT NOT NULL,
  deployment TEXT NOT NULL,
  context TEXT NOT NULL,
  title TEXT NOT NULL,
  line_items_url TEXT NOT NULL,
  may_make_line_items INTEGER NOT NULL,
  may_score INTEGER NOT NULL,
  members_url TEXT NOT NULL,
  members_ms INTEGER NOT NULL DEFAULT 0,
  members_problem TEXT NOT NULL DEFAULT '',
  UNIQUE (platform, deployment, context));
CREATE TABLE lti_account (platform TEXT NOT NULL, subject TEXT NOT NULL, person TEXT NOT NULL,
  PRIMARY KEY (platform, subject), UNIQUE (platform, person)) WITHOUT ROWID;
CREATE TABLE lti_member (
  context INTEGER NOT NULL REFERENCES lti_context (id),
  subject TEXT NOT NULL,
  name TEXT NOT NULL,
  account TEXT NOT NULL,
  role TEXT NOT NULL CHECK (role IN ('other', 'learner', 'assistant', 'instructor')),
  person TEXT NOT NULL,
  problem TEXT NOT NULL,
  PRIMARY KEY (context, subject)) WITHOUT ROWID;
CREATE TABLE lti_link (
  context INTEGER NOT NULL REFERENCES lti_context (id),
  link TEXT NOT NULL,
  title TEXT NOT NULL,
  lab TEXT NOT NULL,
  PRIMARY KEY (context, link)) WITHOUT ROWID;
CREATE TABLE lti_line_item (
  context INTEGER NOT NULL REFERENCES lti_context (id),
  lab TEXT NOT NULL,
  url TEXT NOT NULL,
  PRIMARY KEY (context, lab)) WITHOUT ROWID;
CREATE TABLE lti_score (
  context INTEGER NOT NULL REFERENCES lti_context (id),
  lab TEXT NOT NULL,
  person TEXT NOT NULL,
  points REAL,
  max_points REAL NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('waiting', 'sent', 'refused')),
  version INTEGER NOT NULL DEFAULT 1,
  tries INTEGER NOT NULL DEFAULT 0,
  due_ms INTEGER NOT NULL DEFAULT 0,
  sent_ms INTEGER NOT NULL DEFAULT 0,
  answer TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (context, lab, person)) WITHOUT ROWID;
)",
                                       R"(
ALTER TABLE attempt ADD COLUMN turn BIGINT NOT NULL DEFAULT 0;
ALTER TABLE attempt ADD COLUMN rules TEXT NOT NULL DEFAULT '';
ALTER TABLE attempt ADD COLUMN worker TEXT NOT NULL DEFAULT '';
ALTER TABLE attempt ADD COLUMN lease_ms BIGINT NOT NULL DEFAULT 0;
ALTER TABLE attempt ADD COLUMN step TEXT NOT NULL DEFAULT '';
ALTER TABLE attempt ADD COLUMN handed BIGINT NOT NULL DEFAULT 0;
CREATE INDEX attempt_offered ON attempt (turn) WHERE turn > 0 AND state IN ('waiting', 'running');
CREATE TABLE worker (name TEXT PRIMARY KEY, at_once BIGINT NOT NULL, rules TEXT NOT NULL,
  seen_ms BIGINT NOT NULL);
CREATE TABLE graded_file (
  attempt BIGINT NOT NULL REFERENCES attempt (id),
  name TEXT NOT NULL,
  content BYTEA NOT NULL,
  PRIMARY KEY (attempt, name));
)"};

/// The version of the tables with which databases of PostgreSQL begin, and its statements.
constexpr std::int64_t kPostgresqlBegins = 5;
constexpr const char* kPostgresqlBaseline = R"(
CREATE TABLE file (hash TEXT PRIMARY KEY, content BYTEA NOT NULL);
CREATE TABLE regrade (
  id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  lab TEXT NOT NULL,
  person TEXT NOT NULL,
  begun_ms BIGINT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('open', 'applied', 'discarded')));
CREATE UNIQUE INDEX open_regrade ON regrade (lab) WHERE state = 'open';
CREATE TABLE attempt (
  id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  lab TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('check', 'submission', 'regrade')),
  state TEXT NOT NULL
    CHECK (state IN ('waiting', 'running', 'done', 'failed', 'canceled', 'replaced')),
  requested_ms BIGINT NOT NULL,
  claimed_ms BIGINT NOT NULL DEFAULT 0,
  finished_ms BIGINT NOT NULL DEFAULT 0,
  claim BIGINT NOT NULL DEFAULT 0,
  files_hash TEXT NOT NULL,
  message TEXT NOT NULL DEFAULT '',
  person TEXT NOT NULL DEFAULT '',
  pitfall TEXT NOT NULL DEFAULT '',
  urgency TEXT NOT NULL DEFAULT 'later',
  regrade BIGINT NOT NULL DEFAULT 0);
CREATE INDEX attempt_of_person ON attempt (person, lab, id);
CREATE INDEX attempt_in_queue ON attempt (state, kind, id) WHERE state IN ('waiting', 'running');
CREATE INDEX attempt_of_regrade ON attempt (regrade, id) WHERE kind = 'regrade';
CREATE TABLE attempt_file (
  attempt BIGINT NOT NULL REFERENCES attempt (id),
  name TEXT NOT NULL,
  hash TEXT NOT NULL REFERENCES file (hash),
  PRIMARY KEY (attempt, name));
CREATE TABLE result (
  attempt BIGINT PRIMARY KEY REFERENCES attempt (id),
  score DOUBLE PRECISION NOT NULL,
  max_score DOUBLE PRECISION NOT NULL,
  passed BIGINT NOT NULL,
  headline TEXT NOT NULL,
  problems TEXT NOT NULL,
  report BYTEA NOT NULL);
CREATE TABLE draft (person TEXT NOT NULL, lab TEXT NOT NULL, name TEXT NOT NULL,
  content BYTEA NOT NULL, PRIMARY KEY (person, lab, name));
CREATE TABLE invitation (hash TEXT PRIMARY KEY, person TEXT NOT NULL, expires_ms BIGINT NOT NULL);
CREATE TABLE session (hash TEXT PRIMARY KEY, person TEXT NOT NULL, expires_ms BIGINT NOT NULL);
CREATE INDEX session_of_person ON session (person);
CREATE TABLE lti_context (
  id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  platform TEXT NOT NULL,
  deployment TEXT NOT NULL,
  context TEXT NOT NULL,
  title TEXT NOT NULL,
  line_items_url TEXT NOT NULL,
  may_make_line_items BIGINT NOT NULL,
  may_score BIGINT NOT NULL,
  members_url TEXT NOT NULL,
  members_ms BIGINT NOT NULL DEFAULT 0,
  members_problem TEXT NOT NULL DEFAULT '',
  UNIQUE (platform, deployment, context));
CREATE TABLE lti_account (platform TEXT NOT NULL, subject TEXT NOT NULL, person TEXT NOT NULL,
  PRIMARY KEY (platform, subject), UNIQUE (platform, person));
CREATE TABLE lti_member (
  context BIGINT NOT NULL REFERENCES lti_context (id),
  subject TEXT NOT NULL,
  name TEXT NOT NULL,
  account TEXT NOT NULL,
  role TEXT NOT NULL CHECK (role IN ('other', 'learner', 'assistant', 'instructor')),
  person TEXT NOT NULL,
  problem TEXT NOT NULL,
  PRIMARY KEY (context, subject));
CREATE TABLE lti_link (
  context BIGINT NOT NULL REFERENCES lti_context (id),
  link TEXT NOT NULL,
  title TEXT NOT NULL,
  lab TEXT NOT NULL,
  PRIMARY KEY (context, link));
CREATE TABLE lti_line_item (
  context BIGINT NOT NULL REFERENCES lti_context (id),
  lab TEXT NOT NULL,
  url TEXT NOT NULL,
  PRIMARY KEY (context, lab));
CREATE TABLE lti_score (
  context BIGINT NOT NULL REFERENCES lti_context (id),
  lab TEXT NOT NULL,
  person TEXT NOT NULL,
  points DOUBLE PRECISION,
  max_points DOUBLE PRECISION NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('waiting', 'sent', 'refused')),
  version BIGINT NOT NULL DEFAULT 1,
  tries BIGINT NOT NULL DEFAULT 0,
  due_ms BIGINT NOT NULL DEFAULT 0,
  sent_ms BIGINT NOT NULL DEFAULT 0,
  answer TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (context, lab, person));
)";

}  // namespace

std::int64_t now_ms() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

std::int64_t newest_schema() {
  return std::size(kMigrations);
}

const char* schema_step(Database::Dialect dialect, std::int64_t version) {
  if (dialect == Database::Dialect::postgresql && version <= kPostgresqlBegins) {
    return version == kPostgresqlBegins ? kPostgresqlBaseline : "";
  }
  return kMigrations[version - 1];
}

void migrate(Database& database, std::int64_t to_version) {
  Transaction transaction(database);
  const std::int64_t version = database.schema_version();
  if (version > newest_schema()) {
    throw StoreError(StoreError::Kind::broken,
                     "The database was made by a newer version of warpgrade. Use that version, or "
                     "another database.");
  }
  if (version >= to_version) return;
  for (std::int64_t next = version + 1; next <= to_version; ++next) {
    database.run(schema_step(database.dialect(), next));
  }
  database.set_schema_version(to_version);
  transaction.commit();
}

void require_newest(Database& database) {
  const Transaction transaction(database);
  const std::int64_t version = database.schema_version();
  if (version == newest_schema()) return;
  throw StoreError(StoreError::Kind::broken,
                   version == 0 ? "No server has used this database yet: start it first."
                                : "The server of this database has another version of warpgrade. "
                                  "Server and workers need the same.");
}

std::unique_ptr<Database> open_database(const DatabaseAddress& address) {
  std::unique_ptr<Database> database =
      address.is_postgresql() ? open_postgresql(address) : open_sqlite(address.file);
  if (address.migrates) {
    migrate(*database);
  } else {
    require_newest(*database);
  }
  // Not before: a step may replace a table that others refer to, and foreign keys would then
  // delete what refers to its rows (https://sqlite.org/lang_altertable.html, section 7).
  if (database->dialect() == Database::Dialect::sqlite) database->run("PRAGMA foreign_keys = ON");
  return database;
}

}  // namespace warpgrade
