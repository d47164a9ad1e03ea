#include "emulator/libraries/cublas/level2.h"

// Level 2: a matrix and vectors; banded and packed matrices are in level2_packed.cpp. Of complex
// types symmetric matrices are Hermitian ones here (hemv, her), as in CBLAS.

namespace warpsim::cublas {
namespace {

template <class T, class Int>
Status gemv(const Caller& caller, Handle* handle, Operation trans, Int m, Int n, const T* alpha,
            const T* a, Int lda, const T* x, Int incx, const T* beta, T* y, Int incy) {
  Request request(caller, handle);
  request.operation("trans", trans).size("m", m).size("n", n).leading("lda", lda, m);
  const bool plain = trans == Operation::none;
  const Product<T> p =
      product(request, alpha, x, incx, beta, y, incy, plain ? n : m, plain ? m : n);
  if (request.valid() && (m == 0 || n == 0)) return Status::success;
  request.costs<T>(2.0 * as_double(m) * as_double(n));
  return request.submit(
      [=](const Arguments& parameters) {
        return p.arguments(parameters, matrix_of("A", a, {.rows = m, .columns = n, .leading = lda},
                                                 read_if(p.uses_matrix(parameters))));
      },
      [=](const Arguments& parameters, const Arguments& arguments) {
        const T factor = p.alpha.get(parameters);
        const T kept = p.beta.get(parameters);
        Blas<T>::gemv(CblasColMajor, cblas(trans), as_int(m), as_int(n), pass(factor),
                      arguments[0].as<T>(), as_int(lda), arguments[1].as<T>(), as_int(incx),
                      pass(kept), arguments[2].as<T>(), as_int(incy));
      });
}

template <class T, class Int>
Status symv(const Caller& caller, Handle* handle, Fill uplo, Int n, const T* alpha, const T* a,
            Int lda, const T* x, Int incx, const T* beta, T* y, Int incy) {
  Request request(caller, handle);
  request.fill(uplo).size("n", n).leading("lda", lda, n);
  const Product<T> p = product(request, alpha, x, incx, beta, y, incy, n, n);
  const MatrixShape shape = {.rows = n, .columns = n, .leading = lda, .part = part_of(uplo)};
  request.costs<T>(2.0 * as_double(n) * as_double(n));
  return symmetric_product(
      request, p, n, [=](Use use) { return matrix_of("A", a, shape, use); },
      [=](const T& factor, const T& kept, const T* matrix, const T* from, T* to) {
        Blas<T>::symv(CblasColMajor, cblas(uplo), as_int(n), pass(factor), matrix, as_int(lda),
                      from, as_int(incx), pass(kept), to, as_int(incy));
      });
}

template <class T, bool kConjugate>
Status rank_one(const Caller& caller, Handle* handle, std::int64_t m, std::int64_t n,
                const T* alpha, const T* x, std::int64_t incx, const T* y, std::int64_t incy, T* a,
                std::int64_t lda) {
  Request request(caller, handle);
  request.size("m", m).size("n", n).increment("incx", incx).increment("incy", incy);
  request.leading("lda", lda, m);
  const Scalar<T> factor = request.scalar("alpha", alpha);
  if (request.valid() && (m == 0 || n == 0)) return Status::success;
  request.costs<T>(2.0 * as_double(m) * as_double(n));
  return request.submit(
      [=](const Arguments& parameters) {
        const bool used = factor.get(parameters) != T{};
        return Arguments{matrix_of("A", a, {.rows = m, .columns = n, .leading = lda},
                                   used ? Use::update : Use::none),
                         vector_of("x", x, m, incx, read_if(used)),
                         vector_of("y", y, n, incy, read_if(used))};
      },
      [=](const Arguments& parameters, const Arguments& arguments) {
        const T value = factor.get(parameters);
        if (value == T{}) return;
        constexpr auto kGer = kConjugate ? Blas<T>::gerc : Blas<T>::ger;
        kGer(CblasColMajor, as_int(m), as_int(n), pass(value), arguments[1].as<T>(), as_int(incx),
             arguments[2].as<T>(), as_int(incy), arguments[0].as<T>(), as_int(lda));
      });
}

template <class T, class Int>
Status ger(const Caller& caller, Handle* handle, Int m, Int n, const T* alpha, const T* x, Int incx,
           const T* y, Int incy, T* a, Int lda) {
  return rank_one<T, false>(caller, handle, m, n, alpha, x, incx, y, incy, a, lda);
}

template <class T, class Int>
Status gerc(const Caller& caller, Handle* handle, Int m, Int n, const T* alpha, const T* x,
            Int incx, const T* y, Int incy, T* a, Int lda) {
  return rank_one<T, true>(caller, handle, m, n, alpha, x, incx, y, incy, a, lda);
}

/// The factor is real also where the matrix is Hermitian.
template <class T, class Int>
Status syr(const Caller& caller, Handle* handle, Fill uplo, Int n, const Real<T>* alpha, const T* x,
           Int incx, T* a, Int lda) {
  Request request(caller, handle);
  request.fill(uplo).size("n", n).increment("incx", incx).leading("lda", lda, n);
  const Scalar<Real<T>> factor = request.scalar("alpha", alpha);
  if (request.valid() && n == 0) return Status::success;
  request.costs<T>(as_double(n) * as_double(n));
  return request.submit(
      [=](const Arguments& parameters) {
        const bool used = factor.get(parameters) != 0;
        const MatrixShape shape = {.rows = n, .columns = n, .leading = lda, .part = part_of(uplo)};
        return Arguments{matrix_of("A", a, shape, used ? Use::update : Use::none),
                         vector_of("x", x, n, incx, read_if(used))};
      },
      [=](const Arguments& parameters, const Arguments& arguments) {
        const Real<T> value = factor.get(parameters);
        if (value == 0) return;
        Blas<T>::syr(CblasColMajor, cblas(uplo), as_int(n), value, arguments[1].as<T>(),
                     as_int(incx), arguments[0].as<T>(), as_int(lda));
      });
}

template <class T, class Int>
Status syr2(const Caller& caller, Handle* handle, Fill uplo, Int n, const T* alpha, const T* x,
            Int incx, const T* y, Int incy, T* a, Int lda) {
  Request request(caller, handle);
  request.fill(uplo).size("n", n).increment("incx", incx).increment("incy", incy);
  request.leading("lda", lda, n);
  const Scalar<T> factor = request.scalar("alpha", alpha);
  if (request.valid() && n == 0) return Status::success;
  request.costs<T>(2.0 * as_double(n) * as_double(n));
  return request.submit(
      [=](const Arguments& parameters) {
        const bool used = factor.get(parameters) != T{};
        const MatrixShape shape = {.rows = n, .columns = n, .leading = lda, .part = part_of(uplo)};
        return Arguments{matrix_of("A", a, shape, used ? Use::update : Use::none),
                         vector_of("x", x, n, incx, read_if(used)),
                         vector_of("y", y, n, incy, read_if(used))};
      },
      [=](const Arguments& parameters, const Arguments& arguments) {
        const T value = factor.get(parameters);
        if (value == T{}) return;
        Blas<T>::syr2(CblasColMajor, cblas(uplo), as_int(n), pass(value), arguments[1].as<T>(),
                      as_int(incx), arguments[2].as<T>(), as_int(incy), arguments[0].as<T>(),
                      as_int(lda));
      });
}

/// x = op(A) x, or the solution of op(A) x = b, with a triangular A.
template <class T, auto kFunction>
Status triangular(const Caller& caller, Handle* handle, Fill uplo, Operation trans, Diagonal diag,
                  std::int64_t n, const T* a, std::int64_t lda, T* x, std::int64_t incx) {
  Request request(caller, handle);
  request.fill(uplo).operation("trans", trans).diagonal(diag).size("n", n);
  request.leading("lda", lda, n).increment("incx", incx);
  if (request.valid() && n == 0) return Status::success;
  request.costs<T>(as_double(n) * as_double(n));
  return request.submit(
      [=](const Arguments&) {
        const MatrixShape shape = {.rows = n,
                                   .columns = n,
                                   .leading = lda,
                                   .part = part_of(uplo),
                                   .has_diagonal = diag == Diagonal::non_unit};
        return Arguments{matrix_of("A", a, shape, Use::read),
                         vector_of("x", x, n, incx, Use::update)};
      },
      [=](const Arguments&, const Arguments& arguments) {
        kFunction(CblasColMajor, cblas(uplo), cblas(trans), cblas(diag), as_int(n),
                  arguments[0].as<T>(), as_int(lda), arguments[1].as<T>(), as_int(incx));
      });
}

template <class T, class Int>
Status trmv(const Caller& caller, Handle* handle, Fill uplo, Operation trans, Diagonal diag, Int n,
            const T* a, Int lda, T* x, Int incx) {
  return triangular<T, Blas<T>::trmv>(caller, handle, uplo, trans, diag, n, a, lda, x, incx);
}

template <class T, class Int>
Status trsv(const Caller& caller, Handle* handle, Fill uplo, Operation trans, Diagonal diag, Int n,
            const T* a, Int lda, T* x, Int incx) {
  return triangular<T, Blas<T>::trsv>(caller, handle, uplo, trans, diag, n, a, lda, x, incx);
}

}  // namespace
}  // namespace warpsim::cublas

WARPSIM_EXPORT_ALL(gemv, _v2, gemv)
WARPSIM_EXPORT_REAL(symv, _v2, symv)
WARPSIM_EXPORT_COMPLEX(hemv, _v2, symv)
WARPSIM_EXPORT_REAL(ger, _v2, ger)
WARPSIM_EXPORT_COMPLEX(geru, _v2, ger)
WARPSIM_EXPORT_COMPLEX(gerc, _v2, gerc)
WARPSIM_EXPORT_REAL(syr, _v2, syr)
WARPSIM_EXPORT_COMPLEX(her, _v2, syr)
WARPSIM_EXPORT_REAL(syr2, _v2, syr2)
WARPSIM_EXPORT_COMPLEX(her2, _v2, syr2)
WARPSIM_EXPORT_ALL(trmv, _v2, trmv)
WARPSIM_EXPORT_ALL(trsv, _v2, trsv)
