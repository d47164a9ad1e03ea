#include "grader/serve/lti/lti.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "grader/serve/http/guard.h"

namespace warpgrade {

std::string LtiChoices::begin(LtiChoice choice, Instant now) {
  const std::lock_guard lock(mutex_);
  std::erase_if(open_, [&](const auto& one) { return one.second.until <= now; });
  std::string token = random_token();
  open_[token] = {.choice = std::move(choice), .until = now + kTime};
  return token;
}

std::optional<LtiChoice> LtiChoices::end(const std::string& token, Instant now) {
  const std::lock_guard lock(mutex_);
  const auto it = open_.find(token);
  if (it == open_.end() || it->second.until <= now) return std::nullopt;
  LtiChoice choice = std::move(it->second.choice);
  open_.erase(it);
  return choice;
}

Lti::Lti(std::vector<LtiRegistration> registrations, const std::string& key, const Site& site,
         const SignInLibrary& library, const DatabaseAddress& database, ClassFiles& files,
         std::function<void(const std::string&)> write_line, std::function<Instant()> now)
    : tool(std::move(registrations), key, site, library, std::move(write_line), now),
      store(database),
      sync(tool, store, [&files, now] { return released_class(files, now()); }) {}

LtiClass released_class(ClassFiles& files, Instant now) {
  const auto record = files.record();
  LtiClass all{.course = record->course, .scores = {}};
  for (const GradeRow& row : files.book().rows) {
    const Standing standing = record->standing(row);
    // Hidden cases decide about points, so that these are released with them.
    const bool released =
        record->course.released(row.lab, row.student, now) && standing.counts() && standing.max > 0;
    all.scores.push_back({.person = row.student,
                          .lab = row.lab,
                          .title = row.lab_title.empty() ? row.lab : row.lab_title,
                          .points = released ? std::optional(standing.adjusted) : std::nullopt,
                          .max_points = standing.max});
  }
  return all;
}

std::string deep_linking_response(const LtiTool& tool, const LtiChoice& choice,
                                  const LtiTool::Platform& platform,
                                  const std::vector<const Lab*>& labs, const Site& site) {
  nlohmann::json items = nlohmann::json::array();
  for (const Lab* lab : labs) {
    items.push_back({{"type", "ltiResourceLink"},
                     {"title", lab->title},
                     {"url", site.url("/labs/" + lab->id)},
                     {"custom", {{"lab", lab->id}}},
                     {"window", {{"targetName", "_blank"}}},
                     {"lineItem",
                      {{"scoreMaximum", lab->rubric.total()},
                       {"label", lab->title},
                       {"resourceId", lab->id},
                       {"tag", "warpgrade"}}}});
  }
  nlohmann::json claims = {
      {"iss", platform.registration.client},
      {"aud", platform.registration.issuer},
      {"nonce", random_token()},
      {"https://purl.imsglobal.org/spec/lti/claim/message_type", "LtiDeepLinkingResponse"},
      {"https://purl.imsglobal.org/spec/lti/claim/version", "1.3.0"},
      {"https://purl.imsglobal.org/spec/lti/claim/deployment_id", choice.deployment},
      {"https://purl.imsglobal.org/spec/lti-dl/claim/content_items", std::move(items)}};
  if (!choice.data.empty()) {
    claims["https://purl.imsglobal.org/spec/lti-dl/claim/data"] = choice.data;
  }
  return tool.sign(std::move(claims));
}

}  // namespace warpgrade
