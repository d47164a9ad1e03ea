#include <cuda.h>

#include <array>
#include <random>

#include "emulator/tests/differential/suite.h"

// Copies by tensor map: boxes of arrays of one to five dimensions, to shared memory and back,
// against loops over all elements.

namespace differential {
namespace tensor_map {

constexpr int kMostRank = 5;
constexpr unsigned char kUntouched = 0xee;

/// An array in global memory and a box of it. The innermost dimension comes first.
struct Array {
  CUtensorMapDataType type = CU_TENSOR_MAP_DATA_TYPE_UINT16;
  int element_bytes = 2;
  int rank = 2;
  std::array<std::uint64_t, kMostRank> size = {};
  std::array<std::uint64_t, kMostRank - 1> stride = {};  // bytes
  std::array<std::uint32_t, kMostRank> box = {};
  std::array<std::uint32_t, kMostRank> step = {1, 1, 1, 1, 1};
  CUtensorMapSwizzle swizzle = CU_TENSOR_MAP_SWIZZLE_NONE;
  CUtensorMapFloatOOBfill fill = CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE;

  /// Elements that are copied along a dimension.
  [[nodiscard]] std::uint32_t count(int i) const {
    const auto d = std::size_t(i);
    return i == 0 ? box[d] : (box[d] + step[d] - 1) / step[d];
  }
  [[nodiscard]] std::size_t box_bytes() const {
    std::size_t bytes = std::size_t(element_bytes);
    for (int i = 0; i < rank; ++i) bytes *= count(i);
    return bytes;
  }
  /// From one row of the box to the next in shared memory: a swizzle pads them.
  [[nodiscard]] std::size_t pitch() const {
    const std::size_t bytes = count(0) * std::size_t(element_bytes);
    return swizzle == CU_TENSOR_MAP_SWIZZLE_NONE ? bytes : std::size_t(16) << int(swizzle);
  }
  /// Bytes of shared memory that the box takes.
  [[nodiscard]] std::size_t place_bytes() const {
    return box_bytes() / (count(0) * std::size_t(element_bytes)) * pitch();
  }
  [[nodiscard]] std::size_t bytes() const {
    return rank == 1 ? size[0] * std::size_t(element_bytes)
                     : stride[std::size_t(rank - 2)] * size[std::size_t(rank - 1)];
  }
};

using Coordinates = std::array<int, kMostRank>;

CUresult encode(const Array& array, void* data, CUtensorMap& map) {
  static const auto function = [] {
    void* found = nullptr;
    cudaDriverEntryPointQueryResult status = {};
    cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &found, 12000, cudaEnableDefault,
                                     &status);
    if (found == nullptr) throw std::runtime_error("no cuTensorMapEncodeTiled");
    return reinterpret_cast<decltype(&cuTensorMapEncodeTiled)>(found);
  }();
  return function(&map, array.type, cuuint32_t(array.rank), data,
                  reinterpret_cast<const cuuint64_t*>(array.size.data()),
                  reinterpret_cast<const cuuint64_t*>(array.stride.data()), array.box.data(),
                  array.step.data(), CU_TENSOR_MAP_INTERLEAVE_NONE, array.swizzle,
                  CU_TENSOR_MAP_L2_PROMOTION_NONE, array.fill);
}

CUtensorMap map_of(const Array& array, void* data) {
  CUtensorMap map = {};
  if (encode(array, data, map) != CUDA_SUCCESS) throw std::runtime_error("the map is refused");
  return map;
}

// -- on the device -------------------------------------------------------------------------------

__device__ std::uint32_t address_of(const void* pointer) {
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(pointer));
}

#define TENSOR_COPY(rank, list, ...)                                                        \
  if (kLoads) {                                                                             \
    asm volatile("cp.async.bulk.tensor." rank                                               \
                 "d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {" list  \
                 "}], [%2];" ::"r"(shared),                                                 \
                 "l"(map), "r"(barrier), __VA_ARGS__                                        \
                 : "memory");                                                               \
  } else {                                                                                  \
    asm volatile("cp.async.bulk.tensor." rank "d.global.shared::cta.bulk_group [%1, {" list \
                 "}], [%0];" ::"r"(shared),                                                 \
                 "l"(map), "r"(barrier), __VA_ARGS__                                        \
                 : "memory");                                                               \
  }

