#pragma once

#include <string>

#include "grader/serve/routes/call.h"

namespace warpgrade {

/// To a page of this server, with the cookie of a new session.
[[nodiscard]] HttpResponse signed_in(const Server& server, const std::string& session,
                                     const std::string& path = "/");

/// Without the cookie: to the page for signing in, or where a provider is used, a page from which
/// browsers sign out there, too.
[[nodiscard]] HttpResponse signed_out(const Server& server);

}  // namespace warpgrade
