#include <array>

#include "emulator/libraries/tests/cublas_on_card/recorder.h"

namespace cublas_on_card {
namespace {

constexpr std::array kOperations = {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C};
constexpr std::array kFills = {CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER};
constexpr std::array kDiagonals = {CUBLAS_DIAG_NON_UNIT, CUBLAS_DIAG_UNIT};

struct Steps {
  int x, y;
};
constexpr std::array kSteps = {Steps{1, 1}, Steps{2, 3}, Steps{-1, -2}};

/// Factors of a product and of its old result. Where the latter is 0 the result starts as NaN.
struct Factors {
  Values alpha, beta;
};
std::vector<Factors> factors(Type type) {
  return {{numbers(type, 1), numbers(type, 1)}, {{1}, {0}}, {{0}, numbers(type, 1)}, {{0}, {0}}};
}

Array vector(Type type, Role role, int n, int increment, bool is_nan = false) {
  Values elements = numbers(type, static_cast<std::size_t>(n));
  if (is_nan) elements.assign(elements.size(), kNan);
  return {type, role, spread(elements, increment)};
}

std::string called(Type type, const char* name, const std::vector<int>& numbers) {
  std::string text = std::string("cublas") + letter(type) + name;
  for (const int number : numbers) text += " " + std::to_string(number);
  return text;
}

/// A x with a matrix of m x n, full and banded.
void general(Recorder& recorder, Type type, int m, int n, const Steps& steps) {
  const cublasHandle_t h = recorder.handle();
  const int lda = m + 3;
  for (const auto op : kOperations) {
    const int of_x = op == CUBLAS_OP_N ? n : m;
    const int of_y = op == CUBLAS_OP_N ? m : n;
    for (const Factors& f : factors(type)) {
      const bool zero = f.beta[0] == 0.;
      const std::vector<Array> with = {{type, Role::scalar, f.alpha},
                                       {type, Role::scalar, f.beta},
                                       vector(type, Role::input, of_x, steps.x, f.alpha[0] == 0.),
                                       vector(type, Role::update, of_y, steps.y, zero)};
      std::vector<Array> arrays = with;
      const Values full = matrix(type, m, n, lda);
      arrays.push_back({type, Role::input, full});
      const Bound bound = {of_x + 3.0, type};
      recorder.record(called(type, "gemv", {op, m, n, steps.x, steps.y}), arrays, bound,
                      [&](const Addresses& a) {
                        return BY_TYPE(type, gemv, h, op, m, n, a[0], a[4], lda, a[2], steps.x,
                                       a[1], a[3], steps.y);
                      });
      arrays = with;
      arrays.push_back({type, Role::input, banded(full, m, n, lda, 2, 1, 5)});
      recorder.record(called(type, "gbmv", {op, m, n, steps.x, steps.y}), arrays, bound,
                      [&](const Addresses& a) {
                        return BY_TYPE(type, gbmv, h, op, m, n, 2, 1, a[0], a[4], 5, a[2], steps.x,
                                       a[1], a[3], steps.y);
                      });
    }
  }
  for (const Values& alpha : {numbers(type, 1), Values{0}}) {
    const std::vector<Array> arrays = {{type, Role::scalar, alpha},
                                       vector(type, Role::input, m, steps.x),
                                       vector(type, Role::input, n, steps.y),
                                       {type, Role::update, matrix(type, m, n, lda)}};
    recorder.record(
        called(type, "ger", {m, n, steps.x, steps.y}), arrays, {4, type}, [&](const Addresses& a) {
          return BY_TYPE_2(type, ger, geru, h, m, n, a[0], a[1], steps.x, a[2], steps.y, a[3], lda);
        });
    if (!is_complex(type)) continue;
    recorder.record(called(type, "gerc", {m, n, steps.x, steps.y}), arrays, {4, type},
                    [&](const Addresses& a) {
                      return BY_TYPE_COMPLEX(type, gerc, h, m, n, a[0], a[1], steps.x, a[2],
                                             steps.y, a[3], lda);
                    });
  }
}

/// Symmetric matrices, or Hermitian ones of complex types, whose diagonals get imaginary parts that
/// no function may use.
void symmetric(Recorder& recorder, Type type, int n, const Steps& steps) {
  const cublasHandle_t h = recorder.handle();
  const int lda = n + 2;
  for (const auto uplo : kFills) {
    const bool upper = uplo == CUBLAS_FILL_MODE_UPPER;
    const Values full = triangle(type, n, lda, upper, false);
    const Values band = banded(full, n, n, lda, upper ? 0 : 3, upper ? 3 : 0, 5);
    const Values without_gaps = packed(full, n, lda, upper);
    for (const Factors& f : factors(type)) {
      std::vector<Array> arrays = {{type, Role::scalar, f.alpha},
                                   {type, Role::scalar, f.beta},
                                   vector(type, Role::input, n, steps.x),
                                   vector(type, Role::update, n, steps.y, f.beta[0] == 0.),
                                   {type, Role::input, full}};
      const Bound bound = {n + 3.0, type};
      recorder.record(called(type, "symv/hemv", {uplo, n, steps.x, steps.y}), arrays, bound,
                      [&](const Addresses& a) {
                        return BY_TYPE_2(type, symv, hemv, h, uplo, n, a[0], a[4], lda, a[2],
                                         steps.x, a[1], a[3], steps.y);
                      });
      arrays[4].values = band;
      recorder.record(called(type, "sbmv/hbmv", {uplo, n, steps.x, steps.y}), arrays, bound,
                      [&](const Addresses& a) {
                        return BY_TYPE_2(type, sbmv, hbmv, h, uplo, n, 3, a[0], a[4], 5, a[2],
                                         steps.x, a[1], a[3], steps.y);
                      });
      arrays[4].values = without_gaps;
      recorder.record(called(type, "spmv/hpmv", {uplo, n, steps.x, steps.y}), arrays, bound,
                      [&](const Addresses& a) {
                        return BY_TYPE_2(type, spmv, hpmv, h, uplo, n, a[0], a[4], a[2], steps.x,
                                         a[1], a[3], steps.y);
                      });
    }
    for (const bool zero : {false, true}) {
      std::vector<Array> arrays = {
          {real_of(type), Role::scalar, zero ? Values{0} : numbers(real_of(type), 1)},
          vector(type, Role::input, n, steps.x),
          vector(type, Role::input, n, steps.y),
          {type, Role::update, full}};
      const Bound bound = {6, type};
      recorder.record(called(type, "syr/her", {uplo, n, steps.x, zero}), arrays, bound,
                      [&](const Addresses& a) {
                        return BY_TYPE_2(type, syr, her, h, uplo, n, a[0], a[1], steps.x, a[3],
                                         lda);
                      });
      arrays[3].values = without_gaps;
      recorder.record(called(type, "spr/hpr", {uplo, n, steps.x, zero}), arrays, bound,
                      [&](const Addresses& a) {
                        return BY_TYPE_2(type, spr, hpr, h, uplo, n, a[0], a[1], steps.x, a[3]);
                      });
      arrays[0] = {type, Role::scalar, zero ? Values{0} : numbers(type, 1)};
      recorder.record(called(type, "spr2/hpr2", {uplo, n, steps.x, steps.y, zero}), arrays, bound,
                      [&](const Addresses& a) {
                        return BY_TYPE_2(type, spr2, hpr2, h, uplo, n, a[0], a[1], steps.x, a[2],
                                         steps.y, a[3]);
                      });
      arrays[3].values = full;
      recorder.record(called(type, "syr2/her2", {uplo, n, steps.x, steps.y, zero}), arrays, bound,
                      [&](const Addresses& a) {
                        return BY_TYPE_2(type, syr2, her2, h, uplo, n, a[0], a[1], steps.x, a[2],
                                         steps.y, a[3], lda);
                      });
    }
  }
}

/// op(A) x and the solution of op(A) x = b with a triangle, full, banded and packed.
void triangular(Recorder& recorder, Type type, int n, int step) {
  const cublasHandle_t h = recorder.handle();
  const int lda = n + 1;
  for (const auto uplo : kFills) {
    const bool upper = uplo == CUBLAS_FILL_MODE_UPPER;
    for (const auto diag : kDiagonals) {
      for (const auto op : kOperations) {
        const Values full =
            well_conditioned(triangle(type, n, lda, upper, diag == CUBLAS_DIAG_UNIT), type, n, lda);
        const Values band = banded(full, n, n, lda, upper ? 0 : 3, upper ? 3 : 0, 5);
        const Array x = vector(type, Role::update, n, step);
        const auto run = [&](const char* name, const Values& values, bool solves,
                             const Recorder::Call& call) {
          recorder.record(called(type, name, {uplo, op, diag, n, step}),
                          {{type, Role::input, values, solves}, x}, {n + 2.0, type}, call);
        };
        run("trmv", full, false, [&](const Addresses& a) {
          return BY_TYPE(type, trmv, h, uplo, op, diag, n, a[0], lda, a[1], step);
        });
        run("trsv", full, true, [&](const Addresses& a) {
          return BY_TYPE(type, trsv, h, uplo, op, diag, n, a[0], lda, a[1], step);
        });
        run("tbmv", band, false, [&](const Addresses& a) {
          return BY_TYPE(type, tbmv, h, uplo, op, diag, n, 3, a[0], 5, a[1], step);
        });
        run("tbsv", band, true, [&](const Addresses& a) {
          return BY_TYPE(type, tbsv, h, uplo, op, diag, n, 3, a[0], 5, a[1], step);
        });
        run("tpmv", packed(full, n, lda, upper), false, [&](const Addresses& a) {
          return BY_TYPE(type, tpmv, h, uplo, op, diag, n, a[0], a[1], step);
        });
        run("tpsv", packed(full, n, lda, upper), true, [&](const Addresses& a) {
          return BY_TYPE(type, tpsv, h, uplo, op, diag, n, a[0], a[1], step);
        });
      }
    }
  }
}

/// Products without columns, rows or both.
void empty(Recorder& recorder, Type type) {
  const cublasHandle_t h = recorder.handle();
  for (const auto op : kOperations) {
    for (const auto& [m, n] : {std::pair{0, 3}, std::pair{3, 0}, std::pair{0, 0}}) {
      recorder.record(called(type, "gemv", {op, m, n}),
                      {{type, Role::scalar, {2}},
                       {type, Role::scalar, {2}},
                       {type, Role::input, numbers(type, 9)},
                       {type, Role::input, numbers(type, 3)},
                       {type, Role::update, numbers(type, 3)}},
                      {0, type}, [&, m = m, n = n](const Addresses& a) {
                        return BY_TYPE(type, gemv, h, op, m, n, a[0], a[2], 3, a[3], 1, a[1], a[4],
                                       1);
                      });
    }
  }
}

}  // namespace

void record_level2(Recorder& recorder) {
  for (const Type type : kAll) {
    for (const Steps& steps : kSteps) {
      general(recorder, type, 13, 7, steps);
      symmetric(recorder, type, 11, steps);
    }
    general(recorder, type, 70, 130, {1, 1});
    for (const int step : {1, 2, -3}) triangular(recorder, type, 9, step);
    triangular(recorder, type, 70, 1);
    empty(recorder, type);
  }
}

}  // namespace cublas_on_card
