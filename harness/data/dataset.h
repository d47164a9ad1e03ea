#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/data/given_data.h"
#include "harness/data/given_file.h"
#include "harness/data/sparse.h"

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
  words,  // lower-case letters and spaces, as frequent as in English
  sorted,  // uniform, in ascending order
  descending,  // uniform, in descending order
  nearly_sorted,  // uniform, ascending but for a tenth of the elements, up to 8 places off
};

/// Whether the values of neighbours depend on each other, so that their parts in another order are
/// other data.
[[nodiscard]] constexpr bool has_order(Distribution distribution) {
  switch (distribution) {
    case Distribution::ramp:
    case Distribution::runs:
    case Distribution::sorted:
    case Distribution::descending:
    case Distribution::nearly_sorted:
      return true;
    default:
      return false;
  }
}

/// Whether a function may rely on the order, as a binary search does.
[[nodiscard]] constexpr bool is_ordered(Distribution distribution) {
  return distribution == Distribution::sorted || distribution == Distribution::descending;
}

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
  /// Not generated: the content itself, whatever the distribution.
  std::shared_ptr<const GivenData> given = nullptr;
  /// Of a sparse matrix, whose values the distribution describes.
  std::optional<RowLengths> row_lengths = std::nullopt;
};

/// The names of a setting's values: {"op", {"sum", "max"}} makes `op = "max"` the number 1.
using NamedSettings = std::map<std::string, std::vector<std::string>>;

/// One entry of datasets/<lab>.toml: shapes and fills; nothing generated is ever committed.
struct Dataset {
  std::string name;
  Dims dims;  // extents and settings
  /// Names in `dims` that are not extents: an operator, a flag, a size that follows from others.
  std::vector<std::string> settings;
  std::vector<std::string> categories;  // its edge categories
  std::map<std::string, Fill> fills;  // by input's name
  std::uint32_t output_offset = 0;  // like Fill::offset, for every output
  std::map<std::string, GivenFile> given = {};  // of programs: inputs and expected outputs
};

/// Files that it names are in the folder of its name without the extension.
/// @param named  the lab's settings whose values have names
/// @throws LabError  names file, line and key
[[nodiscard]] std::vector<Dataset> load_datasets(const std::filesystem::path& file,
                                                 const std::filesystem::path& root,
                                                 const NamedSettings& named = {});

}  // namespace warpgrade
