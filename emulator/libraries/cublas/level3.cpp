#include "emulator/libraries/cublas/routines.h"

// Level 3: matrices. gemm is in gemm.cpp.

namespace warpsim::cublas {
namespace {

/// C = alpha A B + beta C or alpha B A + beta C, with a symmetric or Hermitian A.
template <class T, auto kFunction>
Status symmetric_product(const Caller& caller, Handle* handle, MatrixSide side, Fill uplo,
                         std::int64_t m, std::int64_t n, const T* alpha, const T* a,
                         std::int64_t lda, const T* b, std::int64_t ldb, const T* beta, T* c,
                         std::int64_t ldc) {
  Request request(caller, handle);
  const std::int64_t order = side == MatrixSide::left ? m : n;
  request.side(side).fill(uplo).size("m", m).size("n", n);
  request.leading("lda", lda, order).leading("ldb", ldb, m).leading("ldc", ldc, m);
  const Scalar<T> factor = request.scalar("alpha", alpha);
  const Scalar<T> kept = request.scalar("beta", beta);
  if (request.valid() && (m == 0 || n == 0)) return Status::success;
  request.costs<T>(2.0 * as_double(m) * as_double(n) * as_double(order));
  return request.submit(
      [=](const Arguments& parameters) {
        const Use inputs = read_if(factor.get(parameters) != T{});
        const MatrixShape shape = {
            .rows = order, .columns = order, .leading = lda, .part = part_of(uplo)};
        return Arguments{matrix_of("A", a, shape, inputs),
                         matrix_of("B", b, {.rows = m, .columns = n, .leading = ldb}, inputs),
                         matrix_of("C", c, {.rows = m, .columns = n, .leading = ldc},
                                   output(kept.get(parameters)))};
      },
      [=](const Arguments& parameters, const Arguments& arguments) {
        const T x = factor.get(parameters);
        const T y = kept.get(parameters);
        kFunction(CblasColMajor, cblas(side), cblas(uplo), as_int(m), as_int(n), pass(x),
                  arguments[0].as<T>(), as_int(lda), arguments[1].as<T>(), as_int(ldb), pass(y),
                  arguments[2].as<T>(), as_int(ldc));
      });
}

template <class T, class Int>
Status symm(const Caller& caller, Handle* handle, MatrixSide side, Fill uplo, Int m, Int n,
            const T* alpha, const T* a, Int lda, const T* b, Int ldb, const T* beta, T* c,
            Int ldc) {
  return symmetric_product<T, Blas<T>::symm>(caller, handle, side, uplo, m, n, alpha, a, lda, b,
                                             ldb, beta, c, ldc);
}

template <class T, class Int>
Status hemm(const Caller& caller, Handle* handle, MatrixSide side, Fill uplo, Int m, Int n,
            const T* alpha, const T* a, Int lda, const T* b, Int ldb, const T* beta, T* c,
            Int ldc) {
  return symmetric_product<T, Blas<T>::hemm>(caller, handle, side, uplo, m, n, alpha, a, lda, b,
                                             ldb, beta, c, ldc);
}

/// C = alpha op(A) op(A)^T + beta C, or with two matrices; a triangle of C.
/// @tparam A, B  of alpha and beta: T, or its real type
template <class T, class A, class B>
struct RankUpdate {
  Fill uplo;
  Operation trans;
  std::int64_t n, k;
  const T* a;
  std::int64_t lda;
  const T* b;  // null: only A
  std::int64_t ldb;
  T* c;
  std::int64_t ldc;

  [[nodiscard]] MatrixShape input(std::int64_t leading) const {
    const bool plain = trans == Operation::none;
    return {.rows = plain ? n : k, .columns = plain ? k : n, .leading = leading};
  }

