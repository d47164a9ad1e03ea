#include "emulator/libraries/cublas/level1.h"

#include <algorithm>
#include <array>

#include "emulator/libraries/cublas/routines.h"

// Level 1: vectors.

namespace warpsim::cublas {
namespace {

/// Elements of the parameters of a modified rotation.
constexpr int kRotation = 5;

/// An increment that is not positive makes a reduction of nothing.
bool is_empty(std::int64_t n, std::int64_t increment) {
  return n <= 0 || increment <= 0;
}

/// A reduction of one vector. @param compute  (n, x, incx) to the result
template <class R, class T, class Compute>
Status reduce(const Caller& caller, Handle* handle, std::int64_t n, const T* x, std::int64_t incx,
              R* result, Compute compute) {
  Request request(caller, handle);
  if (n > 0) request.size("n", n);
  const std::int64_t count = is_empty(n, incx) ? 0 : n;
  request.costs<T>(2.0 * static_cast<double>(count));
  return request.submit_result(
      result,
      [=](const Arguments&) { return Arguments{vector_of("x", x, count, incx, Use::read)}; },
      [=](const Arguments& arguments) {
        return count == 0 ? R{} : compute(as_int(count), arguments[0].as<T>(), as_int(incx));
      });
}

template <class T, class Int>
Status asum(const Caller& caller, Handle* handle, Int n, const T* x, Int incx, Real<T>* result) {
  return reduce(caller, handle, n, x, incx, result, Blas<T>::asum);
}

template <class T, class Int>
Status nrm2(const Caller& caller, Handle* handle, Int n, const T* x, Int incx, Real<T>* result) {
  return reduce(caller, handle, n, x, incx, result, Blas<T>::nrm2);
}

/// cuBLAS counts elements from 1; 0 is that of no element.
template <class T, class Int>
Status iamax(const Caller& caller, Handle* handle, Int n, const T* x, Int incx, Int* result) {
  return reduce(caller, handle, n, x, incx, result, [](int count, const T* values, int step) {
    return static_cast<Int>(extreme<false>(count, values, step) + 1);
  });
}

template <class T, class Int>
Status iamin(const Caller& caller, Handle* handle, Int n, const T* x, Int incx, Int* result) {
  return reduce(caller, handle, n, x, incx, result, [](int count, const T* values, int step) {
    return static_cast<Int>(extreme<true>(count, values, step) + 1);
  });
}

template <class T, bool kConjugate>
Status dot_product(const Caller& caller, Handle* handle, std::int64_t n, const T* x,
                   std::int64_t incx, const T* y, std::int64_t incy, T* result) {
  Request request(caller, handle);
  if (n > 0) request.size("n", n);
  const std::int64_t count = std::max<std::int64_t>(n, 0);
  request.costs<T>(2.0 * static_cast<double>(count));
  return request.submit_result(
      result,
      [=](const Arguments&) {
        return Arguments{vector_of("x", x, count, incx, Use::read),
                         vector_of("y", y, count, incy, Use::read)};
      },
      [=](const Arguments& arguments) {
        T sum = {};
        if (count == 0) return sum;
        const T* const left = arguments[0].as<T>();
        const T* const right = arguments[1].as<T>();
        if constexpr (kIsComplex<T>) {
          constexpr auto kDot = kConjugate ? Blas<T>::dotc : Blas<T>::dot;
          kDot(as_int(count), left, as_int(incx), right, as_int(incy), &sum);
        } else {
          sum = Blas<T>::dot(as_int(count), left, as_int(incx), right, as_int(incy));
        }
        return sum;
      });
}

template <class T, class Int>
Status dot(const Caller& caller, Handle* handle, Int n, const T* x, Int incx, const T* y, Int incy,
           T* result) {
  return dot_product<T, false>(caller, handle, n, x, incx, y, incy, result);
}

template <class T, class Int>
Status dotc(const Caller& caller, Handle* handle, Int n, const T* x, Int incx, const T* y, Int incy,
            T* result) {
  return dot_product<T, true>(caller, handle, n, x, incx, y, incy, result);
}

template <class T, class Int>
Status axpy(const Caller& caller, Handle* handle, Int n, const T* alpha, const T* x, Int incx, T* y,
            Int incy) {
  Request request(caller, handle);
  if (n > 0) request.size("n", n);
  const std::int64_t count = std::max<std::int64_t>(n, 0);
  const Scalar<T> a = request.scalar("alpha", alpha);
  request.costs<T>(2.0 * static_cast<double>(count));
  return request.submit(
      [=](const Arguments& parameters) {
        const bool used = a.get(parameters) != T{};
        return Arguments{vector_of("x", x, count, incx, read_if(used)),
                         vector_of("y", y, count, incy, used ? Use::update : Use::none)};
      },
      [=](const Arguments& parameters, const Arguments& arguments) {
        const T factor = a.get(parameters);
        if (count == 0 || factor == T{}) return;
        Blas<T>::axpy(as_int(count), pass(factor), arguments[0].as<T>(), as_int(incx),
                      arguments[1].as<T>(), as_int(incy));
      });
}

/// y = x, or both exchanged. @param uses  of x and y
template <class T, auto kFunction>
Status move(const Caller& caller, Handle* handle, std::int64_t n, const T* x, std::int64_t incx,
            T* y, std::int64_t incy, std::pair<Use, Use> uses) {
  Request request(caller, handle);
  if (n > 0) request.size("n", n);
  const std::int64_t count = std::max<std::int64_t>(n, 0);
  return request.submit(
      [=](const Arguments&) {
        return Arguments{vector_of("x", x, count, incx, uses.first),
                         vector_of("y", y, count, incy, uses.second)};
      },
      [=](const Arguments&, const Arguments& arguments) {
        if (count == 0) return;
        kFunction(as_int(count), arguments[0].as<T>(), as_int(incx), arguments[1].as<T>(),
                  as_int(incy));
      });
}

template <class T, class Int>
Status copy(const Caller& caller, Handle* handle, Int n, const T* x, Int incx, T* y, Int incy) {
  return move<T, Blas<T>::copy>(caller, handle, n, x, incx, y, incy, {Use::read, Use::write});
}

template <class T, class Int>
Status swap(const Caller& caller, Handle* handle, Int n, T* x, Int incx, T* y, Int incy) {
  return move<T, Blas<T>::swap>(caller, handle, n, x, incx, y, incy, {Use::update, Use::update});
}

/// @tparam A  of the factor: T, or its real type
template <class T, class A>
Status scale(const Caller& caller, Handle* handle, std::int64_t n, const A* alpha, T* x,
             std::int64_t incx) {
  Request request(caller, handle);
  if (n > 0) request.size("n", n);
  const std::int64_t count = is_empty(n, incx) ? 0 : n;
  const Scalar<A> a = request.scalar("alpha", alpha);
  request.costs<T>(static_cast<double>(count));
  return request.submit(
      [=](const Arguments&) { return Arguments{vector_of("x", x, count, incx, Use::update)}; },
      [=](const Arguments& parameters, const Arguments& arguments) {
        const A factor = a.get(parameters);
        T* const values = arguments[0].as<T>();
        for (std::int64_t i = 0; i < count * incx; i += incx) values[i] = scaled(factor, values[i]);
      });
}

template <class T, class Int>
Status scal(const Caller& caller, Handle* handle, Int n, const T* alpha, T* x, Int incx) {
  return scale(caller, handle, n, alpha, x, incx);
}

template <class T, class Int>
Status real_scal(const Caller& caller, Handle* handle, Int n, const Real<T>* alpha, T* x,
                 Int incx) {
  return scale(caller, handle, n, alpha, x, incx);
}

template <class T, class Int>
Status rot(const Caller& caller, Handle* handle, Int n, T* x, Int incx, T* y, Int incy, const T* c,
           const T* s) {
  Request request(caller, handle);
  if (n > 0) request.size("n", n);
  const std::int64_t count = std::max<std::int64_t>(n, 0);
  const Scalar<T> cosine = request.scalar("c", c);
  const Scalar<T> sine = request.scalar("s", s);
  request.costs<T>(6.0 * static_cast<double>(count));
  return request.submit(
      [=](const Arguments&) {
        return Arguments{vector_of("x", x, count, incx, Use::update),
                         vector_of("y", y, count, incy, Use::update)};
      },
      [=](const Arguments& parameters, const Arguments& arguments) {
        if (count == 0) return;
        Blas<T>::rot(as_int(count), arguments[0].as<T>(), as_int(incx), arguments[1].as<T>(),
                     as_int(incy), cosine.get(parameters), sine.get(parameters));
      });
}

/// A modified rotation: `param` is a flag and the elements of a 2 x 2 matrix that it says are
/// there.
template <class T, class Int>
Status rotm(const Caller& caller, Handle* handle, Int n, T* x, Int incx, T* y, Int incy,
            const T* param) {
  Request request(caller, handle);
  if (n > 0) request.size("n", n);
  const std::int64_t count = std::max<std::int64_t>(n, 0);
  request.pointer("param", param);
  if (!request.valid()) return request.status();
  std::array<T, kRotation> values = {};
  const bool device = request.on_device();
  if (device) {
    request.parameter(vector_of("param", param, kRotation, 1, Use::read));
  } else {
    std::copy_n(param, kRotation, values.begin());
  }
  request.costs<T>(6.0 * as_double(count));
  return request.submit(
      [=](const Arguments&) {
        return Arguments{vector_of("x", x, count, incx, Use::update),
                         vector_of("y", y, count, incy, Use::update)};
      },
      [=](const Arguments& parameters, const Arguments& arguments) {
        if (count == 0) return;
        Blas<T>::rotm(as_int(count), arguments[0].as<T>(), as_int(incx), arguments[1].as<T>(),
                      as_int(incy), device ? parameters[0].as<T>() : values.data());
      });
}

/// Makes a rotation of scalars, which lie in host or device memory by the pointer mode.
/// @param scalars  in the order of cuBLAS  @param elements, uses  of each
/// @param compute  gets where they are
template <class T, std::size_t kCount, class Compute>
Status make_rotation(const Caller& caller, Handle* handle,
                     const std::array<const char*, kCount>& names,
                     const std::array<T*, kCount>& scalars, const std::array<int, kCount>& elements,
                     const std::array<Use, kCount>& uses, Compute compute) {
  Request request(caller, handle);
  for (std::size_t i = 0; i < kCount; ++i) request.pointer(names[i], scalars[i]);
  if (!request.valid()) return request.status();
  const bool device = request.on_device();
  if (!device) request.waits();
  return request.submit(
      [=](const Arguments&) {
        Arguments arguments;
        for (std::size_t i = 0; device && i < kCount; ++i) {
          arguments.push_back(vector_of(names[i], scalars[i], elements[i], 1, uses[i]));
        }
        return arguments;
      },
      [=](const Arguments&, const Arguments& arguments) {
        std::array<T*, kCount> places = scalars;
        for (std::size_t i = 0; i < arguments.size(); ++i) places[i] = arguments[i].as<T>();
        compute(places);
      });
}

template <class T>
Status rotg(const Caller& caller, Handle* handle, T* a, T* b, T* c, T* s) {
  return make_rotation<T, 4>(
      caller, handle, {"a", "b", "c", "s"}, {a, b, c, s}, {1, 1, 1, 1},
      {Use::update, Use::update, Use::write, Use::write},
      [](const std::array<T*, 4>& at) { make_givens(*at[0], *at[1], *at[2], *at[3]); });
}

template <class T>
Status rotmg(const Caller& caller, Handle* handle, T* d1, T* d2, T* x1, const T* y1, T* param) {
  return make_rotation<T, 5>(caller, handle, {"d1", "d2", "x1", "y1", "param"},
                             {d1, d2, x1, const_cast<T*>(y1), param}, {1, 1, 1, 1, kRotation},
                             {Use::update, Use::update, Use::update, Use::read, Use::write},
                             [](const std::array<T*, 5>& at) {
                               make_modified_givens(*at[0], *at[1], *at[2], *at[3], at[4]);
                             });
}

}  // namespace
}  // namespace warpsim::cublas

