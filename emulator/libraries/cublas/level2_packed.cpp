#include "emulator/libraries/cublas/level2.h"

// Level 2 with matrices of which only the band around the diagonal, or a triangle without gaps, is
// stored.

namespace warpsim::cublas {
namespace {

/// A band of kl diagonals below the main one and ku above it.
MatrixShape band_of(std::int64_t rows, std::int64_t columns, std::int64_t kl, std::int64_t ku,
                    std::int64_t leading) {
  return {.rows = kl + ku + 1,
          .columns = columns,
          .leading = leading,
          .part = MatrixShape::Part::band,
          .above = ku,
          .band_rows = rows};
}
/// A triangle of k diagonals beside the main one.
MatrixShape band_of(Fill uplo, std::int64_t n, std::int64_t k, std::int64_t leading) {
  return uplo == Fill::upper ? band_of(n, n, 0, k, leading) : band_of(n, n, k, 0, leading);
}

template <class T, class Int>
Status gbmv(const Caller& caller, Handle* handle, Operation trans, Int m, Int n, Int kl, Int ku,
            const T* alpha, const T* a, Int lda, const T* x, Int incx, const T* beta, T* y,
            Int incy) {
  Request request(caller, handle);
  request.operation("trans", trans).size("m", m).size("n", n).size("kl", kl).size("ku", ku);
  request.leading("lda", lda, std::int64_t{kl} + ku + 1);
  const bool plain = trans == Operation::none;
  const Product<T> p =
      product(request, alpha, x, incx, beta, y, incy, plain ? n : m, plain ? m : n);
  if (request.valid() && (m == 0 || n == 0)) return Status::success;
  request.costs<T>(2.0 * as_double(n) * (as_double(kl) + as_double(ku) + 1));
  return request.submit(
      [=](const Arguments& parameters) {
        return p.arguments(parameters, matrix_of("A", a, band_of(m, n, kl, ku, lda),
                                                 read_if(p.uses_matrix(parameters))));
      },
      [=](const Arguments& parameters, const Arguments& arguments) {
        const T factor = p.alpha.get(parameters);
        const T kept = p.beta.get(parameters);
        Blas<T>::gbmv(CblasColMajor, cblas(trans), as_int(m), as_int(n), as_int(kl), as_int(ku),
                      pass(factor), arguments[0].as<T>(), as_int(lda), arguments[1].as<T>(),
                      as_int(incx), pass(kept), arguments[2].as<T>(), as_int(incy));
      });
}

template <class T, class Int>
Status sbmv(const Caller& caller, Handle* handle, Fill uplo, Int n, Int k, const T* alpha,
            const T* a, Int lda, const T* x, Int incx, const T* beta, T* y, Int incy) {
  Request request(caller, handle);
  request.fill(uplo).size("n", n).size("k", k).leading("lda", lda, std::int64_t{k} + 1);
  const Product<T> p = product(request, alpha, x, incx, beta, y, incy, n, n);
  request.costs<T>(2.0 * as_double(n) * (2 * as_double(k) + 1));
  return symmetric_product(
      request, p, n, [=](Use use) { return matrix_of("A", a, band_of(uplo, n, k, lda), use); },
      [=](const T& factor, const T& kept, const T* matrix, const T* from, T* to) {
        Blas<T>::sbmv(CblasColMajor, cblas(uplo), as_int(n), as_int(k), pass(factor), matrix,
                      as_int(lda), from, as_int(incx), pass(kept), to, as_int(incy));
      });
}

template <class T, class Int>
Status spmv(const Caller& caller, Handle* handle, Fill uplo, Int n, const T* alpha, const T* ap,
            const T* x, Int incx, const T* beta, T* y, Int incy) {
  Request request(caller, handle);
  request.fill(uplo).size("n", n);
  const Product<T> p = product(request, alpha, x, incx, beta, y, incy, n, n);
  request.costs<T>(2.0 * as_double(n) * as_double(n));
  return symmetric_product(
      request, p, n, [=](Use use) { return packed_of("AP", ap, sizeof(T), n, uplo, true, use); },
      [=](const T& factor, const T& kept, const T* matrix, const T* from, T* to) {
        Blas<T>::spmv(CblasColMajor, cblas(uplo), as_int(n), pass(factor), matrix, from,
                      as_int(incx), pass(kept), to, as_int(incy));
      });
}

/// x = op(A) x, or the solution of op(A) x = b, with a triangle of k diagonals beside the main one.
template <class T, auto kFunction>
Status banded_triangle(const Caller& caller, Handle* handle, Fill uplo, Operation trans,
                       Diagonal diag, std::int64_t n, std::int64_t k, const T* a, std::int64_t lda,
                       T* x, std::int64_t incx) {
  Request request(caller, handle);
  request.fill(uplo).operation("trans", trans).diagonal(diag).size("n", n).size("k", k);
  request.leading("lda", lda, k + 1).increment("incx", incx);
  if (request.valid() && n == 0) return Status::success;
  request.costs<T>(2.0 * as_double(n) * (as_double(k) + 1));
  return request.submit(
      [=](const Arguments&) {
        MatrixShape shape = band_of(uplo, n, k, lda);
        shape.has_diagonal = diag == Diagonal::non_unit;
        return Arguments{matrix_of("A", a, shape, Use::read),
                         vector_of("x", x, n, incx, Use::update)};
      },
      [=](const Arguments&, const Arguments& arguments) {
        kFunction(CblasColMajor, cblas(uplo), cblas(trans), cblas(diag), as_int(n), as_int(k),
                  arguments[0].as<T>(), as_int(lda), arguments[1].as<T>(), as_int(incx));
      });
}

template <class T, class Int>
Status tbmv(const Caller& caller, Handle* handle, Fill uplo, Operation trans, Diagonal diag, Int n,
            Int k, const T* a, Int lda, T* x, Int incx) {
  return banded_triangle<T, Blas<T>::tbmv>(caller, handle, uplo, trans, diag, n, k, a, lda, x,
                                           incx);
}

template <class T, class Int>
Status tbsv(const Caller& caller, Handle* handle, Fill uplo, Operation trans, Diagonal diag, Int n,
            Int k, const T* a, Int lda, T* x, Int incx) {
  return banded_triangle<T, Blas<T>::tbsv>(caller, handle, uplo, trans, diag, n, k, a, lda, x,
                                           incx);
}

/// The same with a packed triangle.
template <class T, auto kFunction>
Status packed_triangle(const Caller& caller, Handle* handle, Fill uplo, Operation trans,
                       Diagonal diag, std::int64_t n, const T* ap, T* x, std::int64_t incx) {
  Request request(caller, handle);
  request.fill(uplo).operation("trans", trans).diagonal(diag).size("n", n);
  request.increment("incx", incx);
  if (request.valid() && n == 0) return Status::success;
  request.costs<T>(as_double(n) * as_double(n));
  return request.submit(
      [=](const Arguments&) {
        return Arguments{
            packed_of("AP", ap, sizeof(T), n, uplo, diag == Diagonal::non_unit, Use::read),
            vector_of("x", x, n, incx, Use::update)};
      },
      [=](const Arguments&, const Arguments& arguments) {
        kFunction(CblasColMajor, cblas(uplo), cblas(trans), cblas(diag), as_int(n),
                  arguments[0].as<T>(), arguments[1].as<T>(), as_int(incx));
      });
}

template <class T, class Int>
Status tpmv(const Caller& caller, Handle* handle, Fill uplo, Operation trans, Diagonal diag, Int n,
            const T* ap, T* x, Int incx) {
  return packed_triangle<T, Blas<T>::tpmv>(caller, handle, uplo, trans, diag, n, ap, x, incx);
}

template <class T, class Int>
Status tpsv(const Caller& caller, Handle* handle, Fill uplo, Operation trans, Diagonal diag, Int n,
            const T* ap, T* x, Int incx) {
  return packed_triangle<T, Blas<T>::tpsv>(caller, handle, uplo, trans, diag, n, ap, x, incx);
}

/// The factor is real also where the matrix is Hermitian.
template <class T, class Int>
Status spr(const Caller& caller, Handle* handle, Fill uplo, Int n, const Real<T>* alpha, const T* x,
           Int incx, T* ap) {
  Request request(caller, handle);
  request.fill(uplo).size("n", n).increment("incx", incx);
  const Scalar<Real<T>> factor = request.scalar("alpha", alpha);
  if (request.valid() && n == 0) return Status::success;
  request.costs<T>(as_double(n) * as_double(n));
  return request.submit(
      [=](const Arguments& parameters) {
        const bool used = factor.get(parameters) != 0;
        return Arguments{
            packed_of("AP", ap, sizeof(T), n, uplo, true, used ? Use::update : Use::none),
            vector_of("x", x, n, incx, read_if(used))};
      },
      [=](const Arguments& parameters, const Arguments& arguments) {
        const Real<T> value = factor.get(parameters);
        if (value == 0) return;
        Blas<T>::spr(CblasColMajor, cblas(uplo), as_int(n), value, arguments[1].as<T>(),
                     as_int(incx), arguments[0].as<T>());
      });
}

template <class T, class Int>
Status spr2(const Caller& caller, Handle* handle, Fill uplo, Int n, const T* alpha, const T* x,
            Int incx, const T* y, Int incy, T* ap) {
  Request request(caller, handle);
  request.fill(uplo).size("n", n).increment("incx", incx).increment("incy", incy);
  const Scalar<T> factor = request.scalar("alpha", alpha);
  if (request.valid() && n == 0) return Status::success;
  request.costs<T>(2.0 * as_double(n) * as_double(n));
  return request.submit(
      [=](const Arguments& parameters) {
        const bool used = factor.get(parameters) != T{};
        return Arguments{
            packed_of("AP", ap, sizeof(T), n, uplo, true, used ? Use::update : Use::none),
            vector_of("x", x, n, incx, read_if(used)), vector_of("y", y, n, incy, read_if(used))};
      },
      [=](const Arguments& parameters, const Arguments& arguments) {
        const T value = factor.get(parameters);
        if (value == T{}) return;
        Blas<T>::spr2(CblasColMajor, cblas(uplo), as_int(n), pass(value), arguments[1].as<T>(),
                      as_int(incx), arguments[2].as<T>(), as_int(incy), arguments[0].as<T>());
      });
}

}  // namespace
}  // namespace warpsim::cublas

WARPSIM_EXPORT_ALL(gbmv, _v2, gbmv)
WARPSIM_EXPORT_REAL(sbmv, _v2, sbmv)
WARPSIM_EXPORT_COMPLEX(hbmv, _v2, sbmv)
WARPSIM_EXPORT_REAL(spmv, _v2, spmv)
WARPSIM_EXPORT_COMPLEX(hpmv, _v2, spmv)
WARPSIM_EXPORT_ALL(tbmv, _v2, tbmv)
WARPSIM_EXPORT_ALL(tbsv, _v2, tbsv)
WARPSIM_EXPORT_ALL(tpmv, _v2, tpmv)
WARPSIM_EXPORT_ALL(tpsv, _v2, tpsv)
WARPSIM_EXPORT_REAL(spr, _v2, spr)
WARPSIM_EXPORT_COMPLEX(hpr, _v2, spr)
WARPSIM_EXPORT_REAL(spr2, _v2, spr2)
WARPSIM_EXPORT_COMPLEX(hpr2, _v2, spr2)
