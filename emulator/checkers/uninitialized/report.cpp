#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <functional>
#include <vector>

#include "emulator/checkers/faults/faults.h"
#include "emulator/checkers/uninitialized/tracking.h"
#include "emulator/findings/plural.h"
#include "emulator/machine/context.h"

// Findings about uninitialized memory: at the load, with the place where its value matters.

namespace warpsim {
namespace {

struct Read {
  const WarpContext& warp;
  const Program& program;
  const Inst& inst;
  std::uint32_t lanes;
  std::string_view space;
  std::uint64_t address;  // of the first lane; device address or offset
  std::uint32_t width;
  std::uint64_t executed;
  std::function<std::string()> use;  // says where the value matters; may be empty
};

/// The "space" of a shuffle's source.
constexpr std::string_view kLane = "lane";

struct Object {
  std::string name;
  std::uint64_t base = 0;
  std::uint64_t bytes = 0;
};

Object object_at(const LaunchState& launch, std::string_view space, std::uint64_t address) {
  if (space == "global") {
    if (const Extent* extent = launch.find(address))
      return {extent->allocation->in_words(), extent->base, extent->allocation->size};
  } else if (space == "shared") {
    for (const SharedArray& array : launch.shared_arrays) {
      if (address >= array.offset && address < std::uint64_t{array.offset} + array.bytes) {
        return {array.name, array.offset, array.bytes};
      }
    }
  }
  return {};
}

std::string_view name_of(ptx::Space space) {
  if (space == ptx::Space::reg) return kLane;
  if (space == ptx::Space::shared) return "shared";
  return space == ptx::Space::local ? "local" : "global";
}

const char* what_happens(Use use) {
  switch (use) {
    case Use::address:
      return "it is used as an address";
    case Use::decision:
      return "it decides what is executed";
    case Use::store:
      return "it is stored to global memory";
    case Use::atomic:
      return "it goes into an atomic update";
    case Use::barrier:
      return "it decides what a barrier returns";
    case Use::function:
      return "it is an argument of a system function";
    case Use::other:
      break;
  }
  return "it is an operand";
}

FindingKind kind_of(std::string_view space) {
  if (space == kLane) return FindingKind::shuffle_inactive_lane;
  if (space == "shared") return FindingKind::unwritten_shared_read;
  return space == "local" ? FindingKind::unwritten_local_read : FindingKind::unwritten_global_read;
}

/// Where, who and in which order; the rest only for the occurrence that will be shown.
Finding report_of(const Read& read) {
  const LaunchState& launch = *read.warp.block->launch;
  Finding f(kind_of(read.space));
  f.kernel = launch.kernel_name;
  const SourcePlace place = source_place(read.program, read.inst.index);
  f.file = place.file;
  f.line = place.line;
  f.order = {launch.launch_number, read.warp.block->linear,
             read.warp.warp.warp_index * (std::uint64_t{1} << 40) + read.executed};
  if (!comes_first(read.warp, read.inst, f.kind, read.executed) && f.line != 0) return f;
  f.where = describe_place(read.program, read.inst);
  const int count = std::popcount(read.lanes);
  f.who = describe_thread(read.warp, std::countr_zero(read.lanes));
  if (count > 1) f.who += fmt::format("; first of {} lanes that do this here", count);
  if (f.kind == FindingKind::shuffle_inactive_lane) {
    f.message = "a shuffle reads from a lane that takes no part in it";
    f.got =
        fmt::format("an undefined value, from lane {}{}", read.address, read.use ? read.use() : "");
    f.want = "a source lane that executes the shuffle too";
    f.next =
        "Keep all 32 lanes of the warp at it: let those without an element bring the neutral "
        "value.";
    return f;
  }
  const Object object = object_at(launch, read.space, read.address);
  f.message = fmt::format("{}-byte read of uninitialized {} memory{}{}", read.width, read.space,
                          object.name.empty() ? "" : ": ", object.name);
  f.access = {.offset = static_cast<std::int64_t>(read.address - object.base),
              .width = read.width,
              .bytes = object.bytes};
  f.got = fmt::format("unwritten bytes at offset {} ({}){}", f.access.offset,
                      f.access.element_in_words(), read.use ? read.use() : "");
  f.want = "bytes that were stored, copied or set before";
  f.next = read.space == "shared" ? "Check that every element that is read was stored by some "
                                    "thread of the block, with a barrier in between."
                                  : "Check the size of the copy or of the loop that should have "
                                    "filled it, and initialise accumulators.";
  return f;
}

/// Logs a finding; its text is only made when it comes before all others of its load so far.
void log_read(const Read& read) {
  log(read.warp, report_of(read));
}

/// The loads that an origin stands for.
void flatten(const BlockTracking& block, std::uint32_t origin, std::vector<std::uint32_t>& loads) {
  constexpr std::size_t kMost = 64;
  std::vector<std::uint32_t> open = {origin};
  while (!open.empty() && loads.size() < kMost) {
    const std::uint32_t at = open.back();
    open.pop_back();
    if (at == 0) continue;
    const Origin& entry = block.origins[at];
    if (entry.inst == nullptr) {
      open.push_back(entry.first);
      open.push_back(entry.second);
    } else if (std::find(loads.begin(), loads.end(), at) == loads.end()) {
      loads.push_back(at);
    }
  }
}

/// Once is enough for bytes that only this block sees. Other blocks may be reading global ones,
/// and what they find must not depend on who comes first.
void forget(const WarpContext& context, const Origin& from, std::uint32_t lanes) {
  BlockContext& block = *context.block;
  WarpContext& reader = *block.warps[from.warp];
  for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<std::size_t>(std::countr_zero(rest));
    const std::uint64_t address = from.address[lane];
    if (from.space == ptx::Space::shared) {
      std::memset(block.shared_written.bytes() + address, 1, from.width);
    } else if (from.space == ptx::Space::local) {
      std::memset(reader.local_written.bytes() + lane * reader.local_stride + address, 1,
                  from.width);
    }
  }
}

}  // namespace

