#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "grader/core/instant.h"
#include "grader/serve/lti/launch.h"
#include "grader/serve/lti/tool.h"

namespace warpgrade {

/// A platform has not done what was asked. what() is one line of what it answers, for staff.
class LtiServiceProblem : public std::runtime_error {
 public:
  enum class Kind : std::uint8_t {
    later,  // it does not answer, or gives no access now
    gone,  // what was asked for is not there any more
    refused,
  };
  LtiServiceProblem(Kind what, const std::string& answer)
      : std::runtime_error(answer), kind(what) {}
  Kind kind;
};

/// What this server asks of platforms: Assignment and Grade Services 2.0 and Names and Role
/// Provisioning Services 2.0. All throw LtiServiceProblem. For one thread.
class LtiServices {
 public:
  explicit LtiServices(const LtiTool& tool) : tool_(tool) {}

  /// The line item of a lab, by its id as `resourceId`: found, or made if there is none.
  /// @param url  of the line items of a context
  /// @param may_make  whether the platform lets this server
  [[nodiscard]] std::string line_item(const LtiTool::Platform& platform, const std::string& url,
                                      bool may_make, const std::string& lab,
                                      const std::string& title, double max_points);

  /// Sets a student's score, instead of an earlier one.
  /// @param points  none: there is no score any more
  /// @param at_ms   the time of this score, by which platforms order them
  void send_score(const LtiTool::Platform& platform, const std::string& line_item,
                  const std::string& subject, std::optional<double> points, double max_points,
                  std::int64_t at_ms);

  /// All active members of a context.
  [[nodiscard]] std::vector<LtiUser> members(const LtiTool::Platform& platform,
                                             const std::string& url);

 private:
  [[nodiscard]] std::string token(const LtiTool::Platform& platform, const char* scope);
  [[nodiscard]] FetchResult fetch(const LtiTool::Platform& platform, const char* scope,
                                  FetchRequest request);
  /// Calls `each` with each page, a JSON document.
  template <class Each>
  void read_pages(const LtiTool::Platform& platform, const char* scope, std::string url,
                  const char* type, const Each& each);

  struct Token {
    std::string value;
    Instant expires;
  };
  const LtiTool& tool_;
  std::map<std::pair<std::string, std::string>, Token> tokens_;  // by platform and scope
};

/// The address with the relation "next" in a header Link (RFC 8288); empty without one.
[[nodiscard]] std::string next_link(const std::string& header);

}  // namespace warpgrade
