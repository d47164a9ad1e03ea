#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "grader/serve/lti/services.h"
#include "grader/serve/lti/tool.h"
#include "grader/serve/store/lti_store.h"
#include "grader/submit/course/course.h"

namespace warpgrade {

/// The points of a student at a lab that a platform may have: after their release.
struct ReleasedScore {
  std::string person;
  std::string lab;
  std::string title;  // the lab's
  std::optional<double> points;  // none: not released, or they do not count (any more)
  double max_points = 0;
};

/// What the class is now.
struct LtiClass {
  Course course;
  std::vector<ReleasedScore> scores;  // of all works with a grade
};

/// Keeps platforms as the class is: scores, and who of their members is who. It compares what the
/// class has with what was sent, so that it does not matter by what a score has changed, and a
/// restart goes on. One thread calls tick().
class LtiSync {
 public:
  static constexpr std::chrono::hours kMembersKept{1};

  LtiSync(LtiTool& tool, LtiStore& store, std::function<LtiClass()> read_class)
      : tool_(tool), store_(store), read_class_(std::move(read_class)), services_(tool) {}

  /// Reads lists of members that are old or asked for, and sends what is to be sent now.
  void tick();

  /// The members of a context are read at the next tick.
  void ask_for_members(std::int64_t context);

 private:
  void read_members(const LtiContext& context, const Course& course);
  void want_scores(const std::vector<LtiContext>& contexts, const LtiClass& now);
  void send_scores(const std::vector<LtiContext>& contexts, const LtiClass& now);
  void send(const LtiTool::Platform& platform, const LtiContext& context, const LtiScore& score,
            const std::string& title);

  LtiTool& tool_;
  LtiStore& store_;
  std::function<LtiClass()> read_class_;
  LtiServices services_;
  std::mutex mutex_;
  std::vector<std::int64_t> asked_;  // contexts
};

/// Calls LtiSync::tick() every few seconds until it goes.
class LtiThread {
 public:
  explicit LtiThread(LtiSync& sync);

 private:
  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::jthread thread_;
};

/// Keeps a user of a context as a member, with the person of the class.
/// @returns  the person; empty if it is nobody's, and why in `problem`
std::string keep_member(LtiStore& store, const LtiTool::Platform& platform, std::int64_t context,
                        const Course& course, const LtiUser& user, std::string& problem);

}  // namespace warpgrade
