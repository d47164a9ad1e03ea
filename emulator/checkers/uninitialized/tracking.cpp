#include "emulator/checkers/uninitialized/tracking.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "emulator/checkers/uninitialized/flow.h"
#include "emulator/machine/context.h"
#include "emulator/machine/for_lanes.h"

// Following tainted values from register to register. What an instruction does to tainted bits is
// found by executing it several times with other values in their place: bits of the result that
// change depend on them. That is exact for what masks, selects and cancels, it holds for every
// instruction that computes registers from registers, and it needs no second description of any.

namespace warpsim {
namespace {

constexpr std::size_t kLargest = std::size_t{16} * kWarpSize;
using Bytes = std::array<std::byte, kLargest>;

std::size_t size_of(const FlowPlace& place) {
  return place.bytes == 0 ? sizeof(std::uint32_t) : std::size_t{place.bytes} * kWarpSize;
}

std::uint32_t load_mask(const std::byte* from) {
  std::uint32_t mask = 0;
  std::memcpy(&mask, from, sizeof mask);
  return mask;
}

void make_clean(TaintedSlot& slot, std::uint32_t lanes) {
  lanes &= slot.lanes;
  slot.lanes &= ~lanes;
  if (slot.bytes == 0) {
    std::memcpy(slot.bits.data(), &slot.lanes, sizeof slot.lanes);
    return;
  }
  for_lanes(lanes, [&](std::size_t lane) {
    std::memset(slot.bits.data() + lane * slot.bytes, 0, slot.bytes);
  });
}

/// Forgets lanes of the slots whose offset fulfils `is_meant`.
template <class F>
void clean_where(Tracking& tracking, std::uint32_t lanes, F is_meant) {
  for (auto it = tracking.slots.begin(); it != tracking.slots.end();) {
    if (is_meant(it->first)) make_clean(it->second, lanes);
    it = it->second.lanes == 0 ? tracking.slots.erase(it) : std::next(it);
  }
}

/// One instruction on its way.
class Step {
 public:
  Step(WarpContext& context, const Inst& in)
      : context_(context),
        tracking_(tracking_of(context)),
        in_(in),
        flow_(flow_at(context, in)),
        window_(context.frame().window) {}

  const Inst* run() {
    active_ = lanes_ = context_.warp.active;
    if (in_.guard >= 0) {
      use(in_.guard, Use::decision);
      if (flow_.effect == Effect::branch) return branch();
      std::uint32_t taken = context_.warp.pred(in_.guard);
      if (in_.flags & kGuardNegated) taken = ~taken;
      lanes_ &= taken;
      if (lanes_ == 0) return execute();
    }
    switch (flow_.effect) {
      case Effect::pure:
        return compute();
      case Effect::collective:
        return meet();
      case Effect::load:
        return load();
      case Effect::store:
        return store();
      case Effect::atomic:
        use(in_.a, Use::address);
        return consume(Use::atomic);
      case Effect::branch:
        return branch();
      case Effect::barrier:
        return consume(Use::barrier);
      case Effect::call:
        return consume(Use::address);
      case Effect::harmless:
        break;
      case Effect::other:
        return other();
    }
    return execute();
  }

 private:
  const Inst* execute() { return in_.run(context_.warp, in_); }
  /// False when the lanes wait instead, and others go on, perhaps with the next instruction.
  [[nodiscard]] bool has_executed(const Inst* next) const {
    return next == &in_ + 1 && context_.warp.active == active_;
  }

  TaintedSlot* find(std::int32_t slot) {
    if (slot < 0) return nullptr;
    const auto it = tracking_.slots.find(window_ + static_cast<std::size_t>(slot));
    return it == tracking_.slots.end() ? nullptr : &it->second;
  }
  std::byte* bytes(std::int32_t slot) {
    return context_.registers.data() + window_ + static_cast<std::size_t>(slot);
  }

  /// Reports lanes whose value matters here, and forgets them: once is enough.
  void use(std::int32_t slot, Use how) {
    TaintedSlot* tainted = find(slot);
    if (tainted == nullptr || (tainted->lanes & lanes_) == 0) return;
    report_use(context_, in_, *tainted, tainted->lanes & lanes_, how);
    clear(slot, lanes_);
  }

  void clear(std::int32_t slot, std::uint32_t lanes) {
    TaintedSlot* tainted = find(slot);
    if (tainted == nullptr) return;
    make_clean(*tainted, lanes);
    if (tainted->lanes == 0) tracking_.slots.erase(window_ + static_cast<std::size_t>(slot));
  }

  void clear_writes(std::uint32_t lanes) {
    for (const FlowPlace& place : flow_.writes) clear(place.slot, lanes);
  }

