#pragma once

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <functional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "emulator/tests/differential/values.h"
#include "emulator/tests/support/device.h"

// A differential program is a list of named kernels, each with the result that the host computes
// for the same input by other means. The program's register_cases() fills a Suite; main() is in
// suite_main.cpp.

namespace differential {

/// A lane whose result is not what the host computed. what() is the rest of the FAIL line.
struct Mismatch : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Suite {
 public:
  /// @param name  unique in the program; shown by `ok <name>`
  /// @param run   launches and compares; throws Mismatch or std::runtime_error
  void add(std::string name, std::function<void()> run) {
    cases_.emplace_back(std::move(name), std::move(run));
  }
  [[nodiscard]] const std::vector<std::pair<std::string, std::function<void()>>>& cases() const {
    return cases_;
  }

 private:
  std::vector<std::pair<std::string, std::function<void()>>> cases_;
};

/// Each differential program defines this.
void register_cases(Suite& suite);

template <class T>
std::string show(const T& value) {
  if constexpr (std::is_arithmetic_v<T>) return value_type<T>().show(&value);
  return show_bytes(&value, sizeof(T));
}

/// @throws Mismatch at the first lane that differs, with how many do
template <class T>
void require_agreement(const std::vector<T>& got, const std::vector<T>& want,
                       const Tolerance& tolerance = kExact) {
  if (got.size() != want.size()) {
    throw Mismatch("got " + std::to_string(got.size()) + " values want " +
                   std::to_string(want.size()));
  }
  std::size_t first = 0, wrong = 0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    if constexpr (std::is_arithmetic_v<T>) {
      if (value_type<T>().agree(&got[i], &want[i], tolerance)) continue;
    } else if (std::memcmp(&got[i], &want[i], sizeof(T)) == 0) {
      continue;
    }
    if (wrong++ == 0) first = i;
  }
  if (wrong == 0) return;
  throw Mismatch("lane " + std::to_string(first) + " got " + show(got[first]) + " want " +
                 show(want[first]) + "; " + std::to_string(wrong) + " of " +
                 std::to_string(got.size()) + " lanes differ");
}

}  // namespace differential
