#include "emulator/machine/checker.h"

namespace warpsim {

void AccessObserver::load(WarpContext& context, const Inst& in, ptx::Space space,
                          std::uint64_t first, const LaneShape& shape) {
  access(context, {.in = in,
                   .space = space,
                   .type = AccessType::load,
                   .width = in.width,
                   .lanes = shape.mask,
                   .shape = &shape,
                   .first = first});
}

void AccessObserver::store(WarpContext& context, const Inst& in, ptx::Space space,
                           std::uint64_t first, const LaneShape& shape,
                           const StoredValues& values) {
  access(context, {.in = in,
                   .space = space,
                   .type = AccessType::store,
                   .width = in.width,
                   .lanes = shape.mask,
                   .shape = &shape,
                   .first = first,
                   .values = &values});
}

void AccessObserver::transfer(WarpContext&, const Inst&, std::uint64_t, std::uint64_t, AccessType) {
}
void AccessObserver::fence(WarpContext&, const Inst&) {}

void Checker::read_by_copy(std::uint64_t, std::uint64_t) {}
void Checker::finish(FindingLog&) {}

bool is_on(const CheckOptions& options, const CheckerEntry& entry) {
  if (entry.option != nullptr) return options.*entry.option;
  return (options.requested >> (&entry - all_checkers().data()) & 1) != 0;
}

}  // namespace warpsim
