#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>

namespace warpgrade {

/// A function of a lab's library, and what crosses over if it runs in another process.
struct LabCall {
  std::string who;  // for errors: "lab 'scan', case \"prime\": reference/scan/golden.cpp"
  std::function<std::string()> function;  // what it returns is returned
  std::size_t result_bytes = 0;  // of its results, besides what it returns
  /// In the process of the function, after it: writes the results to so many bytes, which are
  /// aligned as malloc() does. Called even if the function failed.
  std::function<void(std::span<std::byte>)> give = {};
  /// In this process: reads them there.
  std::function<void(std::span<const std::byte>)> take = {};
};

/// Runs a function of a lab's library where its crash or endless loop ends nothing else.
/// @throws LabCodeError  if it does not return
using RunApart = std::function<std::string(const LabCall& call)>;

/// Without protection: for tests, and programs that only run tested labs.
[[nodiscard]] inline std::string run_here(const LabCall& call) {
  return call.function();
}

}  // namespace warpgrade
