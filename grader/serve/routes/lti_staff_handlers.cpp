#include <algorithm>

#include "grader/serve/pages/lti_pages.h"
#include "grader/serve/replies.h"
#include "grader/serve/routes/class_view.h"
#include "grader/serve/routes/handlers.h"
#include "grader/serve/routes/lti_replies.h"

namespace warpgrade {
namespace {

HttpResponse unchanged(const std::string& text) {
  return message(409, "Nothing has changed", text);
}

HttpResponse back() {
  return see_other("/class/lti");
}

}  // namespace

HttpReply show_lti(Server& server, const Call& call) {
  if (server.classroom->lti == nullptr) return no_lti();
  const ClassData data = class_data(server);
  return form_page(
      lti_page(*server.classroom->lti, data.record->course, data.labs, call.caller.form_token()));
}

HttpReply choose_lti_lab(Server& server, const Call& call) {
  if (server.classroom->lti == nullptr) return no_lti();
  const ClassData data = class_data(server);
  const std::string lab = value_of(call.form, "lab");
  const bool known = lab == kAllLabs || std::any_of(data.labs.begin(), data.labs.end(),
                                                    [&](const Lab& one) { return one.id == lab; });
  if (!known) return unchanged("The course has no such lab. Choose one of the list.");
  const std::int64_t context = positive_number(value_of(call.form, "context")).value_or(0);
  if (!server.classroom->lti->store.choose_lab(context, value_of(call.form, "link"), lab)) {
    return unchanged("There is no such link.");
  }
  return back();
}

HttpReply read_lti_members(Server& server, const Call& call) {
  if (server.classroom->lti == nullptr) return no_lti();
  server.classroom->lti->sync.ask_for_members(
      positive_number(value_of(call.form, "context")).value_or(0));
  return back();
}

HttpReply send_lti_scores(Server& server, const Call& /*call*/) {
  if (server.classroom->lti == nullptr) return no_lti();
  server.classroom->lti->store.send_again();
  return back();
}

HttpReply forget_lti_account(Server& server, const Call& call) {
  if (server.classroom->lti == nullptr) return no_lti();
  server.classroom->lti->store.unlink_account(value_of(call.form, "person"));
  return back();
}

}  // namespace warpgrade