template <int kRank, bool kLoads>
__device__ void copy(const CUtensorMap* map, std::uint32_t shared, std::uint32_t barrier,
                     const Coordinates& at) {
  const int* c = &at[0];
  if constexpr (kRank == 1) TENSOR_COPY("1", "%3", "r"(c[0]))
  if constexpr (kRank == 2) TENSOR_COPY("2", "%3, %4", "r"(c[0]), "r"(c[1]))
  if constexpr (kRank == 3) TENSOR_COPY("3", "%3, %4, %5", "r"(c[0]), "r"(c[1]), "r"(c[2]))
  if constexpr (kRank == 4) {
    TENSOR_COPY("4", "%3, %4, %5, %6", "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]))
  }
  if constexpr (kRank == 5) {
    TENSOR_COPY("5", "%3, %4, %5, %6, %7", "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]), "r"(c[4]))
  }
}

__device__ unsigned char* begin_of(uint4* memory, std::uint32_t start) {
  return reinterpret_cast<unsigned char*>(memory) + (1024 - address_of(memory) % 1024) % 1024 +
         start;
}

__device__ void wait_for_copy(std::uint64_t* barrier) {
  asm volatile(
      "{\n.reg .pred done;\nagain:\n"
      "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], 0;\n@!done bra again;\n}" ::"r"(
          address_of(barrier))
      : "memory");
}

/// Loads a box to `start` bytes behind a multiple of 1024, and copies it to `out`.
template <int kRank>
__global__ void load(const __grid_constant__ CUtensorMap map, unsigned char* out, Coordinates at,
                     std::uint32_t start, int bytes, int place) {
  extern __shared__ uint4 memory[];
  __shared__ std::uint64_t barrier;
  unsigned char* const box = begin_of(memory, start);
  for (int i = int(threadIdx.x); i < place; i += int(blockDim.x)) box[i] = kUntouched;
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(address_of(&barrier)));
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    if constexpr (kRank == 2) {
      asm volatile("cp.async.bulk.prefetch.tensor.2d.L2.global [%0, {%1, %1}];" ::"l"(&map),
                   "r"(0));
    }
    asm volatile(
        "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(address_of(&barrier)),
        "r"(bytes)
        : "memory");
    copy<kRank, true>(&map, address_of(box), address_of(&barrier), at);
  }
  __syncthreads();
  wait_for_copy(&barrier);
  for (int i = int(threadIdx.x); i < place; i += int(blockDim.x)) out[i] = box[i];
}

/// The same for both blocks of a cluster by one of them, each with its own barrier.
__global__ void __cluster_dims__(2)
    load_for_both(const __grid_constant__ CUtensorMap map, unsigned char* out, int bytes) {
  extern __shared__ uint4 memory[];
  __shared__ std::uint64_t barrier;
  unsigned char* const box = begin_of(memory, 0);
  const auto cluster_barrier = [] {
    asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory");
  };
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(address_of(&barrier)));
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    asm volatile(
        "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(address_of(&barrier)),
        "r"(bytes)
        : "memory");
  }
  cluster_barrier();
  if (threadIdx.x == 0 && blockIdx.x == 1) {
    asm volatile(
        "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes"
        ".multicast::cluster [%0], [%1, {%2, %3}], [%4], %5;" ::"r"(address_of(box)),
        "l"(&map), "r"(8), "r"(-1), "r"(address_of(&barrier)), "h"(std::uint16_t(3))
        : "memory");
  }
  wait_for_copy(&barrier);
  for (int i = int(threadIdx.x); i < bytes; i += int(blockDim.x)) {
    out[blockIdx.x * unsigned(bytes) + unsigned(i)] = box[i];
  }
  cluster_barrier();
}

template <int kRank>
__global__ void store(const __grid_constant__ CUtensorMap map, const unsigned char* in,
                      Coordinates at, std::uint32_t start, int bytes) {
  extern __shared__ uint4 memory[];
  unsigned char* const box = begin_of(memory, start);
  for (int i = int(threadIdx.x); i < bytes; i += int(blockDim.x)) box[i] = in[i];
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  if (threadIdx.x == 0) {
    copy<kRank, false>(&map, address_of(box), 0, at);
    asm volatile("cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;" ::: "memory");
  }
}

