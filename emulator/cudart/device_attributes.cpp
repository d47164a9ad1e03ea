#include "emulator/cudart/device_attributes.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>

namespace warpsim::cudart {
namespace {

struct Row {
  int attribute;
  int (*value)(const Card&);
};

template <int kValue>
int constant(const Card&) {
  return kValue;
}

int bytes(std::uint64_t size) {
  return static_cast<int>(std::min<std::uint64_t>(size, std::numeric_limits<int>::max()));
}

bool data_center(const Card& card) {
  return card.minor == 0;
}

/// Single- over double-precision throughput.
int double_ratio(const Card& card) {
  if (!data_center(card)) return card.major >= 8 ? 64 : 32;
  return 2;
}

int persisting_l2(const Card& card) {
  return card.major >= 8 ? bytes(card.l2_bytes / 8 * 5) : 0;
}

/// Attributes that do not matter for the emulator (limits of textures, graphics interoperability)
/// have a real card's values; attributes of missing features are 0.
constexpr auto kRows = std::to_array<Row>({
    {1, +[](const Card& card) { return card.max_threads_per_block; }},  // MaxThreadsPerBlock
    {2, +[](const Card& card) { return card.max_threads_per_block; }},  // MaxBlockDimX
    {3, +[](const Card& card) { return card.max_threads_per_block; }},  // MaxBlockDimY
    {4, constant<64>},  // MaxBlockDimZ
    {5, constant<2147483647>},  // MaxGridDimX
    {6, constant<65535>},  // MaxGridDimY
    {7, constant<65535>},  // MaxGridDimZ
    {8, +[](const Card& card) { return bytes(card.shared_per_block); }},  // MaxSharedMemoryPerBlock
    {9, constant<65536>},  // TotalConstantMemory
    {10, constant<32>},  // WarpSize
    {11, constant<2147483647>},  // MaxPitch
    {12, +[](const Card& card) { return card.registers_per_block; }},  // MaxRegistersPerBlock
    {13, +[](const Card& card) { return card.clock_khz; }},  // ClockRate
    {14, constant<512>},  // TextureAlignment
    {15, constant<1>},  // GpuOverlap
    {16, +[](const Card& card) { return card.multiprocessors; }},  // MultiProcessorCount
    {17, constant<0>},  // KernelExecTimeout
    {18, constant<0>},  // Integrated
    {19, constant<1>},  // CanMapHostMemory
    {20, constant<0>},  // ComputeMode
    {21, constant<131072>},  // MaxTexture1DWidth
    {22, constant<131072>},  // MaxTexture2DWidth
    {23, constant<65536>},  // MaxTexture2DHeight
    {24, constant<16384>},  // MaxTexture3DWidth
    {25, constant<16384>},  // MaxTexture3DHeight
    {26, constant<16384>},  // MaxTexture3DDepth
    {27, constant<32768>},  // MaxTexture2DLayeredWidth
    {28, constant<32768>},  // MaxTexture2DLayeredHeight
    {29, constant<2048>},  // MaxTexture2DLayeredLayers
    {30, constant<512>},  // SurfaceAlignment
    {31, constant<1>},  // ConcurrentKernels
    {32, +[](const Card& card) { return data_center(card) ? 1 : 0; }},  // EccEnabled
    {33, constant<1>},  // PciBusId
    {34, constant<0>},  // PciDeviceId
    {35, constant<0>},  // TccDriver
    {36, +[](const Card& card) { return card.memory_clock_khz; }},  // MemoryClockRate
    {37, +[](const Card& card) { return card.memory_bus_bits; }},  // GlobalMemoryBusWidth
    {38, +[](const Card& card) { return bytes(card.l2_bytes); }},  // L2CacheSize
    {39, +[](const Card& card) { return card.max_threads_per_sm; }},  // MaxThreadsPerMultiProcessor
    {40, +[](const Card& card) { return card.async_engines; }},  // AsyncEngineCount
    {41, constant<1>},  // UnifiedAddressing
    {42, constant<32768>},  // MaxTexture1DLayeredWidth
    {43, constant<2048>},  // MaxTexture1DLayeredLayers
    {44, constant<1>},  // CanTex2DGather
    {45, constant<32768>},  // MaxTexture2DGatherWidth
    {46, constant<32768>},  // MaxTexture2DGatherHeight
    {47, constant<8192>},  // MaxTexture3DWidthAlt
    {48, constant<8192>},  // MaxTexture3DHeightAlt
    {49, constant<32768>},  // MaxTexture3DDepthAlt
    {50, constant<0>},  // PciDomainId
    {51, constant<32>},  // TexturePitchAlignment
    {52, constant<32768>},  // MaxTextureCubemapWidth
    {53, constant<32768>},  // MaxTextureCubemapLayeredWidth
    {54, constant<2046>},  // MaxTextureCubemapLayeredLayers
    {55, constant<32768>},  // MaxSurface1DWidth
    {56, constant<131072>},  // MaxSurface2DWidth
    {57, constant<65536>},  // MaxSurface2DHeight
    {58, constant<16384>},  // MaxSurface3DWidth
    {59, constant<16384>},  // MaxSurface3DHeight
    {60, constant<16384>},  // MaxSurface3DDepth
    {61, constant<32768>},  // MaxSurface1DLayeredWidth
    {62, constant<2048>},  // MaxSurface1DLayeredLayers
    {63, constant<32768>},  // MaxSurface2DLayeredWidth
    {64, constant<32768>},  // MaxSurface2DLayeredHeight
    {65, constant<2048>},  // MaxSurface2DLayeredLayers
    {66, constant<32768>},  // MaxSurfaceCubemapWidth
    {67, constant<32768>},  // MaxSurfaceCubemapLayeredWidth
    {68, constant<2046>},  // MaxSurfaceCubemapLayeredLayers
    {69, constant<268435456>},  // MaxTexture1DLinearWidth
    {70, constant<131072>},  // MaxTexture2DLinearWidth
    {71, constant<65000>},  // MaxTexture2DLinearHeight
    {72, constant<2097120>},  // MaxTexture2DLinearPitch
    {73, constant<32768>},  // MaxTexture2DMipmappedWidth
    {74, constant<32768>},  // MaxTexture2DMipmappedHeight
    {75, +[](const Card& card) { return card.major; }},  // ComputeCapabilityMajor
    {76, +[](const Card& card) { return card.minor; }},  // ComputeCapabilityMinor
    {77, constant<32768>},  // MaxTexture1DMipmappedWidth
    {78, constant<1>},  // StreamPrioritiesSupported
    {79, constant<1>},  // GlobalL1CacheSupported
    {80, constant<1>},  // LocalL1CacheSupported
    {81, +[](const Card&
                 card) { return bytes(card.shared_per_sm); }},  // MaxSharedMemoryPerMultiprocessor
    {82, +[](const Card& card) { return card.registers_per_sm; }},  // MaxRegistersPerMultiprocessor
    {83, constant<1>},  // ManagedMemory
    {84, constant<0>},  // IsMultiGpuBoard
    {85, constant<0>},  // MultiGpuBoardGroupID
    {86, constant<0>},  // HostNativeAtomicSupported
    {87, +[](const Card& card) { return double_ratio(card); }},  // SingleToDoublePrecisionPerfRatio
    {88, constant<0>},  // PageableMemoryAccess
    {89, constant<1>},  // ConcurrentManagedAccess
    {90, constant<1>},  // ComputePreemptionSupported
    {91, constant<1>},  // CanUseHostPointerForRegisteredMem
    {95, constant<1>},  // CooperativeLaunch
    {97,
     +[](const Card&
             card) { return bytes(card.shared_per_block_optin); }},  // MaxSharedMemoryPerBlockOptin
    {98, constant<0>},  // CanFlushRemoteWrites
    {99, constant<1>},  // HostRegisterSupported
    {100, constant<0>},  // PageableMemoryAccessUsesHostPageTables
    {101, constant<0>},  // DirectManagedMemAccessFromHost
    {106, +[](const Card& card) { return card.max_blocks_per_sm; }},  // MaxBlocksPerMultiprocessor
    {108, +[](const Card& card) { return persisting_l2(card); }},  // MaxPersistingL2CacheSize
    {109, +[](const Card&
                  card) { return card.major >= 8 ? 134217728 : 0; }},  // MaxAccessPolicyWindowSize
    {111, +[](const Card&
                  // ReservedSharedMemoryPerBlock.
                  card) { return bytes(card.reserved_shared_per_block); }},
    {112, constant<0>},  // SparseCudaArraySupported
    {113, constant<0>},  // HostRegisterReadOnlySupported
    {114, constant<0>},  // TimelineSemaphoreInteropSupported
    {115, constant<1>},  // MemoryPoolsSupported
    {116, constant<0>},  // GPUDirectRDMASupported
    {117, constant<0>},  // GPUDirectRDMAFlushWritesOptions
    {118, constant<0>},  // GPUDirectRDMAWritesOrdering
    {119, constant<0>},  // MemoryPoolSupportedHandleTypes
    {120, +[](const Card& card) { return card.major >= 9 ? 1 : 0; }},  // ClusterLaunch
    {121, constant<0>},  // DeferredMappingCudaArraySupported
    {125, constant<0>},  // IpcEventSupport
    {126, +[](const Card& card) { return card.major >= 9 ? 4 : 1; }},  // MemSyncDomainCount
    {130, constant<0>},  // NumaConfig
    {131, constant<-1>},  // NumaId
    {133, constant<0>},  // MpsEnabled
    {134, constant<-1>},  // HostNumaId
    {135, constant<0>},  // D3D12CigSupported
    {138, constant<0>},  // VulkanCigSupported
    {139, constant<0>},  // GpuPciDeviceId
    {140, constant<0>},  // GpuPciSubsystemId
    {142, constant<0>},  // HostNumaMemoryPoolsSupported
    {143, constant<0>},  // HostNumaMultinodeIpcSupported
    {144, constant<0>},  // HostMemoryPoolsSupported
    {147, constant<0>},  // OnlyPartialHostNativeAtomicSupported
});
static_assert(std::ranges::is_sorted(kRows, {}, &Row::attribute));

constexpr int kPciBusId = 33;  // cudaDevAttrPciBusId: the cards are next to each other

}  // namespace

std::optional<int> device_attribute(const Card& card, int attribute, int device) {
  const auto found = std::ranges::lower_bound(kRows, attribute, {}, &Row::attribute);
  if (found == kRows.end() || found->attribute != attribute) return std::nullopt;
  return found->value(card) + (attribute == kPciBusId ? device : 0);
}

}  // namespace warpsim::cudart
