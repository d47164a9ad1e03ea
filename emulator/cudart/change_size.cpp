#include "emulator/cudart/change_size.h"

#include <algorithm>

#include "emulator/checkers/host_findings.h"

namespace warpsim::cudart {

std::uint64_t changed_size(Runtime& runtime, Change::Kind kind, std::uint64_t bytes,
                           std::initializer_list<const void*> places) {
  Changes* const changes = runtime.settings.machine.changes.get();
  const Change* const change = changes == nullptr ? nullptr : changes->find(kind);
  std::uint64_t more = 0;
  if (change == nullptr || bytes == 0 || __builtin_mul_overflow(bytes, change->times, &more)) {
    return bytes;
  }
  const bool fits = std::ranges::all_of(places, [&](const void* place) {
    const PointerView view = view_pointer(runtime.memory, place);
    return view.allocation == nullptr ||
           more <= view.allocation->size - (view.address - view.allocation->base);
  });
  if (!fits) return bytes;
  changes->made(*change);
  return more;
}

}  // namespace warpsim::cudart
