#include <dlfcn.h>

#include <array>
#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <cstring>
#include <string>

#include "emulator/cudart/layouts.h"

// The library for CUDA 12, used as a program that was compiled with CUDA 12 uses it: registration
// by hand, launches by cudaLaunchKernel, structures of CUDA 12. Loaded at run time, so that this
// program needs neither toolkit.

using namespace warpsim::cudart;

namespace {

/// A function of the library, called with whatever arguments it has in CUDA 12.
template <class... Arguments>
int call(const char* name, Arguments... arguments) {
  static void* const library = dlopen(WARPSIM_CUDART12, RTLD_NOW | RTLD_LOCAL);
  REQUIRE(library != nullptr);
  void* const function = dlvsym(library, name, "libcudart.so.12");
  REQUIRE(function != nullptr);
  return reinterpret_cast<int (*)(Arguments...)>(function)(arguments...);
}

constexpr const char* kPtx = R"(
.version 8.0
.target sm_75
.address_size 64
.visible .entry store(.param .u64 out)
{
  .reg .b64 %rd<2>;
  .reg .b32 %r<2>;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, 42;
  st.global.u32 [%rd1], %r1;
  ret;
}
)";

struct Wrapper {
  std::uint32_t magic = 0x466243B1;
  std::uint32_t version = 1;
  const void* data = kPtx;
  const void* unused = nullptr;
};

struct Dim {
  unsigned x = 1, y = 1, z = 1;
};

}  // namespace

TEST_CASE("a CUDA 12 program registers, launches and copies", "[cudart][cuda12]") {
  static const Wrapper wrapper;
  static char stub = 0;
  static void* const library = dlopen(WARPSIM_CUDART12, RTLD_NOW | RTLD_LOCAL);
  REQUIRE(library != nullptr);
  const auto register_binary =
      reinterpret_cast<void** (*)(const void*)>(dlsym(library, "__cudaRegisterFatBinary"));
  void** handle = register_binary(&wrapper);
  const auto register_function =
      reinterpret_cast<void (*)(void**, const char*, char*, const char*, int, void*, void*, void*,
                                void*, int*)>(dlsym(library, "__cudaRegisterFunction"));
  register_function(handle, &stub, &stub, "store", -1, nullptr, nullptr, nullptr, nullptr, nullptr);

  void* device = nullptr;
  REQUIRE(call("cudaMalloc", &device, std::size_t{4}) == 0);
  void* arguments[] = {&device};
  const auto launch = reinterpret_cast<int (*)(const void*, Dim, Dim, void**, std::size_t, void*)>(
      dlsym(library, "cudaLaunchKernel"));
  CHECK(launch(&stub, {}, {}, arguments, 0, nullptr) == 0);
  int value = 0;
  CHECK(call("cudaMemcpy", static_cast<void*>(&value), device, std::size_t{4}, 2) == 0);
  CHECK(value == 42);
  // CUDA 12 calls it invalid configuration, CUDA 13 invalid value.
  CHECK(launch(&stub, {0, 1, 1}, {}, arguments, 0, nullptr) == 9);
  CHECK(call("cudaFree", device) == 0);
}

TEST_CASE("CUDA 12's device properties have their clock rate", "[cudart][cuda12]") {
  struct {
    DeviceProperties12 properties;
    std::array<unsigned char, 64> behind;
  } memory;
  memory.behind.fill(0xEE);
  REQUIRE(call("cudaGetDeviceProperties_v2", &memory.properties, 0) == 0);
  CHECK(std::string(memory.properties.name) == "NVIDIA A100-SXM4-40GB");
  CHECK(memory.properties.clockRate == 1410000);
  CHECK(memory.properties.memoryBusWidth == 5120);
  for (const unsigned char byte : memory.behind) CHECK(byte == 0xEE);
}

TEST_CASE("CUDA 12's pointer attributes end where its structure ends", "[cudart][cuda12]") {
  struct {
    PointerAttributes12 attributes;
    std::array<unsigned char, 64> behind;
  } memory;
  memory.behind.fill(0xEE);
  int host = 0;
  REQUIRE(call("cudaPointerGetAttributes", &memory.attributes, static_cast<const void*>(&host)) ==
          0);
  CHECK(memory.attributes.hostPointer == &host);
  for (const unsigned char byte : memory.behind) CHECK(byte == 0xEE);
}

