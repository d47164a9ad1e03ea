#pragma once

#include <cblas.h>

#include <complex>

#include "emulator/libraries/cublas/request.h"
#include "emulator/libraries/exported.h"

// The functions of OpenBLAS by type, and the exported names by type, from one table each.

namespace warpsim::cublas {

/// A factor as CBLAS takes it: real ones by value, complex ones by address.
template <class T>
[[nodiscard]] auto pass(const T& factor) {
  if constexpr (kIsComplex<T>) {
    return static_cast<const void*>(&factor);
  } else {
    return factor;
  }
}

[[nodiscard]] constexpr CBLAS_TRANSPOSE cblas(Operation operation) {
  switch (operation) {
    case Operation::transpose:
      return CblasTrans;
    case Operation::conjugate_transpose:
      return CblasConjTrans;
    default:
      return CblasNoTrans;
  }
}
[[nodiscard]] constexpr CBLAS_UPLO cblas(Fill fill) {
  return fill == Fill::upper ? CblasUpper : CblasLower;
}
[[nodiscard]] constexpr CBLAS_DIAG cblas(Diagonal diagonal) {
  return diagonal == Diagonal::unit ? CblasUnit : CblasNonUnit;
}
[[nodiscard]] constexpr CBLAS_SIDE cblas(MatrixSide side) {
  return side == MatrixSide::left ? CblasLeft : CblasRight;
}

template <class T>
struct Blas;
#define WARPSIM_BLAS(T, p, real_p)                   \
  static constexpr auto asum = cblas_##real_p##asum; \
  static constexpr auto nrm2 = cblas_##real_p##nrm2; \
  static constexpr auto axpy = cblas_##p##axpy;      \
  static constexpr auto copy = cblas_##p##copy;      \
  static constexpr auto swap = cblas_##p##swap;      \
  static constexpr auto gemv = cblas_##p##gemv;      \
  static constexpr auto gbmv = cblas_##p##gbmv;      \
  static constexpr auto trmv = cblas_##p##trmv;      \
  static constexpr auto trsv = cblas_##p##trsv;      \
  static constexpr auto tbmv = cblas_##p##tbmv;      \
  static constexpr auto tbsv = cblas_##p##tbsv;      \
  static constexpr auto tpmv = cblas_##p##tpmv;      \
  static constexpr auto tpsv = cblas_##p##tpsv;      \
  static constexpr auto gemm = cblas_##p##gemm;      \
  static constexpr auto symm = cblas_##p##symm;      \
  static constexpr auto syrk = cblas_##p##syrk;      \
  static constexpr auto syr2k = cblas_##p##syr2k;    \
  static constexpr auto trmm = cblas_##p##trmm;      \
  static constexpr auto trsm = cblas_##p##trsm;
#define WARPSIM_BLAS_REAL(T, p)                   \
  template <>                                     \
  struct Blas<T> {                                \
    WARPSIM_BLAS(T, p, p)                         \
    static constexpr auto dot = cblas_##p##dot;   \
    static constexpr auto dotc = dot;             \
    static constexpr auto rot = cblas_##p##rot;   \
    static constexpr auto rotm = cblas_##p##rotm; \
    static constexpr auto ger = cblas_##p##ger;   \
    static constexpr auto gerc = ger;             \
    static constexpr auto symv = cblas_##p##symv; \
    static constexpr auto sbmv = cblas_##p##sbmv; \
    static constexpr auto spr = cblas_##p##spr;   \
    static constexpr auto spr2 = cblas_##p##spr2; \
    static constexpr auto spmv = cblas_##p##spmv; \
    static constexpr auto syr = cblas_##p##syr;   \
    static constexpr auto syr2 = cblas_##p##syr2; \
  };
#define WARPSIM_BLAS_COMPLEX(T, p, real_p)            \
  template <>                                         \
  struct Blas<std::complex<T>> {                      \
    WARPSIM_BLAS(std::complex<T>, p, real_p)          \
    static constexpr auto dot = cblas_##p##dotu_sub;  \
    static constexpr auto dotc = cblas_##p##dotc_sub; \
    static constexpr auto ger = cblas_##p##geru;      \
    static constexpr auto gerc = cblas_##p##gerc;     \
    static constexpr auto symv = cblas_##p##hemv;     \
    static constexpr auto sbmv = cblas_##p##hbmv;     \
    static constexpr auto spr = cblas_##p##hpr;       \
    static constexpr auto spr2 = cblas_##p##hpr2;     \
    static constexpr auto spmv = cblas_##p##hpmv;     \
    static constexpr auto syr = cblas_##p##her;       \
    static constexpr auto syr2 = cblas_##p##her2;     \
    static constexpr auto hemm = cblas_##p##hemm;     \
    static constexpr auto herk = cblas_##p##herk;     \
    static constexpr auto her2k = cblas_##p##her2k;   \
  };
WARPSIM_BLAS_REAL(float, s)
WARPSIM_BLAS_REAL(double, d)
WARPSIM_BLAS_COMPLEX(float, c, sc)
WARPSIM_BLAS_COMPLEX(double, z, dz)
#undef WARPSIM_BLAS
#undef WARPSIM_BLAS_REAL
#undef WARPSIM_BLAS_COMPLEX

/// A size that the request has checked.
[[nodiscard]] constexpr int as_int(std::int64_t value) {
  return static_cast<int>(value);
}
[[nodiscard]] constexpr double as_double(std::int64_t value) {
  return static_cast<double>(value);
}

}  // namespace warpsim::cublas

/// Exports a template <class T, class Int> as the functions for int and for int64_t.
/// @param suffix  "_v2" of the names that the toolkit's header gives to older functions, or nothing
#define WARPSIM_EXPORT_SIZES(name, suffix, function, ...)                         \
  WARPSIM_EXPORT(name##suffix, name, warpsim::cublas::function<__VA_ARGS__, int>) \
  WARPSIM_EXPORT(name##suffix##_64, name##_64, warpsim::cublas::function<__VA_ARGS__, std::int64_t>)
/// In float and double: cublasS<name>, cublasD<name>.
#define WARPSIM_EXPORT_REAL(name, suffix, function)            \
  WARPSIM_EXPORT_SIZES(cublasS##name, suffix, function, float) \
  WARPSIM_EXPORT_SIZES(cublasD##name, suffix, function, double)
#define WARPSIM_EXPORT_COMPLEX(name, suffix, function)                       \
  WARPSIM_EXPORT_SIZES(cublasC##name, suffix, function, std::complex<float>) \
  WARPSIM_EXPORT_SIZES(cublasZ##name, suffix, function, std::complex<double>)
#define WARPSIM_EXPORT_ALL(name, suffix, function) \
  WARPSIM_EXPORT_REAL(name, suffix, function)      \
  WARPSIM_EXPORT_COMPLEX(name, suffix, function)
