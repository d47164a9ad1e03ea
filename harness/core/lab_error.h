#pragma once

#include <stdexcept>

namespace warpgrade {

/// An invalid lab.toml or dataset: "labs/x/lab.toml:12: what; what to do".
struct LabError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace warpgrade
