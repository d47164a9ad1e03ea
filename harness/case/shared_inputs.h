#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "harness/data/array.h"
#include "harness/lab/lab.h"

namespace warpgrade {

/// The inputs of a case in one file in memory, sealed so that nobody can change it, to be passed to
/// workers as a descriptor. Made once, for the runs of all submissions.
class SharedInputs {
 public:
  /// Without a file if there is no memory or descriptor for it.
  SharedInputs(const Lab& lab, const std::map<std::string, Array>& inputs);
  ~SharedInputs();
  SharedInputs(const SharedInputs&) = delete;
  SharedInputs& operator=(const SharedInputs&) = delete;

  /// -1: there is no file. Its own offset is not used: it is read with pread().
  [[nodiscard]] int descriptor() const { return descriptor_; }
  /// Where the elements of an input begin, by the function's argument.
  [[nodiscard]] const std::map<std::string, std::uint64_t>& offsets() const { return offsets_; }

 private:
  int descriptor_ = -1;
  std::map<std::string, std::uint64_t> offsets_;
};

}  // namespace warpgrade
