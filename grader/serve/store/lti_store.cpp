#include "grader/serve/store/lti_store.h"

#include <fmt/core.h>

#include "grader/serve/store/schema.h"

namespace warpgrade {
namespace {

constexpr const char* kScore =
    "SELECT context, lab, person, points, max_points, state, version, tries, due_ms, sent_ms, "
    "answer FROM lti_score ";

std::vector<LtiScore> read_scores(Statement& row) {
  std::vector<LtiScore> all;
  while (row.next()) {
    all.push_back({.context = row.integer(0),
                   .lab = row.bytes(1),
                   .person = row.bytes(2),
                   .points = row.is_null(3) ? std::nullopt : std::optional(row.real(3)),
                   .max_points = row.real(4),
                   .state = from_slug<LtiScoreState>(row.bytes(5)).value(),
                   .version = row.integer(6),
                   .tries = row.integer(7),
                   .due_ms = row.integer(8),
                   .sent_ms = row.integer(9),
                   .answer = row.bytes(10)});
  }
  return all;
}

/// The row, if it still has the version that was tried.
constexpr const char* kSameVersion = "WHERE context = ? AND lab = ? AND person = ? AND version = ?";
void run_on_version(Statement& statement, const LtiScore& score) {
  statement.bind(score.context).bind(score.lab).bind(score.person).bind(score.version).run();
}

}  // namespace

LtiStore::LtiStore(const DatabaseAddress& address) : database_(open_database(address)) {}

LtiStore::~LtiStore() = default;

std::int64_t LtiStore::keep(const LtiContext& context) {
  const std::lock_guard lock(mutex_);
  Statement row(*database_,
                "INSERT INTO lti_context (platform, deployment, context, title, line_items_url, "
                "may_make_line_items, may_score, members_url) VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON "
                "CONFLICT (platform, deployment, context) DO UPDATE SET title = excluded.title, "
                "line_items_url = excluded.line_items_url, may_make_line_items = "
                "excluded.may_make_line_items, may_score = excluded.may_score, members_url = "
                "excluded.members_url RETURNING id");
  row.bind(context.platform)
      .bind(context.deployment)
      .bind(context.context)
      .bind(context.title)
      .bind(context.line_items_url)
      .bind(std::int64_t{context.may_make_line_items})
      .bind(std::int64_t{context.may_score})
      .bind(context.members_url);
  row.next();
  const std::int64_t id = row.integer(0);
  row.run();
  return id;
}

std::vector<LtiContext> LtiStore::contexts() const {
  const std::lock_guard lock(mutex_);
  Statement row(*database_,
                "SELECT id, platform, deployment, context, title, line_items_url, "
                "may_make_line_items, may_score, members_url, members_ms, members_problem FROM "
                "lti_context ORDER BY id");
  std::vector<LtiContext> all;
  while (row.next()) {
    all.push_back({.id = row.integer(0),
                   .platform = row.bytes(1),
                   .deployment = row.bytes(2),
                   .context = row.bytes(3),
                   .title = row.bytes(4),
                   .line_items_url = row.bytes(5),
                   .may_make_line_items = row.integer(6) != 0,
                   .may_score = row.integer(7) != 0,
                   .members_url = row.bytes(8),
                   .members_ms = row.integer(9),
                   .members_problem = row.bytes(10)});
  }
  return all;
}

void LtiStore::members_read(std::int64_t context, std::int64_t at_ms, const std::string& problem) {
  const std::lock_guard lock(mutex_);
  Statement(*database_, "UPDATE lti_context SET members_ms = ?, members_problem = ? WHERE id = ?")
      .bind(at_ms)
      .bind(problem)
      .bind(context)
      .run();
}

std::string LtiStore::link_account(const std::string& platform, const std::string& subject,
                                   const std::string& person) {
  const std::lock_guard lock(mutex_);
  Transaction transaction(*database_);
  {
    Statement known(
        *database_,
        "SELECT subject, person FROM lti_account WHERE platform = ? AND (subject = ? OR "
        "person = ?)");
    known.bind(platform).bind(subject).bind(person);
    if (known.next()) {
      const bool same = known.bytes(0) == subject && known.bytes(1) == person;
      return same ? std::string()
                  : fmt::format("the platform's account '{}' is linked to {}", known.bytes(0),
                                known.bytes(1));
    }
  }
  Statement(*database_, "INSERT INTO lti_account (platform, subject, person) VALUES (?, ?, ?)")
      .bind(platform)
      .bind(subject)
      .bind(person)
      .run();
  transaction.commit();
  return {};
}

void LtiStore::unlink_account(const std::string& person) {
  const std::lock_guard lock(mutex_);
  Transaction transaction(*database_);
  Statement(*database_, "DELETE FROM lti_account WHERE person = ?").bind(person).run();
  Statement(*database_, "DELETE FROM lti_member WHERE person = ?").bind(person).run();
  transaction.commit();
}

std::string LtiStore::person_of(const std::string& platform, const std::string& subject) const {
  const std::lock_guard lock(mutex_);
  Statement row(*database_, "SELECT person FROM lti_account WHERE platform = ? AND subject = ?");
  row.bind(platform).bind(subject);
  return row.next() ? row.bytes(0) : std::string();
}

std::optional<std::string> LtiStore::subject_of(const std::string& platform,
                                                const std::string& person) const {
  const std::lock_guard lock(mutex_);
  Statement row(*database_, "SELECT subject FROM lti_account WHERE platform = ? AND person = ?");
  row.bind(platform).bind(person);
  return row.next() ? std::optional(row.bytes(0)) : std::nullopt;
}

void LtiStore::keep(const LtiMember& member) {
  const std::lock_guard lock(mutex_);
  Statement(
      *database_,
      "INSERT INTO lti_member (context, subject, name, account, role, person, problem) VALUES "
      "(?, ?, ?, ?, ?, ?, ?) ON CONFLICT (context, subject) DO UPDATE SET name = "
      "excluded.name, account = excluded.account, role = excluded.role, person = "
      "excluded.person, problem = excluded.problem")
      .bind(member.context)
      .bind(member.subject)
      .bind(member.name)
      .bind(member.account)
      .bind(member.role)
      .bind(member.person)
      .bind(member.problem)
      .run();
}

std::vector<LtiMember> LtiStore::members() const {
  const std::lock_guard lock(mutex_);
  Statement row(*database_,
                "SELECT context, subject, name, account, role, person, problem FROM lti_member "
                "ORDER BY context, name, subject");
  std::vector<LtiMember> all;
  while (row.next()) {
    all.push_back({.context = row.integer(0),
                   .subject = row.bytes(1),
                   .name = row.bytes(2),
                   .account = row.bytes(3),
                   .role = row.bytes(4),
                   .person = row.bytes(5),
                   .problem = row.bytes(6)});
  }
  return all;
}

void LtiStore::forget_members(std::int64_t context) {
  const std::lock_guard lock(mutex_);
  Statement(*database_, "DELETE FROM lti_member WHERE context = ?").bind(context).run();
}

void LtiStore::keep(const LtiLink& link) {
  const std::lock_guard lock(mutex_);
  Statement(*database_,
            "INSERT INTO lti_link (context, link, title, lab) VALUES (?, ?, ?, ?) ON CONFLICT "
            "(context, link) DO UPDATE SET title = excluded.title, lab = CASE excluded.lab WHEN '' "
            "THEN lti_link.lab ELSE excluded.lab END")
      .bind(link.context)
      .bind(link.link)
      .bind(link.title)
      .bind(link.lab)
      .run();
}

std::vector<LtiLink> LtiStore::links() const {
  const std::lock_guard lock(mutex_);
  Statement row(*database_,
                "SELECT context, link, title, lab FROM lti_link ORDER BY context, title, link");
  std::vector<LtiLink> all;
  while (row.next()) {
    all.push_back({.context = row.integer(0),
                   .link = row.bytes(1),
                   .title = row.bytes(2),
                   .lab = row.bytes(3)});
  }
  return all;
}

std::string LtiStore::lab_of_link(std::int64_t context, const std::string& link) const {
  const std::lock_guard lock(mutex_);
  Statement row(*database_, "SELECT lab FROM lti_link WHERE context = ? AND link = ?");
  row.bind(context).bind(link);
  return row.next() ? row.bytes(0) : std::string();
}

bool LtiStore::choose_lab(std::int64_t context, const std::string& link, const std::string& lab) {
  const std::lock_guard lock(mutex_);
  Statement(*database_, "UPDATE lti_link SET lab = ? WHERE context = ? AND link = ?")
      .bind(lab)
      .bind(context)
      .bind(link)
      .run();
  return database_->changes() == 1;
}

std::string LtiStore::line_item(std::int64_t context, const std::string& lab) const {
  const std::lock_guard lock(mutex_);
  Statement row(*database_, "SELECT url FROM lti_line_item WHERE context = ? AND lab = ?");
  row.bind(context).bind(lab);
  return row.next() ? row.bytes(0) : std::string();
}

void LtiStore::keep_line_item(std::int64_t context, const std::string& lab, const std::string& url,
                              bool replace) {
  const std::lock_guard lock(mutex_);
  Statement(*database_,
            std::string("INSERT INTO lti_line_item (context, lab, url) VALUES (?, ?, ?) "
                        "ON CONFLICT (context, lab) DO ") +
                (replace ? "UPDATE SET url = excluded.url" : "NOTHING"))
      .bind(context)
      .bind(lab)
      .bind(url)
      .run();
}

void LtiStore::forget_line_item(std::int64_t context, const std::string& lab) {
  const std::lock_guard lock(mutex_);
  Statement(*database_, "DELETE FROM lti_line_item WHERE context = ? AND lab = ?")
      .bind(context)
      .bind(lab)
      .run();
}

void LtiStore::want_score(std::int64_t context, const std::string& lab, const std::string& person,
                          std::optional<double> points, double max_points) {
  const std::lock_guard lock(mutex_);
  if (!points) {
    // Also of one that was tried without an answer: it may have arrived.
    Statement(
        *database_,
        "UPDATE lti_score SET points = NULL, state = 'waiting', version = version + 1, tries "
        "= 0, due_ms = 0, answer = '' WHERE context = ? AND lab = ? AND person = ? AND points "
        "IS NOT NULL")
        .bind(context)
        .bind(lab)
        .bind(person)
        .run();
    return;
  }
  Statement(
      *database_,
      "INSERT INTO lti_score (context, lab, person, points, max_points, state) VALUES (?, ?, "
      "?, ?, ?, 'waiting') ON CONFLICT (context, lab, person) DO UPDATE SET points = "
      "excluded.points, max_points = excluded.max_points, state = 'waiting', version = "
      "lti_score.version + 1, tries = 0, due_ms = 0, answer = '' WHERE lti_score.points IS NULL OR "
      "lti_score.points <> excluded.points OR lti_score.max_points <> excluded.max_points")
      .bind(context)
      .bind(lab)
      .bind(person)
      .bind(*points)
      .bind(max_points)
      .run();
}

std::vector<LtiScore> LtiStore::scores() const {
  const std::lock_guard lock(mutex_);
  Statement row(*database_, std::string(kScore) + "ORDER BY context, lab, person");
  return read_scores(row);
}

std::vector<LtiScore> LtiStore::due_scores(std::int64_t now_ms) const {
  const std::lock_guard lock(mutex_);
  Statement row(*database_, std::string(kScore) +
                                "WHERE state = 'waiting' AND due_ms <= ? ORDER BY due_ms, context, "
                                "lab, person");
  row.bind(now_ms);
  return read_scores(row);
}

void LtiStore::score_sent(const LtiScore& score, std::int64_t now_ms) {
  const std::lock_guard lock(mutex_);
  Statement statement(
      *database_,
      std::string("UPDATE lti_score SET state = 'sent', sent_ms = ?, answer = '' ") + kSameVersion);
  statement.bind(now_ms);
  run_on_version(statement, score);
}

void LtiStore::score_refused(const LtiScore& score, const std::string& answer) {
  const std::lock_guard lock(mutex_);
  Statement statement(
      *database_,
      std::string("UPDATE lti_score SET state = 'refused', tries = tries + 1, answer = ? ") +
          kSameVersion);
  statement.bind(answer);
  run_on_version(statement, score);
}

void LtiStore::score_failed(const LtiScore& score, const std::string& answer, std::int64_t due_ms) {
  const std::lock_guard lock(mutex_);
  Statement statement(
      *database_, std::string("UPDATE lti_score SET tries = tries + 1, answer = ?, due_ms = ? ") +
                      kSameVersion);
  statement.bind(answer).bind(due_ms);
  run_on_version(statement, score);
}

void LtiStore::delay_scores(std::int64_t context, std::int64_t due_ms) {
  const std::lock_guard lock(mutex_);
  Statement(
      *database_,
      "UPDATE lti_score SET due_ms = ? WHERE context = ? AND state = 'waiting' AND due_ms < ?")
      .bind(due_ms)
      .bind(context)
      .bind(due_ms)
      .run();
}

void LtiStore::send_again() {
  const std::lock_guard lock(mutex_);
  database_->run(
      "UPDATE lti_score SET state = 'waiting', tries = 0, due_ms = 0 WHERE state <> 'sent'");
}

}  // namespace warpgrade
