#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "grader/judge/misreading/variant.h"
#include "harness/data/array.h"
#include "harness/golden/misreading.h"
#include "harness/lab/lab.h"

namespace warpgrade {

using Inputs = std::map<std::string, Array>;
using Extents = std::vector<std::uint64_t>;
using Place = std::optional<std::size_t>;  // of an element; nothing: 0 in its place

/// To the next element of a row-major array.
void advance(Extents& at, const Extents& shape);
/// The index of an element in a row-major array.
[[nodiscard]] std::size_t flat(const Extents& at, const Extents& shape);

/// An array with these extents whose elements are others of `from`.
/// @param place  per position, as coordinates: that of an element of `from`
template <class PlaceOf>
[[nodiscard]] Array taken(const Array& from, const Extents& shape, PlaceOf place) {
  Array to(from.type, shape);
  const std::size_t size = size_of(from.type);
  Extents at(shape.size(), 0);
  for (std::size_t i = 0; i < to.count(); ++i) {
    if (const Place source = place(at)) {
      std::memcpy(to.bytes.data() + i * size, from.bytes.data() + *source * size, size);
    }
    advance(at, shape);
  }
  return to;
}

/// Variants that are a lab's right formula for other inputs.
class ChangedInputs {
 public:
  using Golden = std::function<void(const GoldenCall&)>;

  /// @param lab  must outlive the variants
  ChangedInputs(const Lab& lab, Golden golden) : lab_(lab), golden_(std::move(golden)) {}

  std::vector<Variant> all;

  /// @param change  returns false if it leaves the inputs or dims as they are
  void add(std::string id, std::string says, std::function<bool(Dims&, Inputs&)> change,
           std::string pitfall = "");
  /// An extent of another size: the inputs are cut off, or continued.
  /// @param repeats  by the last element, not by 0
  void sized(const std::string& axis, const std::string& id, std::string says,
             std::function<std::int64_t(std::int64_t)> size, bool repeats,
             std::string pitfall = "");
  /// Groups of the inputs along an extent, each by itself, whose results stand side by side.
  void groups(const std::string& axis, std::uint64_t size, std::string says);

  /// Arrays that are read, but for indices of sparse matrices.
  [[nodiscard]] std::vector<const Parameter*> arrays() const;
  /// Extents of inputs that stand alone, not in a sum or product with others: those of all outputs,
  /// or of none.
  [[nodiscard]] std::vector<std::string> axes(bool of_outputs) const;

 private:
  [[nodiscard]] bool is_axis(const std::string& name, bool of_outputs) const;

  const Lab& lab_;
  Golden golden_;
};

}  // namespace warpgrade
