#include "grader/serve/lti/launch.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <string_view>

#include "grader/core/text.h"
#include "grader/serve/http/url.h"
#include "grader/serve/identity/id_token.h"
#include "grader/serve/identity/problem.h"
#include "grader/serve/identity/requests.h"

namespace warpgrade {
namespace {

// Names of claims: LTI Core 1.3, section 5; Deep Linking 2.0; Assignment and Grade Services 2.0;
// Names and Role Provisioning Services 2.0.
constexpr const char* kMessageType = "https://purl.imsglobal.org/spec/lti/claim/message_type";
constexpr const char* kVersionClaim = "https://purl.imsglobal.org/spec/lti/claim/version";
constexpr const char* kDeployment = "https://purl.imsglobal.org/spec/lti/claim/deployment_id";
constexpr const char* kTarget = "https://purl.imsglobal.org/spec/lti/claim/target_link_uri";
constexpr const char* kResourceLink = "https://purl.imsglobal.org/spec/lti/claim/resource_link";
constexpr const char* kRoles = "https://purl.imsglobal.org/spec/lti/claim/roles";
constexpr const char* kContext = "https://purl.imsglobal.org/spec/lti/claim/context";
constexpr const char* kCustom = "https://purl.imsglobal.org/spec/lti/claim/custom";
constexpr const char* kLis = "https://purl.imsglobal.org/spec/lti/claim/lis";
constexpr const char* kExtension = "https://purl.imsglobal.org/spec/lti/claim/ext";
constexpr const char* kDeepLinking =
    "https://purl.imsglobal.org/spec/lti-dl/claim/deep_linking_settings";
constexpr const char* kGradeService = "https://purl.imsglobal.org/spec/lti-ags/claim/endpoint";
constexpr const char* kMembers = "https://purl.imsglobal.org/spec/lti-nrps/claim/namesroleservice";

constexpr std::size_t kLongestId = 255;  // characters (LTI Core 1.3, section 5.3)

[[noreturn]] void refuse_launch(const std::string& why) {
  throw SignInProblem(SignInFault::token, "the launch " + why);
}

const nlohmann::json& object_at(const nlohmann::json& object, const char* name) {
  static const nlohmann::json kNothing = nlohmann::json::object();
  if (!object.is_object()) return kNothing;
  const auto it = object.find(name);
  return it != object.end() && it->is_object() ? *it : kNothing;
}

bool lists(const nlohmann::json& object, const char* name, std::string_view wanted) {
  const auto it = object.find(name);
  return it != object.end() && it->is_array() &&
         std::any_of(it->begin(), it->end(),
                     [&](const nlohmann::json& one) { return one == wanted; });
}

std::string shown(const std::string& text) {
  return one_line(text.substr(0, 80));
}

/// An id of the platform, which may be a number; empty if it is missing.
std::string id_at(const nlohmann::json& object, const char* name) {
  std::string id = text_at(object, name);
  const auto it = object.find(name);
  if (it != object.end() && it->is_number_integer()) id = it->dump();
  if (id.size() > kLongestId)
    refuse_launch(fmt::format("has an id of more than 255 characters ({})", name));
  return id;
}

/// A service's address, empty without one. It is signed by the platform, and gets its tokens.
std::string service_url(const nlohmann::json& service, const char* name) {
  std::string url = text_at(service, name);
  if (!url.empty() && !is_safe_url(url)) refuse_launch(fmt::format("has a {} without https", name));
  return url;
}

/// The path of a target on this server; where it leads is decided here, not by its text.
std::string target_path(const nlohmann::json& claims, const std::string& site) {
  const std::string target = text_at(claims, kTarget);
  const bool is_own = target.starts_with(site + "/");
  const std::string path = is_own ? target.substr(site.size()) : std::string();
  if (!is_own || !parse_target(path)) {
    refuse_launch(fmt::format("is for '{}', which is not an address of {} (target_link_uri)",
                              shown(target), site));
  }
  return path;
}

std::string account_in(const nlohmann::json& claims, const std::string& account) {
  constexpr std::string_view kCustomPrefix = "custom.";
  if (account == "person_sourcedid") return text_at(object_at(claims, kLis), "person_sourcedid");
  if (account == "user_username") return text_at(object_at(claims, kExtension), "user_username");
  if (account.starts_with(kCustomPrefix)) {
    return id_at(object_at(claims, kCustom), account.substr(kCustomPrefix.size()).c_str());
  }
  return text_at(claims, account.c_str());
}

std::string name_in(const nlohmann::json& person) {
  std::string name = text_at(person, "name");
  if (name.empty()) {
    name = text_at(person, "given_name") + " " + text_at(person, "family_name");
  }
  return shown(std::string(trimmed(name)));
}

void read_deep_linking(const nlohmann::json& claims, LtiLaunch& launch) {
  const nlohmann::json& settings = object_at(claims, kDeepLinking);
  launch.return_url = service_url(settings, "deep_link_return_url");
  if (launch.return_url.empty()) refuse_launch("has no deep_link_return_url");
  launch.deep_link_data = text_at(settings, "data");
  launch.accepts_links = lists(settings, "accept_types", "ltiResourceLink");
  const auto multiple = settings.find("accept_multiple");
  launch.accepts_multiple =
      multiple == settings.end() || *multiple == true || *multiple == "true";  // some write text
}

}  // namespace

LtiRole lti_role(const nlohmann::json& roles) {
  // Section A.2.3; what follows "membership/Instructor#" is a sub-role. Short names are deprecated
  // and still sent.
  constexpr std::string_view kOfContext = "http://purl.imsglobal.org/vocab/lis/v2/membership";
  LtiRole highest = LtiRole::other;
  if (!roles.is_array()) return highest;
  for (const nlohmann::json& one : roles) {
    if (!one.is_string()) continue;
    const std::string text = one.get<std::string>();
    std::string_view role = text;
    if (role.starts_with(kOfContext)) {
      role.remove_prefix(kOfContext.size());
    } else if (role.find(':') != role.npos) {
      continue;  // of the institution or the system
    }
    LtiRole meant = LtiRole::other;
    if (role == "#Learner" || role == "Learner") meant = LtiRole::learner;
    if (role == "#Instructor" || role == "Instructor") meant = LtiRole::instructor;
    if (role == "/Instructor#TeachingAssistant" || role == "TeachingAssistant") {
      meant = LtiRole::assistant;
    }
    // Platforms send the principal role beside a sub-role: an assistant is one.
    if (meant == LtiRole::assistant) return meant;
    highest = std::max(highest, meant);
  }
  return highest;
}

LtiLaunch read_lti_launch(const nlohmann::json& claims, const LtiRegistration& registration,
                          const std::string& site) {
  LtiLaunch launch;
  if (text_at(claims, kVersionClaim) != "1.3.0") {
    refuse_launch(fmt::format("has the version '{}' instead of 1.3.0",
                              shown(text_at(claims, kVersionClaim))));
  }
  const std::string type = text_at(claims, kMessageType);
  if (type == "LtiDeepLinkingRequest") {
    launch.message = LtiMessage::deep_linking;
  } else if (type != "LtiResourceLinkRequest") {
    refuse_launch(
        fmt::format("has the message type '{}', which this server does not take", shown(type)));
  }
  launch.deployment = id_at(claims, kDeployment);
  if (std::find(registration.deployments.begin(), registration.deployments.end(),
                launch.deployment) == registration.deployments.end()) {
    refuse_launch(fmt::format("is of the deployment '{}', which is not among the deployment_ids",
                              shown(launch.deployment)));
  }
  launch.target = target_path(claims, site);
  const auto roles = claims.find(kRoles);
  launch.user = {.account = {.subject = id_at(claims, "sub"),
                             .name = account_in(claims, registration.account)},
                 .shown_name = name_in(claims),
                 .role = roles == claims.end() ? LtiRole::other : lti_role(*roles)};
  const nlohmann::json& context = object_at(claims, kContext);
  launch.context = id_at(context, "id");
  if (launch.context.empty()) refuse_launch("is not from a course (context)");
  launch.context_title = shown(text_at(context, "title"));
  launch.lab = text_at(object_at(claims, kCustom), "lab");
  if (launch.message == LtiMessage::resource_link) {
    const nlohmann::json& link = object_at(claims, kResourceLink);
    launch.link = id_at(link, "id");
    if (launch.link.empty()) refuse_launch("has no resource_link with an id");
    launch.link_title = shown(text_at(link, "title"));
  } else {
    read_deep_linking(claims, launch);
  }
  const nlohmann::json& grades = object_at(claims, kGradeService);
  launch.line_items_url = service_url(grades, "lineitems");
  launch.line_item_url = service_url(grades, "lineitem");
  launch.may_make_line_items = lists(grades, "scope", kLtiLineItemScope);
  launch.may_score = lists(grades, "scope", kLtiScoreScope);
  launch.members_url = service_url(object_at(claims, kMembers), "context_memberships_url");
  return launch;
}

LtiUser read_lti_member(const nlohmann::json& member, const LtiRegistration& registration) {
  const std::string& account = registration.account;
  const auto roles = member.find("roles");
  return {
      .account = {.subject = id_at(member, "user_id"),
                  .name = account == "sub"                ? id_at(member, "user_id")
                          : account == "email"            ? text_at(member, "email")
                          : account == "person_sourcedid" ? text_at(member, "lis_person_sourcedid")
                          : account == "user_username"    ? text_at(member, "ext_user_username")
                                                          : std::string()},
      .shown_name = name_in(member),
      .role = roles == member.end() ? LtiRole::other : lti_role(*roles)};
}

}  // namespace warpgrade
