#include <catch2/catch_test_macros.hpp>
#include <cstdlib>
#include <set>
#include <string>

#include "emulator/isa/row.h"

namespace warpsim {
namespace {

std::set<std::string> names(SimdLevel level) {
  std::set<std::string> found;
  for (const Family& family : instruction_table(level)) {
    for (const Row& row : family) found.emplace(row.name);
  }
  return found;
}

/// Sets WARPSIM_SIMD for one test.
class Environment {
 public:
  explicit Environment(const char* level) {
    if (const char* const before = std::getenv("WARPSIM_SIMD")) before_ = before;
    setenv("WARPSIM_SIMD", level, 1);
  }
  ~Environment() {
    if (before_.empty()) {
      unsetenv("WARPSIM_SIMD");
    } else {
      setenv("WARPSIM_SIMD", before_.c_str(), 1);
    }
  }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

 private:
  std::string before_;
};

TEST_CASE("every SIMD level has the same instructions", "[emulator][isa][table]") {
  CHECK(names(SimdLevel::baseline).contains("add"));
  CHECK(names(SimdLevel::avx2) == names(SimdLevel::baseline));
  CHECK(names(SimdLevel::avx512) == names(SimdLevel::baseline));
}

TEST_CASE("every row is complete", "[emulator][isa][table]") {
  for (const Family& family : instruction_table(SimdLevel::baseline)) {
    for (const Row& row : family) {
      INFO(row.name);
      CHECK_FALSE(row.name.empty());
      CHECK((row.bind != nullptr || !row.unsupported.empty()));
      CHECK((row.forms.starts_with(row.name) || !row.unsupported.empty()));
    }
  }
}

TEST_CASE("WARPSIM_SIMD lowers the level but never raises it", "[emulator][isa][table]") {
  SimdLevel best{};
  {
    const Environment environment("nonsense");
    best = best_simd_level();
  }
  const Environment environment("baseline");
  CHECK(best_simd_level() == SimdLevel::baseline);
  setenv("WARPSIM_SIMD", "avx512", 1);
  CHECK(best_simd_level() == best);
  setenv("WARPSIM_SIMD", "avx2", 1);
  CHECK(best_simd_level() <= best);
}

}  // namespace
}  // namespace warpsim
