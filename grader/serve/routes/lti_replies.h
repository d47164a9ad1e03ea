#pragma once

#include "grader/serve/http/message.h"

namespace warpgrade {

/// The answer of a server without --lti.
[[nodiscard]] HttpResponse no_lti();

}  // namespace warpgrade
