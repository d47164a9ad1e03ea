#include "grader/serve/lti/sync.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "grader/serve/identity/account.h"
#include "grader/serve/identity/problem.h"

namespace warpgrade {
namespace {

constexpr std::chrono::seconds kTick{5};
constexpr std::int64_t kFirstDelayMs = 30'000;
constexpr std::int64_t kLongestDelayMs = 3'600'000;
/// Line items that are gone are looked for again so often; then a person has to look.
constexpr std::int64_t kMostTriesIfGone = 3;

/// Half a minute, then twice as long each time, up to an hour.
std::int64_t delay_ms(std::int64_t tries) {
  constexpr std::int64_t kMostDoublings = 7;
  return std::min(kFirstDelayMs << std::min(tries, kMostDoublings), kLongestDelayMs);
}

const LtiContext* find_context(const std::vector<LtiContext>& contexts, std::int64_t id) {
  const auto it = std::find_if(contexts.begin(), contexts.end(),
                               [&](const LtiContext& one) { return one.id == id; });
  return it == contexts.end() ? nullptr : &*it;
}

bool is_member(const Course& course, const std::string& person) {
  const RosterEntry* entry = course.roster.find(person);
  return course.staff.contains(person) || (entry != nullptr && entry->student == person);
}

std::int64_t in_ms(Instant at) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(at.time_since_epoch()).count();
}

}  // namespace

std::string keep_member(LtiStore& store, const LtiTool::Platform& platform, std::int64_t context,
                        const Course& course, const LtiUser& user, std::string& problem) {
  std::string person;
  problem.clear();
  const std::string& subject = user.account.subject;
  std::string linked = store.person_of(platform.id(), subject);
  if (!linked.empty() && !is_member(course, linked)) {
    store.unlink_account(linked);  // the course has no such person any more
    linked.clear();
  }
  if (user.account.name.empty()) {
    // Lists of members lack what launches say.
    person = linked;
    if (person.empty()) {
      problem = fmt::format("the platform does not say '{}'", platform.registration.account);
    }
  } else {
    try {
      person = member_of(course, platform.registration.column, user.account);
      problem = store.link_account(platform.id(), subject, person);
      if (!problem.empty()) person.clear();
    } catch (const SignInProblem& e) {
      problem = e.what();
    }
  }
  if (context != 0) {
    store.keep(LtiMember{.context = context,
                         .subject = subject,
                         .name = user.shown_name,
                         .account = user.account.name,
                         .role = std::string(slug(user.role)),
                         .person = person,
                         .problem = problem});
  }
  return person;
}

void LtiSync::ask_for_members(std::int64_t context) {
  const std::lock_guard lock(mutex_);
  asked_.push_back(context);
}

void LtiSync::read_members(const LtiContext& context, const Course& course) {
  const LtiTool::Platform* platform = tool_.find(context.platform);
  if (platform == nullptr || context.members_url.empty() || !tool_.has_key()) return;
  std::string failed;
  try {
    const std::vector<LtiUser> users = services_.members(*platform, context.members_url);
    store_.forget_members(context.id);
    for (const LtiUser& user : users) {
      std::string problem;
      keep_member(store_, *platform, context.id, course, user, problem);
    }
  } catch (const LtiServiceProblem& e) {
    failed = e.what();
  }
  store_.members_read(context.id, in_ms(tool_.now()), failed);
}

void LtiSync::want_scores(const std::vector<LtiContext>& contexts, const LtiClass& now) {
  std::set<std::pair<std::int64_t, std::string>> members;
  for (const LtiMember& member : store_.members()) {
    if (!member.person.empty()) members.emplace(member.context, member.person);
  }
  std::map<std::tuple<std::int64_t, std::string, std::string>, LtiScore> known;
  for (LtiScore& score : store_.scores()) {
    const std::tuple key{score.context, score.lab, score.person};
    known.emplace(key, std::move(score));
  }
  for (const LtiContext& context : contexts) {
    if (!context.may_score) continue;
    for (const ReleasedScore& score : now.scores) {
      if (!members.contains({context.id, score.person})) continue;
      const auto it = known.find({context.id, score.lab, score.person});
      const bool same = it == known.end()
                            ? !score.points
                            : it->second.points == score.points &&
                                  (!score.points || it->second.max_points == score.max_points);
      if (same) continue;
      store_.want_score(context.id, score.lab, score.person, score.points, score.max_points);
    }
  }
}

