#include <cmath>

#include "emulator/libraries/tests/cublas_on_card/recorder.h"

// Names that do not begin with the letter of the type.
#define cublasSiamax_by_type cublasIsamax
#define cublasDiamax_by_type cublasIdamax
#define cublasCiamax_by_type cublasIcamax
#define cublasZiamax_by_type cublasIzamax
#define cublasSiamin_by_type cublasIsamin
#define cublasDiamin_by_type cublasIdamin
#define cublasCiamin_by_type cublasIcamin
#define cublasZiamin_by_type cublasIzamin
#define cublasCasum_by_type cublasScasum
#define cublasZasum_by_type cublasDzasum
#define cublasCnrm2_by_type cublasScnrm2
#define cublasZnrm2_by_type cublasDznrm2

namespace cublas_on_card {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::string called(Type type, const char* name, int n, int incx, int incy) {
  return std::string("cublas") + letter(type) + name + " n=" + std::to_string(n) +
         " incx=" + std::to_string(incx) + " incy=" + std::to_string(incy);
}

Array scalar(Type type, const Values& values) {
  return {type, Role::scalar, values};
}

/// asum, nrm2, iamax and iamin of given elements.
void reductions(Recorder& recorder, Type type, const std::string& what, const Values& elements,
                int incx) {
  const cublasHandle_t h = recorder.handle();
  const int n = static_cast<int>(elements.size());
  const Array x = {type, Role::input, spread(elements, incx)};
  const auto run = [&](const char* name, Type of, double operations,
                       const std::function<cublasStatus_t(const Addresses&)>& call) {
    recorder.record(called(type, name, n, incx, 0) + " " + what,
                    {x, {of, Role::scalar_result, {-7}}}, {operations, of, true}, call);
  };
  run("asum", real_of(type), n + 2, [&](const Addresses& a) {
    return BY_TYPE_2(type, asum, asum_by_type, h, n, a[0], incx, a[1]);
  });
  run("nrm2", real_of(type), n + 6, [&](const Addresses& a) {
    return BY_TYPE_2(type, nrm2, nrm2_by_type, h, n, a[0], incx, a[1]);
  });
  run("iamax", Type::i32, 0,
      [&](const Addresses& a) { return BY_TYPE(type, iamax_by_type, h, n, a[0], incx, a[1]); });
  run("iamin", Type::i32, 0,
      [&](const Addresses& a) { return BY_TYPE(type, iamin_by_type, h, n, a[0], incx, a[1]); });
}

void vectors(Recorder& recorder, Type type, int n, int incx, int incy) {
  const cublasHandle_t h = recorder.handle();
  const auto count = static_cast<std::size_t>(n);
  const auto vector = [&](Role role, int increment) {
    return Array{type, role, spread(numbers(type, count), increment)};
  };
  const double terms = n + 2.0;
  recorder.record(
      called(type, "copy", n, incx, incy), {vector(Role::input, incx), vector(Role::update, incy)},
      {0, type},
      [&](const Addresses& a) { return BY_TYPE(type, copy, h, n, a[0], incx, a[1], incy); });
  recorder.record(
      called(type, "swap", n, incx, incy), {vector(Role::update, incx), vector(Role::update, incy)},
      {0, type},
      [&](const Addresses& a) { return BY_TYPE(type, swap, h, n, a[0], incx, a[1], incy); });
  for (const bool conjugate : {false, true}) {
    recorder.record(
        called(type, conjugate ? "dotc" : "dot", n, incx, incy),
        {vector(Role::input, incx), vector(Role::input, incy), {type, Role::scalar_result, {kNan}}},
        {terms, type}, [&](const Addresses& a) {
          if (!conjugate) return BY_TYPE_2(type, dot, dotu, h, n, a[0], incx, a[1], incy, a[2]);
          return BY_TYPE_2(type, dot, dotc, h, n, a[0], incx, a[1], incy, a[2]);
        });
  }
  for (const Values& alpha : {numbers(type, 1), Values{0}, Values{1}}) {
    recorder.record(called(type, "axpy", n, incx, incy),
                    {scalar(type, alpha), vector(Role::input, incx), vector(Role::update, incy)},
                    {3, type}, [&](const Addresses& a) {
                      return BY_TYPE(type, axpy, h, n, a[0], a[1], incx, a[2], incy);
                    });
    recorder.record(
        called(type, "scal", n, incx, 0), {scalar(type, alpha), vector(Role::update, incx)},
        {1, type}, [&](const Addresses& a) { return BY_TYPE(type, scal, h, n, a[0], a[1], incx); });
  }
  if (is_complex(type)) {
    recorder.record(called(type, "sscal", n, incx, 0),
                    {scalar(real_of(type), numbers(real_of(type), 1)), vector(Role::update, incx)},
                    {1, type}, [&](const Addresses& a) {
                      return type == Type::c32 ? cublasCsscal(h, n, a[0], a[1], incx)
                                               : cublasZdscal(h, n, a[0], a[1], incx);
                    });
    return;
  }
  recorder.record(called(type, "rot", n, incx, incy),
                  {vector(Role::update, incx), vector(Role::update, incy),
                   scalar(type, numbers(type, 1)), scalar(type, numbers(type, 1))},
                  {3, type, false, 2}, [&](const Addresses& a) {
                    return BY_TYPE_REAL(type, rot, h, n, a[0], incx, a[1], incy, a[2], a[3]);
                  });
  for (const double flag : {-2., -1., 0., 1.}) {
    Values param = numbers(type, 5);
    param[0] = flag;
    recorder.record(called(type, "rotm", n, incx, incy) + " flag=" + std::to_string(flag),
                    {vector(Role::update, incx), vector(Role::update, incy), scalar(type, param)},
                    {3, type, false, 2}, [&](const Addresses& a) {
                      return BY_TYPE_REAL(type, rotm, h, n, a[0], incx, a[1], incy, a[2]);
                    });
  }
}

void special_elements(Recorder& recorder, Type type) {
  const bool wide = real_of(type) == Type::f64;
  const double large = wide ? 1e300 : 1e30;
  const double tiny = wide ? 1e-300 : 1e-30;
  const double subnormal = wide ? 1e-310 : 1e-40;
  for (const int incx : {1, 3}) {
    reductions(recorder, type, "ties", {1, -3, 3, -1, 3, 1, -3}, incx);
    reductions(recorder, type, "one zero", {0}, incx);
    reductions(recorder, type, "zeros", {0, 0, 0}, incx);
    reductions(recorder, type, "large", {large, 2 * large, -large}, incx);
    reductions(recorder, type, "tiny", {tiny, -2 * tiny, tiny, tiny}, incx);
    reductions(recorder, type, "subnormal", {subnormal, 3 * subnormal, -2 * subnormal}, incx);
    reductions(recorder, type, "large and tiny", {large, tiny, 1}, incx);
    reductions(recorder, type, "NaN first", {kNan, 2, -5, 1}, incx);
    reductions(recorder, type, "NaN between", {2, kNan, -5, 1}, incx);
    reductions(recorder, type, "NaN last", {2, -5, 1, kNan}, incx);
    reductions(recorder, type, "all NaN", {kNan, kNan}, incx);
    reductions(recorder, type, "infinity", {2, -kInfinity, kInfinity, 1}, incx);
    reductions(recorder, type, "infinity and NaN", {kNan, -kInfinity, kInfinity, 1}, incx);
  }
  if (is_complex(type)) {
    // |re| + |im| is the same, the modulus is not.
    reductions(recorder, type, "complex ties", {{1, 2}, {3, 0}, {0, -3}, {-2, 1}, {1, 0}}, 1);
    reductions(recorder, type, "moduli against sums", {{3, 3}, {5, 0}, {0, 5.5}, {2, 2}}, 1);
  }
  const cublasHandle_t h = recorder.handle();
  for (const Values& alpha : {Values{0}, Values{1}, Values{2}}) {
    const std::string with = " alpha=" + std::to_string(alpha[0].real());
    recorder.record(called(type, "scal", 4, 1, 0) + " of NaN and infinity" + with,
                    {scalar(type, alpha), {type, Role::update, {1, kNan, kInfinity, 2}}}, {0, type},
                    [&](const Addresses& a) { return BY_TYPE(type, scal, h, 4, a[0], a[1], 1); });
    recorder.record(called(type, "axpy", 4, 1, 1) + " of NaN and infinity" + with,
                    {scalar(type, alpha),
                     {type, Role::input, {1, kNan, kInfinity, 2}},
                     {type, Role::update, {1, 2, 3, 4}}},
                    {0, type}, [&](const Addresses& a) {
                      return BY_TYPE(type, axpy, h, 4, a[0], a[1], 1, a[2], 1);
                    });
  }
  for (const int incx : {0, -1, -2}) {
    reductions(recorder, type, "increment not positive", numbers(type, 5), incx);
    recorder.record(
        called(type, "scal", 5, incx, 0),
        {scalar(type, {2}), {type, Role::update, spread(numbers(type, 5), incx)}}, {1, type},
        [&](const Addresses& a) { return BY_TYPE(type, scal, h, 5, a[0], a[1], incx); });
  }
  for (const int n : {0, -1}) {
    for (const int incx : {1, 0}) {
      const Array x = {type, Role::update, {1}};
      const std::string sizes = " n=" + std::to_string(n) + " incx=" + std::to_string(incx);
      const auto run = [&](const char* name, Type of, const Recorder::Call& call) {
        recorder.record(std::string("cublas") + letter(type) + name + sizes,
                        {x, x, {of, Role::scalar_result, {-7}}}, {0, of}, call);
      };
      run("asum", real_of(type), [&](const Addresses& a) {
        return BY_TYPE_2(type, asum, asum_by_type, h, n, a[0], incx, a[2]);
      });
      run("nrm2", real_of(type), [&](const Addresses& a) {
        return BY_TYPE_2(type, nrm2, nrm2_by_type, h, n, a[0], incx, a[2]);
      });
      run("iamax", Type::i32,
          [&](const Addresses& a) { return BY_TYPE(type, iamax_by_type, h, n, a[0], incx, a[2]); });
      run("iamin", Type::i32,
          [&](const Addresses& a) { return BY_TYPE(type, iamin_by_type, h, n, a[0], incx, a[2]); });
      run("dot", type, [&](const Addresses& a) {
        return BY_TYPE_2(type, dot, dotu, h, n, a[0], incx, a[1], 1, a[2]);
      });
      run("axpy", type,
          [&](const Addresses& a) { return BY_TYPE(type, axpy, h, n, a[2], a[0], incx, a[1], 1); });
      run("scal", type,
          [&](const Addresses& a) { return BY_TYPE(type, scal, h, n, a[2], a[0], incx); });
      run("copy", type,
          [&](const Addresses& a) { return BY_TYPE(type, copy, h, n, a[0], incx, a[1], 1); });
      run("swap", type,
          [&](const Addresses& a) { return BY_TYPE(type, swap, h, n, a[0], incx, a[1], 1); });
    }
  }
}

void rotations(Recorder& recorder, Type type) {
  const cublasHandle_t h = recorder.handle();
  const bool wide = type == Type::f64;
  const double large = wide ? 1e300 : 1e30;
  const double tiny = wide ? 1e-300 : 1e-30;
  const std::vector<std::pair<double, double>> pairs = {
      {0, 0},        {3, 0},    {0, 4},         {-3, 0},        {0, -4},
      {3, 4},        {4, 3},    {-3, 4},        {4, -3},        {-4, -3},
      {2, 2},        {2, -2},   {large, large}, {tiny, -tiny},  {large, tiny},
      {tiny, large}, {kNan, 1}, {1, kNan},      {kInfinity, 1}, {1, kInfinity}};
  for (const auto& [x, y] : pairs) {
    recorder.record(std::string("cublas") + letter(type) + "rotg " + std::to_string(x) + " " +
                        std::to_string(y),
                    {{type, Role::scalar_result, {x}},
                     {type, Role::scalar_result, {y}},
                     {type, Role::scalar_result, {9}},
                     {type, Role::scalar_result, {9}}},
                    {8, type, true}, [&](const Addresses& a) {
                      return BY_TYPE_REAL(type, rotg, h, a[0], a[1], a[2], a[3]);
                    });
  }
  const std::vector<Values> systems = {{1, 1, 3, 4},        {1, 1, 4, 3},         {2, 1, 1, 0},
                                       {0, 2, 3, 1},        {-1, 2, 3, 1},        {2, -1, 3, 1},
                                       {2, -1, 1, 3},       {1e-10, 1, 1, 1e-10}, {1e10, 1, 1, 2},
                                       {1e-12, 1e12, 2, 3}, {1e9, 2e9, 4, 3},     {2, 3, 0, 1},
                                       {2, 3, 0, 0},        {0.5, 0.25, -2, 1},   {kNan, 1, 1, 1}};
  for (std::size_t i = 0; i < systems.size(); ++i) {
    const Values& s = systems[i];
    recorder.record(std::string("cublas") + letter(type) + "rotmg system " + std::to_string(i),
                    {{type, Role::scalar_result, {s[0]}},
                     {type, Role::scalar_result, {s[1]}},
                     {type, Role::scalar_result, {s[2]}},
                     {type, Role::scalar, {s[3]}},
                     {type, Role::scalar_result, {9, 9, 9, 9, 9}}},
                    {16, type, true}, [&](const Addresses& a) {
                      return BY_TYPE_REAL(type, rotmg, h, a[0], a[1], a[2], a[3], a[4]);
                    });
  }
}

}  // namespace

void record_level1(Recorder& recorder) {
  for (const Type type : kAll) {
    for (const int n : {1, 37, 1000}) {
      reductions(recorder, type, "random", numbers(type, static_cast<std::size_t>(n)), 1);
      reductions(recorder, type, "random", numbers(type, static_cast<std::size_t>(n)), 2);
    }
    for (const auto& [incx, incy] :
         {std::pair{1, 1}, std::pair{2, 3}, std::pair{-1, 1}, std::pair{-2, -3}}) {
      for (const int n : {1, 37}) vectors(recorder, type, n, incx, incy);
    }
    special_elements(recorder, type);
  }
  for (const Type type : kReal) rotations(recorder, type);
}

}  // namespace cublas_on_card
