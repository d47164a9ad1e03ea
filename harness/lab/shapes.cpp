#include "harness/lab/shapes.h"

#include <fmt/format.h>

#include <cmath>

#include "harness/data/array.h"

namespace warpgrade {

namespace {

constexpr double kMostElements = 0x1p40;

std::uint64_t whole(const Lab& lab, const Expression& formula, const std::string& of,
                    const Dims& dims) {
  const double extent = evaluate(lab, formula, dims);
  if (!(extent >= 0) || extent != std::floor(extent) || extent > kMostElements) {
    throw LabError(
        fmt::format("labs/{}/lab.toml: extent '{}' of parameter '{}' is {}; it must be an "
                    "integer that fits in memory",
                    lab.id, formula.text(), of, extent));
  }
  return static_cast<std::uint64_t>(extent);
}

}  // namespace

SparseExtents extents_of(const Lab& lab, const SparseMatrix& matrix, const Dims& dims) {
  SparseExtents extents{.rows = whole(lab, *matrix.rows, matrix.name, dims),
                        .columns = whole(lab, *matrix.columns, matrix.name, dims),
                        .nonzeros = whole(lab, *matrix.nonzeros, matrix.name, dims),
                        .longest = std::nullopt};
  if (matrix.longest) extents.longest = whole(lab, *matrix.longest, matrix.name, dims);
  return extents;
}

double evaluate(const Lab& lab, const Expression& formula, const Dims& dims) {
  const auto value_of = [&](std::string_view name) {
    const auto found = dims.find(std::string(name));
    if (found == dims.end()) throw ExpressionError(fmt::format("'{}' is not a dim", name));
    return static_cast<double>(found->second);
  };
  try {
    return formula.evaluate(value_of);
  } catch (const ExpressionError& error) {
    throw LabError(fmt::format("labs/{}/lab.toml: formula '{}': {}; correct it", lab.id,
                               formula.text(), error.what()));
  }
}

std::vector<std::uint64_t> shape_of(const Lab& lab, const Parameter& parameter, const Dims& dims) {
  std::vector<std::uint64_t> shape;
  double elements = 1;
  for (const Expression& formula : parameter.shape) {
    const double extent = evaluate(lab, formula, dims);
    elements *= extent;
    if (!(extent >= 0) || extent != std::floor(extent) || elements > kMostElements) {
      throw LabError(
          fmt::format("labs/{}/lab.toml: extent '{}' of parameter '{}' is {}; it must be an "
                      "integer that fits in memory",
                      lab.id, formula.text(), parameter.name, extent));
    }
    shape.push_back(static_cast<std::uint64_t>(extent));
  }
  return shape;
}

std::uint64_t bytes_of_arrays(const Lab& lab, const Dims& dims) {
  std::uint64_t bytes = 0;
  for (const Parameter& parameter : lab.parameters) {
    if (!parameter.is_array()) continue;
    bytes += Array::count_of(shape_of(lab, parameter, dims)) * size_of(parameter.type);
  }
  return bytes;
}

}  // namespace warpgrade
