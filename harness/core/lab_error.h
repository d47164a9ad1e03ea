#pragma once

#include <stdexcept>
#include <string>

namespace warpgrade {

/// An invalid lab.toml or dataset: "labs/x/lab.toml:12: what; what to do".
struct LabError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A function of a lab's own library crashed, threw, or did not end: no mistake of a submission.
struct LabCodeError : std::runtime_error {
  explicit LabCodeError(const std::string& what, bool slow = false)
      : std::runtime_error(what), out_of_time(slow) {}
  bool out_of_time = false;  // another call may take as long
};

}  // namespace warpgrade