void LtiSync::send(const LtiTool::Platform& platform, const LtiContext& context,
                   const LtiScore& score, const std::string& title) {
  const std::optional<std::string> subject = store_.subject_of(platform.id(), score.person);
  if (!subject) {
    store_.score_refused(score, "no account of the platform is linked to this student any more");
    return;
  }
  std::string item = store_.line_item(context.id, score.lab);
  if (item.empty()) {
    if (context.line_items_url.empty()) {
      throw LtiServiceProblem(
          LtiServiceProblem::Kind::refused,
          "the platform offers no list of columns, and no link to this lab has one of its own");
    }
    item = services_.line_item(platform, context.line_items_url, context.may_make_line_items,
                               score.lab, title, score.max_points);
    store_.keep_line_item(context.id, score.lab, item, /*replace=*/true);
  }
  const std::int64_t at_ms = std::max(in_ms(tool_.now()), score.sent_ms + 1);
  services_.send_score(platform, item, *subject, score.points, score.max_points, at_ms);
  store_.score_sent(score, at_ms);
}

void LtiSync::send_scores(const std::vector<LtiContext>& contexts, const LtiClass& now) {
  const std::int64_t now_ms = in_ms(tool_.now());
  std::set<std::int64_t> out_of_order;  // contexts whose platform does not answer
  for (const LtiScore& score : store_.due_scores(now_ms)) {
    const LtiContext* context = find_context(contexts, score.context);
    const LtiTool::Platform* platform =
        context == nullptr ? nullptr : tool_.find(context->platform);
    if (platform == nullptr || out_of_order.contains(score.context)) continue;
    const auto lab = std::find_if(now.scores.begin(), now.scores.end(),
                                  [&](const ReleasedScore& one) { return one.lab == score.lab; });
    const std::string title = lab == now.scores.end() ? score.lab : lab->title;
    try {
      send(*platform, *context, score, title);
    } catch (const LtiServiceProblem& e) {
      const std::int64_t again_ms = now_ms + delay_ms(score.tries);
      switch (e.kind) {
        case LtiServiceProblem::Kind::refused:
          store_.score_refused(score, e.what());
          break;
        case LtiServiceProblem::Kind::gone:
          store_.forget_line_item(score.context, score.lab);
          if (score.tries >= kMostTriesIfGone) {
            store_.score_refused(score, e.what());
          } else {
            store_.score_failed(score, e.what(), now_ms);
          }
          break;
        case LtiServiceProblem::Kind::later:
          store_.score_failed(score, e.what(), again_ms);
          store_.delay_scores(score.context, again_ms);
          out_of_order.insert(score.context);
          break;
      }
    }
  }
}

void LtiSync::tick() {
  std::vector<std::int64_t> asked;
  {
    const std::lock_guard lock(mutex_);
    asked.swap(asked_);
  }
  const std::vector<LtiContext> contexts = store_.contexts();
  if (contexts.empty()) return;
  const LtiClass now = read_class_();
  for (const LtiContext& context : contexts) {
    const bool wanted = std::find(asked.begin(), asked.end(), context.id) != asked.end();
    const bool old = in_ms(tool_.now()) - context.members_ms >=
                     std::chrono::duration_cast<std::chrono::milliseconds>(kMembersKept).count();
    if (wanted || old) read_members(context, now.course);
  }
  if (!tool_.has_key()) return;
  want_scores(contexts, now);
  send_scores(contexts, now);
}

LtiThread::LtiThread(LtiSync& sync)
    : thread_([this, &sync](const std::stop_token& stop) {
        while (!stop.stop_requested()) {
          try {
            sync.tick();
          } catch (const std::exception& e) {  // a full disk, a file that is being written
            fmt::print(stderr, "warpgrade serve: LTI: {}\n", e.what());
          }
          std::unique_lock lock(mutex_);
          wake_.wait_for(lock, stop, kTick, [] { return false; });
        }
      }) {}

}  // namespace warpgrade
