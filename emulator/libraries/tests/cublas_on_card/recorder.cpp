#include "emulator/libraries/tests/cublas_on_card/recorder.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace cublas_on_card {
namespace {

void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "cublas_on_card: %s\n", cudaGetErrorString(error));
  std::exit(1);
}

std::size_t bytes_of(Type type) {
  switch (type) {
    case Type::f64:
    case Type::c32:
      return 8;
    case Type::c64:
      return 16;
    case Type::f16:
    case Type::bf16:
      return 2;
    default:
      return 4;
  }
}

/// Half the distance from 1 to the next number.
double unit_roundoff(Type type) {
  switch (type) {
    case Type::f32:
    case Type::c32:
      return 0x1p-24;
    case Type::f16:
      return 0x1p-11;
    case Type::bf16:
      return 0x1p-8;
    default:
      return 0x1p-53;
  }
}

template <class T>
void put(std::byte* at, T value) {
  std::memcpy(at, &value, sizeof value);
}
template <class T>
T get(const std::byte* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

std::vector<std::byte> encode(Type type, const Values& values) {
  std::vector<std::byte> bytes(values.size() * bytes_of(type));
  for (std::size_t i = 0; i < values.size(); ++i) {
    std::byte* const at = bytes.data() + i * bytes_of(type);
    const std::complex<double> value = values[i];
    switch (type) {
      case Type::f32:
        put(at, static_cast<float>(value.real()));
        break;
      case Type::f64:
        put(at, value.real());
        break;
      case Type::c32:
        put(at, std::complex<float>(value));
        break;
      case Type::c64:
        put(at, value);
        break;
      case Type::f16:
        put(at, __double2half(value.real()));
        break;
      case Type::bf16:
        put(at, __double2bfloat16(value.real()));
        break;
      case Type::i32:
        put(at, static_cast<int>(value.real()));
        break;
    }
  }
  return bytes;
}

Values decode(Type type, const std::vector<std::byte>& bytes) {
  Values values(bytes.size() / bytes_of(type));
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::byte* const at = bytes.data() + i * bytes_of(type);
    switch (type) {
      case Type::f32:
        values[i] = static_cast<double>(get<float>(at));
        break;
      case Type::f64:
        values[i] = get<double>(at);
        break;
      case Type::c32:
        values[i] = std::complex<double>(get<std::complex<float>>(at));
        break;
      case Type::c64:
        values[i] = get<std::complex<double>>(at);
        break;
      case Type::f16:
        values[i] = static_cast<double>(__half2float(get<__half>(at)));
        break;
      case Type::bf16:
        values[i] = static_cast<double>(__bfloat162float(get<__nv_bfloat16>(at)));
        break;
      case Type::i32:
        values[i] = get<int>(at);
        break;
    }
  }
  return values;
}

/// The same call with the moduli of all numbers gives the sums of moduli that bounds are relative
/// to. In a system of equations the elements beside the diagonal are negative, so that its inverse
/// has no negative element.
std::vector<Array> moduli_of(std::vector<Array> arrays) {
  for (Array& array : arrays) {
    for (auto& value : array.values) {
      const bool beside = array.solved && std::abs(value) < 0.9;
      value = beside ? -std::abs(value) : std::abs(value);
    }
  }
  return arrays;
}

bool has_results(Role role) {
  return role != Role::input && role != Role::scalar;
}

std::uint64_t next_random() {
  static std::uint64_t state = 0x9E3779B97F4A7C15;
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state;
}

double number(Type type) {
  const double value = static_cast<double>(next_random() >> 11) * 0x1p-52 - 1;
  const auto bytes = encode(real_of(type), {value});
  return decode(real_of(type), bytes)[0].real();
}

}  // namespace

bool is_complex(Type type) {
  return type == Type::c32 || type == Type::c64;
}

Type real_of(Type type) {
  if (type == Type::c32) return Type::f32;
  return type == Type::c64 ? Type::f64 : type;
}

char letter(Type type) {
  return "SDCZHB"[static_cast<int>(type)];
}

Values numbers(Type type, std::size_t count) {
  Values values(count);
  for (auto& value : values) {
    const double real = number(type);
    value = {real, is_complex(type) ? number(type) : 0};
  }
  return values;
}

Values spread(const Values& elements, int increment) {
  const std::size_t step = static_cast<std::size_t>(std::max(1, std::abs(increment)));
  if (elements.empty()) return {};
  Values values((elements.size() - 1) * step + 1, kNan);
  for (std::size_t i = 0; i < elements.size(); ++i) values[i * step] = elements[i];
  return values;
}

Values matrix(Type type, int rows, int columns, int leading) {
  Values values(static_cast<std::size_t>(leading) * columns, kNan);
  for (int column = 0; column < columns; ++column) {
    for (int row = 0; row < rows; ++row) {
      values[static_cast<std::size_t>(column) * leading + row] = numbers(type, 1)[0];
    }
  }
  return values;
}

Values triangle(Type type, int n, int leading, bool upper, bool unit) {
  Values values = matrix(type, n, n, leading);
  for (int column = 0; column < n; ++column) {
    for (int row = 0; row < n; ++row) {
      const bool outside = upper ? row > column : row < column;
      if (outside || (unit && row == column)) {
        values[static_cast<std::size_t>(column) * leading + row] = kNan;
      }
    }
  }
  return values;
}

Values banded(const Values& full, int rows, int columns, int from, int below, int above,
              int leading) {
  Values values(static_cast<std::size_t>(leading) * columns, kNan);
  for (int column = 0; column < columns; ++column) {
    for (int row = std::max(0, column - above); row <= std::min(rows - 1, column + below); ++row) {
      values[static_cast<std::size_t>(column) * leading + above + row - column] =
          full[static_cast<std::size_t>(column) * from + row];
    }
  }
  return values;
}