#define REDUCTION(name)                                                    \
  asm volatile("cp.reduce.async.bulk.tensor.2d.global.shared::cta." name   \
               ".bulk_group [%1, {%2, %3}], [%0];" ::"r"(address_of(box)), \
               "l"(&map), "r"(at[0]), "r"(at[1])                           \
               : "memory");

template <int kOperation>
__global__ void reduce(const __grid_constant__ CUtensorMap map, const unsigned char* in,
                       Coordinates at, int bytes) {
  extern __shared__ uint4 memory[];
  unsigned char* const box = begin_of(memory, 0);
  for (int i = int(threadIdx.x); i < bytes; i += int(blockDim.x)) box[i] = in[i];
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  if (threadIdx.x != 0) return;
  if constexpr (kOperation == 0) REDUCTION("add")
  if constexpr (kOperation == 1) REDUCTION("min")
  if constexpr (kOperation == 2) REDUCTION("max")
  if constexpr (kOperation == 3) REDUCTION("and")
  if constexpr (kOperation == 4) REDUCTION("or")
  if constexpr (kOperation == 5) REDUCTION("xor")
  asm volatile("cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;" ::: "memory");
}

// -- on the host ---------------------------------------------------------------------------------

/// Calls `use(place in the box, place in the array)` for each element of a box; the latter is -1
/// outside the array. Places are in bytes, those of the box after its swizzle.
/// @param stores  a row's last piece of 16 bytes is inside when its first element is
template <class Use>
void for_elements(const Array& array, const Coordinates& at, std::uint32_t start, Use use,
                  bool stores = false) {
  std::array<std::uint32_t, kMostRank> index = {};
  const std::size_t elements = array.box_bytes() / std::size_t(array.element_bytes);
  for (std::size_t e = 0; e < elements; ++e) {
    std::int64_t place = 0;
    for (int i = 0; i < array.rank; ++i) {
      const auto d = std::size_t(i);
      const std::int64_t c = at[d] + std::int64_t(index[d]) * (i == 0 ? 1 : array.step[d]);
      std::int64_t end = std::int64_t(array.size[d]);
      if (i == 0 && stores) {
        const std::int64_t piece = 16 / array.element_bytes;
        end = (end + piece - 1) / piece * piece;
      }
      if (c < 0 || c >= end) place = INT64_MIN / 2;
      place += c * (i == 0 ? array.element_bytes : std::int64_t(array.stride[d - 1]));
    }
    const std::size_t row = e / array.count(0);
    std::size_t byte = start + row * array.pitch() + index[0] * std::size_t(array.element_bytes);
    if (array.swizzle != CU_TENSOR_MAP_SWIZZLE_NONE) {
      // 16-byte chunks of 32, 64 or 128 bytes change places with the number of the 128-byte row.
      const std::size_t chunks = std::size_t(1) << int(array.swizzle);
      byte ^= byte / 128 % chunks * 16;
    }
    use(byte - start, place < 0 ? std::int64_t(-1) : place);
    for (int i = 0; i < array.rank; ++i) {
      if (++index[std::size_t(i)] < array.count(i)) break;
      index[std::size_t(i)] = 0;
    }
  }
}

std::vector<unsigned char> random_bytes(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<unsigned char> bytes(count);
  for (auto& byte : bytes) byte = static_cast<unsigned char>(random());
  return bytes;
}

template <class Change>
void run_load(const Array& array, const Coordinates& at, std::uint32_t start, std::uint64_t outside,
              Change change) {
  const std::vector<unsigned char> data = random_bytes(array.bytes(), 3);
  const testing::Buffer<unsigned char> device(data);
  testing::Buffer<unsigned char> out(array.place_bytes());
  const CUtensorMap map = map_of(array, const_cast<unsigned char*>(device.get()));
  const int bytes = int(array.box_bytes());
  const auto launch = [&](auto kernel) {
    kernel<<<1, 64, array.place_bytes() + 2048>>>(map, out.get(), at, start, bytes,
                                                  int(array.place_bytes()));
  };
  switch (array.rank) {
    case 1:
      launch(load<1>);
      break;
    case 2:
      launch(load<2>);
      break;
    case 3:
      launch(load<3>);
      break;
    case 4:
      launch(load<4>);
      break;
    default:
      launch(load<5>);
  }
  FINISH_LAUNCH();
  std::vector<unsigned char> want(array.place_bytes(), kUntouched);
  for_elements(array, at, start, [&](std::size_t to, std::int64_t from) {
    std::uint64_t value = outside;
    if (from >= 0) {
      value = 0;
      std::memcpy(&value, &data[std::size_t(from)], std::size_t(array.element_bytes));
      value = change(value);
    }
    std::memcpy(&want[to], &value, std::size_t(array.element_bytes));
  });
  require_agreement(out.download(), want);
}

