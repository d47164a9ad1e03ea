#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>

#include "harness/data/array.h"
#include "harness/data/expected.h"
#include "harness/lab/lab.h"

namespace warpgrade {

/// The compiled reference/<lab>/golden.cpp: the slow and obvious computation in float64.
class GoldenLibrary {
 public:
  /// None: for labs whose datasets give all outputs (harness/case/program_run.h).
  GoldenLibrary() = default;
  /// @param file  <build>/lib/golden/<lab>.so
  /// @throws LabError  if it cannot be loaded; says what to build
  explicit GoldenLibrary(const std::filesystem::path& file);

  /// The expected values of every output for the case's inputs, with bounds from lab.tolerance.
  /// @throws LabError  if the golden function does not fill an output
  [[nodiscard]] std::map<std::string, Expected> expect(
      const Lab& lab, const Case& spec, const std::map<std::string, Array>& inputs) const;

 private:
  std::shared_ptr<void> handle_;
  void* entry_ = nullptr;
};

/// <library>/golden/<lab>.so, where `library` is a build's lib/ or an installation's
/// lib/warpgrade/.
[[nodiscard]] std::filesystem::path golden_file(const std::filesystem::path& library,
                                                const Lab& lab);

}  // namespace warpgrade
