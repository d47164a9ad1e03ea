#pragma once

#include <filesystem>
#include <string>

#include "grader/serve/identity/sign_in_library.h"

namespace warpgrade {

/// @param folder  of the installation's libraries
/// @param option  that needs it: "--oidc-issuer"
/// @throws EnvironmentError  if this warpgrade was built or packed without it, or it cannot be
/// loaded
[[nodiscard]] const SignInLibrary& load_sign_in_library(const std::filesystem::path& folder,
                                                        const std::string& option);

}  // namespace warpgrade
