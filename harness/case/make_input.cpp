#include "harness/case/make_input.h"

#include <algorithm>
#include <string>
#include <utility>

#include "harness/data/fill.h"
#include "harness/data/sparse.h"
#include "harness/lab/shapes.h"

namespace warpgrade {

namespace {

bool is_structure(const Parameter& parameter) {
  return !parameter.matrix.empty() && parameter.part != SparsePart::values;
}

Array make_structure(const Lab& lab, const Parameter& parameter, const Dataset& dataset,
                     std::uint64_t seed) {
  const SparseMatrix& matrix = lab.matrix(parameter.matrix);
  const Fill& fill = dataset.fills.at(parameter.name);
  const SparsePattern pattern = make_sparse_pattern(
      extents_of(lab, matrix, dataset.dims), fill.row_lengths.value_or(RowLengths::uniform), seed);
  const std::vector<std::uint64_t> indices = indices_of(pattern, matrix.format, parameter.part);
  Array array(parameter.type, {indices.size()});
  with_type(parameter.type, [&](auto zero) {
    using T = decltype(zero);
    std::transform(indices.begin(), indices.end(), array.as<T>().begin(),
                   []([[maybe_unused]] std::uint64_t index) {
                     // Never of floats: load_lab() requires integers.
                     if constexpr (is_float_like<T>) {
                       return T{};
                     } else {
                       return static_cast<T>(index);
                     }
                   });
  });
  return array;
}

}  // namespace

bool can_extend(const Parameter& parameter, const Dataset& dataset) {
  return !is_structure(parameter) && dataset.fills.at(parameter.name).given == nullptr;
}

Array make_input(const Lab& lab, const Parameter& parameter, const Dataset& dataset,
                 const std::function<std::uint64_t(std::string_view)>& seed_of,
                 std::uint64_t slack) {
  const Fill& fill = dataset.fills.at(parameter.name);
  if (is_structure(parameter)) {
    return make_structure(lab, parameter, dataset, seed_of(parameter.matrix));
  }
  std::vector<std::uint64_t> shape = shape_of(lab, parameter, dataset.dims);
  if (fill.given != nullptr) return as_array(*fill.given, parameter.type, shape);
  if (slack > 0) shape = {Array::count_of(shape) + slack};
  Array array(parameter.type, std::move(shape));
  fill_array(array, fill, seed_of(parameter.name));
  return array;
}

}  // namespace warpgrade
