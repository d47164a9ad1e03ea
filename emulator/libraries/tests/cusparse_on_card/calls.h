#pragma once

#include <string>
#include <vector>

#include "emulator/libraries/tests/cusparse_matrices.h"
#include "emulator/libraries/tests/on_card.h"

namespace cusparse_on_card {

using namespace cusparse_matrices;

inline constexpr auto kOperations = {CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_OPERATION_TRANSPOSE,
                                     CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE};

/// @param part  of the elements that are 0, in tenths
template <class T>
Dense<T> randoms(int rows, int columns, int part = 0) {
  Dense<T> made(rows, columns);
  for (T& value : made.values) {
    const bool is_zero = (on_card::random_number() + 1) * 5 < part;
    if (!is_zero) value = on_card::random_value<T>();
  }
  return made;
}

/// The moduli of all elements.
template <class T>
Dense<double> moduli(const Dense<T>& a) {
  Dense<double> made(a.rows, a.columns);
  for (std::size_t i = 0; i < a.values.size(); ++i) made.values[i] = on_card::modulus(a.values[i]);
  return made;
}

template <class... Part>
std::string name_of(const Part&... parts) {
  std::string name;
  const auto add = [&](const auto& part) {
    if (!name.empty()) name += ' ';
    if constexpr (std::is_convertible_v<decltype(part), std::string>) {
      name += part;
    } else {
      name += std::to_string(static_cast<int>(part));
    }
  };
  (add(parts), ...);
  return name;
}

void record_products(cusparseHandle_t handle);
void record_sparse(cusparseHandle_t handle);
void record_indices(cusparseHandle_t handle);
void record_refusals(cusparseHandle_t handle);

}  // namespace cusparse_on_card
