#pragma once

#include <string>

namespace warpgrade {

/// SignInLibrary::verify, by cjose.
[[nodiscard]] bool verify_by_cjose(const std::string& token, const std::string& key);
/// SignInLibrary::sign, by cjose.
[[nodiscard]] std::string sign_by_cjose(const std::string& payload, const std::string& id,
                                        const std::string& key);
/// SignInLibrary::new_key, by cjose.
[[nodiscard]] std::string new_key_by_cjose();

}  // namespace warpgrade
