#pragma once

#include <cstdint>
#include <cstdio>

#include "emulator/cudart/device_attributes.h"
#include "emulator/cudart/layouts.h"

namespace warpsim::cudart {

/// The UUID of an emulated device, the same in every run.
inline void fill_uuid(char (&uuid)[16], const Card& card, int device) {
  std::snprintf(uuid, sizeof uuid, "warpsim-%s", card.id.c_str());
  uuid[15] = static_cast<char>(device);
}

/// Fills the fields that CUDA 12 and 13 share; the caller fills those of one version only.
template <class Properties>
void fill_common_properties(Properties& p, const Card& card, int device) {
  p = {};
  const auto attribute = [&](int number) {
    return device_attribute(card, number, device).value_or(0);
  };
  std::snprintf(p.name, sizeof p.name, "%s", card.name.c_str());
  fill_uuid(p.uuid, card, device);
  p.totalGlobalMem = card.memory_bytes;
  p.sharedMemPerBlock = card.shared_per_block;
  p.regsPerBlock = card.registers_per_block;
  p.warpSize = attribute(10);
  p.memPitch = static_cast<std::size_t>(attribute(11));
  p.maxThreadsPerBlock = card.max_threads_per_block;
  for (int i = 0; i < 3; ++i) {
    p.maxThreadsDim[i] = attribute(2 + i);
    p.maxGridSize[i] = attribute(5 + i);
  }
  p.totalConstMem = static_cast<std::size_t>(attribute(9));
  p.major = card.major;
  p.minor = card.minor;
  p.textureAlignment = static_cast<std::size_t>(attribute(14));
  p.texturePitchAlignment = static_cast<std::size_t>(attribute(51));
  p.multiProcessorCount = card.multiprocessors;
  p.integrated = attribute(18);
  p.canMapHostMemory = attribute(19);
  p.maxTexture1D = attribute(21);
  p.maxTexture1DMipmap = attribute(77);
  p.limits = {};
  p.surfaceAlignment = static_cast<std::size_t>(attribute(30));
  p.concurrentKernels = attribute(31);
  p.ECCEnabled = attribute(32);
  p.pciBusID = attribute(33);
  p.pciDeviceID = attribute(34);
  p.pciDomainID = attribute(50);
  p.tccDriver = attribute(35);
  p.asyncEngineCount = card.async_engines;
  p.unifiedAddressing = attribute(41);
  p.memoryBusWidth = card.memory_bus_bits;
  p.l2CacheSize = attribute(38);
  p.persistingL2CacheMaxSize = attribute(108);
  p.maxThreadsPerMultiProcessor = card.max_threads_per_sm;
  p.streamPrioritiesSupported = attribute(78);
  p.globalL1CacheSupported = attribute(79);
  p.localL1CacheSupported = attribute(80);
  p.sharedMemPerMultiprocessor = card.shared_per_sm;
  p.regsPerMultiprocessor = card.registers_per_sm;
  p.managedMemory = attribute(83);
  p.hostNativeAtomicSupported = attribute(86);
  p.pageableMemoryAccess = attribute(88);
  p.concurrentManagedAccess = attribute(89);
  p.computePreemptionSupported = attribute(90);
  p.canUseHostPointerForRegisteredMem = attribute(91);
  p.cooperativeLaunch = attribute(95);
  p.sharedMemPerBlockOptin = card.shared_per_block_optin;
  p.pageableMemoryAccessUsesHostPageTables = attribute(100);
  p.directManagedMemAccessFromHost = attribute(101);
  p.maxBlocksPerMultiProcessor = card.max_blocks_per_sm;
  p.accessPolicyMaxWindowSize = attribute(109);
  p.reservedSharedMemPerBlock = card.reserved_shared_per_block;
  p.hostRegisterSupported = attribute(99);
  p.memoryPoolsSupported = attribute(115);
  p.clusterLaunch = attribute(120);
}

}  // namespace warpsim::cudart
