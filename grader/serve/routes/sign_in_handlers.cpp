#include <fmt/core.h>

#include "grader/core/text.h"
#include "grader/serve/pages/pages.h"
#include "grader/serve/replies.h"
#include "grader/serve/routes/handlers.h"
#include "grader/serve/routes/session_replies.h"

namespace warpgrade {
namespace {

/// As long as browsers allow, 400 days: the server decides when a session ends.
constexpr const char* kKeptByBrowsers = "; Max-Age=34560000";

/// Who tries to sign in. A proxy appends the address of its client to this header; what stands
/// before comes from the client.
std::string address_of(const Server& server, const HttpRequest& request) {
  if (!server.site.is_proxied()) return {};
  const std::string& addresses = request.header("x-forwarded-for");
  const std::size_t comma = addresses.rfind(',');
  const std::string last = comma == std::string::npos ? addresses : addresses.substr(comma + 1);
  return std::string(trimmed(last));
}

/// The host of the provider of accounts; empty without one.
std::string provider_of(const Server& server) {
  const ProviderSignIn* sign_in = server.classroom->provider.get();
  return sign_in == nullptr ? std::string() : sign_in->provider.name();
}

}  // namespace

HttpResponse signed_in(const Server& server, const std::string& session, const std::string& path) {
  HttpResponse response = see_other(path);
  // "Lax", because links in messages and learning platforms lead to labs.
  response.headers.emplace_back("Set-Cookie",
                                server.site.set_cookie(session, "Lax") + kKeptByBrowsers);
  return response;
}

HttpResponse signed_out(const Server& server) {
  const std::string provider = provider_of(server);
  const std::string leave =
      provider.empty() ? std::string() : server.classroom->provider->provider.end_session_url();
  // A link, because the policy of pages does not let a form lead to another site.
  HttpResponse response =
      leave.empty()
          ? see_other("/sign-in")
          : notice(200, "Signed out",
                   fmt::format("You are signed out here. Who has signed in at {0} is still signed "
                               "in there: on a computer that others use, sign out there, too.",
                               provider),
                   leave, "Sign out at " + provider);
  response.headers.emplace_back("Set-Cookie", server.site.remove_cookie());
  return response;
}

HttpReply ask_to_sign_in(Server& server, const Call& call) {
  // Nothing is used up: programs that inspect messages open the links in them.
  return form_page(sign_in_page(value_of(call.target.query, "token"), provider_of(server)));
}

HttpReply sign_in(Server& server, const Call& call) {
  Classroom& classroom = *server.classroom;
  const std::string address = address_of(server, call.request);
  if (classroom.sign_ins.refuses(address)) {
    return message(429, "Too many tries", "Wait a minute, and open your link again.");
  }
  const std::optional<Sessions::Begun> begun =
      classroom.sessions.begin(value_of(call.form, "invitation"), server.site.cookie(call.request));
  if (!begun) {
    classroom.sign_ins.count(address);
    return message(403, "Not signed in",
                   "This link was used already, is older than two weeks, or is incomplete. Ask the "
                   "instructors of the course for a new one.");
  }
  return signed_in(server, begun->token);
}

HttpReply sign_out(Server& server, const Call& call) {
  server.classroom->sessions.end(call.caller.session);
  return signed_out(server);
}

HttpReply sign_out_everywhere(Server& server, const Call& call) {
  server.classroom->sessions.end_all(call.caller.name);
  return signed_out(server);
}

}  // namespace warpgrade
