#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "emulator/machine/address.h"
#include "emulator/machine/async.h"
#include "emulator/machine/async_handlers.h"
#include "emulator/machine/cluster.h"
#include "emulator/machine/for_lanes.h"
#include "emulator/machine/tell.h"

// mbarriers: 64-bit objects in shared memory whose phases complete when all expected arrivals and
// all expected bytes are there. The object holds its whole state; what the block keeps beside it
// only serves to notice objects that were never initialised or that plain stores destroyed.

namespace warpsim {
namespace {

constexpr std::uint32_t kMostArrivals = (1u << 20) - 1;
constexpr std::int64_t kMostBytes = (1 << 20) - 1;

/// The opaque 64 bits, as the emulator lays them out.
struct State {
  std::uint32_t pending = 0;  // arrivals missing in this phase
  std::uint32_t expected = 0;  // arrivals of the next phase
  std::int64_t bytes = 0;  // transaction bytes missing
  std::uint32_t parity = 0;

  [[nodiscard]] static State unpack(std::uint64_t value) {
    const auto shifted = static_cast<std::int64_t>(value << 3) >> 43;
    return {static_cast<std::uint32_t>(value & 0xfffff),
            static_cast<std::uint32_t>((value >> 20) & 0xfffff), shifted,
            static_cast<std::uint32_t>((value >> 61) & 1)};
  }
  [[nodiscard]] std::uint64_t pack() const {
    return std::uint64_t{pending} | std::uint64_t{expected} << 20 |
           (static_cast<std::uint64_t>(bytes) & 0x1fffff) << 40 | std::uint64_t{parity} << 61 |
           std::uint64_t{1} << 63;
  }
};

void store(BlockContext& block, std::uint32_t offset, Mbarrier& barrier, const State& state) {
  barrier.value = state.pack();
  std::memcpy(block.shared.data() + offset, &barrier.value, sizeof barrier.value);
}

void report_mbarrier(const WarpContext& context, const Inst& in, std::uint32_t lanes,
                     FindingKind kind, std::string message, std::string got, std::string want,
                     std::string next) {
  Finding f = finding_at(context, in, lanes, kind);
  f.message = std::move(message);
  f.got = std::move(got);
  f.want = std::move(want);
  f.next = std::move(next);
  log(context, std::move(f));
}

/// The lanes' mbarriers: where they are, of those lanes whose address is one.
struct Places {
  std::uint32_t lanes = 0;
  bool misaligned = false;
  bool fatal = false;
  BlockContext* block[kWarpSize] = {};
  std::uint32_t offset[kWarpSize] = {};
};

Places find_places(Warp& warp, const Inst& in, const AddressOperand& operand) {
  WarpContext& context = *warp.context;
  Places places;
  Located at;
  generic_addresses(warp, operand, at.address);
  std::uint32_t elsewhere = 0;
  for_lanes(warp.active, [&](std::size_t lane) {
    if (!in_window(at.address[lane], kSharedWindow)) elsewhere |= 1u << lane;
    at.address[lane] -= kSharedWindow;
  });
  if (elsewhere != 0) {
    report_mbarrier(context, in, elsewhere, FindingKind::mbarrier_not_shared,
                    "an mbarrier operation on memory that is not shared",
                    fmt::format("generic address {:#x}",
                                at.address[std::countr_zero(elsewhere)] + kSharedWindow),
                    "the address of an object in __shared__ memory",
                    "Declare the barrier __shared__.");
    places.fatal = true;
    return places;
  }
  places.misaligned = check_alignment(context, in, at.address, 8, "shared");
  if (places.misaligned) return places;
  locate_shared(context, in, 8, AccessType::atomic, at);
  places.lanes = at.lanes;
  places.fatal = at.fatal;
  for_lanes(at.lanes, [&](std::size_t lane) {
    places.block[lane] = shared_owner(*context.block, at.host[lane]);
    places.offset[lane] = static_cast<std::uint32_t>(at.address[lane] % kClusterStride);
  });
  return places;
}

/// Tells the observers of mbarriers that may be in other blocks.
void tell_use(WarpContext& context, const Inst& in, const Places& places) {
  if (context.block->cluster->blocks.size() == 1) return;
  for_lanes(places.lanes, [&](std::size_t lane) {
    tell(*context.block, &Observer::mbarrier_use, context, in, *places.block[lane],
         places.offset[lane], 1u << lane);
  });
}

/// What a handler returns when addresses were bad; null to go on.
const Inst* stop_at(Warp& warp, const Inst& in, const Places& places) {
  if (places.misaligned) return abort_launch(warp, in, LaunchStatus::misaligned);
  if (places.fatal) return abort_launch(warp, in, LaunchStatus::illegal_address);
  return nullptr;
}

/// The mbarrier at a place; null, with a finding, when there is none.
Mbarrier* find(const WarpContext& context, const Inst& in, std::uint32_t lanes, BlockContext& block,
               std::uint32_t offset) {
  auto& barriers = async_of(block).mbarriers;
  const auto it = barriers.find(offset);
  const std::string name = shared_name(*block.launch, offset);
  if (it == barriers.end()) {
    report_mbarrier(context, in, lanes, FindingKind::mbarrier_uninitialized,
                    fmt::format("operation on an mbarrier that is not initialised: {}", name),
                    "no mbarrier.init of this address before, or it was invalidated since",
                    "one thread initialises the barrier, and the others wait for it",
                    "Put __syncthreads() (cluster.sync() for other blocks) between init() and the "
                    "first use of the barrier.");
    return nullptr;
  }
  std::uint64_t value = 0;
  std::memcpy(&value, block.shared.data() + offset, sizeof value);
  if (value != it->second.value) {
    report_mbarrier(context, in, lanes, FindingKind::mbarrier_overwritten,
                    fmt::format("ordinary stores have overwritten the mbarrier {}", name),
                    fmt::format("{:#018x} in its place", value),
                    "an mbarrier is only touched by mbarrier operations until it is invalidated",
                    "Look for an index past the end of a neighbouring array, or for shared memory "
                    "that is used for two purposes.");
    // Once is enough.
    std::memcpy(block.shared.data() + offset, &it->second.value, sizeof value);
  }
  return &it->second;
}

void finish_phase_if_complete(BlockContext& block, std::uint32_t offset, Mbarrier& barrier,
                              State& state) {
  if (state.pending == 0 && state.bytes == 0) {
    state.pending = state.expected;
    state.parity ^= 1;
    ++barrier.phases;
    tell(block, &Observer::mbarrier_complete, block, offset);
    store(block, offset, barrier, state);
    wake_mbarrier_waiters(block);
    return;
  }
  ++block.cluster->changes;
  store(block, offset, barrier, state);
}

void report_too_many(const WarpContext& context, const Inst& in, std::uint32_t lanes,
                     const BlockContext& block, std::uint32_t offset, std::uint32_t count,
                     const State& state) {
  report_mbarrier(
      context, in, lanes, FindingKind::mbarrier_overflow,
      fmt::format("more arrivals at the mbarrier {} than its phase expects",
                  shared_name(*block.launch, offset)),
      fmt::format("{} arriving, {} of {} still expected", count, state.pending, state.expected),
      "in each phase as many arrivals as the count that it was initialised with",
      "Compare the count given to init() with the number of threads that arrive in a phase; a "
      "thread may arrive again only after the phase has completed.");
}

/// One thread arrives. @returns the state before
std::uint64_t arrive(const WarpContext& context, const Inst& in, std::uint32_t lanes,
                     BlockContext& block, std::uint32_t offset, std::uint32_t count,
                     std::uint8_t flags) {
  Mbarrier* barrier = find(context, in, lanes, block, offset);
  if (barrier == nullptr) return 0;
  State state = State::unpack(barrier->value);
  const std::uint64_t before = barrier->value;
  const bool completes = count >= state.pending;
  if (count > state.pending) {
    report_too_many(context, in, lanes, block, offset, count, state);
    count = state.pending;
  } else if ((flags & kArriveNoComplete) != 0 && completes) {
    report_mbarrier(context, in, lanes, FindingKind::mbarrier_overflow,
                    fmt::format("arrive.noComplete completes the phase of the mbarrier {}",
                                shared_name(*block.launch, offset)),
                    fmt::format("{} arriving, {} missing", count, state.pending),
                    "a count that leaves at least one arrival missing",
                    "Let the last arrival be an ordinary arrive.");
  }
  state.pending -= count;
  if ((flags & kArriveDrop) != 0) state.expected -= std::min(count, state.expected);
  finish_phase_if_complete(block, offset, *barrier, state);
  return before;
}

bool change_bytes(const WarpContext& context, const Inst& in, std::uint32_t lanes,
                  BlockContext& block, std::uint32_t offset, std::int64_t by) {
  Mbarrier* barrier = find(context, in, lanes, block, offset);
  if (barrier == nullptr) return false;
  State state = State::unpack(barrier->value);
  const std::int64_t bytes = state.bytes + by;
  if (bytes > kMostBytes || bytes < -kMostBytes) {
    report_mbarrier(context, in, lanes, FindingKind::mbarrier_overflow,
                    fmt::format("the mbarrier {} cannot count that many transaction bytes",
                                shared_name(*block.launch, offset)),
                    fmt::format("{} bytes", bytes), fmt::format("at most {} bytes", kMostBytes),
                    "Use several phases or several barriers for large copies.");
    return false;
  }
  state.bytes = bytes;
  if (by < 0) {
    finish_phase_if_complete(block, offset, *barrier, state);
  } else {
    ++block.cluster->changes;
    store(block, offset, *barrier, state);
  }
  return true;
}

std::uint32_t parity_waited_for(const Warp& warp, const Inst& in, std::size_t lane) {
  if (in.aux == 1) return warp.reg<std::uint32_t>(in.a)[lane] & 1;
  return State::unpack(warp.reg<std::uint64_t>(in.a)[lane]).parity;
}

/// Whether a lane need not wait. What can never complete must not hang, too.
bool may_go_on(const Mbarrier* barrier, const Warp& warp, const Inst& in, std::size_t lane) {
  return barrier == nullptr ||
         State::unpack(barrier->value).parity != parity_waited_for(warp, in, lane);
}

/// Lanes whose phase has completed.
std::uint32_t completed(const WarpContext& context, const Inst& in, const Places& places) {
  const Warp& warp = context.warp;
  std::uint32_t done = 0;
  const Mbarrier* last = nullptr;
  const BlockContext* last_block = nullptr;
  std::uint32_t last_offset = 0;
  for_lanes(places.lanes, [&](std::size_t lane) {
    if (last_block != places.block[lane] || last_offset != places.offset[lane]) {
      last_block = places.block[lane];
      last_offset = places.offset[lane];
      last = find(context, in, 1u << lane, *places.block[lane], last_offset);
    }
    if (may_go_on(last, warp, in, lane)) done |= 1u << lane;
  });
  return done;
}

}  // namespace

void wake_mbarrier_waiters(BlockContext& block) {
  ++block.cluster->changes;
  for (const auto& warp : block.warps) {
    for (WarpSplit& split : warp->splits) {
      if (split.state == WarpSplit::State::at_mbarrier) split.state = WarpSplit::State::ready;
    }
  }
}

void complete_transaction(BlockContext& block, std::uint32_t barrier, std::uint32_t bytes,
                          const AsyncSite& site) {
  if (block.ended) return;
  change_bytes(*site.warp, *site.in, site.lanes, block, barrier, -std::int64_t{bytes});
}

std::uint64_t completed_phases(BlockContext& block, std::uint32_t barrier) {
  const auto& barriers = async_of(block).mbarriers;
  const auto it = barriers.find(barrier);
  return it == barriers.end() ? 0 : it->second.phases;
}

bool complete_deferred(BlockContext& block, std::uint32_t barrier) {
  auto& deferred = async_of(block).deferred;
  const std::uint64_t phases = completed_phases(block, barrier);
  bool any = false;
  // What is left when the phase is complete did not belong to it: its bytes were not announced.
  while (completed_phases(block, barrier) == phases) {
    const auto found = std::find_if(deferred.begin(), deferred.end(),
                                    [&](const Deferred& next) { return next.barrier == barrier; });
    if (found == deferred.end()) break;
    const Deferred next = std::move(*found);
    deferred.erase(found);
    any = true;
    tell(block, &Observer::mbarrier_arrive, block, barrier, next.brought);
    if (next.copy != nullptr) {
      deliver(*next.copy);
      complete_transaction(block, barrier, next.copy->bytes - next.copy->padding, next.site);
      continue;
    }
    deliver_batches(*next.warp, next.lanes, next.before);
    for_lanes(next.lanes, [&](std::size_t lane) {
      arrive(*next.warp, *next.site.in, 1u << lane, block, barrier, 1, 0);
    });
  }
  return any;
}

const Inst* mbarrier_init(Warp& warp, const Inst& in) {
  const auto& operands = *static_cast<const AsyncOperands*>(in.extra);
  WarpContext& context = *warp.context;
  const Places places = find_places(warp, in, operands.barrier);
  if (const Inst* stop = stop_at(warp, in, places)) return stop;
  for_lanes(places.lanes, [&](std::size_t lane) {
    const std::uint32_t count = warp.reg<std::uint32_t>(operands.size)[lane];
    BlockContext& block = *places.block[lane];
    if (count == 0 || count > kMostArrivals) {
      report_mbarrier(context, in, 1u << lane, FindingKind::mbarrier_overflow,
                      "an mbarrier is initialised with an impossible count",
                      fmt::format("{} arrivals", count), fmt::format("1 to {}", kMostArrivals),
                      "Give the number of arrivals that complete a phase.");
      return;
    }
    Mbarrier& barrier = async_of(block).mbarriers[places.offset[lane]];
    barrier = {};
    tell(block, &Observer::mbarrier_init, block, places.offset[lane]);
    store(block, places.offset[lane], barrier, State{.pending = count, .expected = count});
    std::memset(block.shared_written.bytes() + places.offset[lane], 1, 8);
    ++block.cluster->changes;
  });
  return &in + 1;
}

const Inst* mbarrier_invalidate(Warp& warp, const Inst& in) {
  const auto& operands = *static_cast<const AsyncOperands*>(in.extra);
  const Places places = find_places(warp, in, operands.barrier);
  if (const Inst* stop = stop_at(warp, in, places)) return stop;
  for_lanes(places.lanes, [&](std::size_t lane) {
    BlockContext& block = *places.block[lane];
    if (find(*warp.context, in, 1u << lane, block, places.offset[lane]) == nullptr) return;
    while (complete_deferred(block, places.offset[lane])) continue;
    async_of(block).mbarriers.erase(places.offset[lane]);
  });
  return &in + 1;
}

const Inst* mbarrier_arrive(Warp& warp, const Inst& in) {
  const auto& operands = *static_cast<const AsyncOperands*>(in.extra);
  WarpContext& context = *warp.context;
  const Places places = find_places(warp, in, operands.barrier);
  if (const Inst* stop = stop_at(warp, in, places)) return stop;
  tell_use(context, in, places);
  ObserverSlots brought;
  tell(*context.block, &Observer::release, context, places.lanes, brought);
  for_lanes(places.lanes, [&](std::size_t lane) {
    BlockContext& block = *places.block[lane];
    tell(block, &Observer::mbarrier_arrive_by, context, in, block, places.offset[lane], brought);
    std::uint32_t count = 1;
    if (operands.size >= 0) count = warp.reg<std::uint32_t>(operands.size)[lane];
    if ((in.aux & kArriveExpect) != 0) {
      if (!change_bytes(context, in, 1u << lane, block, places.offset[lane], count)) return;
      count = 1;
    }
    const std::uint64_t before =
        arrive(context, in, 1u << lane, block, places.offset[lane], count, in.aux);
    if (in.d >= 0) warp.reg<std::uint64_t>(in.d)[lane] = before;
  });
  return &in + 1;
}

const Inst* mbarrier_transaction(Warp& warp, const Inst& in) {
  const auto& operands = *static_cast<const AsyncOperands*>(in.extra);
  const Places places = find_places(warp, in, operands.barrier);
  if (const Inst* stop = stop_at(warp, in, places)) return stop;
  tell_use(*warp.context, in, places);
  for_lanes(places.lanes, [&](std::size_t lane) {
    const std::int64_t bytes = warp.reg<std::uint32_t>(operands.size)[lane];
    change_bytes(*warp.context, in, 1u << lane, *places.block[lane], places.offset[lane],
                 in.aux == 1 ? -bytes : bytes);
  });
  return &in + 1;
}

const Inst* mbarrier_wait(Warp& warp, const Inst& in) {
  const auto& operands = *static_cast<const AsyncOperands*>(in.extra);
  WarpContext& context = *warp.context;
  const Places places = find_places(warp, in, operands.barrier);
  if (const Inst* stop = stop_at(warp, in, places)) return stop;
  std::uint32_t done = completed(context, in, places);
  if (done != places.lanes) {
    bool delivered = false;
    for_lanes(places.lanes & ~done, [&](std::size_t lane) {
      BlockContext& block = *places.block[lane];
      // Not the next phase, too, where an earlier lane's copies have completed this one.
      const Mbarrier& barrier = async_of(block).mbarriers.at(places.offset[lane]);
      if (may_go_on(&barrier, warp, in, lane)) return;
      delivered = complete_deferred(block, places.offset[lane]) || delivered;
    });
    if (delivered) done = completed(context, in, places);
  }
  WarpSplit& split = context.splits[context.current];
  const std::uint32_t bad = warp.active & ~places.lanes;  // nothing to wait for
  if ((done | bad) == 0 && !split.expired) {
    if (context.run_start != &in) account(context, (&in)[-1]);
    split.pc = &in;
    split.state = WarpSplit::State::at_mbarrier;
    return reschedule(context);
  }
  split.expired = false;
  for_lanes(done, [&](std::size_t lane) {
    tell(*context.block, &Observer::mbarrier_wait, context, *places.block[lane],
         places.offset[lane]);
  });
  std::uint32_t& predicate = warp.pred(in.d);
  predicate = (predicate & ~warp.active) | done | bad;
  // A loop around this waits for others.
  if (done != places.lanes) context.spins = true;
  return &in + 1;
}

const Inst* mbarrier_pending_count(Warp& warp, const Inst& in) {
  for_lanes(warp.active, [&](std::size_t lane) {
    warp.reg<std::uint32_t>(in.d)[lane] =
        State::unpack(warp.reg<std::uint64_t>(in.a)[lane]).pending;
  });
  return &in + 1;
}

const Inst* arrive_after_copies(Warp& warp, const Inst& in) {
  const auto& operands = *static_cast<const AsyncOperands*>(in.extra);
  WarpContext& context = *warp.context;
  const Places places = find_places(warp, in, operands.barrier);
  if (const Inst* stop = stop_at(warp, in, places)) return stop;
  ObserverSlots brought;
  tell(*context.block, &Observer::release, context, places.lanes, brought);
  for_lanes(places.lanes, [&](std::size_t lane) {
    BlockContext& block = *places.block[lane];
    const std::uint32_t offset = places.offset[lane];
    Mbarrier* barrier = find(context, in, 1u << lane, block, offset);
    if (barrier == nullptr) return;
    if (in.aux == 0) {
      State state = State::unpack(barrier->value);
      state.pending += 1;
      store(block, offset, *barrier, state);
    }
    auto& deferred = async_of(block).deferred;
    const std::uint64_t before = async_of(context).copies;
    Deferred* last = deferred.empty() ? nullptr : &deferred.back();
    if (last != nullptr && last->copy == nullptr && last->warp == &context &&
        last->barrier == offset && last->before == before && last->site.in == &in &&
        ((last->lanes >> lane) & 1) == 0) {
      last->lanes |= 1u << lane;
      return;
    }
    deferred.push_back({.barrier = offset,
                        .copy = nullptr,
                        .warp = &context,
                        .lanes = 1u << lane,
                        .before = before,
                        .site = site_of(context, in, warp.active),
                        .brought = brought});
    wake_mbarrier_waiters(block);
  });
  return &in + 1;
}

std::string describe_mbarrier_wait(const WarpContext& context, const WarpSplit& split) {
  const Inst& in = *split.pc;
  const auto& operands = *static_cast<const AsyncOperands*>(in.extra);
  // The split does not run: look at its registers through a warp of its own.
  Warp warp = context.warp;
  warp.regs = context.registers.data() + split.frame->window;
  warp.active = split.mask;
  std::uint64_t address[kWarpSize];
  generic_addresses(warp, operands.barrier, address);
  const auto lane = static_cast<std::size_t>(std::countr_zero(split.mask));
  const auto offset = static_cast<std::uint32_t>((address[lane] - kSharedWindow) % kClusterStride);
  const auto& barriers = async_of(*context.block).mbarriers;
  const auto it = barriers.find(offset);
  const std::string name = shared_name(*context.block->launch, offset);
  if (it == barriers.end()) return fmt::format("the mbarrier {}, which is invalid", name);
  const State state = State::unpack(it->second.value);
  std::string missing;
  if (state.pending != 0 || state.bytes == 0) {
    missing = fmt::format("{} of {} arrivals", state.pending, state.expected);
  }
  if (state.bytes > 0) {
    missing += fmt::format("{}{} transaction bytes", missing.empty() ? "" : " and ", state.bytes);
  }
  if (!missing.empty()) missing += " missing";
  if (state.bytes < 0) {
    missing += fmt::format("{}{} transaction bytes more have come than expect_tx announced",
                           missing.empty() ? "" : ", ", -state.bytes);
  }
  return fmt::format("phase {} of the mbarrier {}: {}", it->second.phases, name, missing);
}

}  // namespace warpsim
