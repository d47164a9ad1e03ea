#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "harness/core/names.h"

namespace warpgrade {

class Database;
struct DatabaseAddress;

/// A course of a learning platform that is connected with this class, and its services.
struct LtiContext {
  std::int64_t id = 0;
  std::string platform;  // see LtiTool::Platform
  std::string deployment;
  std::string context;  // the platform's id
  std::string title;
  std::string line_items_url;  // empty: there is no such service
  bool may_make_line_items = false;
  bool may_score = false;
  std::string members_url;  // empty: there is no such service
  std::int64_t members_ms = 0;  // when its members were read; 0: never
  std::string members_problem = {};  // why the last reading failed; empty: it did not
};

/// Somebody who has launched from a context, or stands in its list of members.
struct LtiMember {
  std::int64_t context = 0;
  std::string subject;  // the platform's id of the account
  std::string name;
  std::string account;  // what was compared with the roster
  std::string role;  // slug of LtiRole
  std::string person;  // of the class; empty: nobody
  std::string problem;  // why it is nobody
};

/// A resource link of a context.
struct LtiLink {
  std::int64_t context = 0;
  std::string link;
  std::string title;
  std::string lab;  // empty: not chosen yet; kAllLabs: the list of labs
};
inline constexpr const char* kAllLabs = "*";

enum class LtiScoreState : std::uint8_t {
  waiting,  // to be sent, for the first time or again
  sent,
  refused,  // by the platform; sent again if it changes, or staff asks for it
};
constexpr auto names_of(LtiScoreState) {
  return names_up_to<LtiScoreState::refused>("waiting", "sent", "refused");
}

/// The points of a student at a lab, as the platform has or shall have them.
struct LtiScore {
  std::int64_t context = 0;
  std::string lab;
  std::string person;
  std::optional<double> points;  // none: what the platform has is taken back
  double max_points = 0;
  LtiScoreState state = LtiScoreState::waiting;
  std::int64_t version = 0;  // counts changes of the points
  std::int64_t tries = 0;  // of this version
  std::int64_t due_ms = 0;  // not before
  std::int64_t sent_ms = 0;  // the last time that one arrived; 0: never
  std::string answer;  // the platform's, to the last try that failed
};

/// What a class keeps about learning platforms. Thread-safe. All throw StoreError.
class LtiStore {
 public:
  /// @param address  the Store's
  explicit LtiStore(const DatabaseAddress& address);
  LtiStore(const LtiStore&) = delete;
  LtiStore& operator=(const LtiStore&) = delete;
  ~LtiStore();

  /// Adds a context, or brings title and services of a known one up to date. @returns its id
  std::int64_t keep(const LtiContext& context);
  [[nodiscard]] std::vector<LtiContext> contexts() const;
  void members_read(std::int64_t context, std::int64_t at_ms, const std::string& problem);

  /// Whose this account of a platform is: `person`, if neither is linked to another yet.
  /// @returns  empty, or what is linked already: "the account 17 is s01's"
  [[nodiscard]] std::string link_account(const std::string& platform, const std::string& subject,
                                         const std::string& person);
  /// Forgets a person's account, so that the next launch decides again.
  void unlink_account(const std::string& person);
  /// Empty if the account is linked to nobody.
  [[nodiscard]] std::string person_of(const std::string& platform,
                                      const std::string& subject) const;
  [[nodiscard]] std::optional<std::string> subject_of(const std::string& platform,
                                                      const std::string& person) const;

  void keep(const LtiMember& member);
  /// Of all contexts.
  [[nodiscard]] std::vector<LtiMember> members() const;
  void forget_members(std::int64_t context);

  /// Adds a link; the lab of a known one stays if `link` has none.
  void keep(const LtiLink& link);
  [[nodiscard]] std::vector<LtiLink> links() const;
  [[nodiscard]] std::string lab_of_link(std::int64_t context, const std::string& link) const;
  /// False if there is no such link.
  bool choose_lab(std::int64_t context, const std::string& link, const std::string& lab);

  /// Empty if there is none yet.
  [[nodiscard]] std::string line_item(std::int64_t context, const std::string& lab) const;
  /// @param replace  whether a known one is replaced
  void keep_line_item(std::int64_t context, const std::string& lab, const std::string& url,
                      bool replace);
  void forget_line_item(std::int64_t context, const std::string& lab);

  /// What the platform shall have; waits if it differs from the last that was asked for.
  /// @param points  none: nothing, which changes nothing unless something was sent or tried
  void want_score(std::int64_t context, const std::string& lab, const std::string& person,
                  std::optional<double> points, double max_points);
  [[nodiscard]] std::vector<LtiScore> scores() const;
  /// Waiting ones that may be sent now, the oldest first.
  [[nodiscard]] std::vector<LtiScore> due_scores(std::int64_t now_ms) const;
  /// These change nothing if the points have changed since.
  void score_sent(const LtiScore& score, std::int64_t now_ms);
  void score_refused(const LtiScore& score, const std::string& answer);
  void score_failed(const LtiScore& score, const std::string& answer, std::int64_t due_ms);
  /// All waiting ones of a context wait until then, at least.
  void delay_scores(std::int64_t context, std::int64_t due_ms);
  /// Those that were refused or wait are sent now.
  void send_again();

 private:
  mutable std::mutex mutex_;
  std::unique_ptr<Database> database_;
};

}  // namespace warpgrade
