#include <cuda_runtime.h>
#include <cufft.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include "emulator/libraries/tests/cufft_on_card/statuses.h"
#include "emulator/libraries/tests/device_array.h"

// Calls of cuFFT with fixed inputs, each with a line on standard output: its name, what becomes of
// the input, the status, the results, and a bound for each. The same program runs on a GPU and
// under warpsim; scripts/gpu_libraries holds one output against the other.

namespace {

struct Side {
  std::vector<int> embed;
  int stride = 1, distance = 0;
};

struct Case {
  cufftType type;
  std::vector<int> sizes;
  int batch = 1;
  bool in_place = false;
  int direction = CUFFT_FORWARD;
  Side in = {}, out = {};  // without sizes: the basic layout

  [[nodiscard]] bool is_double() const {
    return type == CUFFT_Z2Z || type == CUFFT_D2Z || type == CUFFT_Z2D;
  }
  [[nodiscard]] bool from_real() const { return type == CUFFT_R2C || type == CUFFT_D2Z; }
  [[nodiscard]] bool to_real() const { return type == CUFFT_C2R || type == CUFFT_Z2D; }
  [[nodiscard]] long elements() const {
    long all = batch;
    for (const int size : sizes) all *= size;
    return all;
  }
};

/// The places of one side's elements, in elements of that side. @param is_real  of this side
std::vector<std::size_t> places(const Case& c, const Side& side, bool is_real) {
  std::vector<int> counts = c.sizes;
  if ((c.from_real() || c.to_real()) && !is_real) counts.back() = counts.back() / 2 + 1;
  std::vector<int> embed = side.embed.empty() ? counts : side.embed;
  if (side.embed.empty() && is_real && c.in_place) embed.back() = 2 * (embed.back() / 2 + 1);
  std::vector<std::size_t> all = {0};
  auto stride = static_cast<std::size_t>(side.embed.empty() ? 1 : side.stride);
  const auto add = [&](int count, std::size_t step) {
    std::vector<std::size_t> more;
    for (int i = 0; i < count; ++i) {
      for (const std::size_t place : all)
        more.push_back(place + static_cast<std::size_t>(i) * step);
    }
    all = more;
  };
  for (std::size_t d = counts.size(); d-- > 0;) {
    add(counts[d], stride);
    stride *= static_cast<std::size_t>(embed[d]);
  }
  add(c.batch, side.embed.empty() ? stride : static_cast<std::size_t>(side.distance));
  return all;
}

double random_number() {
  static std::uint64_t state = 1;
  state = state * 6364136223846793005U + 1442695040888963407U;
  return static_cast<double>(state >> 40) / (1 << 23) - 1;
}

int execute(cufftHandle plan, const Case& c, void* from, void* to) {
  switch (c.type) {
    case CUFFT_C2C:
      return cufftExecC2C(plan, static_cast<cufftComplex*>(from), static_cast<cufftComplex*>(to),
                          c.direction);
    case CUFFT_Z2Z:
      return cufftExecZ2Z(plan, static_cast<cufftDoubleComplex*>(from),
                          static_cast<cufftDoubleComplex*>(to), c.direction);
    case CUFFT_R2C:
      return cufftExecR2C(plan, static_cast<float*>(from), static_cast<cufftComplex*>(to));
    case CUFFT_D2Z:
      return cufftExecD2Z(plan, static_cast<double*>(from), static_cast<cufftDoubleComplex*>(to));
    case CUFFT_C2R:
      return cufftExecC2R(plan, static_cast<cufftComplex*>(from), static_cast<float*>(to));
    default:
      return cufftExecZ2D(plan, static_cast<cufftDoubleComplex*>(from), static_cast<double*>(to));
  }
}

int make(cufftHandle* plan, Case c) {
  const bool basic = c.in.embed.empty();
  return cufftPlanMany(plan, static_cast<int>(c.sizes.size()), c.sizes.data(),
                       basic ? nullptr : c.in.embed.data(), c.in.stride, c.in.distance,
                       basic ? nullptr : c.out.embed.data(), c.out.stride, c.out.distance, c.type,
                       c.batch);
}

/// A spectrum that real numbers have: that of random ones.
template <class Real>
void fill_spectrum(const Case& c, DeviceArray<Real>& to) {
  Case back = c;
  back.type = c.is_double() ? CUFFT_D2Z : CUFFT_R2C;
  back.in_place = false;
  std::vector<Real> reals(static_cast<std::size_t>(c.elements()));
  for (Real& value : reals) value = static_cast<Real>(random_number());
  const DeviceArray<Real> from(reals);
  cufftHandle plan = CUFFT_PLAN_NULL;
  make(&plan, back);
  execute(plan, back, from.get(), to.get());
  cufftDestroy(plan);
}

std::string name_of(const Case& c) {
  static const std::map<cufftType, const char*> types = {{CUFFT_C2C, "C2C"}, {CUFFT_R2C, "R2C"},
                                                         {CUFFT_C2R, "C2R"}, {CUFFT_Z2Z, "Z2Z"},
                                                         {CUFFT_D2Z, "D2Z"}, {CUFFT_Z2D, "Z2D"}};
  std::string name = types.at(c.type);
  for (const int size : c.sizes) name += " " + std::to_string(size);
  name += ", batch " + std::to_string(c.batch);
  if (c.direction == CUFFT_INVERSE) name += ", inverse";
  if (c.in_place) name += ", in place";
  for (const Side* side : {&c.in, &c.out}) {
    if (side->embed.empty()) continue;
    name += ", strides " + std::to_string(side->stride) + " " + std::to_string(side->distance);
  }
  return name;
}

template <class Real>
void record(const Case& c) {
  const auto words = [](const std::vector<std::size_t>& elements, bool is_real) {
    return (*std::ranges::max_element(elements) + 1) * (is_real ? 1 : 2);
  };
  const std::vector<std::size_t> in = places(c, c.in, c.from_real());
  const std::vector<std::size_t> out = places(c, c.out, c.to_real());
  const std::size_t in_words = words(in, c.from_real()), out_words = words(out, c.to_real());
  std::vector<Real> input(c.in_place ? std::max(in_words, out_words) : in_words);
  for (Real& value : input) value = static_cast<Real>(random_number());
  DeviceArray<Real> from(input), other(std::vector<Real>(out_words, 0));
  if (c.to_real() && c.in.embed.empty()) {
    fill_spectrum(c, from);
    input = from.values();
  }
  const DeviceArray<Real>& to = c.in_place ? from : other;
  cufftHandle plan = CUFFT_PLAN_NULL;
  int status = make(&plan, c);
  if (status == CUFFT_SUCCESS) status = execute(plan, c, from.get(), to.get());
  const int error = cudaDeviceSynchronize();
  const std::vector<Real> after = from.values(), output = to.values();
  const bool is_lost = !c.in_place && after != input;
  std::printf("%s|%s|%d %d|", name_of(c).c_str(), is_lost ? "input is lost" : "", status, error);
  double squares = 0, count = 0;
  // Of long results every n-th element, 2048 in all.
  const std::size_t step = (out.size() + 2047) / 2048;
  for (std::size_t element = 0; element < out.size(); element += step) {
    const std::size_t place = out[element];
    for (std::size_t i = 0; i < (c.to_real() ? 1 : 2); ++i) {
      const auto value = static_cast<double>(output[place * (c.to_real() ? 1 : 2) + i]);
      std::printf("%a ", value);
      squares += value * value;
      ++count;
    }
  }
  const double roundoff = c.is_double() ? 0x1p-53 : 0x1p-24;
  const double operations = 2 + std::log2(static_cast<double>(c.elements()) / c.batch);
  std::printf("|%g\n", 8 * operations * roundoff * std::sqrt(squares / count));
  cufftDestroy(plan);
}

std::vector<Case> cases() {
  const std::vector<std::vector<int>> shapes = {
      {1},     {2},        {3},       {4},       {5},          {7},          {8},       {12},
      {16},    {17},       {30},      {64},      {97},         {100},        {127},     {128},
      {243},   {256},      {1000},    {1021},    {1024},       {1331},       {4096},    {10007},
      {65536}, {4, 4},     {3, 5},    {16, 8},   {17, 19},     {64, 64},     {100, 36}, {1, 16},
      {16, 1}, {128, 256}, {4, 4, 4}, {3, 5, 7}, {16, 16, 16}, {32, 12, 10}, {1, 4, 1}};
  // Elements 2 apart, columns, padded rows in two and three dimensions, and other places for the
  // output.
  const std::vector<Case> embedded = {
      {.type = CUFFT_C2C, .sizes = {12}, .batch = 4, .in = {{12}, 2, 30}, .out = {{12}, 2, 30}},
      {.type = CUFFT_C2C, .sizes = {16}, .batch = 8, .in = {{16}, 8, 1}, .out = {{16}, 8, 1}},
      {.type = CUFFT_C2C,
       .sizes = {6, 10},
       .batch = 3,
       .in = {{6, 14}, 1, 100},
       .out = {{6, 14}, 1, 100}},
      {.type = CUFFT_C2C,
       .sizes = {4, 6, 8},
       .batch = 2,
       .in = {{5, 7, 10}, 2, 720},
       .out = {{5, 7, 10}, 2, 720}},
      {.type = CUFFT_C2C, .sizes = {20}, .batch = 5, .in = {{20}, 1, 24}, .out = {{20}, 3, 70}}};
  std::vector<Case> all;
  const auto add = [&](Case c) {
    const bool is_complex = c.type == CUFFT_C2C || c.type == CUFFT_Z2Z;
    // Rows of real numbers would overlap those of the complex ones.
    if (c.in_place && !c.in.embed.empty() && (!is_complex || c.in.stride != c.out.stride)) return;
    if (c.elements() > 8192 && (c.batch > 1 || c.in_place)) return;
    all.push_back(c);
    c.direction = CUFFT_INVERSE;
    if (is_complex) all.push_back(c);
  };
  for (const cufftType type : {CUFFT_C2C, CUFFT_R2C, CUFFT_C2R, CUFFT_Z2Z, CUFFT_D2Z, CUFFT_Z2D}) {
    for (const bool in_place : {false, true}) {
      for (const auto& sizes : shapes) {
        for (const int batch : {1, 3}) {
          add({.type = type, .sizes = sizes, .batch = batch, .in_place = in_place});
        }
      }
      for (Case c : embedded) {
        c.type = type;
        c.in_place = in_place;
        add(c);
      }
    }
  }
  return all;
}

}  // namespace

int main() {
  for (const Case& c : cases()) {
    if (c.is_double()) {
      record<double>(c);
    } else {
      record<float>(c);
    }
  }
  cufft_on_card::record_statuses();
}
