#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "harness/data/given.h"

namespace warpgrade {

/// A case's extents and settings: {"n": 1000003, "op": 1}.
using Dims = std::map<std::string, std::int64_t>;

enum class Distribution : std::uint8_t {
  uniform,  // [low, high)
  normal,  // mean 0, deviation 1, limited to 6 deviations: a sum of 12 uniforms
  integers,  // integers in [low, high]; their sums are exact in floats
  constant,  // `low` everywhere
  ramp,  // low + i
  signs,  // low or high, at random
  extremes,  // the type's largest, smallest, subnormal and zero values of both signs, infinities
  nans,  // uniform in [low, high) with scattered NaNs and infinities
  skewed,  // `value` for a share of the elements, otherwise an integer in [low, high]
  runs,  // integers in [low, high], each `length` times in a row
};

/// How one input is filled.
struct Fill {
  Distribution distribution = Distribution::uniform;
  double low = -1.0;
  double high = 1.0;
  double value = 0;  // skewed: the frequent one
  double share = 0.9;  // skewed: of the elements, 0 to 1
  std::uint64_t length = 64;  // runs: elements
  /// Elements between a well-aligned address and the array's first element.
  std::uint32_t offset = 0;
};

/// One entry of datasets/<lab>.toml: shapes and fills; nothing generated is ever committed.
struct Dataset {
  std::string name;
  Dims dims;  // extents and settings
  std::vector<std::string> settings;  // names in `dims` that are not extents: an operator, a flag
  std::vector<std::string> categories;  // its edge categories
  std::map<std::string, Fill> fills;  // by input's name
  std::uint32_t output_offset = 0;  // like Fill::offset, for every output
  std::map<std::string, Given> given = {};  // of programs: inputs and expected outputs as text
};

/// @throws LabError  names file, line and key
[[nodiscard]] std::vector<Dataset> load_datasets(const std::filesystem::path& file,
                                                 const std::filesystem::path& root);

}  // namespace warpgrade
