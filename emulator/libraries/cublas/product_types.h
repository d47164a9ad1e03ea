#pragma once

#include <cstdint>
#include <optional>

#include "emulator/libraries/cublas/request.h"

// Products whose matrices have other types than the computation: which ones there are.

namespace warpsim::cublas {

/// f16 as a scalar.
struct Half {
  std::uint16_t bits = 0;
};

/// The types of a product.
struct Types {
  DataType a = DataType::f32, b = DataType::f32, c = DataType::f32;
  DataType scalar = DataType::f32;
};

/// The type of the scalars for a computation of matrices, or nothing for one that is not covered.
[[nodiscard]] std::optional<DataType> scalar_of(DataType a, DataType b, DataType c,
                                                Compute compute);

/// Of additions and multiplications of numbers, complex ones if the types are.
[[nodiscard]] LibraryCost cost_of(const Types& types, double operations);

}  // namespace warpsim::cublas
