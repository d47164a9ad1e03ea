#pragma once

#include <cfenv>

namespace warpsim {

/// The host's default floating-point environment for a scope. Kernels must not see what the program
/// around them has set up: another rounding mode, or (a program linked with -ffast-math does this
/// before main) subnormals that are flushed to zero. Threads started in the scope inherit it.
class DefaultFloatEnvironment {
 public:
  DefaultFloatEnvironment() {
    std::fegetenv(&before_);
    std::fesetenv(FE_DFL_ENV);
  }
  ~DefaultFloatEnvironment() { std::fesetenv(&before_); }
  DefaultFloatEnvironment(const DefaultFloatEnvironment&) = delete;
  DefaultFloatEnvironment& operator=(const DefaultFloatEnvironment&) = delete;

 private:
  std::fenv_t before_;
};

}  // namespace warpsim
