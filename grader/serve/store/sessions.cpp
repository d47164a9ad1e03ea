#include "grader/serve/store/sessions.h"

#include "grader/core/sha256.h"
#include "grader/serve/http/guard.h"
#include "grader/serve/store/schema.h"

namespace warpgrade {
namespace {

using std::chrono::duration_cast;
using std::chrono::hours;
using std::chrono::milliseconds;

std::int64_t in_ms(hours time) {
  return duration_cast<milliseconds>(time).count();
}

/// Tokens have 256 random bits, so that a plain hash cannot be reversed by trying.
std::string token_hash(const std::string& token) {
  Sha256 sha;
  sha.add(token);
  return sha.hex();
}

/// Instead of an earlier session of the same browser. @returns the new one's token
std::string add_session(Database& database, const std::string& person, const std::string& earlier) {
  std::string token = random_token();
  Statement(database, "DELETE FROM session WHERE hash = ? OR expires_ms < ?")
      .bind(token_hash(earlier))
      .bind(now_ms())
      .run();
  Statement(database, "INSERT INTO session (hash, person, expires_ms) VALUES (?, ?, ?)")
      .bind(token_hash(token))
      .bind(person)
      .bind(now_ms() + in_ms(kSessionTime))
      .run();
  return token;
}

}  // namespace

Sessions::Sessions(const DatabaseAddress& address) : database_(open_database(address)) {}

Sessions::~Sessions() = default;

std::string Sessions::invite(const std::string& person) {
  std::string token = random_token();
  const std::lock_guard lock(mutex_);
  Transaction transaction(*database_);
  Statement(*database_, "DELETE FROM invitation WHERE person = ? OR expires_ms < ?")
      .bind(person)
      .bind(now_ms())
      .run();
  Statement(*database_, "INSERT INTO invitation (hash, person, expires_ms) VALUES (?, ?, ?)")
      .bind(token_hash(token))
      .bind(person)
      .bind(now_ms() + in_ms(kInvitationTime))
      .run();
  transaction.commit();
  return token;
}

std::optional<Sessions::Begun> Sessions::begin(const std::string& invitation,
                                               const std::string& earlier) {
  const std::lock_guard lock(mutex_);
  Transaction transaction(*database_);
  Begun begun;
  {
    Statement used(*database_,
                   "DELETE FROM invitation WHERE hash = ? AND expires_ms > ? RETURNING person");
    used.bind(token_hash(invitation)).bind(now_ms());
    if (!used.next()) return std::nullopt;
    begun.person = used.bytes(0);
    used.run();
  }
  begun.token = add_session(*database_, begun.person, earlier);
  transaction.commit();
  return begun;
}

std::string Sessions::begin_for(const std::string& person, const std::string& earlier) {
  const std::lock_guard lock(mutex_);
  Transaction transaction(*database_);
  std::string token = add_session(*database_, person, earlier);
  transaction.commit();
  return token;
}

std::optional<std::string> Sessions::person(const std::string& token) {
  const std::string hash = token_hash(token);
  const std::int64_t now = now_ms();
  const std::lock_guard lock(mutex_);
  std::string person;
  std::int64_t expires = 0;
  {
    Statement row(*database_, "SELECT person, expires_ms FROM session WHERE hash = ?");
    row.bind(hash);
    if (!row.next() || row.integer(1) <= now) return std::nullopt;
    person = row.bytes(0);
    expires = row.integer(1);
  }
  // Not at each request, because a change waits for the disk.
  if (expires < now + in_ms(kSessionTime - hours(24))) {
    Statement(*database_, "UPDATE session SET expires_ms = ? WHERE hash = ?")
        .bind(now + in_ms(kSessionTime))
        .bind(hash)
        .run();
  }
  return person;
}

void Sessions::end(const std::string& token) {
  const std::lock_guard lock(mutex_);
  Statement(*database_, "DELETE FROM session WHERE hash = ?").bind(token_hash(token)).run();
}

void Sessions::end_all(const std::string& person) {
  const std::lock_guard lock(mutex_);
  Transaction transaction(*database_);
  Statement(*database_, "DELETE FROM session WHERE person = ?").bind(person).run();
  Statement(*database_, "DELETE FROM invitation WHERE person = ?").bind(person).run();
  transaction.commit();
}

}  // namespace warpgrade
