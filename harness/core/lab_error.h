#pragma once

#include <stdexcept>

namespace warpgrade {

/// A lab.toml or dataset that is wrong: "labs/x/lab.toml:12: what; what to do".
struct LabError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace warpgrade