void add_load(Suite& suite, const std::string& name, const Array& array, const Coordinates& at,
              std::uint32_t start = 0, std::uint64_t outside = 0) {
  suite.add(name, [=] {
    run_load(array, at, start, outside, [](std::uint64_t value) { return value; });
  });
}

void run_store(const Array& array, const Coordinates& at, std::uint32_t start) {
  const std::vector<unsigned char> data = random_bytes(array.bytes(), 3);
  const std::vector<unsigned char> box = random_bytes(array.place_bytes(), 4);
  testing::Buffer<unsigned char> device(data);
  const testing::Buffer<unsigned char> in(box);
  const CUtensorMap map = map_of(array, device.get());
  const int bytes = int(array.place_bytes());
  const auto launch = [&](auto kernel) {
    kernel<<<1, 64, std::size_t(bytes) + 2048>>>(map, in.get(), at, start, bytes);
  };
  switch (array.rank) {
    case 1:
      launch(store<1>);
      break;
    case 2:
      launch(store<2>);
      break;
    case 3:
      launch(store<3>);
      break;
    case 4:
      launch(store<4>);
      break;
    default:
      launch(store<5>);
  }
  FINISH_LAUNCH();
  std::vector<unsigned char> want = data;
  for_elements(
      array, at, start,
      [&](std::size_t from, std::int64_t to) {
        if (to < 0) return;
        std::memcpy(&want[std::size_t(to)], &box[from], std::size_t(array.element_bytes));
      },
      true);
  require_agreement(device.download(), want);
}

template <int kOperation, class T, class Combine>
void add_reduction(Suite& suite, const std::string& name, CUtensorMapDataType type,
                   Combine combine) {
  suite.add(name, [=] {
    const Array array = {.type = type,
                         .element_bytes = sizeof(T),
                         .size = {32, 12},
                         .stride = {32 * sizeof(T)},
                         .box = {16, 8}};
    const Coordinates at = {24, 5};
    std::mt19937 random(5);
    std::vector<T> data(32 * 12), box(16 * 8);
    for (T& x : data) x = T(int(random() % 2000) - 1000);
    for (T& x : box) x = T(int(random() % 2000) - 1000);
    testing::Buffer<T> device(data);
    const testing::Buffer<T> in(box);
    const CUtensorMap map = map_of(array, device.get());
    reduce<kOperation><<<1, 64, array.box_bytes() + 2048>>>(
        map, reinterpret_cast<const unsigned char*>(in.get()), at, int(array.box_bytes()));
    FINISH_LAUNCH();
    for_elements(array, at, 0, [&](std::size_t from, std::int64_t to) {
      if (to < 0) return;
      T& x = data[std::size_t(to) / sizeof(T)];
      x = combine(x, box[from / sizeof(T)]);
    });
    require_agreement(device.download(), data);
  });
}

void run_multicast() {
  const Array array = {.size = {64, 16}, .stride = {128}, .box = {32, 8}};
  const std::vector<unsigned char> data = random_bytes(array.bytes(), 3);
  const testing::Buffer<unsigned char> device(data);
  const int bytes = int(array.box_bytes());
  testing::Buffer<unsigned char> out(2 * array.box_bytes());
  const CUtensorMap map = map_of(array, const_cast<unsigned char*>(device.get()));
  load_for_both<<<2, 64, std::size_t(bytes) + 2048>>>(map, out.get(), bytes);
  FINISH_LAUNCH();
  std::vector<unsigned char> want(2 * array.box_bytes());
  for_elements(array, {8, -1}, 0, [&](std::size_t to, std::int64_t from) {
    if (from < 0) return;
    std::memcpy(&want[to], &data[std::size_t(from)], 2);
    std::memcpy(&want[array.box_bytes() + to], &data[std::size_t(from)], 2);
  });
  require_agreement(out.download(), want);
}