TEST_CASE("CUDA 12 prefetches to a device by number", "[cudart][cuda12]") {
  void* managed = nullptr;
  REQUIRE(call("cudaMallocManaged", &managed, std::size_t{4096}, 1u) == 0);
  CHECK(call("cudaMemPrefetchAsync", static_cast<const void*>(managed), std::size_t{4096}, 0,
             static_cast<void*>(nullptr)) == 0);
  CHECK(call("cudaMemPrefetchAsync", static_cast<const void*>(managed), std::size_t{4096}, -1,
             static_cast<void*>(nullptr)) == 0);
  CHECK(call("cudaMemPrefetchAsync", static_cast<const void*>(managed), std::size_t{4096}, 3,
             static_cast<void*>(nullptr)) == 101);
  CHECK(call("cudaFree", managed) == 0);
}

TEST_CASE("CUDA 12 says that it is CUDA 12", "[cudart][cuda12]") {
  int version = 0;
  CHECK(call("cudaRuntimeGetVersion", &version) == 0);
  CHECK(version / 1000 == 12);
}

TEST_CASE("CUDA 12 has each changed function in its newer and its older form", "[cudart][cuda12]") {
  using Handle = void*;
  Handle graph = nullptr;
  Handle first = nullptr;
  Handle second = nullptr;
  Handle third = nullptr;
  constexpr std::size_t kNone = 0;
  const Handle nothing = nullptr;
  constexpr int kInvalidValue = 1;
  REQUIRE(call("cudaGraphCreate", &graph, 0u) == 0);
  // A cudaGraphNodeParams of an empty node.
  std::array<std::uint64_t, 32> empty = {};
  empty[0] = 5;
  REQUIRE(call("cudaGraphAddNode", &first, graph, nothing, kNone, empty.data()) == 0);
  REQUIRE(call("cudaGraphAddNode_v2", &second, graph, nothing, nothing, kNone, empty.data()) == 0);
  REQUIRE(call("cudaGraphAddNode", &third, graph, nothing, kNone, empty.data()) == 0);
  CHECK(call("cudaGraphAddNode_v2", &third, nothing, nothing, nothing, kNone, empty.data()) ==
        kInvalidValue);

  constexpr std::size_t kOne = 1;
  CHECK(call("cudaGraphAddDependencies", graph, &first, &second, kOne) == 0);
  CHECK(call("cudaGraphAddDependencies_v2", graph, &second, &third, nothing, kOne) == 0);
  CHECK(call("cudaGraphAddDependencies_v2", graph, &third, &first, nothing, kOne) ==
        kInvalidValue);  // a circle
  std::size_t count = 0;
  CHECK(call("cudaGraphGetEdges", graph, nothing, nothing, &count) == 0);
  CHECK(count == 2);
  CHECK(call("cudaGraphGetEdges_v2", graph, nothing, nothing, nothing, &count) == 0);
  CHECK(count == 2);
  Handle found = nullptr;
  count = 1;
  CHECK(call("cudaGraphNodeGetDependencies", second, &found, &count) == 0);
  CHECK(found == first);
  CHECK(call("cudaGraphNodeGetDependencies_v2", third, &found, nothing, &count) == 0);
  CHECK(found == second);
  CHECK(call("cudaGraphNodeGetDependentNodes", first, &found, &count) == 0);
  CHECK(found == second);
  CHECK(call("cudaGraphNodeGetDependentNodes_v2", second, &found, nothing, &count) == 0);
  CHECK(found == third);
  CHECK(call("cudaGraphRemoveDependencies", graph, &first, &second, kOne) == 0);
  CHECK(call("cudaGraphRemoveDependencies_v2", graph, &second, &third, nothing, kOne) == 0);
  CHECK(call("cudaGraphRemoveDependencies_v2", graph, &second, &third, nothing, kOne) ==
        kInvalidValue);
  CHECK(call("cudaGraphGetEdges", graph, nothing, nothing, &count) == 0);
  CHECK(count == 0);
  CHECK(call("cudaGraphDestroy", graph) == 0);
}