WARPSIM_EXPORT_REAL(asum, _v2, asum)
WARPSIM_EXPORT_SIZES(cublasScasum, _v2, asum, std::complex<float>)
WARPSIM_EXPORT_SIZES(cublasDzasum, _v2, asum, std::complex<double>)
WARPSIM_EXPORT_REAL(nrm2, _v2, nrm2)
WARPSIM_EXPORT_SIZES(cublasScnrm2, _v2, nrm2, std::complex<float>)
WARPSIM_EXPORT_SIZES(cublasDznrm2, _v2, nrm2, std::complex<double>)
#define WARPSIM_EXPORT_INDEX(name)                                        \
  WARPSIM_EXPORT_SIZES(cublasIs##name, _v2, i##name, float)               \
  WARPSIM_EXPORT_SIZES(cublasId##name, _v2, i##name, double)              \
  WARPSIM_EXPORT_SIZES(cublasIc##name, _v2, i##name, std::complex<float>) \
  WARPSIM_EXPORT_SIZES(cublasIz##name, _v2, i##name, std::complex<double>)
WARPSIM_EXPORT_INDEX(amax)
WARPSIM_EXPORT_INDEX(amin)
WARPSIM_EXPORT_REAL(dot, _v2, dot)
WARPSIM_EXPORT_COMPLEX(dotu, _v2, dot)
WARPSIM_EXPORT_COMPLEX(dotc, _v2, dotc)
WARPSIM_EXPORT_ALL(axpy, _v2, axpy)
WARPSIM_EXPORT_ALL(copy, _v2, copy)
WARPSIM_EXPORT_ALL(swap, _v2, swap)
WARPSIM_EXPORT_ALL(scal, _v2, scal)
WARPSIM_EXPORT_SIZES(cublasCsscal, _v2, real_scal, std::complex<float>)
WARPSIM_EXPORT_SIZES(cublasZdscal, _v2, real_scal, std::complex<double>)
WARPSIM_EXPORT_REAL(rot, _v2, rot)
WARPSIM_EXPORT_REAL(rotm, _v2, rotm)
WARPSIM_EXPORT(cublasSrotg_v2, cublasSrotg, warpsim::cublas::rotg<float>)
WARPSIM_EXPORT(cublasDrotg_v2, cublasDrotg, warpsim::cublas::rotg<double>)
WARPSIM_EXPORT(cublasSrotmg_v2, cublasSrotmg, warpsim::cublas::rotmg<float>)
WARPSIM_EXPORT(cublasDrotmg_v2, cublasDrotmg, warpsim::cublas::rotmg<double>)
