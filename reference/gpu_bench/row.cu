#include "reference/gpu_bench/row.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <stdexcept>
#include <utility>

namespace against {
namespace {

constexpr int kBlock = 256;
constexpr int kBlocks = 2048;

__host__ __device__ unsigned hash(unsigned long long i, unsigned seed) {
  unsigned long long x = i * 0x9e3779b97f4a7c15ull + seed * 0xbf58476d1ce4e5b9ull + seed;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return static_cast<unsigned>((x ^ (x >> 31)) >> 16);
}

template <class T, class Make>
__global__ void fill_all(T* data, std::size_t count, unsigned seed, Make make) {
  const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += step) {
    data[i] = make(hash(i, seed));
  }
}

template <class T>
struct Between {
  float low;
  float width;
  __device__ T operator()(unsigned bits) const {
    return static_cast<T>(low + width * (static_cast<float>(bits >> 8) * 0x1p-24f));
  }
};
struct Below {
  unsigned limit;
  __device__ unsigned operator()(unsigned bits) const { return bits % limit; }
};
struct LowByte {
  __device__ unsigned char operator()(unsigned bits) const { return bits & 0xff; }
};
template <class T>
struct Always {
  T value;
  __device__ T operator()(unsigned) const { return value; }
};

template <class T, class Make>
void fill(void* data, std::size_t bytes, unsigned seed, Make make) {
  fill_all<<<kBlocks, kBlock>>>(static_cast<T*>(data), bytes / sizeof(T), seed, make);
  check(cudaGetLastError(), "filling an input");
}

template <class T, class Make>
Input input_of(std::size_t count, Make make) {
  return {count * sizeof(T), [make](void* data, std::size_t bytes, unsigned seed) {
            fill<T>(data, bytes, seed, make);
          }};
}

// sums[0] += the squares of got - want, sums[1] += those of want.
template <class T>
__global__ void add_squares(const T* got, const T* want, std::size_t count, double* sums) {
  double difference = 0;
  double size = 0;
  const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += step) {
    const auto wanted = static_cast<double>(static_cast<float>(want[i]));
    const double d = static_cast<double>(static_cast<float>(got[i])) - wanted;
    difference += d * d;
    size += wanted * wanted;
  }
  for (int distance = 16; distance > 0; distance /= 2) {
    difference += __shfl_down_sync(0xffffffffu, difference, distance);
    size += __shfl_down_sync(0xffffffffu, size, distance);
  }
  if (threadIdx.x % 32 == 0) {
    atomicAdd(&sums[0], difference);
    atomicAdd(&sums[1], size);
  }
}

template <class T>
double error_of(const void* got, const void* want, std::size_t count) {
  Scratch memory;
  auto* sums = static_cast<double*>(memory.get(2 * sizeof(double)));
  check(cudaMemset(sums, 0, 2 * sizeof(double)), "clearing the norms");
  add_squares<<<kBlocks, kBlock>>>(static_cast<const T*>(got), static_cast<const T*>(want), count,
                                   sums);
  check(cudaGetLastError(), "comparing");
  double host[2];
  check(cudaMemcpy(host, sums, sizeof(host), cudaMemcpyDeviceToHost), "comparing");
  return std::sqrt(host[0] / host[1]);
}

__global__ void count_different(const unsigned char* got, const unsigned char* want,
                                std::size_t bytes, unsigned long long* different) {
  unsigned long long mine = 0;
  const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < bytes; i += step) {
    mine += got[i] != want[i];
  }
  if (mine > 0) atomicAdd(different, mine);
}

}  // namespace

Registration::Registration(std::string lab, std::function<std::vector<Row>()> rows) {
  registered_labs().push_back({std::move(lab), std::move(rows)});
}

std::vector<Lab>& registered_labs() {
  static std::vector<Lab> labs;
  return labs;
}

void check(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(status));
}

Input uniform_floats(std::size_t count) {
  return input_of<float>(count, Between<float>{-1, 2});
}
Input uniform_halves(std::size_t count) {
  return input_of<__half>(count, Between<__half>{-1, 2});
}
Input uniform_bfloats(std::size_t count) {
  return input_of<__nv_bfloat16>(count, Between<__nv_bfloat16>{-1, 2});
}
Input positive_floats(std::size_t count) {
  return input_of<float>(count, Between<float>{0, 1});
}
Input uniform_words(std::size_t count, unsigned limit) {
  return input_of<unsigned>(count, Below{limit});
}
Input uniform_bytes(std::size_t count) {
  return input_of<unsigned char>(count, LowByte{});
}
Input fixed_ints(std::vector<int> values) {
  const auto kept = std::make_shared<const std::vector<int>>(std::move(values));
  return {kept->size() * sizeof(int), [kept](void* data, std::size_t bytes, unsigned) {
            check(cudaMemcpy(data, kept->data(), bytes, cudaMemcpyHostToDevice),
                  "copying an input");
          }};
}
Input constant_words(std::size_t count, unsigned limit) {
  return {count * sizeof(unsigned), [limit](void* data, std::size_t bytes, unsigned seed) {
            fill<unsigned>(data, bytes, seed, Always<unsigned>{hash(1, seed) % limit});
          }};
}
Input constant_bytes(std::size_t count) {
  return {count, [](void* data, std::size_t bytes, unsigned seed) {
            const auto value = static_cast<unsigned char>(hash(1, seed));
            fill<unsigned char>(data, bytes, seed, Always<unsigned char>{value});
          }};
}

double relative_error(const void* got, const void* want, std::size_t count) {
  return error_of<float>(got, want, count);
}
double relative_error_of_halves(const void* got, const void* want, std::size_t count) {
  return error_of<__half>(got, want, count);
}
double relative_error_of_bfloats(const void* got, const void* want, std::size_t count) {
  return error_of<__nv_bfloat16>(got, want, count);
}

double different_bytes(const void* got, const void* want, std::size_t bytes) {
  Scratch memory;
  auto* different = static_cast<unsigned long long*>(memory.get(sizeof(unsigned long long)));
  check(cudaMemset(different, 0, sizeof(*different)), "clearing the count");
  count_different<<<kBlocks, kBlock>>>(static_cast<const unsigned char*>(got),
                                       static_cast<const unsigned char*>(want), bytes, different);
  check(cudaGetLastError(), "comparing");
  unsigned long long host = 0;
  check(cudaMemcpy(&host, different, sizeof(host), cudaMemcpyDeviceToHost), "comparing");
  return static_cast<double>(host);
}

void* Scratch::get(std::size_t bytes) {
  if (bytes > bytes_) {
    check(cudaFree(data_), "freeing scratch memory");
    data_ = nullptr;
    check(cudaMalloc(&data_, bytes), "allocating scratch memory");
    bytes_ = bytes;
  }
  return data_;
}

Scratch::~Scratch() {
  cudaFree(data_);
}

}  // namespace against
