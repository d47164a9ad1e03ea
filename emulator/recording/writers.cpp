#include "emulator/recording/writers.h"

#include <algorithm>

#include "emulator/machine/for_lanes.h"

namespace warpsim::recording {

Writers::Written* Writers::of(const LaunchState& launch, std::uint64_t address,
                              std::uint32_t element_bytes) {
  for (Written& array : arrays_) {
    if (address - array.extent->base < array.extent->end - array.extent->base) return &array;
  }
  const Extent* const extent = launch.find(address);
  if (extent == nullptr || arrays_.size() == kMostArrays) return nullptr;
  const std::uint64_t elements = (extent->end - extent->base) / element_bytes;
  arrays_.push_back({extent, element_bytes, {}});
  arrays_.back().elements.resize(std::min<std::uint64_t>(elements, kElements));
  return &arrays_.back();
}

void Writers::write(const WarpContext& context, const MemoryAccess& access,
                    const std::uint64_t* address, std::uint32_t element_bytes) {
  const LaunchState& launch = *context.block->launch;
  const Site site{context.frame().program, &access.in};
  for_lanes<std::uint32_t>(access.lanes, [&](std::uint32_t lane) {
    Written* const array = of(launch, address[lane], element_bytes);
    if (array == nullptr) return;
    const std::uint64_t first = (address[lane] - array->extent->base) / array->element_bytes;
    const std::uint64_t count = std::max(access.width / array->element_bytes, 1u);
    for (std::uint64_t i = first; i < first + count && i < array->elements.size(); ++i) {
      Element& element = array->elements[i];
      ++element.count;
      element.block = context.block->linear;
      element.thread = context.warp.warp_index * kWarpSize + lane;
      element.site = site;
    }
  });
}

}  // namespace warpsim::recording
