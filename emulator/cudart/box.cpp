#include "emulator/cudart/box.h"

#include "emulator/counters/cache.h"

#include <cstring>

namespace warpsim::cudart {

namespace {

std::uint64_t sectors_between(std::uint64_t begin, std::uint64_t end) {
  return (end + kSectorBytes - 1) / kSectorBytes - begin / kSectorBytes;
}

}  // namespace

bool rows_adjoin(const Side& side, const Box& box) {
  return (box.height == 1 || side.row_pitch == box.width) &&
         (box.depth == 1 || side.slice_pitch == box.width * box.height);
}

std::uint64_t count_sectors(const Side& side, const Box& box, bool rows_adjoin) {
  if (rows_adjoin) {
    const std::uint64_t bytes = box.width * box.height * box.depth;
    return sectors_between(side.address, side.address + bytes);
  }
  std::uint64_t sectors = 0;
  for_each_row(side, side, box, [&](std::uint64_t offset, std::uint64_t) {
    const std::uint64_t begin = side.address + offset;
    sectors += sectors_between(begin, begin + box.width);
  });
  return sectors;
}

void copy_box(const Side& destination, const Side& source, const Box& box) {
  for_each_row(destination, source, box, [&](std::uint64_t to, std::uint64_t from) {
    std::memmove(reinterpret_cast<void*>(destination.address + to),
                 reinterpret_cast<const void*>(source.address + from), box.width);
  });
}

}  // namespace warpsim::cudart
