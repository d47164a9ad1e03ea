#include <algorithm>
#include <numeric>

#include "emulator/tests/differential/kernel.h"
#include "emulator/tests/differential/map.h"

// Where data lives: local arrays, constant and device variables, shared memory, vectors, structs.

namespace differential {
namespace {

using S = std::int32_t;
using U = std::uint32_t;

// Local memory ------------------------------------------------------------------------------------

template <class T>
struct DynamicLocalIndex {
  __host__ __device__ T operator()(T x) const {
    T values[16];
    for (int i = 0; i < 16; ++i) values[i] = T(T(i * 3) ^ x);
    T sum = 0;
    for (int i = 0; i < 16; ++i) sum = T(sum * 5 + values[(std::uint64_t(x) + i * 7u) % 16]);
    return sum;
  }
};

struct LocalMatrix {
  __host__ __device__ U operator()(U x) const {
    U a[4][5];
    for (U i = 0; i < 4; ++i) {
      for (U j = 0; j < 5; ++j) a[i][j] = x * i + j;
    }
    a[x % 4][x / 4 % 5] = 77;
    return a[(x + 1) % 4][x % 5] * 3 + a[x % 4][x / 4 % 5];
  }
};

struct LocalBytes {
  __host__ __device__ U operator()(U x) const {
    std::uint8_t bytes[64] = {};
    bytes[x % 64] = std::uint8_t(x);
    bytes[(x + 13) % 64] = 9;
    U sum = 0;
    for (int i = 0; i < 64; ++i) sum = sum * 3 + bytes[i];
    return sum;
  }
};

struct PointerIntoLocal {
  __host__ __device__ U operator()(U x) const {
    U values[8];
    U* end = values;
    for (U i = 0; i < 8; ++i) *end++ = x >> i;
    U* at = values + x % 8;
    *at ^= 0xabc;
    return std::uint32_t(end - at) * 1000 + values[(x + 7) % 8] % 1000;
  }
};

// Bits --------------------------------------------------------------------------------------------

union Word {
  U word;
  std::uint8_t bytes[4];
  std::uint16_t halves[2];
};

struct UnionBytes {
  __host__ __device__ U operator()(U x) const {
    Word w;
    w.word = x;
    const std::uint8_t first = w.bytes[x % 4];
    w.halves[1] = std::uint16_t(w.halves[0] + first);
    w.bytes[0] = w.bytes[3];
    return w.word;
  }
};

struct Fields {
  U low : 5;
  U middle : 13;
  S high : 14;
};

struct BitFields {
  __host__ __device__ U operator()(U x) const {
    Fields f;
    f.low = x;
    f.middle = x >> 3;
    f.high = S(x);
    f.low += f.middle;
    return f.low * 7 + f.middle * 3 + U(f.high);
  }
};

struct UnalignedByBytes {
  __host__ __device__ U operator()(std::uint64_t x) const {
    std::uint8_t bytes[8];
    memcpy(bytes, &x, 8);
    U out;
    memcpy(&out, bytes + x % 5, 4);
    return out;
  }
};

// Vectors and structs in global memory ------------------------------------------------------------

template <class V>
__global__ void reverse_vectors(V* out, const V* in, int n) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) out[n - 1 - i] = in[i];
}

template <class V>
V make_vector(unsigned seed) {
  unsigned char bytes[sizeof(V)];
  for (unsigned i = 0; i < sizeof(V); ++i) bytes[i] = static_cast<unsigned char>(seed * 31 + i * 7);
  V out;
  std::memcpy(&out, bytes, sizeof(V));
  return out;
}

template <class V>
void add_vector_copy(Suite& suite, const char* name) {
  std::vector<V> in(77);
  for (unsigned i = 0; i < in.size(); ++i) in[i] = make_vector<V>(i);
  add_kernel(suite, std::string("copy of ") + name, reverse_vectors<V>, {.grid = 3, .block = 32},
             in, in.size(), [](const std::vector<V>& from, std::vector<V>& out) {
               out.assign(from.rbegin(), from.rend());
             });
}

struct Mixed {
  std::int8_t a;
  double b;
  std::int16_t c;
  float d;
  std::int8_t e;
};

