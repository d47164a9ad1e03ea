#include "grader/serve/identity/provider_sign_in.h"

#include <fmt/core.h>

#include <nlohmann/json.hpp>
#include <vector>

#include "grader/core/text.h"

namespace warpgrade {
namespace {

constexpr std::size_t kLongestAccount = 200;

/// "the instructors of the course (ann, eve)"
std::string whom_to_ask(const Course& course) {
  std::vector<std::string> names;
  for (const auto& [name, role] : course.staff) {
    if (role == StaffRole::instructor) names.push_back(name);
  }
  std::string text = "the instructors of the course";
  return names.empty() ? text : fmt::format("{} ({})", text, join_and(names));
}

}  // namespace

std::string log_line(nlohmann::ordered_json fields, const std::string& issuer, Instant now) {
  nlohmann::ordered_json line = {{"at", instant_text(now)}};
  line.update(fields);
  line["issuer"] = issuer;
  return line.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

nlohmann::ordered_json log_fields(const char* event, const SignInProblem& problem) {
  nlohmann::ordered_json fields = {{"event", event}, {"fault", slug(problem.fault)}};
  if (!problem.account.empty()) {
    fields["account"] = one_line(problem.account.substr(0, kLongestAccount));
  }
  fields["detail"] = problem.what();
  return fields;
}

std::string log_line(const OpenIdProvider& provider, const SignInProblem& problem, Instant now) {
  return log_line(log_fields("sign_in_failed", problem), provider.options().issuer, now);
}

std::string log_line(const OpenIdProvider& provider, const std::string& person, Instant now) {
  return log_line({{"event", "sign_in"}, {"person", person}}, provider.options().issuer, now);
}

SignInProblem problem_in(const std::map<std::string, std::string>& answer) {
  constexpr std::size_t kLongestDetail = 300;
  const auto field = [&](const char* name) {
    const auto it = answer.find(name);
    return it == answer.end() ? std::string() : it->second;
  };
  const std::string error = field("error");
  const SignInFault fault =
      error == "access_denied" || error.ends_with("_required")        ? SignInFault::declined
      : error == "server_error" || error == "temporarily_unavailable" ? SignInFault::unreachable
      : error == "unauthorized_client"                                ? SignInFault::client_refused
                                                                      : SignInFault::configuration;
  const std::string said = error + ": " + field("error_description");
  return {fault, "the provider answers " + one_line(said.substr(0, kLongestDetail))};
}

SignInNotice explain(const SignInProblem& problem, const std::string& provider,
                     const Course& course) {
  const std::string ask = whom_to_ask(course);
  const std::string report = fmt::format(
      "Tell {}: the server's log says what is wrong. A personal link still works.", ask);
  const std::string account = one_line(problem.account.substr(0, kLongestAccount));
  switch (problem.fault) {
    case SignInFault::unreachable:
      return {502, "The sign-in service does not answer",
              fmt::format("{} does not answer now. Try again in a few minutes. If it goes on, tell "
                          "{}; a personal link still works.",
                          provider, ask)};
    case SignInFault::configuration:
    case SignInFault::client_refused:
      return {
          502, "The sign-in service is not set up",
          fmt::format("{} and this server are not set up for each other. {}", provider, report)};
    case SignInFault::declined:
      return {403, "Not signed in",
              fmt::format("{} has not confirmed your account to this server: you declined, or may "
                          "not use it. Sign in again, or ask {}.",
                          provider, ask)};
    case SignInFault::not_begun_here:
      return {403, "Start again",
              "This sign-in was begun in another browser, more than ten minutes ago, or was used "
              "already. Nobody was signed in by it."};
    case SignInFault::code_refused:
      return {
          403, "Start again",
          fmt::format("{} says that this sign-in was used already, or took too long.", provider)};
    case SignInFault::token:
      return {
          502, "Not signed in",
          fmt::format("What {} said about your account is damaged, or is not for this server. {}",
                      provider, report)};
    case SignInFault::clock:
      return {502, "Not signed in",
              fmt::format("The clocks of {} and of this server differ. {}", provider, report)};
    case SignInFault::no_claim:
      return {
          403, "Not signed in",
          fmt::format("{} does not say which member of the course you are. {}", provider, report)};
    case SignInFault::unverified:
      return {403, "Not signed in",
              fmt::format("You signed in at {} as {}, and this e-mail address is not confirmed "
                          "there. Confirm it, and sign in again.",
                          provider, account)};
    case SignInFault::not_a_member:
      return {403, "Not in this course",
              fmt::format("You signed in at {} as {}. This account does not belong to a member of "
                          "the course. Sign in with the account that the course has of you, or ask "
                          "{} to add this one.",
                          provider, account, ask)};
    case SignInFault::busy:
      return {503, "Many sign in now", "Try again in a few seconds."};
  }
  return {};
}

}  // namespace warpgrade