  /// An instruction at which its operands matter.
  const Inst* consume(Use how) {
    for (const FlowPlace& place : flow_.reads) use(place.slot, how);
    clear_writes(lanes_);
    return execute();
  }

  const Inst* branch() {
    for (const FlowPlace& place : flow_.reads) use(place.slot, Use::decision);
    if (flow_.knows_live) {
      // Values that are not read any more need no tracking.
      const std::size_t end = window_ + context_.frame().program->frame_image.size();
      clean_where(tracking_, active_, [&](std::size_t offset) {
        if (offset < window_ || offset >= end) return false;
        const auto slot = static_cast<std::int32_t>(offset - window_);
        return !std::binary_search(flow_.live.begin(), flow_.live.end(), slot);
      });
    }
    return execute();
  }

  bool reads_tainted() {
    return std::any_of(flow_.reads.begin(), flow_.reads.end(), [&](const FlowPlace& place) {
      const TaintedSlot* tainted = find(place.slot);
      return tainted != nullptr && (tainted->lanes & lanes_) != 0;
    });
  }

  const Inst* load() {
    use(in_.a, Use::address);
    clear_writes(lanes_);
    if (!flow_.parameter) return execute();  // check_written calls track_load
    const auto offsets = addresses();
    const Inst* next = execute();
    if (has_executed(next)) track_parameter_load(context_, flow_, lanes_, offsets);
    return next;
  }

  const Inst* store() {
    use(in_.a, Use::address);
    if (!reads_tainted()) return execute();
    const auto places = addresses();
    const Inst* next = execute();
    if (has_executed(next)) track_store(context_, in_, flow_, lanes_, places);
    return next;
  }

  std::array<std::uint64_t, kWarpSize> addresses() {
    std::array<std::uint64_t, kWarpSize> result{};
    const std::byte* from = bytes(in_.a);
    const bool narrow = flow_.address_bytes == 4;
    for (std::size_t lane = 0; lane < kWarpSize; ++lane) {
      std::uint64_t address = 0;
      std::memcpy(&address, from + lane * flow_.address_bytes, flow_.address_bytes);
      address += static_cast<std::uint64_t>(in_.offset);
      const bool wraps = narrow && flow_.space == ptx::Space::shared;
      result[lane] = wraps ? address & 0xffffffffu : address;
    }
    return result;
  }

  /// Not known to be repeatable: what it writes depends on all that it reads.
  const Inst* other() {
    if (flow_.writes.empty()) {
      const std::uint32_t live = context_.live;
      const Inst* next = consume(Use::other);
      if (context_.live != live) {
        clean_where(tracking_, live & ~context_.live, [](std::size_t) { return true; });
      }
      return next;
    }
    std::uint32_t lanes = 0;
    TaintedSlot result;
    for (const FlowPlace& place : flow_.reads) {
      const TaintedSlot* tainted = find(place.slot);
      if (tainted == nullptr) continue;
      for_lanes(tainted->lanes & lanes_, [&](std::size_t lane) {
        result.origin[lane] =
            merge_origins(tracking_of(*context_.block), result.origin[lane], tainted->origin[lane]);
      });
      lanes |= tainted->lanes & lanes_;
    }
    clear_writes(lanes_);
    const Inst* next = execute();
    if (lanes == 0 || !has_executed(next)) return next;
    for (const FlowPlace& place : flow_.writes) {
      Bytes all;
      all.fill(std::byte{0xff});
      put(place, lanes, all, lanes, result.origin);
    }
    return next;
  }

  const Inst* compute() {
    if (!reads_tainted()) {
      clear_writes(lanes_);
      return execute();
    }
    return sample();
  }

  const Inst* meet() {
    if (reads_tainted()) return sample();
    const std::uint32_t lanes = lanes_;
    tracking_.shuffled = 0;
    const Inst* next = execute();
    // What a shuffle took from lanes that are not there was tainted by its handler.
    if (has_executed(next)) clear_writes(lanes & ~tracking_.shuffled);
    return next;
  }

  struct Input {
    FlowPlace place;
    TaintedSlot taint;  // as it was before
    Bytes value;
  };
  struct Output {
    FlowPlace place;
    Bytes before, value, changed;
  };

  void collect() {
    inputs_.clear();
    outputs_.clear();
    for (const FlowPlace& place : flow_.reads) {
      const bool known = std::any_of(inputs_.begin(), inputs_.end(), [&](const Input& input) {
        return input.place.slot == place.slot;
      });
      const TaintedSlot* tainted = find(place.slot);
      if (known || tainted == nullptr || (tainted->lanes & lanes_) == 0) continue;
      Input& input = inputs_.emplace_back(Input{place, *tainted, {}});
      std::memcpy(input.value.data(), bytes(place.slot), size_of(place));
    }
    for (const FlowPlace& place : flow_.writes) {
      Output& output = outputs_.emplace_back();
      output.place = place;
      output.changed.fill(std::byte{0});
      std::memcpy(output.before.data(), bytes(place.slot), size_of(place));
    }
  }

