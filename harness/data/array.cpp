#include "harness/data/array.h"

#include <functional>
#include <numeric>
#include <utility>

namespace warpgrade {

Array::Array(ElementType element, std::vector<std::uint64_t> extents)
    : type(element), shape(std::move(extents)) {
  bytes.resize(count() * size_of(type));
}

std::size_t Array::count_of(std::span<const std::uint64_t> extents) {
  return std::accumulate(extents.begin(), extents.end(), std::size_t{1}, std::multiplies<>());
}

}  // namespace warpgrade
