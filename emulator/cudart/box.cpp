#include "emulator/cudart/box.h"

#include <cstring>

namespace warpsim::cudart {

void copy_box(const Side& destination, const Side& source, const Box& box) {
  for_each_row(destination, source, box, [&](std::uint64_t to, std::uint64_t from) {
    std::memmove(reinterpret_cast<void*>(destination.address + to),
                 reinterpret_cast<const void*>(source.address + from), box.width);
  });
}

}  // namespace warpsim::cudart
