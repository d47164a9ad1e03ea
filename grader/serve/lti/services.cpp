#include "grader/serve/lti/services.h"

#include <fmt/core.h>

#include <algorithm>
#include <string_view>

#include "grader/core/text.h"
#include "grader/serve/http/guard.h"
#include "grader/serve/identity/id_token.h"
#include "grader/serve/identity/problem.h"
#include "grader/serve/identity/requests.h"

namespace warpgrade {
namespace {

using Kind = LtiServiceProblem::Kind;

constexpr const char* kLineItemReadScope =
    "https://purl.imsglobal.org/spec/lti-ags/scope/lineitem.readonly";
constexpr const char* kMembersScope =
    "https://purl.imsglobal.org/spec/lti-nrps/scope/contextmembership.readonly";
constexpr const char* kLineItemType = "application/vnd.ims.lis.v2.lineitem+json";
constexpr const char* kLineItemsType = "application/vnd.ims.lis.v2.lineitemcontainer+json";
constexpr const char* kScoreType = "application/vnd.ims.lis.v1.score+json";
constexpr const char* kMembersType = "application/vnd.ims.lti-nrps.v2.membershipcontainer+json";

constexpr std::size_t kLongestAnswer = 300;
constexpr std::size_t kMostPages = 200;
constexpr std::chrono::seconds kTokenMargin{60};  // a token is not used so shortly before its end

/// "403: the line item is closed"
std::string answer_of(const FetchResult& result) {
  if (result.status == 0) return one_line(result.problem);
  const std::string body(trimmed(result.body.substr(0, kLongestAnswer), " \t\r\n"));
  return one_line(fmt::format("{}{}{}", result.status, body.empty() ? "" : ": ", body));
}

[[noreturn]] void fail(const char* what, const FetchResult& result) {
  const Kind kind = is_unreachable(result) || result.status == 401 ? Kind::later
                    : result.status == 404 || result.status == 410 ? Kind::gone
                                                                   : Kind::refused;
  throw LtiServiceProblem(kind, fmt::format("{}: {}", what, answer_of(result)));
}

/// "2026-11-20T22:59:00.123Z"
std::string exact_time(std::int64_t at_ms) {
  const std::string text = instant_text(Instant(std::chrono::seconds(at_ms / 1000)));
  return fmt::format("{}.{:03}Z", text.substr(0, text.size() - 1), at_ms % 1000);
}

/// An address below that of a line item, which may have a query: Moodle's have.
std::string below(const std::string& url, std::string_view path) {
  const std::size_t query = std::min(url.find('?'), url.size());
  return fmt::format("{}{}{}", url.substr(0, query), path, url.substr(query));
}

std::string_view origin_of(std::string_view url) {
  const std::string_view authority = authority_of(url);
  return url.substr(0, static_cast<std::size_t>(authority.data() - url.data()) + authority.size());
}

}  // namespace

std::string next_link(const std::string& header) {
  // <https://platform.example/members?page=2>; rel="next", <...>; rel="first"
  for (std::size_t at = header.find('<'); at != header.npos;) {
    const std::size_t end = header.find('>', at);
    if (end == header.npos) return {};
    const std::size_t next = header.find('<', end);
    const std::string parameters = lower(header.substr(end, std::min(next, header.size()) - end));
    if (parameters.find("rel=\"next\"") != parameters.npos ||
        parameters.find("rel=next") != parameters.npos) {
      return header.substr(at + 1, end - at - 1);
    }
    at = next;
  }
  return {};
}

/// RFC 7523 and the security framework, section 4.1.
std::string LtiServices::token(const LtiTool::Platform& platform, const char* scope) {
  Token& known = tokens_[{platform.id(), scope}];
  if (!known.value.empty() && tool_.now() < known.expires) return known.value;
  known = {};
  const LtiRegistration& registration = platform.registration;
  const std::string assertion = tool_.sign({{"iss", registration.client},
                                            {"sub", registration.client},
                                            {"aud", registration.audience},
                                            {"jti", random_token()}});
  const FetchResult result = tool_.library().fetch(
      {.url = registration.token_url,
       .form = form_of(
           {{"grant_type", "client_credentials"},
            {"client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"},
            {"client_assertion", assertion},
            {"scope", scope}})});
  const nlohmann::json object =
      nlohmann::json::parse(result.body, nullptr, /*allow_exceptions=*/false);
  if (result.status != 200 || text_at(object, "access_token").empty()) {
    // The registration can be mended, and what waits goes on then.
    throw LtiServiceProblem(
        Kind::later, fmt::format("the platform gives no access (token_url): {}",
                                 result.status == 0 ? one_line(result.problem) : error_in(result)));
  }
  constexpr std::int64_t kDefaultSeconds = 3600;
  const auto lasts = object.find("expires_in");
  const std::int64_t seconds =
      lasts != object.end() && lasts->is_number_integer()
          ? std::clamp<std::int64_t>(lasts->get<std::int64_t>(), 0, kDefaultSeconds)
          : kDefaultSeconds;
  known = {.value = text_at(object, "access_token"),
           .expires = tool_.now() + std::chrono::seconds(seconds) - kTokenMargin};
  return known.value;
}

FetchResult LtiServices::fetch(const LtiTool::Platform& platform, const char* scope,
                               FetchRequest request) {
  request.bearer = token(platform, scope);
  FetchResult result = tool_.library().fetch(request);
  if (result.status == 401) {  // the platform has forgotten the token
    tokens_.erase({platform.id(), scope});
    request.bearer = token(platform, scope);
    result = tool_.library().fetch(request);
  }
  return result;
}

template <class Each>
void LtiServices::read_pages(const LtiTool::Platform& platform, const char* scope, std::string url,
                             const char* type, const Each& each) {
  const std::string origin(origin_of(url));
  for (std::size_t page = 0; page < kMostPages && !url.empty(); ++page) {
    const FetchResult result = fetch(platform, scope, {.url = url, .accept = type});
    if (result.status != 200) fail("the platform's list", result);
    const nlohmann::json content =
        nlohmann::json::parse(result.body, nullptr, /*allow_exceptions=*/false);
    if (content.is_discarded()) {
      throw LtiServiceProblem(Kind::later, "the platform's list is not JSON");
    }
    each(content);
    url = next_link(result.link);
    // The token goes to no other server.
    if (!url.empty() && (!is_safe_url(url) || origin_of(url) != origin)) {
      throw LtiServiceProblem(Kind::refused, "the next part of the platform's list is elsewhere: " +
                                                 one_line(url.substr(0, kLongestAnswer)));
    }
  }
  if (!url.empty()) throw LtiServiceProblem(Kind::refused, "the platform's list does not end");
}

std::string LtiServices::line_item(const LtiTool::Platform& platform, const std::string& url,
                                   bool may_make, const std::string& lab, const std::string& title,
                                   double max_points) {
  std::string found;
  const char* scope = may_make ? kLtiLineItemScope : kLineItemReadScope;
  read_pages(platform, scope, with_query(url, {{"resource_id", lab}}), kLineItemsType,
             [&](const nlohmann::json& page) {
               if (!page.is_array()) return;
               for (const nlohmann::json& item : page) {
                 // A platform may not know the filter.
                 if (!found.empty() || text_at(item, "resourceId") != lab) continue;
                 found = text_at(item, "id");
               }
             });
  if (found.empty()) {
    if (!may_make) {
      throw LtiServiceProblem(Kind::refused,
                              "there is no column for this lab, and the platform lets this server "
                              "make none: make one with a link to the lab");
    }
    const nlohmann::json item = {
        {"scoreMaximum", max_points}, {"label", title}, {"resourceId", lab}, {"tag", "warpgrade"}};
    const FetchResult result = fetch(platform, scope,
                                     {.url = url,
                                      .content = item.dump(),
                                      .content_type = kLineItemType,
                                      .accept = kLineItemType});
    if (result.status != 200 && result.status != 201) fail("the platform makes no column", result);
    found = text_at(nlohmann::json::parse(result.body, nullptr, /*allow_exceptions=*/false), "id");
  }
  if (!is_safe_url(found)) {
    throw LtiServiceProblem(Kind::refused, "the platform's column has no id with https");
  }
  return found;
}

void LtiServices::send_score(const LtiTool::Platform& platform, const std::string& line_item,
                             const std::string& subject, std::optional<double> points,
                             double max_points, std::int64_t at_ms) {
  nlohmann::json score = {{"userId", subject},
                          {"timestamp", exact_time(at_ms)},
                          {"activityProgress", "Completed"},
                          {"gradingProgress", points ? "FullyGraded" : "PendingManual"}};
  if (points) {
    score["scoreGiven"] = *points;
    score["scoreMaximum"] = max_points;
  }
  const FetchResult result = fetch(
      platform, kLtiScoreScope,
      {.url = below(line_item, "/scores"), .content = score.dump(), .content_type = kScoreType});
  if (result.status < 200 || result.status >= 300) fail("the platform takes no score", result);
}

std::vector<LtiUser> LtiServices::members(const LtiTool::Platform& platform,
                                          const std::string& url) {
  std::vector<LtiUser> members;
  read_pages(platform, kMembersScope, url, kMembersType, [&](const nlohmann::json& page) {
    const auto list = page.is_object() ? page.find("members") : page.end();
    if (list == page.end() || !list->is_array()) {
      throw LtiServiceProblem(Kind::later, "the platform's list has no members");
    }
    for (const nlohmann::json& member : *list) {
      const std::string status = text_at(member, "status");
      if (!member.is_object() || (!status.empty() && status != "Active")) continue;
      try {
        LtiUser user = read_lti_member(member, platform.registration);
        if (!user.account.subject.empty()) members.push_back(std::move(user));
      } catch (const SignInProblem& e) {
        throw LtiServiceProblem(Kind::refused, e.what());
      }
    }
  });
  return members;
}

}  // namespace warpgrade
