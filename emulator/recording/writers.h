#pragma once

#include <cstdint>
#include <vector>

#include "emulator/machine/context.h"
#include "emulator/recording/program_facts.h"

namespace warpsim::recording {

/// Follows who writes the elements of arrays in global memory during a launch.
class Writers {
 public:
  static constexpr std::size_t kMostArrays = 8;
  static constexpr std::size_t kElements = 4096;  // the first ones of each array

  struct Element {
    std::uint32_t count = 0;
    std::uint64_t block = 0;
    std::uint32_t thread = 0;
    Site site;
  };
  struct Written {
    const Extent* extent = nullptr;
    std::uint32_t element_bytes = 0;  // a power of two
    std::vector<Element> elements;
  };

  void clear() { arrays_.clear(); }
  /// Lanes write. @param address  of 32 lanes
  void write(const WarpContext& context, const MemoryAccess& access, const std::uint64_t* address,
             const Site& site);
  /// In order of the first write.
  [[nodiscard]] const std::vector<Written>& arrays() const { return arrays_; }

 private:
  [[nodiscard]] Written* of(const LaunchState& launch, std::uint64_t address,
                            std::uint32_t element_bytes);

  std::vector<Written> arrays_;
};

}  // namespace warpsim::recording