/// What the driver refuses.
void run_refusals() {
  alignas(16) static unsigned char data[4096];
  const Array good = {.size = {64, 16}, .stride = {128}, .box = {32, 8}};
  const auto result = [](Array array, void* at) {
    CUtensorMap map = {};
    return encode(array, at, map);
  };
  const auto with = [&](auto change) {
    Array array = good;
    change(array);
    return result(array, data);
  };
  std::string wrong;
  const auto want = [&](const char* what, CUresult got, CUresult expected) {
    if (got != expected) wrong += std::string(" ") + what + " gave " + std::to_string(int(got));
  };
  testing::Buffer<unsigned char> device(4096);
  want("a good map", result(good, device.get()), CUDA_SUCCESS);
  want("a bad address", result(good, device.get() + 8), CUDA_ERROR_INVALID_VALUE);
  const CUresult bad = CUDA_ERROR_INVALID_VALUE;
  want("a stride of 120", with([](Array& a) { a.stride[0] = 120; }), bad);
  want("a box of 257", with([](Array& a) { a.box[1] = 257; }), bad);
  want("a box of 0", with([](Array& a) { a.box[1] = 0; }), bad);
  want("a row of 8 bytes", with([](Array& a) { a.box[0] = 4; }), bad);
  want("a size of 0", with([](Array& a) { a.size[1] = 0; }), bad);
  want("a step of 9", with([](Array& a) { a.step[1] = 9; }), bad);
  want("rank 0", with([](Array& a) { a.rank = 0; }), bad);
  want("rows wider than the swizzle", with([](Array& a) { a.swizzle = CU_TENSOR_MAP_SWIZZLE_32B; }),
       bad);
  want("NaN for integers",
       with([](Array& a) { a.fill = CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA; }), bad);
  if (!wrong.empty()) throw Mismatch(wrong);
}

}  // namespace tensor_map

