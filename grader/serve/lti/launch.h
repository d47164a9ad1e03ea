#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "grader/serve/identity/account.h"
#include "grader/serve/lti/registration.h"
#include "harness/core/names.h"

namespace warpgrade {

// Scopes of Assignment and Grade Services.
inline constexpr const char* kLtiLineItemScope =
    "https://purl.imsglobal.org/spec/lti-ags/scope/lineitem";
inline constexpr const char* kLtiScoreScope = "https://purl.imsglobal.org/spec/lti-ags/scope/score";

enum class LtiMessage : std::uint8_t { resource_link, deep_linking };

/// What a platform says that somebody is in its course.
enum class LtiRole : std::uint8_t { other, learner, assistant, instructor };
constexpr auto names_of(LtiRole) {
  return names_up_to<LtiRole::instructor>("other", "learner", "assistant", "instructor");
}

/// Somebody in a course of a platform, from a launch or its list of members.
struct LtiUser {
  Account account;  // `name` may be empty: the platform does not say it
  std::string shown_name;
  LtiRole role = LtiRole::other;
};

/// A launch that was verified.
struct LtiLaunch {
  LtiMessage message = LtiMessage::resource_link;
  std::string deployment;
  LtiUser user;
  std::string context;  // the platform's id of its course
  std::string context_title;
  std::string link;  // the id of the resource link
  std::string link_title;
  std::string lab;  // the custom parameter; empty without one
  std::string target;  // the path of target_link_uri

  std::string line_items_url;  // of Assignment and Grade Services; empty: not offered
  std::string line_item_url;  // of this link, if it has one
  bool may_make_line_items = false;
  bool may_score = false;
  std::string members_url;  // of Names and Role Provisioning; empty: not offered

  std::string return_url;  // of deep linking, with all below
  std::string deep_link_data;
  bool accepts_links = false;  // ltiResourceLink among the accepted types
  bool accepts_multiple = false;
};

/// The highest of these roles: of the context, never those of the platform itself.
[[nodiscard]] LtiRole lti_role(const nlohmann::json& roles);

/// What a launch says, from the claims of an ID token whose signature, issuer, client, nonce and
/// times are right.
/// @param site  this server's address: "https://labs.example.org"
/// @throws SignInProblem  token: a claim is missing or not for this server
[[nodiscard]] LtiLaunch read_lti_launch(const nlohmann::json& claims,
                                        const LtiRegistration& registration,
                                        const std::string& site);

/// A member in the answer of Names and Role Provisioning.
[[nodiscard]] LtiUser read_lti_member(const nlohmann::json& member,
                                      const LtiRegistration& registration);

}  // namespace warpgrade
