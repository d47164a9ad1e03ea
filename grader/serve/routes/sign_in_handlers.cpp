#include "grader/core/text.h"
#include "grader/serve/pages/pages.h"
#include "grader/serve/replies.h"
#include "grader/serve/routes/handlers.h"

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

HttpResponse signed_out(const Server& server) {
  HttpResponse response = see_other("/sign-in");
  response.headers.emplace_back("Set-Cookie", server.site.remove_cookie());
  return response;
}

}  // namespace

HttpReply ask_to_sign_in(Server& /*server*/, const Call& call) {
  // Nothing is used up: programs that inspect messages open the links in them.
  return form_page(sign_in_page(value_of(call.target.query, "token")));
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
  HttpResponse response = see_other("/");
  // "Lax", because links in messages and learning platforms lead to labs.
  response.headers.emplace_back("Set-Cookie",
                                server.site.set_cookie(begun->token, "Lax") + kKeptByBrowsers);
  return response;
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
