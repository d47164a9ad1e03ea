#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "grader/serve/classroom/class_files.h"
#include "grader/serve/lti/sync.h"
#include "grader/serve/lti/tool.h"
#include "grader/serve/store/lti_store.h"
#include "harness/lab/lab.h"

namespace warpgrade {

/// A member of staff who chooses labs for a platform, between its request and the answer.
struct LtiChoice {
  std::string platform;  // LtiTool::Platform::id()
  std::string deployment;
  std::string return_url;
  std::string data;
  bool multiple = false;
};

/// Choices that are open. Only who was launched as staff begins one. Thread-safe.
class LtiChoices {
 public:
  static constexpr std::chrono::hours kTime{1};

  /// @returns  what the form of its page sends along, which nobody else knows
  [[nodiscard]] std::string begin(LtiChoice choice, Instant now);
  /// Ends a choice; nothing if there is none, or it was ended before.
  [[nodiscard]] std::optional<LtiChoice> end(const std::string& token, Instant now);

 private:
  struct Open {
    LtiChoice choice;
    Instant until;
  };
  std::mutex mutex_;
  std::map<std::string, Open> open_;
};

/// What a class's server has if it is a tool of learning platforms.
struct Lti {
  Lti(std::vector<LtiRegistration> registrations, const std::string& key, const Site& site,
      const SignInLibrary& library, const DatabaseAddress& database, ClassFiles& files,
      std::function<void(const std::string&)> write_line, std::function<Instant()> now = now_utc);

  LtiTool tool;
  LtiStore store;
  LtiSync sync;
  LtiChoices choices;
};

/// The class as platforms may know it: points of works whose hidden cases are released to their
/// students.
[[nodiscard]] LtiClass released_class(ClassFiles& files, Instant now);

/// The answer of a deep linking request: a JWT with a link per lab.
/// @param site  this server's address
[[nodiscard]] std::string deep_linking_response(const LtiTool& tool, const LtiChoice& choice,
                                                const LtiTool::Platform& platform,
                                                const std::vector<const Lab*>& labs,
                                                const Site& site);

}  // namespace warpgrade
