#pragma once

#include <filesystem>

#include "grader/serve/identity/sign_in_library.h"

namespace warpgrade {

/// @param folder  of the installation's libraries
/// @throws EnvironmentError  if this warpgrade was built or packed without it, or it cannot be
/// loaded
[[nodiscard]] const SignInLibrary& load_sign_in_library(const std::filesystem::path& folder);

}  // namespace warpgrade
