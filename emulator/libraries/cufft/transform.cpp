#include "emulator/libraries/cufft/transform.h"

#include <fftw3.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <vector>

namespace warpsim::cufft {
namespace {

/// FFTW's functions for one type of numbers.
template <class Real>
struct Fftw;

template <>
struct Fftw<float> {
  using Plan = fftwf_plan;
  using Complex = fftwf_complex;
  static constexpr auto kComplex = fftwf_plan_guru64_dft;
  static constexpr auto kFromReal = fftwf_plan_guru64_dft_r2c;
  static constexpr auto kToReal = fftwf_plan_guru64_dft_c2r;
  static constexpr auto kRunComplex = fftwf_execute_dft;
  static constexpr auto kRunFromReal = fftwf_execute_dft_r2c;
  static constexpr auto kRunToReal = fftwf_execute_dft_c2r;
};

template <>
struct Fftw<double> {
  using Plan = fftw_plan;
  using Complex = fftw_complex;
  static constexpr auto kComplex = fftw_plan_guru64_dft;
  static constexpr auto kFromReal = fftw_plan_guru64_dft_r2c;
  static constexpr auto kToReal = fftw_plan_guru64_dft_c2r;
  static constexpr auto kRunComplex = fftw_execute_dft;
  static constexpr auto kRunFromReal = fftw_execute_dft_r2c;
  static constexpr auto kRunToReal = fftw_execute_dft_c2r;
};

/// FFTW's planner is not thread-safe, not even with other plans.
std::mutex& planner() {
  static auto& mutex = *new std::mutex;
  return mutex;
}

/// Planning by estimate reads and writes no array, and takes the same algorithm every time.
constexpr unsigned kFlags = FFTW_ESTIMATE | FFTW_UNALIGNED;

fftw_iodim64 batch_of(const Layout& in, const Layout& out) {
  return {.n = in.batch, .is = in.distance, .os = out.distance};
}

std::vector<fftw_iodim64> dimensions(const Shape& shape, const Layout& in, const Layout& out) {
  std::vector<fftw_iodim64> all;
  for (std::size_t i = 0; i < shape.sizes.size(); ++i) {
    all.push_back({.n = shape.sizes[i], .is = in.strides[i], .os = out.strides[i]});
  }
  return all;
}

}  // namespace

Transform::~Transform() {
  const std::lock_guard lock(planner());
  for (const auto& [key, plan] : plans_) {
    if (plan == nullptr) continue;
    if (is_double(shape_.type)) {
      fftw_destroy_plan(static_cast<fftw_plan>(plan));
    } else {
      fftwf_destroy_plan(static_cast<fftwf_plan>(plan));
    }
  }
}

template <class Real>
void* Transform::plan(bool in_place, std::byte* input, std::byte* output, int direction) {
  using F = Fftw<Real>;
  using Complex = typename F::Complex;
  const std::lock_guard lock(mutex_);
  const auto [known, is_new] =
      plans_.try_emplace({in_place, in_place && input != output, direction}, nullptr);
  if (!is_new) return known->second;
  const Layout in = shape_.input_layout(in_place);
  const Layout out = shape_.output_layout(in_place);
  const std::vector<fftw_iodim64> sizes = dimensions(shape_, in, out);
  const fftw_iodim64 batch = batch_of(in, out);
  const int rank = static_cast<int>(sizes.size());
  const std::lock_guard planning(planner());
  if (!has_complex_input(shape_.type)) {
    known->second = F::kFromReal(rank, sizes.data(), 1, &batch, reinterpret_cast<Real*>(input),
                                 reinterpret_cast<Complex*>(output), kFlags);
  } else if (!has_complex_output(shape_.type)) {
    known->second = F::kToReal(rank, sizes.data(), 1, &batch, reinterpret_cast<Complex*>(input),
                               reinterpret_cast<Real*>(output), kFlags);
  } else {
    known->second = F::kComplex(rank, sizes.data(), 1, &batch, reinterpret_cast<Complex*>(input),
                                reinterpret_cast<Complex*>(output), direction, kFlags);
  }
  return known->second;
}

bool Transform::loses_input(bool in_place) const {
  const auto is_long = [](std::int64_t size) { return size > 1; };
  return !in_place && !has_complex_output(shape_.type) &&
         std::ranges::count_if(shape_.sizes, is_long) > 1;
}

template <class Real>
void Transform::run_as(std::byte* input, std::byte* output, int direction) {
  using F = Fftw<Real>;
  using Complex = typename F::Complex;
  const bool in_place = input == output;
  std::byte* from = input;
  // FFTW uses the input of such a transform as space to work in.
  const bool keeps_input = in_place || has_complex_output(shape_.type);
  void* made = keeps_input ? plan<Real>(in_place, from, output, direction) : nullptr;
  std::vector<std::byte> copy;
  if (made == nullptr) {
    const std::size_t element = has_complex_input(shape_.type) ? sizeof(Complex) : sizeof(Real);
    const auto elements = static_cast<std::size_t>(shape_.input_layout(in_place).extent());
    copy.assign(input, input + elements * element);
    from = copy.data();
    made = plan<Real>(in_place, from, output, direction);
  }
  if (made == nullptr) throw std::bad_alloc();
  auto* const planned = static_cast<typename F::Plan>(made);
  if (!has_complex_input(shape_.type)) {
    F::kRunFromReal(planned, reinterpret_cast<Real*>(from), reinterpret_cast<Complex*>(output));
  } else if (!has_complex_output(shape_.type)) {
    F::kRunToReal(planned, reinterpret_cast<Complex*>(from), reinterpret_cast<Real*>(output));
    if (loses_input(in_place)) {
      shape_.input_layout(in_place).pieces(sizeof(Complex))(
          [&](std::uint64_t offset, std::uint64_t bytes) {
            std::memset(input + offset, 0xff, bytes);
          });
    }
  } else {
    F::kRunComplex(planned, reinterpret_cast<Complex*>(from), reinterpret_cast<Complex*>(output));
  }
}

void Transform::run(std::byte* input, std::byte* output, int direction) {
  if (is_double(shape_.type)) {
    run_as<double>(input, output, direction);
  } else {
    run_as<float>(input, output, direction);
  }
}

}  // namespace warpsim::cufft
