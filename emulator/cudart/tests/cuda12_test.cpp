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
