#include <cuda.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

// A buffer that grows in place: addresses are reserved once, and memory is mapped as it is needed.
// Run under `warpsim` with the name of what the program does, or of its mistake.

namespace {

void check(CUresult result) {
  if (result == CUDA_SUCCESS) return;
  std::printf("failed with %d\n", static_cast<int>(result));
  std::exit(2);
}
void check(cudaError_t result) {
  if (result == cudaSuccess) return;
  std::printf("failed with %s\n", cudaGetErrorName(result));
  std::exit(2);
}

/// The first `count` elements get their numbers.
__global__ void number(int* data, size_t count) {
  const size_t step = size_t{gridDim.x} * blockDim.x;
  for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += step) {
    data[i] = static_cast<int>(i);
  }
}
__global__ void add(int* sums, const int* data, size_t count) {
  int sum = 0;
  const size_t step = size_t{gridDim.x} * blockDim.x;
  for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += step) sum += data[i] & 1;
  atomicAdd(sums, sum);
}
__global__ void read(int* out, const int* data) {
  *out = data[0];
}
/// Two blocks, which write through two pointers.
__global__ void write_both(int* first, int* second, size_t at) {
  if (blockIdx.x == 0) {
    first[0] = 1;
  } else {
    second[at] = 2;
  }
}
__global__ void write(int* data, size_t at) {
  data[at] = 7;
}

constexpr size_t kChunk = size_t{2} << 20;
constexpr size_t kElements = kChunk / sizeof(int);

class Buffer {
 public:
  explicit Buffer(size_t most) : most_(most) {
    properties_.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties_.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    size_t granularity = 0;
    check(cuMemGetAllocationGranularity(&granularity, &properties_,
                                        CU_MEM_ALLOC_GRANULARITY_MINIMUM));
    if (granularity != kChunk) std::printf("granularity %zu\n", granularity);
    check(cuMemAddressReserve(&base_, most, 0, 0, 0));
  }
  /// One chunk more.
  void grow(bool with_access = true, bool release = true) {
    CUmemGenericAllocationHandle handle = 0;
    check(cuMemCreate(&handle, kChunk, &properties_, 0));
    check(cuMemMap(base_ + size_, kChunk, 0, handle, 0));
    if (release) check(cuMemRelease(handle));
    if (with_access) allow(base_ + size_, kChunk);
    size_ += kChunk;
  }
  static void allow(CUdeviceptr at, size_t bytes,
                    CUmemAccess_flags flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE) {
    CUmemAccessDesc access = {};
    access.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    access.flags = flags;
    check(cuMemSetAccess(at, bytes, &access, 1));
  }
  void make_read_only() { allow(base_, size_, CU_MEM_ACCESS_FLAGS_PROT_READ); }
  void unmap() {
    check(cuMemUnmap(base_, size_));
    size_ = 0;
  }
  void free() { check(cuMemAddressFree(base_, most_)); }
  [[nodiscard]] int* data() const { return reinterpret_cast<int*>(base_); }
  [[nodiscard]] CUdeviceptr address() const { return base_; }
  [[nodiscard]] size_t count() const { return size_ / sizeof(int); }

 private:
  CUmemAllocationProp properties_ = {};
  CUdeviceptr base_ = 0;
  size_t most_ = 0;
  size_t size_ = 0;
};

bool is(const char* name, const char* what) {
  return std::strcmp(name, what) == 0;
}

/// Grows by chunks; kernels, copies and fills use all of it each time.
void grow() {
  Buffer buffer(size_t{1} << 30);
  int* odd = nullptr;
  check(cudaMalloc(&odd, sizeof(int)));
  for (int chunks = 1; chunks <= 4; ++chunks) {
    buffer.grow();
    number<<<8, 128>>>(buffer.data(), buffer.count());
    check(cudaMemset(odd, 0, sizeof(int)));
    add<<<8, 128>>>(odd, buffer.data(), buffer.count());
    int found = 0;
    check(cudaMemcpy(&found, odd, sizeof(int), cudaMemcpyDeviceToHost));
    std::printf("%d chunks: %d odd numbers\n", chunks, found);
  }
  std::vector<int> all(buffer.count());
  check(cudaMemcpy(all.data(), buffer.data(), all.size() * sizeof(int), cudaMemcpyDeviceToHost));
  std::printf("last %d\n", all.back());
  cudaPointerAttributes attributes = {};
  check(cudaPointerGetAttributes(&attributes, buffer.data() + kElements));
  std::printf("type %d device %d\n", static_cast<int>(attributes.type), attributes.device);
  check(cudaMemset(buffer.data(), 0, all.size() * sizeof(int)));
  check(cudaMemcpy(all.data(), buffer.data(), all.size() * sizeof(int), cudaMemcpyDeviceToHost));
  std::printf("last %d\n", all.back());
  check(cudaFree(odd));
  buffer.unmap();
  buffer.free();
}

