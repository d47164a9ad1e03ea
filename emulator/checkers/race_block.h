#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>

#include "emulator/checkers/race_lines.h"
#include "emulator/checkers/race_log.h"
#include "emulator/checkers/race_order.h"
#include "emulator/checkers/race_shared.h"

namespace warpsim {

/// What was published through a word: a strong write behind a fence releases, and who reads the
/// word with a strong read acquires.
struct SyncPlace {
  Knowledge device;
  Knowledge reads;  // of a store without a fence
  Knowledge block;  // for threads of the block that wrote last
  std::uint64_t writer = 0;  // that block
};
using SyncPlaces = std::unordered_map<std::uint64_t, SyncPlace>;  // by address

/// What the threads that arrive at an mbarrier bring, and what those learn who wait for it.
struct MbarrierKnowledge {
  Knowledge arriving;  // in the phase that goes on
  Knowledge completed;  // in those that are over
};

/// All that the race checker knows of a running block.
struct BlockRaces {
  BlockOrder order;
  SharedShadow shared;
  BlockLines lines;
  SyncPlaces shared_places;
  std::array<Knowledge, 16> barriers;  // brought by those who arrived, for barriers of a part
  std::unordered_map<std::uint32_t, MbarrierKnowledge> mbarriers;  // by offset in shared memory
  ConflictLog conflicts;
};

}  // namespace warpsim
