#include "emulator/recording/writers.h"

#include <algorithm>
#include <bit>

#include "emulator/machine/for_lanes.h"

namespace warpsim::recording {

Writers::Written* Writers::of(const LaunchState& launch, std::uint64_t address,
                              std::uint32_t element_bytes) {
  for (Written& array : arrays_) {
    if (address - array.extent->base < array.extent->end - array.extent->base) return &array;
  }
  const Extent* const extent = launch.find(address);
  if (extent == nullptr || arrays_.size() == kMostArrays) return nullptr;
  // An odd element's bytes are one each.
  if (!std::has_single_bit(element_bytes)) element_bytes = 1;
  Written& array = arrays_.emplace_back(Written{extent, element_bytes, {}});
  array.elements.resize(
      std::min<std::uint64_t>((extent->end - extent->base) / element_bytes, kElements));
  return &array;
}

void Writers::write(const WarpContext& context, const MemoryAccess& access,
                    const std::uint64_t* address, const Site& site) {
  const LaunchState& launch = *context.block->launch;
  const std::uint64_t block = context.block->linear;
  const std::uint32_t first_thread = context.warp.warp_index * kWarpSize;
  Written* array = nullptr;
  for_lanes<std::uint32_t>(access.lanes, [&](std::uint32_t lane) {
    if (array == nullptr ||
        address[lane] - array->extent->base >= array->extent->end - array->extent->base) {
      array = of(launch, address[lane], site.facts().element_bytes);
      if (array == nullptr) return;
    }
    const int shift = std::countr_zero(array->element_bytes);
    const std::uint64_t first = (address[lane] - array->extent->base) >> shift;
    const std::uint64_t last = first + std::max(access.width >> shift, 1u);
    for (std::uint64_t i = first; i < last && i < array->elements.size(); ++i) {
      Element& element = array->elements[i];
      ++element.count;
      element.block = block;
      element.thread = first_thread + lane;
      element.site = site;
    }
  });
}

}  // namespace warpsim::recording
