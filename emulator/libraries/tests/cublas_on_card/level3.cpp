#include <array>

#include "emulator/libraries/tests/cublas_on_card/recorder.h"

namespace cublas_on_card {
namespace {

constexpr std::array kOperations = {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C};
constexpr std::array kFills = {CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER};
constexpr std::array kSides = {CUBLAS_SIDE_LEFT, CUBLAS_SIDE_RIGHT};
constexpr std::array kDiagonals = {CUBLAS_DIAG_NON_UNIT, CUBLAS_DIAG_UNIT};

std::string called(Type type, const char* name, const std::vector<int>& numbers) {
  std::string text = std::string("cublas") + letter(type) + name;
  for (const int number : numbers) text += " " + std::to_string(number);
  return text;
}

/// @param is_zero  the factor of the old values, which are NaN then
Array output(Type type, Values values, bool is_zero) {
  if (is_zero) values.assign(values.size(), kNan);
  return {type, Role::update, std::move(values)};
}

void symmetric_products(Recorder& recorder, Type type, int m, int n) {
  const cublasHandle_t h = recorder.handle();
  for (const auto side : kSides) {
    const int order = side == CUBLAS_SIDE_LEFT ? m : n;
    const int lda = order + 1;
    for (const auto uplo : kFills) {
      for (const bool zero : {false, true}) {
        const std::vector<Array> arrays = {
            {type, Role::scalar, numbers(type, 1)},
            {type, Role::scalar, zero ? Values{0} : numbers(type, 1)},
            {type, Role::input, triangle(type, order, lda, uplo == CUBLAS_FILL_MODE_UPPER, false)},
            {type, Role::input, matrix(type, m, n, m + 2)},
            output(type, matrix(type, m, n, m + 3), zero)};
        const Bound bound = {order + 3.0, type};
        recorder.record(called(type, "symm", {side, uplo, m, n, zero}), arrays, bound,
                        [&](const Addresses& a) {
                          return BY_TYPE(type, symm, h, side, uplo, m, n, a[0], a[2], lda, a[3],
                                         m + 2, a[1], a[4], m + 3);
                        });
        if (!is_complex(type)) continue;
        recorder.record(called(type, "hemm", {side, uplo, m, n, zero}), arrays, bound,
                        [&](const Addresses& a) {
                          return BY_TYPE_COMPLEX(type, hemm, h, side, uplo, m, n, a[0], a[2], lda,
                                                 a[3], m + 2, a[1], a[4], m + 3);
                        });
      }
    }
  }
}

/// C of n x n, and matrices of n x k or k x n.
void rank_updates(Recorder& recorder, Type type, int n, int k) {
  const cublasHandle_t h = recorder.handle();
  const Type real = real_of(type);
  for (const auto uplo : kFills) {
    for (const auto op : kOperations) {
      const int rows = op == CUBLAS_OP_N ? n : k;
      const int columns = op == CUBLAS_OP_N ? k : n;
      const int lda = rows + 1;
      const int ldb = rows + 2;
      const int ldc = n + 3;
      for (const bool zero : {false, true}) {
        const auto factor = [&](Type of) {
          return Array{of, Role::scalar, zero ? Values{0} : numbers(of, 1)};
        };
        std::vector<Array> arrays = {
            {type, Role::scalar, numbers(type, 1)},
            factor(type),
            {type, Role::input, matrix(type, rows, columns, lda)},
            {type, Role::input, matrix(type, rows, columns, ldb)},
            output(type, triangle(type, n, ldc, uplo == CUBLAS_FILL_MODE_UPPER, false), zero)};
        const std::vector<int> sizes = {uplo, op, n, k, zero};
        const Bound one = {k + 3.0, type};
        const Bound two = {2 * k + 4.0, type};
        recorder.record(called(type, "syrk", sizes), arrays, one, [&](const Addresses& a) {
          return BY_TYPE(type, syrk, h, uplo, op, n, k, a[0], a[2], lda, a[1], a[4], ldc);
        });
        recorder.record(called(type, "syr2k", sizes), arrays, two, [&](const Addresses& a) {
          return BY_TYPE(type, syr2k, h, uplo, op, n, k, a[0], a[2], lda, a[3], ldb, a[1], a[4],
                         ldc);
        });
        if (!is_complex(type)) continue;
        arrays[1] = factor(real);
        recorder.record(called(type, "her2k", sizes), arrays, two, [&](const Addresses& a) {
          return BY_TYPE_COMPLEX(type, her2k, h, uplo, op, n, k, a[0], a[2], lda, a[3], ldb, a[1],
                                 a[4], ldc);
        });
        arrays[0] = {real, Role::scalar, numbers(real, 1)};
        recorder.record(called(type, "herk", sizes), arrays, one, [&](const Addresses& a) {
          return BY_TYPE_COMPLEX(type, herk, h, uplo, op, n, k, a[0], a[2], lda, a[1], a[4], ldc);
        });
      }
    }
  }
}

void triangular(Recorder& recorder, Type type, int m, int n) {
  const cublasHandle_t h = recorder.handle();
  for (const auto side : kSides) {
    const int order = side == CUBLAS_SIDE_LEFT ? m : n;
    const int lda = order + 1;
    for (const auto uplo : kFills) {
      for (const auto op : kOperations) {
        for (const auto diag : kDiagonals) {
          for (const bool zero : {false, true}) {
            const Values a_values =
                well_conditioned(triangle(type, order, lda, uplo == CUBLAS_FILL_MODE_UPPER,
                                          diag == CUBLAS_DIAG_UNIT),
                                 type, order, lda);
            const Array alpha = {type, Role::scalar, zero ? Values{0} : numbers(type, 1)};
            const std::vector<int> sizes = {side, uplo, op, diag, m, n, zero};
            const Bound bound = {order + 3.0, type};
            recorder.record(called(type, "trmm", sizes),
                            {alpha,
                             {type, Role::input, a_values},
                             output(type, matrix(type, m, n, m + 2), zero),
                             output(type, matrix(type, m, n, m + 3), true)},
                            bound, [&](const Addresses& a) {
                              return BY_TYPE(type, trmm, h, side, uplo, op, diag, m, n, a[0], a[1],
                                             lda, a[2], m + 2, a[3], m + 3);
                            });
            recorder.record(called(type, "trmm in place", sizes),
                            {alpha,
                             {type, Role::input, a_values},
                             output(type, matrix(type, m, n, m + 2), zero)},
                            bound, [&](const Addresses& a) {
                              return BY_TYPE(type, trmm, h, side, uplo, op, diag, m, n, a[0], a[1],
                                             lda, a[2], m + 2, a[2], m + 2);
                            });
            recorder.record(called(type, "trsm", sizes),
                            {alpha,
                             {type, Role::input, a_values, true},
                             output(type, matrix(type, m, n, m + 2), zero)},
                            bound, [&](const Addresses& a) {
                              return BY_TYPE(type, trsm, h, side, uplo, op, diag, m, n, a[0], a[1],
                                             lda, a[2], m + 2);
                            });
          }
        }
      }
    }
  }
}

void additions(Recorder& recorder, Type type, int m, int n) {
  const cublasHandle_t h = recorder.handle();
  for (const auto of_a : kOperations) {
    for (const auto of_b : kOperations) {
      for (int zeros = 0; zeros < 4; ++zeros) {
        const bool first = (zeros & 1) != 0;
        const bool second = (zeros & 2) != 0;
        const auto input = [&](cublasOperation_t op, bool zero) {
          const int rows = op == CUBLAS_OP_N ? m : n;
          Array array = output(type, matrix(type, rows, op == CUBLAS_OP_N ? n : m, rows + 1), zero);
          array.role = Role::input;
          return array;
        };
        const int lda = (of_a == CUBLAS_OP_N ? m : n) + 1;
        const int ldb = (of_b == CUBLAS_OP_N ? m : n) + 1;
        recorder.record(called(type, "geam", {of_a, of_b, m, n, zeros}),
                        {{type, Role::scalar, first ? Values{0} : numbers(type, 1)},
                         {type, Role::scalar, second ? Values{0} : numbers(type, 1)},
                         input(of_a, first),
                         input(of_b, second),
                         output(type, matrix(type, m, n, m + 3), true)},
                        {4, type}, [&](const Addresses& a) {
                          return BY_TYPE(type, geam, h, of_a, of_b, m, n, a[0], a[2], lda, a[1],
                                         a[3], ldb, a[4], m + 3);
                        });
      }
    }
  }
  for (const auto side : kSides) {
    for (const int step : {1, 2, -1, -3}) {
      const auto elements = static_cast<std::size_t>(side == CUBLAS_SIDE_LEFT ? m : n);
      recorder.record(called(type, "dgmm", {side, m, n, step}),
                      {{type, Role::input, matrix(type, m, n, m + 1)},
                       {type, Role::input, spread(numbers(type, elements), step)},
                       output(type, matrix(type, m, n, m + 3), true)},
                      {1, type}, [&](const Addresses& a) {
                        return BY_TYPE(type, dgmm, h, side, m, n, a[0], m + 1, a[1], step, a[2],
                                       m + 3);
                      });
    }
  }
}

}  // namespace

void record_level3(Recorder& recorder) {
  for (const Type type : kAll) {
    symmetric_products(recorder, type, 9, 5);
    symmetric_products(recorder, type, 40, 33);
    rank_updates(recorder, type, 7, 10);
    rank_updates(recorder, type, 33, 20);
    rank_updates(recorder, type, 5, 0);
    triangular(recorder, type, 8, 5);
    triangular(recorder, type, 34, 17);
    additions(recorder, type, 7, 5);
  }
}

}  // namespace cublas_on_card
