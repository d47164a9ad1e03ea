#include "emulator/machine/observer.h"

#include "emulator/machine/context.h"

namespace warpsim {

void Observer::load(WarpContext& context, const Inst& in, ptx::Space space, std::uint64_t first,
                    const LaneShape& shape) {
  access(context, {.in = in,
                   .space = space,
                   .type = AccessType::load,
                   .width = in.width,
                   .lanes = shape.mask,
                   .shape = &shape,
                   .first = first});
}

void Observer::loads(WarpContext& context, LoadSeries& series, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    const LoadSeries::Load& one = series.loads[i];
    load(context, *one.in, one.space, series.first(one), *one.shape);
  }
}

void Observer::store(WarpContext& context, const Inst& in, ptx::Space space, std::uint64_t first,
                     const LaneShape& shape, const StoredValues& values) {
  access(context, {.in = in,
                   .space = space,
                   .type = AccessType::store,
                   .width = in.width,
                   .lanes = shape.mask,
                   .shape = &shape,
                   .first = first,
                   .values = &values});
}

const Inst* Observer::run(WarpContext& context, const Inst* pc) {
  while (pc < context.slow_stop) pc = execute(context, *pc);
  return pc;
}

const Inst* Observer::execute(WarpContext& context, const Inst& in) {
  return in.run(context.warp, in);
}

bool is_on(const CheckOptions& options, std::span<const CheckerEntry> list, std::size_t i) {
  const CheckerEntry& entry = list[i];
  if (entry.always) return true;
  if (entry.option != nullptr) return options.*entry.option;
  return (options.requested >> i & 1) != 0;
}

}  // namespace warpsim