__global__ void scale_mixed(Mixed* out, const Mixed* in, int n) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  // Member by member: the padding stays as it was.
  out[i].a = std::int8_t(in[i].a + 1);
  out[i].b = in[i].b * 2;
  out[i].c = std::int16_t(-in[i].c);
  out[i].d = in[i].d - 0.5f;
  out[i].e = in[i].a;
}

__global__ void components(float* out, const float4* in, int n) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  const float4 v = in[i];
  out[i] = v.x * 1 + v.y * 2 + v.z * 3 + v.w * 4;
}

// Constant and device variables -------------------------------------------------------------------

__constant__ S constant_table[8] = {3, -1, 4, -1, 5, -9, 2, -6};
__constant__ double constant_scalar = 2.75;
__constant__ Mixed constant_struct = {-3, 1.25, 300, 0.5f, 7};
__device__ S device_table[2][3] = {{1, 2, 3}, {-4, -5, -6}};
__device__ U device_counter = 40;
__device__ float uninitialised_table[256];
__device__ S* device_pointer = &device_table[1][1];
__device__ const char device_text[] = "warp";
__device__ const char* device_words[3] = {"one", "three", "eleven"};

__global__ void read_constants(double* out, const S* in, int n) {
  const int i = int(threadIdx.x);
  if (i < n) {
    out[i] = constant_table[in[i] & 7] * constant_scalar + constant_struct.b + constant_struct.c +
             constant_struct.a;
  }
}

__global__ void read_device_variables(S* out, const S* in, int n) {
  const int i = int(threadIdx.x);
  if (i >= n) return;
  const S* row = device_table[in[i] & 1];
  out[i] = row[U(in[i]) % 3] * 10 + *device_pointer;
}

__global__ void read_strings(U* out, const U* in, int n) {
  const int i = int(threadIdx.x);
  if (i >= n) return;
  const char* word = device_words[in[i] % 3];
  U length = 0;
  while (word[length] != 0) ++length;
  out[i] = length * 256 + U(device_text[in[i] % 5]);
}

__global__ void count_up(U* out, const U*, int) {
  out[threadIdx.x] = device_counter;
  __syncthreads();
  if (threadIdx.x == 0) device_counter += blockDim.x;
}

__global__ void through_device_array(float* out, const float* in, int n) {
  const int i = int(threadIdx.x);
  uninitialised_table[i] = i < n ? in[i] : 0.0f;
  __syncthreads();
  if (i < n) out[i] = uninitialised_table[n - 1 - i];
}

// Shared memory -----------------------------------------------------------------------------------

template <class T>
__global__ void reverse_block(T* out, const T* in, int n) {
  __shared__ T tile[64];
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) tile[threadIdx.x] = in[i];
  __syncthreads();
  const int first = int(blockIdx.x * blockDim.x);
  const int last = first + int(blockDim.x) < n ? int(blockDim.x) - 1 : n - first - 1;
  if (i < n) out[i] = tile[last - int(threadIdx.x)];
}

template <class T>
void add_reverse(Suite& suite) {
  std::vector<T> in = random_values<T>(64 * 4 + 19);
  add_kernel(
      suite, std::string("shared reverse of ") + describe<T>()->name, reverse_block<T>,
      {.grid = 5, .block = 64}, in, in.size(), [](const std::vector<T>& from, std::vector<T>& out) {
        out = from;
        for (std::size_t at = 0; at < out.size(); at += 64) {
          std::reverse(out.begin() + long(at), out.begin() + long(std::min(at + 64, out.size())));
        }
      });
}

__global__ void two_shared_arrays(U* out, const U* in, int) {
  __shared__ U sums[32];
  __shared__ std::uint8_t marks[33];
  __shared__ double weights[32];
  const unsigned i = threadIdx.x;
  sums[i] = in[i];
  marks[32 - i] = std::uint8_t(in[i] >> 3);
  if (i == 0) marks[0] = 200;
  weights[i] = 0.5 * i;
  __syncthreads();
  out[i] = sums[31 - i] + marks[i] * 1000 + U(weights[(i + 5) % 32] * 4);
}

