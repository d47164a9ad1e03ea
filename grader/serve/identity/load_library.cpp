#include "grader/serve/identity/load_library.h"

#include <dlfcn.h>
#include <fmt/core.h>

#include "grader/core/error.h"

namespace warpgrade {

const SignInLibrary& load_sign_in_library(const std::filesystem::path& folder,
                                          const std::string& option) {
  const std::filesystem::path file = folder / "sign_in.so";
  std::error_code error;
  if (!std::filesystem::exists(file, error)) {
    throw EnvironmentError(
        fmt::format("{} needs {}, which this warpgrade does not have: the Python wheel "
                    "leaves it out, and a build needs libcurl and cjose, which scripts/setup "
                    "installs. Use the Debian package, or build it",
                    option, file.string()));
  }
  // Stays loaded as long as the process.
  void* library = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  void* entry = library == nullptr ? nullptr : ::dlsym(library, kSignInEntry);
  if (entry == nullptr) {
    const char* reason = ::dlerror();
    throw EnvironmentError(fmt::format(
        "{} cannot be loaded ({}); install libcurl4 and libcjose0, or the Debian package again",
        file.string(), reason == nullptr ? "no reason given" : reason));
  }
  return reinterpret_cast<SignInEntry>(entry)();
}

}  // namespace warpgrade