Values packed(const Values& full, int n, int leading, bool upper) {
  Values values;
  for (int column = 0; column < n; ++column) {
    for (int row = upper ? 0 : column; row < (upper ? column + 1 : n); ++row) {
      values.push_back(full[static_cast<std::size_t>(column) * leading + row]);
    }
  }
  return values;
}

Values well_conditioned(Values values, Type type, int n, int leading) {
  for (int column = 0; column < n; ++column) {
    for (int row = 0; row < n; ++row) {
      auto& value = values[static_cast<std::size_t>(column) * leading + row];
      value = row == column ? value + std::complex<double>(value.real() < 0 ? -1 : 1)
                            : value / (4.0 * n);
      value = decode(type, encode(type, {value}))[0];
    }
  }
  return values;
}

Recorder::Recorder() {
  cudaDeviceProp properties;
  check(cudaGetDeviceProperties(&properties, 0));
  int version = 0;
  if (cublasCreate(&handle_) != CUBLAS_STATUS_SUCCESS) std::exit(1);
  cublasGetVersion(handle_, &version);
  std::printf("# %s, cuBLAS %d\n", properties.name, version);
}

Recorder::~Recorder() {
  cublasDestroy(handle_);
}

void Recorder::status(const std::string& name, cublasStatus_t status) {
  std::printf("%s|-|%d||\n", name.c_str(), static_cast<int>(status));
  std::fflush(stdout);
}

Recorder::Outcome Recorder::run(const std::vector<Array>& arrays, const Call& call) {
  cublasPointerMode_t mode;
  cublasGetPointerMode(handle_, &mode);
  std::vector<std::vector<std::byte>> host;
  Addresses addresses;
  const auto on_host = [&](const Array& array) {
    return mode == CUBLAS_POINTER_MODE_HOST &&
           (array.role == Role::scalar || array.role == Role::scalar_result);
  };
  for (const Array& array : arrays) host.push_back(encode(array.type, array.values));
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    void* at = host[i].data();
    if (!on_host(arrays[i])) {
      check(cudaMalloc(&at, std::max<std::size_t>(host[i].size(), 1)));
      if (arrays[i].role != Role::result && !host[i].empty()) {
        check(cudaMemcpy(at, host[i].data(), host[i].size(), cudaMemcpyHostToDevice));
      }
    }
    addresses.push_back({at});
  }
  Outcome outcome;
  outcome.status = call(addresses);
  check(cudaDeviceSynchronize());
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    const Array& array = arrays[i];
    const bool refused = outcome.status != CUBLAS_STATUS_SUCCESS;
    if (has_results(array.role) && !(refused && array.role == Role::result)) {
      if (!on_host(array) && !host[i].empty()) {
        check(cudaMemcpy(host[i].data(), addresses[i].at, host[i].size(), cudaMemcpyDeviceToHost));
      }
      const Values values = decode(array.type, host[i]);
      outcome.results.insert(outcome.results.end(), values.begin(), values.end());
    }
    if (!on_host(array)) check(cudaFree(addresses[i].at));
  }
  return outcome;
}

void Recorder::record(const std::string& name, const std::vector<Array>& arrays, const Bound& bound,
                      const Call& call) {
  const double u = unit_roundoff(bound.type);
  // Each of two results differs from the exact one by gamma of its operations. The error of a
  // product of complex numbers is sqrt(8) u at most.
  const double gamma = bound.operations * u / (1 - bound.operations * u);
  const double factor = 2 * gamma * (is_complex(bound.type) ? std::sqrt(8.0) : 1);
  // The first scalar is alpha.
  const auto alpha = std::ranges::find(arrays, Role::scalar, &Array::role);
  const char* const zero = alpha != arrays.end() && alpha->values[0] == 0. ? ", alpha is 0" : "";
  bool solved = false;
  for (const Array& array : arrays) solved = solved || array.solved;
  for (const auto mode : {CUBLAS_POINTER_MODE_HOST, CUBLAS_POINTER_MODE_DEVICE}) {
    cublasSetPointerMode(handle_, mode);
    const Outcome outcome = run(arrays, call);
    Values moduli = outcome.results;
    if (bound.modulus != 0) {
      std::fill(moduli.begin(), moduli.end(), bound.modulus);
    } else if (bound.operations != 0 && !bound.relative) {
      moduli = run(moduli_of(arrays), call).results;
    }
    if (solved) {
      // The diagonal is at least twice the sum beside it, so |T^-1| |T| has norm 3 at most.
      double largest = 0;
      for (const auto& value : moduli) {
        if (!std::isnan(std::abs(value))) largest = std::max(largest, std::abs(value));
      }
      std::fill(moduli.begin(), moduli.end(), 3 * largest);
    }
    std::printf("%s%s|%s|%d|", name.c_str(), zero,
                mode == CUBLAS_POINTER_MODE_HOST ? "host" : "device",
                static_cast<int>(outcome.status));
    for (const auto& value : outcome.results) {
      std::printf("%a ", value.real());
      if (is_complex(bound.type)) std::printf("%a ", value.imag());
    }
    std::printf("|");
    for (const auto& modulus : moduli) {
      const double distance = bound.operations == 0 ? 0 : factor * std::abs(modulus);
      std::printf("%.3g ", distance);
      if (is_complex(bound.type)) std::printf("%.3g ", distance);
    }
    std::printf("\n");
    std::fflush(stdout);
  }
  cublasSetPointerMode(handle_, CUBLAS_POINTER_MODE_HOST);
}

}  // namespace cublas_on_card