/// Two mappings of the same memory, used one after the other by two kernels.
/// @param at  the element that one of two blocks writes through the second mapping; the other block
///   writes element 0 through the first one
void alias(size_t at) {
  CUmemAllocationProp properties = {};
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  CUmemGenericAllocationHandle handle = 0;
  CUdeviceptr base = 0;
  check(cuMemCreate(&handle, kChunk, &properties, 0));
  check(cuMemAddressReserve(&base, 3 * kChunk, 0, 0, 0));
  check(cuMemMap(base, kChunk, 0, handle, 0));
  check(cuMemMap(base + 2 * kChunk, kChunk, 0, handle, 0));
  Buffer::allow(base, kChunk);
  Buffer::allow(base + 2 * kChunk, kChunk);
  auto* const first = reinterpret_cast<int*>(base);
  auto* const second = reinterpret_cast<int*>(base + 2 * kChunk);
  number<<<8, 128>>>(first, kElements);
  int value = 0;
  check(cudaMemcpy(&value, second + 1234, sizeof value, cudaMemcpyDeviceToHost));
  std::printf("alias %d\n", value);
  write<<<1, 1>>>(second, 5);
  check(cudaMemcpy(&value, first + 5, sizeof value, cudaMemcpyDeviceToHost));
  std::printf("alias %d\n", value);
  write_both<<<2, 1>>>(first, second, at);
  check(cudaDeviceSynchronize());
  check(cuMemUnmap(base, kChunk));
  check(cuMemUnmap(base + 2 * kChunk, kChunk));
  check(cuMemRelease(handle));
  check(cuMemAddressFree(base, 3 * kChunk));
}

/// Memory that moves to other addresses keeps its contents.
void move() {
  Buffer from(4 * kChunk);
  Buffer to(8 * kChunk);
  from.grow();
  number<<<8, 128>>>(from.data(), from.count());
  CUmemGenericAllocationHandle handle = 0;
  check(cuMemRetainAllocationHandle(&handle, from.data() + 100));
  check(cudaDeviceSynchronize());
  from.unmap();
  check(cuMemMap(to.address(), kChunk, 0, handle, 0));
  check(cuMemRelease(handle));
  Buffer::allow(to.address(), kChunk);
  int value = 0;
  check(cudaMemcpy(&value, to.data() + 4321, sizeof value, cudaMemcpyDeviceToHost));
  std::printf("moved %d\n", value);
  check(cuMemUnmap(to.address(), kChunk));
  from.free();
  to.free();
}