void register_cases(Suite& suite) {
  using namespace tensor_map;
  const Array line = {.rank = 1, .size = {200}, .box = {64}};
  const Array plane = {.size = {100, 30}, .stride = {208}, .box = {32, 8}};
  const Array space = {.type = CU_TENSOR_MAP_DATA_TYPE_UINT32,
                       .element_bytes = 4,
                       .rank = 3,
                       .size = {20, 7, 5},
                       .stride = {80, 640},
                       .box = {8, 4, 3}};
  const Array four = {.type = CU_TENSOR_MAP_DATA_TYPE_UINT8,
                      .element_bytes = 1,
                      .rank = 4,
                      .size = {48, 5, 4, 3},
                      .stride = {48, 256, 1024},
                      .box = {16, 3, 2, 2}};
  const Array five = {.type = CU_TENSOR_MAP_DATA_TYPE_FLOAT64,
                      .element_bytes = 8,
                      .rank = 5,
                      .size = {5, 3, 4, 2, 3},
                      .stride = {48, 144, 576, 1152},
                      .box = {4, 2, 3, 2, 2}};
  struct Named {
    const char* name;
    Array array;
    Coordinates inside, low, high;
  };
  const Named arrays[] = {
      {"1d", line, {8}, {-8}, {168}},
      {"2d", plane, {16, 4}, {-8, -2}, {88, 27}},
      {"3d", space, {4, 1, 1}, {-4, -1, -1}, {16, 5, 4}},
      {"4d", four, {16, 1, 1, 1}, {-16, -1, -1, -1}, {32, 3, 3, 2}},
      {"5d", five, {2, 1, 1, 0, 1}, {-2, -1, -1, -1, -1}, {2, 2, 3, 1, 2}},
  };
  for (const Named& n : arrays) {
    const std::string name = n.name;
    add_load(suite, "load " + name, n.array, n.inside);
    add_load(suite, "load " + name + " at the lower borders", n.array, n.low);
    add_load(suite, "load " + name + " at the upper borders", n.array, n.high);
    for (const auto& [where, at] : {std::pair{"", n.inside}, {" at the upper borders", n.high}}) {
      suite.add("store " + name + where, [array = n.array, at] { run_store(array, at, 0); });
    }
  }
  add_load(suite, "load 2d beyond all borders", plane, {200, -100});
  for (const auto swizzle :
       {CU_TENSOR_MAP_SWIZZLE_32B, CU_TENSOR_MAP_SWIZZLE_64B, CU_TENSOR_MAP_SWIZZLE_128B}) {
    const std::string name = "swizzle " + std::to_string(16 << int(swizzle));
    Array array = {
        .size = {128, 40}, .stride = {256}, .box = {8u << int(swizzle), 16}, .swizzle = swizzle};
    add_load(suite, name, array, {16, 3});
    add_load(suite, name + " at a border", array, {-8, 30});
    add_load(suite, name + " from 384 bytes behind a pattern", array, {16, 3}, 384);
    suite.add(name + ", store", [=] { run_store(array, {112, 30}, 0); });
    suite.add(name + ", store from 384 bytes behind a pattern", [=] {
      run_store(array, {16, 3}, 384);
    });
    array.box[0] = 8;
    add_load(suite, name + " of rows of 16 bytes", array, {16, 3});
  }
  Array steps = plane;
  steps.step = {1, 3, 1, 1, 1};
  add_load(suite, "each third row", steps, {16, 4});
  suite.add("store to each third row", [=] { run_store(steps, {16, 20}, 0); });
  struct Filled {
    const char* name;
    CUtensorMapDataType type;
    int bytes;
    std::uint64_t nan;
  };
  const Filled filled[] = {
      {"f16", CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 2, 0x7ff7},
      {"bf16", CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, 0x7ff7},
      {"f32", CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 4, 0x7ff77ff7},
      {"f64", CU_TENSOR_MAP_DATA_TYPE_FLOAT64, 8, 0x7ff77ff77ff77ff7},
  };
  for (const Filled& f : filled) {
    const auto bytes = std::uint64_t(f.bytes);
    Array array = {.type = f.type,
                   .element_bytes = f.bytes,
                   .size = {64, 16},
                   .stride = {64 * bytes},
                   .box = {16, 8}};
    array.fill = CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA;
    add_load(suite, std::string("NaN beyond the borders, ") + f.name, array, {56, -2}, 0, f.nan);
  }
  Array single = {.type = CU_TENSOR_MAP_DATA_TYPE_FLOAT32_FTZ,
                  .element_bytes = 4,
                  .size = {64, 64},
                  .stride = {256},
                  .box = {64, 64}};
  add_load(suite, "f32 is not flushed", single, {0, 0});
  for (const auto type : {CU_TENSOR_MAP_DATA_TYPE_TFLOAT32, CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ}) {
    single.type = type;
    suite.add("tf32 is rounded, type " + std::to_string(int(type)), [=] {
      run_load(single, {0, 0}, 0, 0, [](std::uint64_t value) -> std::uint64_t {
        if ((value & 0x7fffffff) > 0x7f800000) return 0x7fffe000;
        return (value + 0xfff + (value >> 13 & 1)) & 0xffffe000;
      });
    });
  }
  suite.add("multicast", run_multicast);
  add_reduction<0, std::int32_t>(suite, "add s32", CU_TENSOR_MAP_DATA_TYPE_INT32,
                                 [](auto a, auto b) { return a + b; });
  add_reduction<0, float>(suite, "add f32", CU_TENSOR_MAP_DATA_TYPE_FLOAT32,
                          [](auto a, auto b) { return a + b; });
  add_reduction<1, std::int32_t>(suite, "min s32", CU_TENSOR_MAP_DATA_TYPE_INT32,
                                 [](auto a, auto b) { return a < b ? a : b; });
  add_reduction<2, std::int64_t>(suite, "max s64", CU_TENSOR_MAP_DATA_TYPE_INT64,
                                 [](auto a, auto b) { return a > b ? a : b; });
  add_reduction<3, std::uint32_t>(suite, "and b32", CU_TENSOR_MAP_DATA_TYPE_UINT32,
                                  [](auto a, auto b) { return a & b; });
  add_reduction<4, std::uint32_t>(suite, "or b32", CU_TENSOR_MAP_DATA_TYPE_UINT32,
                                  [](auto a, auto b) { return a | b; });
  add_reduction<5, std::uint64_t>(suite, "xor b64", CU_TENSOR_MAP_DATA_TYPE_UINT64,
                                  [](auto a, auto b) { return a ^ b; });
  suite.add("refusals", run_refusals);
}

}  // namespace differential
