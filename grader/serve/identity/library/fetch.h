#pragma once

#include "grader/serve/identity/sign_in_library.h"

namespace warpgrade {

/// SignInLibrary::fetch, by libcurl.
[[nodiscard]] FetchResult fetch_by_curl(const FetchRequest& request);

}  // namespace warpgrade
