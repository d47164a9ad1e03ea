#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "harness/data/element_type.h"

namespace warpgrade {

/// A dense row-major array in host memory: generated, passed to a worker or read back.
struct Array {
  ElementType type = ElementType::f32;
  std::vector<std::uint64_t> shape;
  std::vector<std::byte> bytes;  // count() * size_of(type)

  Array() = default;
  /// All bytes zero.
  Array(ElementType element, std::vector<std::uint64_t> extents);

  [[nodiscard]] std::size_t count() const { return count_of(shape); }
  /// Elements of an array with these extents.
  [[nodiscard]] static std::size_t count_of(std::span<const std::uint64_t> extents);

  /// The elements as T; T must have the size of `type`.
  template <class T>
  [[nodiscard]] std::span<const T> as() const {
    return {reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)};
  }
  template <class T>
  [[nodiscard]] std::span<T> as() {
    return {reinterpret_cast<T*>(bytes.data()), bytes.size() / sizeof(T)};
  }
};

}  // namespace warpgrade