  /// @param run  (x, y, arguments)
  template <class Run>
  Status submit(const Caller& caller, Handle* handle, const A* alpha, const B* beta,
                Run run) const {
    const RankUpdate& u = *this;
    Request request(caller, handle);
    request.fill(uplo).operation("trans", trans).size("n", n).size("k", k);
    request.leading("lda", lda, input(lda).rows);
    if (b != nullptr) request.leading("ldb", ldb, input(ldb).rows);
    request.leading("ldc", ldc, n);
    const Scalar<A> factor = request.scalar("alpha", alpha);
    const Scalar<B> kept = request.scalar("beta", beta);
    if (request.valid() && n == 0) return Status::success;
    request.costs<T>((b != nullptr ? 2.0 : 1.0) * as_double(n) * as_double(n) * as_double(k));
    return request.submit(
        [u, factor, kept](const Arguments& parameters) {
          const Use inputs = read_if(factor.get(parameters) != A{} && u.k > 0);
          const MatrixShape triangle = {
              .rows = u.n, .columns = u.n, .leading = u.ldc, .part = part_of(u.uplo)};
          Arguments arguments = {matrix_of("C", u.c, triangle, output(kept.get(parameters))),
                                 matrix_of("A", u.a, u.input(u.lda), inputs)};
          if (u.b != nullptr) arguments.push_back(matrix_of("B", u.b, u.input(u.ldb), inputs));
          return arguments;
        },
        [factor, kept, run](const Arguments& parameters, const Arguments& arguments) {
          run(factor.get(parameters), kept.get(parameters), arguments);
        });
  }
};

template <class T, class A, class B, auto kFunction>
Status update_by_one(const Caller& caller, Handle* handle, const A* alpha, const B* beta,
                     const RankUpdate<T, A, B>& u) {
  return u.submit(caller, handle, alpha, beta, [u](A x, B y, const Arguments& arguments) {
    kFunction(CblasColMajor, cblas(u.uplo), cblas(u.trans), as_int(u.n), as_int(u.k), pass(x),
              arguments[1].as<T>(), as_int(u.lda), pass(y), arguments[0].as<T>(), as_int(u.ldc));
  });
}

template <class T, class A, class B, auto kFunction>
Status update_by_two(const Caller& caller, Handle* handle, const A* alpha, const B* beta,
                     const RankUpdate<T, A, B>& u) {
  return u.submit(caller, handle, alpha, beta, [u](A x, B y, const Arguments& arguments) {
    kFunction(CblasColMajor, cblas(u.uplo), cblas(u.trans), as_int(u.n), as_int(u.k), pass(x),
              arguments[1].as<T>(), as_int(u.lda), arguments[2].as<T>(), as_int(u.ldb), pass(y),
              arguments[0].as<T>(), as_int(u.ldc));
  });
}

/// cuBLAS takes both transposing operations for the one that the function has.
constexpr Operation transposing(Operation trans, Operation own) {
  return trans == Operation::transpose || trans == Operation::conjugate_transpose ? own : trans;
}

template <class T, class Int>
Status syrk(const Caller& caller, Handle* handle, Fill uplo, Operation trans, Int n, Int k,
            const T* alpha, const T* a, Int lda, const T* beta, T* c, Int ldc) {
  const Operation operation = transposing(trans, Operation::transpose);
  return update_by_one<T, T, T, Blas<T>::syrk>(caller, handle, alpha, beta,
                                               {uplo, operation, n, k, a, lda, nullptr, 0, c, ldc});
}

template <class T, class Int>
Status herk(const Caller& caller, Handle* handle, Fill uplo, Operation trans, Int n, Int k,
            const Real<T>* alpha, const T* a, Int lda, const Real<T>* beta, T* c, Int ldc) {
  const Operation operation = transposing(trans, Operation::conjugate_transpose);
  return update_by_one<T, Real<T>, Real<T>, Blas<T>::herk>(
      caller, handle, alpha, beta, {uplo, operation, n, k, a, lda, nullptr, 0, c, ldc});
}

template <class T, class Int>
Status syr2k(const Caller& caller, Handle* handle, Fill uplo, Operation trans, Int n, Int k,
             const T* alpha, const T* a, Int lda, const T* b, Int ldb, const T* beta, T* c,
             Int ldc) {
  const Operation operation = transposing(trans, Operation::transpose);
  return update_by_two<T, T, T, Blas<T>::syr2k>(caller, handle, alpha, beta,
                                                {uplo, operation, n, k, a, lda, b, ldb, c, ldc});
}

template <class T, class Int>
Status her2k(const Caller& caller, Handle* handle, Fill uplo, Operation trans, Int n, Int k,
             const T* alpha, const T* a, Int lda, const T* b, Int ldb, const Real<T>* beta, T* c,
             Int ldc) {
  const Operation operation = transposing(trans, Operation::conjugate_transpose);
  return update_by_two<T, T, Real<T>, Blas<T>::her2k>(
      caller, handle, alpha, beta, {uplo, operation, n, k, a, lda, b, ldb, c, ldc});
}

/// The triangular matrix of trmm and trsm.
struct Triangle {
  MatrixSide side;
  Fill uplo;
  Operation trans;
  Diagonal diag;
  std::int64_t m, n, lda;

