#pragma once

#include <span>
#include <string>
#include <string_view>

#include "harness/data/dataset.h"

namespace warpgrade {

/// A kind of data that breaks a kernel which is right for the easy sizes.
struct EdgeCategory {
  std::string_view name;
  bool mandatory = false;  // every lab must have a case of it
  std::string_view meaning;  // what a dataset must have to claim it
  bool (*holds)(const Dataset& dataset) = nullptr;
};

[[nodiscard]] std::span<const EdgeCategory> categories();
/// Null when there is none of that name.
[[nodiscard]] const EdgeCategory* find_category(std::string_view name);

}  // namespace warpgrade