  /// Executes once more with the tainted bits of input k taken from `fill(k, byte)`.
  template <class F>
  void try_fill(F fill) {
    for (const Output& output : outputs_) {
      std::memcpy(bytes(output.place.slot), output.before.data(), size_of(output.place));
    }
    for (std::size_t k = 0; k < inputs_.size(); ++k) {
      const Input& input = inputs_[k];
      std::byte* to = bytes(input.place.slot);
      for (std::size_t i = 0; i < size_of(input.place); ++i) {
        const std::byte mask = input.taint.bits[i];
        to[i] = (input.value[i] & ~mask) | (fill(k, i) & mask);
      }
    }
    execute();
    for (Output& output : outputs_) {
      const std::byte* now = bytes(output.place.slot);
      for (std::size_t i = 0; i < size_of(output.place); ++i) {
        output.changed[i] |= now[i] ^ output.value[i];
      }
    }
  }

  /// Values next to the other operand's, which decide whether a comparison can go either way.
  void try_neighbours() {
    for (std::size_t k = 0; k < inputs_.size(); ++k) {
      const FlowPlace& place = inputs_[k].place;
      const std::int32_t other = place.slot == in_.a ? in_.b : place.slot == in_.b ? in_.a : -1;
      if (other < 0 || place.bytes == 0 || place.bytes > 8) continue;
      Bytes reference;
      std::memcpy(reference.data(), bytes(other), size_of(place));
      for (const std::uint64_t delta : {std::uint64_t{0}, std::uint64_t{1}, ~std::uint64_t{0}}) {
        Bytes near;
        for (std::size_t lane = 0; lane < kWarpSize; ++lane) {
          std::uint64_t value = 0;
          std::memcpy(&value, reference.data() + lane * place.bytes, place.bytes);
          value += delta;
          std::memcpy(near.data() + lane * place.bytes, &value, place.bytes);
        }
        try_fill([&](std::size_t input, std::size_t i) {
          return input == k ? near[i] : inputs_[input].value[i];
        });
      }
    }
  }

  const Inst* sample() {
    collect();
    tracking_.shuffled = 0;
    const Inst* next = execute();
    if (!has_executed(next)) return next;  // waits for other lanes; they come back together
    for (Output& output : outputs_) {
      std::memcpy(output.value.data(), bytes(output.place.slot), size_of(output.place));
    }
    // All zeros and all ones in every combination, as equal values may cancel, ...
    const std::size_t combined = std::min<std::size_t>(inputs_.size(), 3);
    for (unsigned pattern = 0; pattern < 1u << combined; ++pattern) {
      try_fill([&](std::size_t k, std::size_t) {
        return (pattern >> (k % combined)) & 1 ? std::byte{0xff} : std::byte{0};
      });
    }
    // ... and ordinary numbers of both signs, which no conversion clamps.
    try_fill([](std::size_t k, std::size_t) { return k == 0 ? std::byte{0x41} : std::byte{0xc2}; });
    try_fill([](std::size_t k, std::size_t i) {
      return static_cast<std::byte>(0x4b + 0x35 * k + 0x17 * (i % 4));
    });
    if (flow_.compares) try_neighbours();
    for (const Input& input : inputs_) {
      std::memcpy(bytes(input.place.slot), input.value.data(), size_of(input.place));
    }
    for (const Output& output : outputs_) {
      std::memcpy(bytes(output.place.slot), output.value.data(), size_of(output.place));
    }
    // The handler has tainted what it took from lanes that are not there, each time.
    lanes_ &= ~tracking_.shuffled;
    clear_writes(lanes_);
    for (const Output& output : outputs_) settle(output);
    return next;
  }

  /// Gives a destination the bits that changed, with where they come from.
  void settle(const Output& output) {
    std::uint32_t computed = 0;
    std::array<std::uint32_t, kWarpSize> origin{};
    BlockTracking& block = tracking_of(*context_.block);
    for_lanes(lanes_, [&](std::size_t lane) {
      for (const Input& input : inputs_) {
        // A collective's result may come from any lane.
        std::uint32_t from = input.taint.lanes & 1u << lane;
        if (from == 0 && flow_.effect == Effect::collective) from = input.taint.lanes & lanes_;
        if (from == 0) continue;
        const auto source = static_cast<std::size_t>(std::countr_zero(from));
        origin[lane] = merge_origins(block, origin[lane], input.taint.origin[source]);
        if (!flow_.verbatim || (input.taint.computed >> source) & 1) computed |= 1u << lane;
      }
    });
    put(output.place, lanes_, output.changed, computed, origin);
  }

