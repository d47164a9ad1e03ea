#include <cmath>
#include <vector>

#include "emulator/libraries/cublas/routines.h"
#include "emulator/libraries/cublasLt/matmul.h"

// One product: by OpenBLAS, then C, the bias and the activation, and one rounding.

namespace warpsim::cublas_lt {
namespace {

/// Where an element of a stored matrix is.
std::size_t place(const Layout& m, std::int64_t row, std::int64_t column) {
  return static_cast<std::size_t>(m.order == Order::row ? row * m.leading + column
                                                        : column * m.leading + row);
}

std::byte* matrix_of_batch(const LibraryArgument& argument, DataType type, std::int64_t stride,
                           std::int64_t number) {
  return argument.host + static_cast<std::size_t>(number * stride) * libraries::bytes_of(type);
}

/// op(M) by columns, without gaps.
template <class T>
std::vector<T> operand(const Layout& m, Operation operation, const std::byte* values) {
  const bool plain = operation == Operation::none;
  const auto rows = static_cast<std::int64_t>(plain ? m.rows : m.columns);
  const auto columns = static_cast<std::int64_t>(plain ? m.columns : m.rows);
  std::vector<T> made;
  made.reserve(static_cast<std::size_t>(rows * columns));
  for (std::int64_t column = 0; column < columns; ++column) {
    for (std::int64_t row = 0; row < rows; ++row) {
      const T value =
          libraries::load<T>(m.type, values, plain ? place(m, row, column) : place(m, column, row));
      made.push_back(operation == Operation::conjugate_transpose ? libraries::conjugate(value)
                                                                 : value);
    }
  }
  return made;
}

/// The approximation by the hyperbolic tangent. The first factor is the root of 2 / pi with as many
/// digits as cublasLt has, which shows in double.
template <class T>
T gelu(T x) {
  const T inner = T(0.79788456) * (x + T(0.044715) * x * x * x);
  return T(0.5) * x * (1 + std::tanh(inner));
}

/// What comes after the product: bias, what is kept for a later step, activation.
template <class T>
class Epilogue {
 public:
  Epilogue(const Product& p, const Arguments& arguments, std::int64_t number) : product_(p) {
    std::size_t next = 4;
    if (p.has(kBias)) {
      bias_ = matrix_of_batch(arguments[next++], p.bias_type(), p.descriptor.bias_stride, number);
    }
    if (!p.has(kAuxiliary)) return;
    if (p.has(kRelu)) {
      kept_ = arguments[next].host + number * p.descriptor.auxiliary_stride / 8;
    } else {
      kept_ = matrix_of_batch(arguments[next], p.auxiliary_type(), p.descriptor.auxiliary_stride,
                              number);
    }
  }

  T operator()(T value, std::int64_t row, std::int64_t column) const {
    const Product& p = product_;
    if (bias_ != nullptr) {
      value += libraries::load<T>(p.bias_type(), bias_, static_cast<std::size_t>(row));
    }
    if constexpr (!libraries::kIsComplex<T>) {
      const std::int64_t at = column * p.descriptor.auxiliary_leading + row;
      if (p.has(kRelu)) {
        if (kept_ != nullptr) {
          const auto bit = static_cast<std::byte>(1U << (at % 8));
          if (value > 0) {
            kept_[at / 8] |= bit;
          } else {
            kept_[at / 8] &= ~bit;
          }
        }
        // As a maximum, of which NaN stays.
        if (value < 0) value = 0;
      } else if (p.has(kGelu)) {
        if (kept_ != nullptr) {
          libraries::store(p.auxiliary_type(), kept_, static_cast<std::size_t>(at), value);
        }
        value = gelu(value);
      }
    }
    return value;
  }

 private:
  const Product& product_;
  const std::byte* bias_ = nullptr;
  std::byte* kept_ = nullptr;
};

}  // namespace

template <class T>
void multiply_one(const Product& p, T alpha, T beta, const Arguments& arguments,
                  std::int64_t number) {
  const std::int64_t m = p.rows();
  const std::int64_t n = p.columns();
  const std::int64_t k = p.inner();
  std::vector<T> sums(static_cast<std::size_t>(m * n));
  if (alpha != T{} && k > 0) {
    const auto left = operand<T>(p.a, p.descriptor.transa,
                                 matrix_of_batch(arguments[0], p.a.type, p.a.stride, number));
    const auto right = operand<T>(p.b, p.descriptor.transb,
                                  matrix_of_batch(arguments[1], p.b.type, p.b.stride, number));
    const T zero = {};
    cublas::Blas<T>::gemm(CblasColMajor, CblasNoTrans, CblasNoTrans, cublas::as_int(m),
                          cublas::as_int(n), cublas::as_int(k), cublas::pass(alpha), left.data(),
                          cublas::as_int(m), right.data(), cublas::as_int(k), cublas::pass(zero),
                          sums.data(), cublas::as_int(m));
  }
  const std::byte* const c = matrix_of_batch(arguments[2], p.c.type, p.c.stride, number);
  std::byte* const d = matrix_of_batch(arguments[3], p.d.type, p.d.stride, number);
  const Epilogue<T> epilogue(p, arguments, number);
  for (std::int64_t column = 0; column < n; ++column) {
    for (std::int64_t row = 0; row < m; ++row) {
      T value = sums[static_cast<std::size_t>(column * m + row)];
      if (beta != T{}) value += beta * libraries::load<T>(p.c.type, c, place(p.c, row, column));
      libraries::store(p.d.type, d, place(p.d, row, column), epilogue(value, row, column));
    }
  }
}

template void multiply_one(const Product&, float, float, const Arguments&, std::int64_t);
template void multiply_one(const Product&, double, double, const Arguments&, std::int64_t);
template void multiply_one(const Product&, std::complex<float>, std::complex<float>,
                           const Arguments&, std::int64_t);
template void multiply_one(const Product&, std::complex<double>, std::complex<double>,
                           const Arguments&, std::int64_t);

}  // namespace warpsim::cublas_lt