/// Memory that kernels and copies may read and not write.
void read_only(const char* use) {
  Buffer buffer(16 * kChunk);
  int* out = nullptr;
  check(cudaMalloc(&out, sizeof(int)));
  buffer.grow();
  number<<<8, 128>>>(buffer.data(), buffer.count());
  check(cudaDeviceSynchronize());
  buffer.make_read_only();
  CUmemLocation location = {};
  location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  unsigned long long flags = 0;
  check(cuMemGetAccess(&flags, &location, buffer.address()));
  int value = 0;
  if (is(use, "read")) {
    read<<<1, 1>>>(out, buffer.data() + 3);
    check(cudaMemcpy(&value, out, sizeof value, cudaMemcpyDeviceToHost));
    std::printf("flags %llu value %d\n", flags, value);
    check(cudaMemcpy(&value, buffer.data() + 4, sizeof value, cudaMemcpyDeviceToHost));
    std::printf("value %d\n", value);
    Buffer::allow(buffer.address(), kChunk);
    write<<<1, 1>>>(buffer.data(), 3);
  }
  if (is(use, "write")) write<<<1, 1>>>(buffer.data(), 3);
  if (is(use, "update")) add<<<1, 1>>>(buffer.data(), buffer.data(), 9);
  if (is(use, "fill")) {
    std::printf("result %d\n", static_cast<int>(cuMemsetD8(buffer.address(), 0, 4)));
  }
  if (is(use, "copy")) {
    std::printf("result %s\n", cudaGetErrorName(cudaMemcpy(buffer.data(), &value, sizeof value,
                                                           cudaMemcpyHostToDevice)));
  }
  std::printf("result %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  buffer.unmap();
  buffer.free();
  cudaFree(out);
}

/// The host takes memory away from a kernel: before its end, or after it.
void take_away(const char* how) {
  Buffer buffer(16 * kChunk);
  buffer.grow();
  const bool reads = is(how, "read-only-under-reads");
  number<<<8, 128>>>(buffer.data(), buffer.count());
  if (reads) {
    int* odd = nullptr;
    check(cudaMalloc(&odd, sizeof(int)));
    check(cudaMemset(odd, 0, sizeof(int)));
    check(cudaDeviceSynchronize());
    add<<<8, 128>>>(odd, buffer.data(), buffer.count());
    buffer.make_read_only();
    check(cudaFree(odd));  // waits
  }
  if (is(how, "read-only-under-writes")) buffer.make_read_only();
  if (is(how, "unmap-later")) check(cudaDeviceSynchronize());
  buffer.unmap();
  buffer.free();
}

void finish(Buffer& buffer) {
  std::printf("result %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  buffer.unmap();
  buffer.free();
}

void with_mistake(const char* mistake) {
  Buffer buffer(16 * kChunk);
  buffer.grow(true, !is(mistake, "leak-handle"));
  if (is(mistake, "in-bounds")) write<<<1, 1>>>(buffer.data(), kElements - 1);
  if (is(mistake, "past-end")) write<<<1, 1>>>(buffer.data(), kElements);
  if (is(mistake, "no-memory")) write<<<1, 1>>>(buffer.data() + 2 * kElements, 3);
  if (is(mistake, "no-access")) {
    buffer.grow(false);
    write<<<1, 1>>>(buffer.data(), kElements + 2);
  }
  if (is(mistake, "uninitialized")) read<<<1, 1>>>(buffer.data(), buffer.data() + 9);
  if (is(mistake, "initialized")) {
    number<<<8, 128>>>(buffer.data(), buffer.count());
    read<<<1, 1>>>(buffer.data(), buffer.data() + 9);
  }
  if (is(mistake, "after-unmap")) {
    buffer.unmap();
    write<<<1, 1>>>(buffer.data(), 3);
    std::printf("result %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    return;
  }
  if (is(mistake, "after-free")) {
    buffer.unmap();
    buffer.free();
    write<<<1, 1>>>(buffer.data(), 3);
    std::printf("result %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    return;
  }
  if (is(mistake, "copy-after-unmap")) {
    buffer.unmap();
    int value = 0;
    std::printf("result %s\n", cudaGetErrorName(cudaMemcpy(&value, buffer.data(), sizeof value,
                                                           cudaMemcpyDeviceToHost)));
    buffer.free();
    return;
  }
  if (is(mistake, "copy-too-large")) {
    std::printf("result %s\n", cudaGetErrorName(cudaMemset(buffer.data(), 0, kChunk + 4)));
  }
  if (is(mistake, "cuda-free")) {
    std::printf("result %s\n", cudaGetErrorName(cudaFree(buffer.data())));
  }
  if (is(mistake, "free-mapped")) {
    std::printf("result %d\n", static_cast<int>(cuMemAddressFree(buffer.address(), 16 * kChunk)));
  }
  if (is(mistake, "leak-mapping")) return;
  if (is(mistake, "leak-range")) {
    buffer.unmap();
    return;
  }
  finish(buffer);
}

}  // namespace

int main(int count, char** arguments) {
  const char* const what = count > 1 ? arguments[1] : "grow";
  check(cuInit(0));
  int supported = 0;
  check(
      cuDeviceGetAttribute(&supported, CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, 0));
  if (supported != 1) {
    std::printf("not supported\n");
    return 3;
  }
  check(cudaFree(nullptr));
  if (is(what, "grow")) {
    grow();
  } else if (is(what, "alias")) {
    alias(1);
  } else if (is(what, "alias-race")) {
    alias(0);
  } else if (is(what, "read-only")) {
    read_only(count > 2 ? arguments[2] : "");
  } else if (is(what, "take-away")) {
    take_away(count > 2 ? arguments[2] : "");
  } else if (is(what, "move")) {
    move();
  } else {
    with_mistake(what);
  }
  return 0;
}
