#pragma once

#include <optional>

#include "grader/serve/http/message.h"
#include "grader/serve/http/url.h"
#include "grader/serve/store/store.h"

namespace warpgrade {

/// What programs that watch a class's server ask, without signing in: /health (it answers), /ready
/// (so does its database) and, under this machine's own address only, /metrics in the text format
/// of Prometheus. Nothing for other requests.
[[nodiscard]] std::optional<HttpResponse> answer_monitor(const HttpRequest& request,
                                                         const Target& target, const Store& store);

}  // namespace warpgrade
