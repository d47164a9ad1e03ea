#include "emulator/recording/variable_watch.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "emulator/machine/for_lanes.h"

namespace warpsim::recording {
namespace {

using debug::Storage;
using Seen = ProgramVariables::Seen;

std::uint64_t load(const std::byte* from, std::uint32_t bytes) {
  std::uint64_t value = 0;
  std::memcpy(&value, from, bytes);
  return value;
}

/// The lanes' values in a register.
void read_register(const Frame& frame, const WarpContext& context, const Seen& seen,
                   const Variable& variable, std::uint32_t lanes, std::uint64_t* values) {
  const Program& program = *frame.program;
  const std::byte* const window = context.registers.data() + frame.window;
  const std::byte* const slot = window + program.register_slots[seen.storage.number];
  const ptx::Type type = program.function->registers[seen.storage.number].type;
  if (type == ptx::Type::pred) {
    const std::uint64_t mask = load(slot, 4);
    return for_lanes(lanes, [&](std::size_t lane) { values[lane] = mask >> lane & 1; });
  }
  const std::size_t distance = ptx::size_bytes(type);
  for_lanes(lanes, [&](std::size_t lane) {
    values[lane] = load(slot + lane * distance + seen.offset, variable.bytes);
  });
}

/// The lanes' values in local memory. @returns those whose bytes are initialized
std::uint32_t read_local(const Frame& frame, const WarpContext& context, const Seen& seen,
                         const Variable& variable, std::uint32_t lanes, std::uint64_t* values) {
  const std::uint64_t at = frame.local_base + seen.storage.number;
  if (at + variable.bytes > context.local_stride) return 0;
  std::uint32_t initialized = 0;
  for_lanes(lanes, [&](std::size_t lane) {
    const std::size_t offset = lane * context.local_stride + at;
    const std::uint8_t* const written = context.local_written.bytes() + offset;
    if (std::find(written, written + variable.bytes, 0) != written + variable.bytes) return;
    initialized |= 1u << lane;
    values[lane] = load(context.local.data() + offset, variable.bytes);
  });
  return initialized;
}

}  // namespace

VariableWatch::Numbers& VariableWatch::numbers_of(const ProgramVariables& program) {
  const auto [known, is_new] = numbers_.try_emplace(&program);
  Numbers& numbers = known->second;
  if (!is_new) return numbers;
  numbers.first = static_cast<std::uint32_t>(record_.list.size());
  numbers.sets.resize(program.views().size());
  record_.list.insert(record_.list.end(), program.variables().begin(), program.variables().end());
  return numbers;
}

VariableWatch::Activation& VariableWatch::activation_of(Of& warp, const ProgramVariables& program,
                                                        std::uint32_t depth) {
  Activation& activation = warp.activations[{&program, depth}];
  if (activation.numbers != nullptr) return activation;
  activation.numbers = &numbers_of(program);
  activation.written.resize(program.registers().size());
  return activation;
}

/// The variables that are visible, by their numbers in the block.
std::uint32_t VariableWatch::set_of(const ProgramVariables& program, Numbers& numbers,
                                    std::uint32_t view) {
  if (numbers.sets[view] != 0) return numbers.sets[view] - 1;
  VisibleVariables set;
  for (const Seen& seen : program.views()[view]) {
    set.list.push_back({numbers.first + seen.variable, seen.storage.kind != Storage::Kind::none});
  }
  const auto same = std::ranges::find(record_.sets, set);
  const auto number = static_cast<std::uint32_t>(same - record_.sets.begin());
  if (same == record_.sets.end()) record_.sets.push_back(std::move(set));
  numbers.sets[view] = number + 1;
  return number;
}

/// Compares a variable's values with what is known of them.
void VariableWatch::look(Of& warp, const Seen& seen, const WarpContext& context, const Frame& frame,
                         std::uint32_t lanes) {
  const Variable& variable = warp.program->variables()[seen.variable];
  std::array<std::uint64_t, 32> values;
  std::uint32_t have = lanes;
  switch (seen.storage.kind) {
    case Storage::Kind::reg:
      have &= warp.activation->written[warp.program->number_of_register(seen.storage.number)];
      read_register(frame, context, seen, variable, have, values.data());
      break;
    case Storage::Kind::local:
      have = read_local(frame, context, seen, variable, lanes, values.data());
      break;
    case Storage::Kind::parameter: {
      const std::vector<std::byte>& all = context.block->launch->parameters;
      if (seen.storage.number + variable.bytes > all.size()) return;
      values.fill(load(all.data() + seen.storage.number, variable.bytes));
      break;
    }
    default:
      return;
  }
  const std::uint32_t number = warp.activation->numbers->first + seen.variable;
  if (warp.known.size() <= number) warp.known.resize(record_.list.size());
  Known& known = warp.known[number];
  std::uint32_t changed = lanes & known.lanes & ~have;
  for_lanes(have, [&](std::size_t lane) {
    if ((known.lanes >> lane & 1) != 0 && known.value[lane] == values[lane]) return;
    changed |= 1u << lane;
    known.value[lane] = values[lane];
  });
  known.lanes = (known.lanes & ~lanes) | have;
  if (changed == 0) return;
  const auto same = std::ranges::find(dirty_, number, &Dirty::variable);
  if (same == dirty_.end()) {
    dirty_.push_back({number, changed});
  } else {
    same->lanes |= changed;
  }
}

void VariableWatch::executed(const ProgramVariables& program, std::uint32_t index,
                             const WarpContext& context, const Frame& frame, std::uint32_t lanes) {
  const ProgramVariables::After& after = program.after(index);
  warp_ = context.warp.warp_index;
  if (warps_.empty()) warps_.resize(context.block->warps.size());
  Of& warp = warps_[warp_];
  // Lanes that come from elsewhere may bring other values.
  const bool elsewhere = warp.program != &program || warp.depth != frame.depth;
  const bool anew = elsewhere || warp.lanes != lanes || after.begins || !after.begun.empty();
  if (elsewhere) warp.activation = &activation_of(warp, program, frame.depth);
  std::vector<std::uint32_t>& written = warp.activation->written;
  if (after.begins) {
    for (std::uint32_t& of : written) of &= ~lanes;
  }
  for (const std::uint32_t number : after.begun) written[number] &= ~lanes;
  for (const std::uint32_t number : after.written) written[number] |= lanes;
  warp.program = &program;
  warp.depth = frame.depth;
  warp.lanes = lanes;
  if (!after.is_sampled) {
    warp.program = nullptr;
    return;
  }
  const ProgramVariables::View& view = program.views()[after.view];
  const auto is_touched = [&](const Seen& seen) {
    if (anew || (seen.storage.kind == Storage::Kind::local && after.stores)) return true;
    if (seen.storage.kind == Storage::Kind::reg &&
        std::ranges::find(after.written, program.number_of_register(seen.storage.number)) !=
            after.written.end()) {
      return true;
    }
    // It was elsewhere, or could not be seen.
    return warp.view != &view && std::ranges::find(*warp.view, seen) == warp.view->end();
  };
  if (anew || after.stores || !after.written.empty() || warp.view != &view) {
    for (const Seen& seen : view) {
      if (is_touched(seen)) look(warp, seen, context, frame, lanes);
    }
  }
  warp.view = &view;
  set_ = set_of(program, *warp.activation->numbers, after.view);
}

void VariableWatch::end_step(std::uint32_t step) {
  if (set_ == ~0u && dirty_.empty()) return;
  Of& warp = warps_[warp_];
  if (set_ != ~0u && set_ != warp.set) {
    writer_.add_visible(step, warp_, set_);
    warp.set = set_;
  }
  for (const Dirty& dirty : dirty_) {
    const Known& known = warp.known[dirty.variable];
    const Variable& variable = record_.list[dirty.variable];
    VariableChange change{.step = step, .warp = warp_, .number = dirty.variable};
    change.values = known.value;
    if ((change.lanes = dirty.lanes & known.lanes) != 0) writer_.add(change, variable);
    change.kind = VariableChange::Kind::none;
    if ((change.lanes = dirty.lanes & ~known.lanes) != 0) writer_.add(change, variable);
  }
  dirty_.clear();
  set_ = ~0u;
}

VariableRecord VariableWatch::take() {
  record_.count = writer_.count();
  record_.changes = writer_.take();
  return std::move(record_);
}

}  // namespace warpsim::recording