__global__ void dynamic_shared(U* out, const U* in, int n) {
  extern __shared__ U buffer[];
  // Two arrays in one dynamic buffer, as every textbook does it.
  U* keys = buffer;
  std::uint16_t* marks = reinterpret_cast<std::uint16_t*>(buffer + n);
  const int i = int(threadIdx.x);
  if (i < n) keys[n - 1 - i] = in[i];
  if (i < n) marks[i] = std::uint16_t(in[i] % 1000);
  __syncthreads();
  if (i < n) out[i] = keys[i] + marks[(i + 1) % n];
}

__global__ void shared_struct(float* out, const float* in, int) {
  struct Particle {
    float3 position;
    float mass;
  };
  __shared__ Particle particles[32];
  const unsigned i = threadIdx.x;
  particles[i] = {{in[i], in[i] + 1, in[i] + 2}, float(i)};
  __syncthreads();
  const Particle p = particles[i ^ 7];
  out[i] = p.position.x + p.position.y * p.mass - p.position.z;
}

__global__ void transpose_in_shared(U* out, const U* in, int) {
  __shared__ U tile[32][33];
  tile[threadIdx.y][threadIdx.x] = in[threadIdx.y * 32 + threadIdx.x];
  __syncthreads();
  out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}

/// A pointer that is shared in one half of the warp and global in the other.
__global__ void generic_pointer(U* out, const U* in, int) {
  __shared__ U tile[32];
  const unsigned i = threadIdx.x;
  tile[i] = in[i] * 2;
  __syncthreads();
  const U* from = i % 2 == 0 ? tile : in;
  out[i] = from[31 - i];
}

__global__ void generic_local_pointer(U* out, const U* in, int) {
  U mine[4] = {in[threadIdx.x], 5, 6, 7};
  U* from = threadIdx.x % 3 == 0 ? out + threadIdx.x : mine;
  *from += 1;
  out[threadIdx.x] = *from + mine[in[threadIdx.x] % 4];
}

/// Loads through the read-only path and with cache hints.
__global__ void cached_loads(U* out, const U* in, int n) {
  const int i = int(threadIdx.x);
  if (i >= n) return;
  out[i] = __ldg(in + i) + __ldcg(in + i) * 3 + __ldcs(in + i) * 5 + __ldca(in + i) * 7 +
           __ldcv(in + i) * 11;
}

__global__ void cached_stores(U* out, const U* in, int) {
  const unsigned i = threadIdx.x;
  __stcg(out + 4 * i, in[i]);
  __stcs(out + 4 * i + 1, in[i] + 1);
  __stwb(out + 4 * i + 2, in[i] + 2);
  __stwt(out + 4 * i + 3, in[i] + 3);
}

__global__ void volatile_and_fences(U* out, const U* in, int) {
  __shared__ volatile U cell[32];
  const unsigned i = threadIdx.x;
  cell[i] = in[i];
  __threadfence_block();
  __syncwarp();
  volatile U* slot = out + i;
  *slot = cell[i ^ 1];
  __threadfence();
  *slot = *slot + 1;
  __threadfence_system();
}

/// The heap and memory functions of the device.
__global__ void device_heap(U* out, const U* in, int) {
  const unsigned i = threadIdx.x;
  U* block = static_cast<U*>(malloc(4 * sizeof(U)));
  if (block == nullptr) return;
  memset(block, 0, 4 * sizeof(U));
  block[in[i] % 4] = in[i];
  U copy[4];
  memcpy(copy, block, sizeof copy);
  free(block);
  out[i] = copy[0] + 3 * copy[1] + 5 * copy[2] + 7 * copy[3];
}