TEST_CASE("CUDA 12 looks into a capture in three forms", "[cudart][cuda12]") {
  using Handle = void*;
  constexpr int kGlobal = 0;
  constexpr int kActive = 1;
  constexpr int kInvalidHandle = 400;
  constexpr unsigned kSet = 1;
  const Handle nothing = nullptr;
  Handle stream = nullptr;
  REQUIRE(call("cudaStreamCreate", &stream) == 0);
  REQUIRE(call("cudaStreamBeginCapture", stream, kGlobal) == 0);
  unsigned long long id = 0;
  unsigned long long same = 0;
  std::array<int, 3> status = {};
  Handle graph = nullptr;
  Handle* nodes = nullptr;
  std::size_t count = 7;
  CHECK(call("cudaStreamGetCaptureInfo", stream, &status[0], &id) == 0);
  CHECK(call("cudaStreamGetCaptureInfo_v2", stream, &status[1], &same, &graph, &nodes, &count) ==
        0);
  CHECK(id == same);
  CHECK(count == 0);
  const Handle* data = &graph;
  CHECK(call("cudaStreamGetCaptureInfo_v3", stream, &status[2], &same, &graph, &nodes, &data,
             &count) == 0);
  CHECK(id == same);
  CHECK(data == nullptr);
  CHECK(status == std::array<int, 3>{kActive, kActive, kActive});
  CHECK(call("cudaStreamUpdateCaptureDependencies", stream, nothing, std::size_t{0}, kSet) == 0);
  CHECK(call("cudaStreamUpdateCaptureDependencies_v2", stream, nothing, nothing, std::size_t{0},
             kSet) == 0);
  CHECK(call("cudaStreamUpdateCaptureDependencies_v2", stream, nothing, nothing, std::size_t{0},
             7u) == 1);
  CHECK(call("cudaStreamEndCapture", stream, &graph) == 0);
  CHECK(call("cudaGraphDestroy", graph) == 0);
  CHECK(call("cudaStreamDestroy", stream) == 0);
  CHECK(call("cudaStreamGetCaptureInfo", stream, &status[0], &id) == kInvalidHandle);
  CHECK(call("cudaStreamGetCaptureInfo_v2", stream, &status[0], &id, &graph, &nodes, &count) ==
        kInvalidHandle);
}

TEST_CASE("CUDA 12 takes locations of managed memory in both forms", "[cudart][cuda12]") {
  struct Location {
    int type = 1;  // cudaMemLocationTypeDevice
    int id = 0;
  };
  constexpr int kReadMostly = 1;
  constexpr int kInvalidDevice = 101;
  void* memory = nullptr;
  REQUIRE(call("cudaMallocManaged", &memory, std::size_t{4096}, 1u) == 0);
  const void* managed = memory;
  void* const stream = nullptr;
  CHECK(call("cudaMemAdvise", managed, std::size_t{4096}, kReadMostly, 0) == 0);
  CHECK(call("cudaMemAdvise", managed, std::size_t{4096}, kReadMostly, 3) == kInvalidDevice);
  CHECK(call("cudaMemAdvise_v2", managed, std::size_t{4096}, kReadMostly, Location{}) == 0);
  CHECK(call("cudaMemAdvise_v2", managed, std::size_t{4096}, kReadMostly, Location{1, 3}) ==
        kInvalidDevice);
  CHECK(call("cudaMemPrefetchAsync_v2", managed, std::size_t{4096}, Location{}, 0u, stream) == 0);
  CHECK(call("cudaMemPrefetchAsync_v2", managed, std::size_t{4096}, Location{}, 1u, stream) == 1);
  CHECK(call("cudaFree", memory) == 0);
}

TEST_CASE("CUDA 12 has the names that CUDA 13 has dropped", "[cudart][cuda12]") {
  void* start = nullptr;
  void* end = nullptr;
  void* const stream = nullptr;
  float ms = -1;
  REQUIRE(call("cudaEventCreate", &start) == 0);
  REQUIRE(call("cudaEventCreate", &end) == 0);
  CHECK(call("cudaEventElapsedTime_v2", &ms, start, end) == 400);  // not recorded yet
  REQUIRE(call("cudaEventRecord", start, stream) == 0);
  REQUIRE(call("cudaEventRecord", end, stream) == 0);
  CHECK(call("cudaThreadSynchronize") == 0);
  CHECK(call("cudaEventElapsedTime_v2", &ms, start, end) == 0);
  CHECK(ms > 0);
  void* memory = nullptr;
  REQUIRE(call("cudaMalloc", &memory, std::size_t{16}) == 0);
  CHECK(call("cudaThreadExit") == 0);
  CHECK(call("cudaFree", memory) == 1);  // gone with the device's state
}
