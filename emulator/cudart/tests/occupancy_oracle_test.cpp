#include <cuda_occupancy.h>

#include <catch2/catch_test_macros.hpp>

#include "emulator/device/card.h"

using namespace warpsim;

namespace {

/// Blocks on a multiprocessor as the toolkit's own calculator says.
int toolkit_blocks(const Card& card, int threads, int registers, std::size_t shared) {
  cudaOccDeviceProp properties = {};
  properties.computeMajor = card.major;
  properties.computeMinor = card.minor;
  properties.maxThreadsPerBlock = card.max_threads_per_block;
  properties.maxThreadsPerMultiprocessor = card.max_threads_per_sm;
  properties.regsPerBlock = card.registers_per_block;
  properties.regsPerMultiprocessor = card.registers_per_sm;
  properties.warpSize = 32;
  properties.sharedMemPerBlock = card.shared_per_block;
  properties.sharedMemPerMultiprocessor = card.shared_per_sm;
  properties.numSms = card.multiprocessors;
  properties.sharedMemPerBlockOptin = card.shared_per_block_optin;
  properties.reservedSharedMemPerBlock = card.reserved_shared_per_block;
  cudaOccFuncAttributes attributes = {};
  attributes.maxThreadsPerBlock = card.max_threads_per_block;
  attributes.numRegs = registers;
  attributes.sharedSizeBytes = 0;
  attributes.partitionedGCConfig = PARTITIONED_GC_OFF;
  attributes.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
  attributes.maxDynamicSharedSizeBytes = card.shared_per_block_optin;
  attributes.numBlockBarriers = 1;
  const cudaOccDeviceState state = {};
  cudaOccResult result = {};
  REQUIRE(cudaOccMaxActiveBlocksPerMultiprocessor(&result, &properties, &attributes, &state,
                                                  threads, shared) == CUDA_OCC_SUCCESS);
  return result.activeBlocksPerMultiprocessor;
}

}  // namespace

TEST_CASE("occupancy agrees with the toolkit's calculator", "[device][occupancy]") {
  int compared = 0;
  for (const Card& card : all_cards()) {
    for (int threads = 32; threads <= 1024; threads += 32) {
      for (int registers = 16; registers <= 255; registers += 13) {
        for (const std::size_t kib : {0, 1, 5, 16, 33, 48, 64, 99, 163, 227}) {
          if (kib * 1024 > card.shared_per_block_optin) continue;
          const int expected = toolkit_blocks(card, threads, registers, kib * 1024);
          const int got = occupancy(card, threads, registers, kib * 1024).blocks_per_sm;
          ++compared;
          if (got == expected) continue;
          FAIL_CHECK(card.id << ": " << threads << " threads, " << registers << " registers, "
                             << kib << " KiB: " << got << ", toolkit " << expected);
        }
      }
    }
  }
  CHECK(compared > 10000);
}
