#pragma once

#include <span>
#include <string>
#include <string_view>

#include "harness/data/dataset.h"

namespace warpgrade {

/// A kind of data that breaks kernels which are right for easy sizes.
struct EdgeCategory {
  std::string_view name;
  bool mandatory = false;  // every lab must have a case of it
  std::string_view meaning;  // the requirement for a dataset of this category
  bool (*holds)(const Dataset& dataset) = nullptr;
};

[[nodiscard]] std::span<const EdgeCategory> categories();
/// Null if there is none with that name.
[[nodiscard]] const EdgeCategory* find_category(std::string_view name);

}  // namespace warpgrade