  void put(const FlowPlace& place, std::uint32_t lanes, const Bytes& bits, std::uint32_t computed,
           const std::array<std::uint32_t, kWarpSize>& origin) {
    std::uint32_t tainted = 0;
    if (place.bytes == 0) {
      tainted = load_mask(bits.data()) & lanes;
    } else {
      for_lanes(lanes, [&](std::size_t lane) {
        const std::byte* from = bits.data() + lane * place.bytes;
        if (std::any_of(from, from + place.bytes, [](std::byte b) { return b != std::byte{0}; })) {
          tainted |= 1u << lane;
        }
      });
    }
    if (tainted == 0) return;
    TaintedSlot& slot = tracking_.slots[window_ + static_cast<std::size_t>(place.slot)];
    slot.bytes = place.bytes;
    slot.lanes |= tainted;
    slot.computed = (slot.computed & ~tainted) | (computed & tainted);
    if (place.bytes == 0) {
      slot.computed |= tainted;
      std::memcpy(slot.bits.data(), &slot.lanes, sizeof slot.lanes);
    }
    for_lanes(tainted, [&](std::size_t lane) {
      slot.origin[lane] = origin[lane];
      if (place.bytes == 0) return;
      std::memcpy(slot.bits.data() + lane * place.bytes, bits.data() + lane * place.bytes,
                  place.bytes);
    });
  }

  WarpContext& context_;
  Tracking& tracking_;
  const Inst& in_;
  const Flow& flow_;
  const std::size_t window_;
  std::uint32_t active_ = 0;
  std::uint32_t lanes_ = 0;  // those that the guard lets execute
  std::vector<Input> inputs_;
  std::vector<Output> outputs_;
};

}  // namespace

const Flow& flow_at(WarpContext& context, const Inst& in) {
  using Flows = std::vector<Flow>;  // made when a warp is first followed in the program
  ObserverSlots& slots = context.tables->slots;
  if (slots.get<Flows>(kUninitializedSlot) == nullptr) {
    slots.put(kUninitializedSlot, std::make_shared<Flows>(flow_of(*context.frame().program)));
  }
  return (*slots.get<Flows>(kUninitializedSlot))[in.index];
}

std::uint32_t merge_origins(BlockTracking& block, std::uint32_t a, std::uint32_t b) {
  if (a == 0 || a == b) return b;
  if (b == 0) return a;
  const Origin& first = block.origins[a];
  // The iterations of a loop: the first one stands for all.
  if (first.inst != nullptr && first.inst == block.origins[b].inst) return a;
  if (first.first == b || first.second == b) return a;
  const std::uint64_t key = std::uint64_t{a} << 32 | b;
  const auto [it, added] = block.merged.try_emplace(key, 0);
  if (!added) return it->second;
  constexpr std::size_t kMostMerged = 4096;
  if (block.merged.size() > kMostMerged) return it->second = a;
  Origin both;
  both.first = a;
  both.second = b;
  block.origins.push_back(both);
  return it->second = static_cast<std::uint32_t>(block.origins.size() - 1);
}

std::unique_ptr<Observer> make_uninitialized_checker() {
  return std::make_unique<UninitializedChecker>();
}

const Inst* UninitializedChecker::execute(WarpContext& context, const Inst& in) {
  const Inst* const next = Step(context, in).run();
  const Tracking& tracking = tracking_of(context);
  if (tracking.slots.empty() && !tracking.parameters) {
    context.slow = static_cast<std::uint8_t>(context.slow & ~kFollowed);
  }
  return next;
}

const Inst* UninitializedChecker::run(WarpContext& context, const Inst* pc) {
  while (pc < context.slow_stop) {
    pc = execute(context, *pc);
    if (context.slow == 0) {
      context.warp.stop = context.slow_stop;
      break;
    }
  }
  return pc;
}

void UninitializedChecker::enter_frame(WarpContext& context, const Frame& frame,
                                       std::uint32_t lanes) {
  const std::size_t end = frame.window + frame.program->frame_image.size();
  clean_where(tracking_of(context), lanes,
              [&](std::size_t offset) { return offset >= frame.window && offset < end; });
  const std::uint64_t first = frame.local_base;
  const std::uint64_t last = first + frame.program->local_bytes;
  std::erase_if(tracking_of(context).local, [&](const auto& entry) {
    const std::uint64_t offset = entry.first & 0xffffffffu;
    return (lanes >> (entry.first >> 32)) & 1 && offset >= first && offset < last;
  });
}

}  // namespace warpsim