void add_variables(Suite& suite) {
  std::vector<S> indices(48);
  std::iota(indices.begin(), indices.end(), -11);
  add_kernel(suite, "constant variables", read_constants, {.block = 64}, indices, indices.size(),
             [](const std::vector<S>& in, std::vector<double>& out) {
               const S table[8] = {3, -1, 4, -1, 5, -9, 2, -6};
               for (std::size_t i = 0; i < in.size(); ++i) {
                 out[i] = table[in[i] & 7] * 2.75 + 1.25 + 300 - 3;
               }
             });
  add_kernel(suite, "device variables with initialisers", read_device_variables, {.block = 64},
             indices, indices.size(), [](const std::vector<S>& in, std::vector<S>& out) {
               const S table[2][3] = {{1, 2, 3}, {-4, -5, -6}};
               for (std::size_t i = 0; i < in.size(); ++i) {
                 out[i] = table[in[i] & 1][U(in[i]) % 3] * 10 - 5;
               }
             });
  add_kernel(suite, "device pointers to strings", read_strings, {.block = 32}, random_values<U>(32),
             32, [](const std::vector<U>& in, std::vector<U>& out) {
               const U lengths[3] = {3, 5, 6};
               const char text[] = "warp";
               for (std::size_t i = 0; i < in.size(); ++i) {
                 out[i] = lengths[in[i] % 3] * 256 + U(text[in[i] % 5]);
               }
             });
  add_kernel(suite, "device variable, first launch", count_up, {.block = 8}, std::vector<U>{0}, 8,
             [](const std::vector<U>&, std::vector<U>& out) { out.assign(8, 40); });
  add_kernel(suite, "device variable keeps its value", count_up, {.block = 8}, std::vector<U>{0}, 8,
             [](const std::vector<U>&, std::vector<U>& out) { out.assign(8, 48); });
  add_kernel(suite, "device array without initialiser", through_device_array, {.block = 256},
             random_values<float>(201), 201,
             [](const std::vector<float>& in, std::vector<float>& out) {
               out.assign(in.rbegin(), in.rend());
             });
}

void add_shared(Suite& suite) {
  add_reverse<std::uint8_t>(suite);
  add_reverse<std::int16_t>(suite);
  add_reverse<std::uint32_t>(suite);
  add_reverse<std::int64_t>(suite);
  add_reverse<float>(suite);
  add_reverse<double>(suite);
  add_kernel(suite, "three shared arrays", two_shared_arrays, {.block = 32}, random_values<U>(32),
             32, [](const std::vector<U>& in, std::vector<U>& out) {
               for (U i = 0; i < 32; ++i) {
                 const U mark = i == 0 ? 200 : std::uint8_t(in[32 - i] >> 3);
                 out[i] = in[31 - i] + mark * 1000 + (i + 5) % 32 * 2;
               }
             });
  add_kernel(suite, "dynamic shared memory", dynamic_shared,
             {.block = 96, .shared = 70 * (sizeof(U) + sizeof(std::uint16_t))},
             random_values<U>(70), 70, [](const std::vector<U>& in, std::vector<U>& out) {
               for (std::size_t i = 0; i < 70; ++i) out[i] = in[69 - i] + in[(i + 1) % 70] % 1000;
             });
  std::vector<float> small(32);
  for (int i = 0; i < 32; ++i) small[std::size_t(i)] = float(i * i % 50) - 9;
  add_kernel(suite, "shared array of structs", shared_struct, {.block = 32}, small, 32,
             [](const std::vector<float>& in, std::vector<float>& out) {
               for (unsigned i = 0; i < 32; ++i) {
                 const float x = in[i ^ 7];
                 out[i] = x + (x + 1) * float(i ^ 7) - (x + 2);
               }
             });
  add_kernel(suite, "shared transpose", transpose_in_shared, {.block = dim3(32, 32)},
             random_values<U>(1024), 1024, [](const std::vector<U>& in, std::vector<U>& out) {
               for (std::size_t i = 0; i < 1024; ++i) out[i] = in[i % 32 * 32 + i / 32];
             });
  add_kernel(suite, "generic pointer to shared and global", generic_pointer, {.block = 32},
             random_values<U>(32), 32, [](const std::vector<U>& in, std::vector<U>& out) {
               for (std::size_t i = 0; i < 32; ++i) out[i] = in[31 - i] * (i % 2 == 0 ? 2 : 1);
             });
  add_kernel(suite, "generic pointer to local and global", generic_local_pointer, {.block = 32},
             random_values<U>(32), 32, [](const std::vector<U>& in, std::vector<U>& out) {
               for (U i = 0; i < 32; ++i) {
                 U mine[4] = {in[i], 5, 6, 7};
                 out[i] = i % 3 == 0 ? 1 + mine[in[i] % 4] : ++mine[0] + mine[in[i] % 4];
               }
             });
}

}  // namespace