void report(const faults::Uninitialized& fault) {
  const WarpContext& context = fault.warp;
  log_read({context,
            *context.frame().program,
            fault.in,
            fault.lanes,
            fault.space,
            fault.address,
            fault.width,
            context.executed,
            {}});
}

void report_use(const WarpContext& context, const Inst& in, std::uint32_t origin,
                std::uint32_t lanes, Use use) {
  const BlockTracking& block = tracking_of(*context.block);
  std::vector<std::uint32_t> loads;
  flatten(block, origin, loads);
  for (const std::uint32_t load : loads) {
    const Origin& from = block.origins[load];
    // A value may have moved to another lane or warp since.
    const std::uint32_t same = from.lanes & lanes;
    const std::uint32_t who = same != 0 && from.warp == context.warp.warp_index ? same : from.lanes;
    const auto lane = static_cast<std::size_t>(std::countr_zero(who));
    log_read({*context.block->warps[from.warp], *from.program, *from.inst, who, name_of(from.space),
              from.address[lane], from.width, from.executed, [&] {
                return fmt::format("; the value matters: {} at {}", what_happens(use),
                                   describe_place(*context.frame().program, in));
              }});
    forget(context, from, who);
  }
}

void report_use(const WarpContext& context, const Inst& in, const TaintedSlot& slot,
                std::uint32_t lanes, Use use) {
  while (lanes != 0) {
    const std::uint32_t origin = slot.origin[static_cast<std::size_t>(std::countr_zero(lanes))];
    std::uint32_t same = 0;
    for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
      const int lane = std::countr_zero(rest);
      if (slot.origin[static_cast<std::size_t>(lane)] == origin) same |= 1u << lane;
    }
    report_use(context, in, origin, same, use);
    lanes &= ~same;
  }
}

}  // namespace warpsim
