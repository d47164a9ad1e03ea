#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "grader/record/grade/grade.h"

namespace warpgrade {

/// The counters of all kernels on one line of the source.
class LineCounters {
 public:
  void add(const std::map<std::string, double>& counters);

  [[nodiscard]] double instructions() const;  // warp instructions
  [[nodiscard]] double sectors() const;  // 32-byte, of global and local accesses
  [[nodiscard]] double conflicts() const;  // extra shared-memory wavefronts
  [[nodiscard]] double divergent() const;  // divergent branches

  /// Short remarks for the margin, only about unusual numbers: "4.6 sectors/request".
  [[nodiscard]] std::vector<std::string> remarks() const;

  struct Number {
    std::string label;
    std::string value;
    std::string meaning;
  };
  /// All counters, for the details.
  /// @param all_instructions  of the whole run, for the share
  [[nodiscard]] std::vector<Number> numbers(double all_instructions) const;

 private:
  [[nodiscard]] double operator[](const std::string& counter) const;

  std::map<std::string, double> sums_;
};

/// By file and line.
using SourceCounters = std::map<std::pair<std::string, std::uint32_t>, LineCounters>;
[[nodiscard]] SourceCounters count_lines(const std::vector<KernelReport>& kernels);

}  // namespace warpgrade
