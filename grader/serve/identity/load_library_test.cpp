#include "grader/serve/identity/load_library.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "grader/core/error.h"
#include "grader/core/files.h"

namespace warpgrade {
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::MessageMatches;

TEST_CASE("a warpgrade without the library for accounts says how to get it", "[serve][unit]") {
  const ScratchFolder scratch;
  CHECK_THROWS_MATCHES(load_sign_in_library(scratch.path(), "--oidc-issuer"), EnvironmentError,
                       MessageMatches(ContainsSubstring("--oidc-issuer needs ") &&
                                      ContainsSubstring("scripts/setup installs")));
  write_file_atomically(scratch.path() / "sign_in.so", "no library");
  CHECK_THROWS_MATCHES(load_sign_in_library(scratch.path(), "--oidc-issuer"), EnvironmentError,
                       MessageMatches(ContainsSubstring("sign_in.so cannot be loaded (")));
}

}  // namespace warpgrade