  [[nodiscard]] std::int64_t order() const { return side == MatrixSide::left ? m : n; }
  [[nodiscard]] MatrixShape shape() const {
    return {.rows = order(),
            .columns = order(),
            .leading = lda,
            .part = part_of(uplo),
            .has_diagonal = diag == Diagonal::non_unit};
  }
  void check(Request& request) const {
    request.side(side).fill(uplo).operation("trans", trans).diagonal(diag);
    request.size("m", m).size("n", n).leading("lda", lda, order());
  }
};

/// B = alpha op(A) B, or the solution X of op(A) X = alpha B; or with A on the right.
template <class T, auto kFunction>
void run_triangular(const Triangle& t, const T& factor, const T* a, T* b, std::int64_t ldb) {
  kFunction(CblasColMajor, cblas(t.side), cblas(t.uplo), cblas(t.trans), cblas(t.diag), as_int(t.m),
            as_int(t.n), pass(factor), a, as_int(t.lda), b, as_int(ldb));
}

/// Of cuBLAS trmm has a result of its own, which may be B.
template <class T, class Int>
Status trmm(const Caller& caller, Handle* handle, MatrixSide side, Fill uplo, Operation trans,
            Diagonal diag, Int m, Int n, const T* alpha, const T* a, Int lda, const T* b, Int ldb,
            T* c, Int ldc) {
  Request request(caller, handle);
  const Triangle t = {side, uplo, trans, diag, m, n, lda};
  t.check(request);
  request.leading("ldb", ldb, m).leading("ldc", ldc, m);
  const Scalar<T> factor = request.scalar("alpha", alpha);
  if (request.valid() && (m == 0 || n == 0)) return Status::success;
  request.costs<T>(as_double(m) * as_double(n) * as_double(t.order()));
  return request.submit(
      [=](const Arguments& parameters) {
        const Use inputs = read_if(factor.get(parameters) != T{});
        return Arguments{matrix_of("A", a, t.shape(), inputs),
                         matrix_of("B", b, {.rows = m, .columns = n, .leading = ldb}, inputs),
                         matrix_of("C", c, {.rows = m, .columns = n, .leading = ldc}, Use::write)};
      },
      [=](const Arguments& parameters, const Arguments& arguments) {
        const T value = factor.get(parameters);
        T* const result = arguments[2].as<T>();
        for (std::int64_t column = 0; column < n; ++column) {
          T* const to = result + column * ldc;
          if (value == T{}) {
            std::fill_n(to, m, T{});
          } else {
            const T* const from = arguments[1].as<T>() + column * ldb;
            if (from != to) std::copy_n(from, m, to);
          }
        }
        if (value == T{}) return;
        run_triangular<T, Blas<T>::trmm>(t, value, arguments[0].as<T>(), result, ldc);
      });
}

template <class T, class Int>
Status trsm(const Caller& caller, Handle* handle, MatrixSide side, Fill uplo, Operation trans,
            Diagonal diag, Int m, Int n, const T* alpha, const T* a, Int lda, T* b, Int ldb) {
  Request request(caller, handle);
  const Triangle t = {side, uplo, trans, diag, m, n, lda};
  t.check(request);
  request.leading("ldb", ldb, m);
  const Scalar<T> factor = request.scalar("alpha", alpha);
  if (request.valid() && (m == 0 || n == 0)) return Status::success;
  request.costs<T>(as_double(m) * as_double(n) * as_double(t.order()));
  return request.submit(
      [=](const Arguments& parameters) {
        const T value = factor.get(parameters);
        return Arguments{
            matrix_of("A", a, t.shape(), read_if(value != T{})),
            matrix_of("B", b, {.rows = m, .columns = n, .leading = ldb}, output(value))};
      },
      [=](const Arguments& parameters, const Arguments& arguments) {
        run_triangular<T, Blas<T>::trsm>(t, factor.get(parameters), arguments[0].as<T>(),
                                         arguments[1].as<T>(), ldb);
      });
}

template <class T>
T element(const T* matrix, Operation operation, std::int64_t leading, std::int64_t row,
          std::int64_t column) {
  if (operation == Operation::none) return matrix[column * leading + row];
  const T value = matrix[row * leading + column];
  if constexpr (kIsComplex<T>) {
    if (operation == Operation::conjugate_transpose) return std::conj(value);
  }
  return value;
}

/// C = alpha op(A) + beta op(B). A matrix with the factor 0 is not read.
template <class T, class Int>
Status geam(const Caller& caller, Handle* handle, Operation transa, Operation transb, Int m, Int n,
            const T* alpha, const T* a, Int lda, const T* beta, const T* b, Int ldb, T* c,
            Int ldc) {
  Request request(caller, handle);
  const auto stored = [=](Operation operation, std::int64_t leading) {
    const bool plain = operation == Operation::none;
    return MatrixShape{.rows = plain ? m : n, .columns = plain ? n : m, .leading = leading};
  };
  request.operation("transa", transa).operation("transb", transb).size("m", m).size("n", n);
  request.leading("lda", lda, stored(transa, lda).rows);
  request.leading("ldb", ldb, stored(transb, ldb).rows).leading("ldc", ldc, m);
  const Scalar<T> of_a = request.scalar("alpha", alpha);
  const Scalar<T> of_b = request.scalar("beta", beta);
  if (request.valid() && (m == 0 || n == 0)) return Status::success;
  request.costs<T>(3.0 * as_double(m) * as_double(n));
  return request.submit(
      [=](const Arguments& parameters) {
        return Arguments{
            matrix_of("A", a, stored(transa, lda), read_if(of_a.get(parameters) != T{})),
            matrix_of("B", b, stored(transb, ldb), read_if(of_b.get(parameters) != T{})),
            matrix_of("C", c, {.rows = m, .columns = n, .leading = ldc}, Use::write)};
      },
      [=](const Arguments& parameters, const Arguments& arguments) {
        const T x = of_a.get(parameters);
        const T y = of_b.get(parameters);
        T* const result = arguments[2].as<T>();
        for (std::int64_t column = 0; column < n; ++column) {
          for (std::int64_t row = 0; row < m; ++row) {
            T sum = {};
            if (x != T{}) sum += x * element(arguments[0].as<T>(), transa, lda, row, column);
            if (y != T{}) sum += y * element(arguments[1].as<T>(), transb, ldb, row, column);
            result[column * ldc + row] = sum;
          }
        }
      });
}

/// C = A diag(x) or diag(x) A. With an increment of 0 all elements of x are the first.
template <class T, class Int>
Status dgmm(const Caller& caller, Handle* handle, MatrixSide side, Int m, Int n, const T* a,
            Int lda, const T* x, Int incx, T* c, Int ldc) {
  Request request(caller, handle);
  request.side(side).size("m", m).size("n", n).leading("lda", lda, m).leading("ldc", ldc, m);
  if (request.valid() && (m == 0 || n == 0)) return Status::success;
  const bool left = side == MatrixSide::left;
  request.costs<T>(as_double(m) * as_double(n));
  return request.submit(
      [=](const Arguments&) {
        return Arguments{matrix_of("A", a, {.rows = m, .columns = n, .leading = lda}, Use::read),
                         vector_of("x", x, left ? m : n, incx, Use::read),
                         matrix_of("C", c, {.rows = m, .columns = n, .leading = ldc}, Use::write)};
      },
      [=](const Arguments&, const Arguments& arguments) {
        const T* factors = arguments[1].as<T>();
        if (incx < 0) factors -= (static_cast<std::int64_t>(left ? m : n) - 1) * incx;
        for (std::int64_t column = 0; column < n; ++column) {
          for (std::int64_t row = 0; row < m; ++row) {
            arguments[2].as<T>()[column * ldc + row] =
                arguments[0].as<T>()[column * lda + row] * factors[(left ? row : column) * incx];
          }
        }
      });
}

}  // namespace
}  // namespace warpsim::cublas

WARPSIM_EXPORT_ALL(symm, _v2, symm)
WARPSIM_EXPORT_COMPLEX(hemm, _v2, hemm)
WARPSIM_EXPORT_ALL(syrk, _v2, syrk)
WARPSIM_EXPORT_COMPLEX(herk, _v2, herk)
WARPSIM_EXPORT_ALL(syr2k, _v2, syr2k)
WARPSIM_EXPORT_COMPLEX(her2k, _v2, her2k)
WARPSIM_EXPORT_ALL(trmm, _v2, trmm)
WARPSIM_EXPORT_ALL(trsm, _v2, trsm)
WARPSIM_EXPORT_ALL(geam, , geam)
WARPSIM_EXPORT_ALL(dgmm, , dgmm)
