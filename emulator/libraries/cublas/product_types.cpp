#include "emulator/libraries/cublas/product_types.h"

namespace warpsim::cublas {

std::optional<DataType> scalar_of(DataType a, DataType b, DataType c, Compute compute) {
  if (a != b) return std::nullopt;
  switch (compute) {
    case Compute::f16:
    case Compute::f16_pedantic:
      return a == DataType::f16 && c == a ? std::optional(DataType::f16) : std::nullopt;
    case Compute::f64:
    case Compute::f64_pedantic:
      return (a == DataType::f64 || a == DataType::c64) && c == a ? std::optional(a) : std::nullopt;
    case Compute::f32:
    case Compute::f32_pedantic:
    case Compute::f32_fast_f16:
    case Compute::f32_fast_bf16:
    case Compute::f32_fast_tf32:
      if (a == DataType::c32) return c == a ? std::optional(a) : std::nullopt;
      if (a != DataType::f32 && a != DataType::f16 && a != DataType::bf16) return std::nullopt;
      return c == DataType::f32 || c == a ? std::optional(DataType::f32) : std::nullopt;
    default:
      return std::nullopt;
  }
}

LibraryCost cost_of(const Types& types, double operations) {
  const bool complex = types.scalar == DataType::c32 || types.scalar == DataType::c64;
  LibraryCost cost = {.operations = operations * (complex ? 4 : 1)};
  if (bytes_of(types.a) == 2) cost.unit = LibraryCost::Unit::tensor;
  if (types.scalar == DataType::f64 || types.scalar == DataType::c64) {
    cost.unit = LibraryCost::Unit::fp64;
  }
  return cost;
}

}  // namespace warpsim::cublas
