#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace warpgrade {

/// A function of a lab's library, and the memory that it fills.
struct LabCall {
  std::string who;  // for errors: "lab 'scan', case \"prime\": reference/scan/golden.cpp"
  std::function<std::string()> function;  // what it returns is returned
  std::vector<std::span<std::byte>> results = {};
};

/// Runs a function of a lab's library where its crash or endless loop ends nothing else.
/// @throws LabCodeError  if it does not return
using RunApart = std::function<std::string(const LabCall& call)>;

/// Without protection: for tests, and programs that only run tested labs.
[[nodiscard]] inline std::string run_here(const LabCall& call) {
  return call.function();
}

}  // namespace warpgrade
