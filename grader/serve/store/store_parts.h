#pragma once

#include <mutex>

#include "grader/serve/store/schema.h"
#include "grader/serve/store/store.h"

// What the files of Store's functions share.

namespace warpgrade {

/// Columns of read_attempt(), and where they come from; a condition follows.
inline constexpr std::string_view kAttempt =
    "SELECT id, lab, kind, state, requested_ms, claimed_ms, finished_ms, claim, files_hash, "
    "message, score, max_score, passed, headline, person, urgency, regrade FROM attempt LEFT JOIN "
    "result ON attempt = id ";
[[nodiscard]] KeptAttempt read_attempt(const Statement& row);

/// Workers that were seen after this are there.
[[nodiscard]] std::int64_t workers_alive_since(Database& database);

struct Store::Parts {
  explicit Parts(const DatabaseAddress& address)
      : opened(open_database(address)),
        database(*opened),
        opened_to_read(open_database(address)),
        reader(*opened_to_read) {}
  std::mutex mutex;
  std::unique_ptr<Database> opened;
  Database& database;
  // A connection of its own, so that who reads does not wait for the disk with who writes.
  std::mutex reading;
  std::unique_ptr<Database> opened_to_read;
  Database& reader;

  /// Ends a claimed attempt; false if the claim is not the current one.
  bool end(const KeptAttempt& claimed, AttemptState state, const std::string& message) {
    Statement(database,
              "UPDATE attempt SET state = ?, message = ?, finished_ms = ? "
              "WHERE id = ? AND state = 'running' AND claim = ?")
        .bind(slug(state))
        .bind(message)
        .bind(now_ms())
        .bind(claimed.id)
        .bind(claimed.claim)
        .run();
    if (database.changes() != 1) return false;
    Statement(database, "DELETE FROM graded_file WHERE attempt = ?").bind(claimed.id).run();
    return true;
  }
};

}  // namespace warpgrade
