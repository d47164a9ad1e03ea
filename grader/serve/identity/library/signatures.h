#pragma once

#include <string>

namespace warpgrade {

/// SignInLibrary::verify, by cjose.
[[nodiscard]] bool verify_by_cjose(const std::string& token, const std::string& key);

}  // namespace warpgrade
