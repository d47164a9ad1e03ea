#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>

#include "harness/lab/checks.h"
#include "harness/lab/read_function.h"

namespace warpgrade {

namespace {

constexpr double kLargest = 0x1p40;

std::int64_t value_in(const TomlTable& row, const DerivedSize& size, const Dataset& dataset) {
  double value = 0;
  try {
    value = size.value.evaluate([&](std::string_view name) {  // check_dims() has found all names
      return static_cast<double>(dataset.dims.at(std::string(name)));
    });
  } catch (const ExpressionError& error) {
    row.fail("value", fmt::format("formula '{}' for dataset '{}': {}; correct it",
                                  size.value.text(), dataset.name, error.what()));
  }
  if (!(value >= 0 && value <= kLargest) || value != std::floor(value)) {
    row.fail("value", fmt::format("size '{}' is {} for dataset '{}'; it must be an integer from 0, "
                                  "so round with ceil, floor or ceil_div",
                                  size.name, value, dataset.name));
  }
  return static_cast<std::int64_t>(value);
}

}  // namespace

void read_sizes(TomlTable& document, std::vector<Dataset>& datasets, Lab& lab) {
  for (TomlTable& row : document.tables("size")) {
    DerivedSize size{.name = row.string("name"), .value = row.expression("value")};
    row.set_title(fmt::format("[[size]] \"{}\"", size.name));
    if (!is_identifier(size.name)) {
      row.fail("name",
               fmt::format("size name '{}' must be lower-case letters, digits and _", size.name));
    }
    check_dims(row, "value", size.value, datasets);
    for (Dataset& dataset : datasets) {
      if (!dataset.dims.emplace(size.name, value_in(row, size, dataset)).second) {
        row.fail("name", fmt::format("dataset '{}' has a dim or setting '{}', or another [[size]] "
                                     "is named so; keep one of them",
                                     dataset.name, size.name));
      }
      dataset.settings.push_back(size.name);  // no extent of its own
    }
    row.finish();
    lab.sizes.push_back(std::move(size));
  }
}

}  // namespace warpgrade