void register_cases(Suite& suite) {
  add_map<DynamicLocalIndex<std::uint8_t>, std::uint8_t>(suite, "local array of u8");
  add_map<DynamicLocalIndex<std::uint16_t>, std::uint16_t>(suite, "local array of u16");
  add_map<DynamicLocalIndex<std::uint32_t>, std::uint32_t>(suite, "local array of u32");
  add_map<DynamicLocalIndex<std::uint64_t>, std::uint64_t>(suite, "local array of u64");
  add_map<LocalMatrix, U>(suite, "local matrix");
  add_map<LocalBytes, U>(suite, "local bytes");
  add_map<PointerIntoLocal, U>(suite, "pointer into a local array");
  add_map<UnionBytes, U>(suite, "union");
  add_map<BitFields, U>(suite, "bit fields");
  add_map<UnalignedByBytes, std::uint64_t>(suite, "memcpy at any offset");

  add_vector_copy<char2>(suite, "char2");
  add_vector_copy<uchar4>(suite, "uchar4");
  add_vector_copy<short2>(suite, "short2");
  add_vector_copy<ushort4>(suite, "ushort4");
  add_vector_copy<int2>(suite, "int2");
  add_vector_copy<int3>(suite, "int3");
  add_vector_copy<uint4>(suite, "uint4");
  add_vector_copy<float2>(suite, "float2");
  add_vector_copy<float3>(suite, "float3");
  add_vector_copy<float4>(suite, "float4");
  add_vector_copy<longlong2>(suite, "longlong2");
  add_vector_copy<double2>(suite, "double2");

  std::vector<Mixed> mixed(50);
  for (int i = 0; i < 50; ++i) {
    std::memset(static_cast<void*>(&mixed[std::size_t(i)]), 0, sizeof(Mixed));
    Mixed& m = mixed[std::size_t(i)];
    m.a = std::int8_t(i * 5);
    m.b = i * 0.75;
    m.c = std::int16_t(i * 700);
    m.d = float(i);
    m.e = std::int8_t(-i);
  }
  add_kernel(suite, "struct with padding", scale_mixed, {.block = 64}, mixed, mixed.size(),
             [](const std::vector<Mixed>& in, std::vector<Mixed>& out) {
               std::memset(static_cast<void*>(out.data()), 0, out.size() * sizeof(Mixed));
               for (std::size_t i = 0; i < in.size(); ++i) {
                 out[i].a = std::int8_t(in[i].a + 1);
                 out[i].b = in[i].b * 2;
                 out[i].c = std::int16_t(-in[i].c);
                 out[i].d = in[i].d - 0.5f;
                 out[i].e = in[i].a;
               }
             });
  std::vector<float4> quads(40);
  for (int i = 0; i < 40; ++i) quads[std::size_t(i)] = make_float4(float(i), 1, float(-i), 0.5f);
  add_kernel(suite, "components of float4", components, {.block = 64}, quads, quads.size(),
             [](const std::vector<float4>& in, std::vector<float>& out) {
               for (std::size_t i = 0; i < in.size(); ++i) {
                 out[i] = in[i].x + in[i].y * 2 + in[i].z * 3 + in[i].w * 4;
               }
             });

  add_variables(suite);
  add_shared(suite);

  add_kernel(suite, "loads with cache hints", cached_loads, {.block = 64}, random_values<U>(45), 45,
             [](const std::vector<U>& in, std::vector<U>& out) {
               for (std::size_t i = 0; i < in.size(); ++i) out[i] = in[i] * 27;
             });
  add_kernel(suite, "stores with cache hints", cached_stores, {.block = 32}, random_values<U>(32),
             128, [](const std::vector<U>& in, std::vector<U>& out) {
               for (std::size_t i = 0; i < 128; ++i) out[i] = in[i / 4] + U(i % 4);
             });
  add_kernel(suite, "volatile and fences", volatile_and_fences, {.block = 32}, random_values<U>(32),
             32, [](const std::vector<U>& in, std::vector<U>& out) {
               for (std::size_t i = 0; i < 32; ++i) out[i] = in[i ^ 1] + 1;
             });
  add_kernel(suite, "malloc, memset and memcpy in a kernel", device_heap, {.block = 32},
             random_values<U>(32), 32, [](const std::vector<U>& in, std::vector<U>& out) {
               for (std::size_t i = 0; i < 32; ++i) out[i] = in[i] * (in[i] % 4 * 2 + 1);
             });
}

}  // namespace differential
