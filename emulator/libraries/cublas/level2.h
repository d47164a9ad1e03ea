#pragma once

#include <utility>

#include "emulator/libraries/cublas/routines.h"

namespace warpsim::cublas {

/// The arguments of y = alpha op(A) x + beta y.
template <class T>
struct Product {
  Scalar<T> alpha, beta;
  const T* x = nullptr;
  std::int64_t incx = 1, x_elements = 0;
  T* y = nullptr;
  std::int64_t incy = 1, y_elements = 0;

  [[nodiscard]] bool uses_matrix(const Arguments& parameters) const {
    return alpha.get(parameters) != T{};
  }
  /// @param matrix  A, which comes first
  [[nodiscard]] Arguments arguments(const Arguments& parameters, LibraryArgument matrix) const {
    return {std::move(matrix),
            vector_of("x", x, x_elements, incx, read_if(uses_matrix(parameters))),
            vector_of("y", y, y_elements, incy, output(beta.get(parameters)))};
  }
};

template <class T>
Product<T> product(Request& request, const T* alpha, const T* x, std::int64_t incx, const T* beta,
                   T* y, std::int64_t incy, std::int64_t x_elements, std::int64_t y_elements) {
  request.increment("incx", incx).increment("incy", incy);
  const Scalar<T> a = request.scalar("alpha", alpha);
  const Scalar<T> b = request.scalar("beta", beta);
  return {a, b, x, incx, x_elements, y, incy, y_elements};
}

/// Runs the product of a matrix of order n with a symmetric or Hermitian structure.
/// @param matrix  gives A as an argument, by its use
/// @param multiply  of the factors of A x and y, A, x and y
template <class T, class Matrix, class Multiply>
Status symmetric_product(Request& request, const Product<T>& p, std::int64_t n, Matrix matrix,
                         Multiply multiply) {
  if (request.valid() && n == 0) return Status::success;
  return request.submit(
      [=](const Arguments& parameters) {
        return p.arguments(parameters, matrix(read_if(p.uses_matrix(parameters))));
      },
      [=](const Arguments& parameters, const Arguments& arguments) {
        multiply(p.alpha.get(parameters), p.beta.get(parameters), arguments[0].as<T>(),
                 arguments[1].as<T>(), arguments[2].as<T>());
      });
}

}  // namespace warpsim::cublas
