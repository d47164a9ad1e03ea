#include "grader/serve/replies.h"
#include "grader/serve/routes/handlers.h"
#include "grader/serve/routes/session_replies.h"

namespace warpgrade {
namespace {

/// The end of the name of the cookie that a browser has between the two redirections.
constexpr const char* kPendingCookie = "-sign-in";

HttpResponse refuse(const Server& server, const SignInProblem& problem) {
  ProviderSignIn& sign_in = *server.classroom->provider;
  sign_in.log(log_line(sign_in.provider, problem, sign_in.now()));
  const SignInNotice said =
      explain(problem, sign_in.provider.name(), server.classroom->files.record()->course);
  // Who is signed in there with the wrong account would get no further by starting again.
  const std::string leave = problem.fault == SignInFault::not_a_member
                                ? sign_in.provider.end_session_url()
                                : std::string();
  return notice(said.status, said.title, said.text, leave.empty() ? "/sign-in" : leave,
                leave.empty() ? "Sign in" : "Sign out at " + sign_in.provider.name());
}

/// Who has come back from the provider.
std::string person_of(const Server& server, const Call& call) {
  ProviderSignIn& sign_in = *server.classroom->provider;
  const std::map<std::string, std::string>& query = call.target.query;
  const std::optional<PendingSignIns::Begun> begun = sign_in.pending.find(
      server.site.cookie(call.request, kPendingCookie), value_of(query, "state"), sign_in.now());
  if (!begun) {
    throw SignInProblem(SignInFault::not_begun_here,
                        "the state is not of this browser, is too old, or was used");
  }
  // RFC 9207: an answer of another provider, which somebody has put in the place of this one's.
  const auto issuer = query.find("iss");
  if (issuer != query.end() && issuer->second != sign_in.provider.options().issuer) {
    throw SignInProblem(SignInFault::token, "the answer is from another issuer (iss)");
  }
  if (query.contains("error")) throw problem_in(query);
  const Account account = sign_in.provider.account(value_of(query, "code"), *begun);
  if (!sign_in.pending.use(*begun, sign_in.now())) {
    throw SignInProblem(SignInFault::not_begun_here, "the state was used");
  }
  return member_of(server.classroom->files.record()->course, sign_in.provider.options().column,
                   account);
}

}  // namespace

HttpReply go_to_provider(Server& server, const Call& call) {
  if (server.classroom->provider == nullptr) return see_other("/sign-in");
  // The provider leads back to one name of this server, whose cookies other names do not have.
  if (!server.site.is_main_host(call.request)) {
    return see_other(server.site.url("/sign-in/provider"));
  }
  ProviderSignIn& sign_in = *server.classroom->provider;
  try {
    const PendingSignIns::Begun begun = sign_in.pending.begin(sign_in.now());
    HttpResponse response = see_other(sign_in.provider.authorization_url(begun));
    // "Lax", because the way back is a link of another site.
    response.headers.emplace_back("Set-Cookie",
                                  server.site.set_cookie(begun.cookie, "Lax", kPendingCookie));
    return response;
  } catch (const SignInProblem& problem) {
    return refuse(server, problem);
  }
}

HttpReply return_from_provider(Server& server, const Call& call) {
  if (server.classroom->provider == nullptr) return see_other("/sign-in");
  ProviderSignIn& sign_in = *server.classroom->provider;
  HttpResponse response;
  try {
    const std::string person = person_of(server, call);
    response = signed_in(
        server, server.classroom->sessions.begin_for(person, server.site.cookie(call.request)));
    sign_in.log(log_line(sign_in.provider, person, sign_in.now()));
  } catch (const SignInProblem& problem) {
    response = refuse(server, problem);
    // Its own tab may still be at the provider.
    if (problem.fault == SignInFault::not_begun_here) return response;
  }
  response.headers.insert(response.headers.begin(),
                          {"Set-Cookie", server.site.remove_cookie(kPendingCookie)});
  return response;
}

}  // namespace warpgrade
