#include "emulator/native/live_values.h"

#include <algorithm>
#include <cstddef>

#include "emulator/isa/description.h"
#include "emulator/machine/linker.h"
#include "emulator/machine/liveness.h"

namespace warpsim::native {
namespace {

/// Text may use a register as a wider type than it has, which nobody else accepts.
constexpr std::int32_t kWidestUse = kWarpSize * 8;

/// Only instructions of the same lane read a register, and only as the text says.
bool is_private(const Program& program) {
  if (!program.may_drop_values || program.group_registers != nullptr) return false;
  // What blocks that wait for each other have in their registers is compared from round to round.
  if (program.order_sensitive || program.kernel->has_calls) return false;
  // A shuffle may read a register of a lane that is elsewhere.
  return std::ranges::none_of(program.function->instructions, [](const auto& instruction) {
    return describe(instruction).collective != Collective::none;
  });
}

}  // namespace

LiveValues::LiveValues(const Program& program) : program_(program) {
  constexpr std::size_t kLargest = std::size_t{1} << 20;
  const auto& registers = program.function->registers;
  const std::size_t instructions = program.function->instructions.size();
  if (instructions * registers.size() > kLargest || !is_private(program)) return;
  live_ = live_registers(*program.function);
  for (std::uint32_t i = 0; i < registers.size() && i < program.register_slots.size(); ++i) {
    const std::int32_t slot = program.register_slots[i];
    if (slot < 0 || registers[i].type == ptx::Type::pred) continue;
    const auto bytes = static_cast<std::int32_t>(kWarpSize * ptx::size_bytes(registers[i].type));
    registers_.push_back({slot, bytes, i});
    widest_ = std::max({widest_, bytes, kWidestUse});
  }
  std::ranges::sort(registers_, {}, &Register::slot);
}

bool LiveValues::is_dead(const Inst& next, std::int32_t slot, std::int32_t bytes) const {
  if (live_.empty()) return false;
  const ptx::Instruction* const source = program_.source[next.index];
  const auto& instructions = program_.function->instructions;
  const auto place = source == nullptr ? static_cast<std::ptrdiff_t>(instructions.size())
                                       : source - instructions.data();
  if (place < 0 || static_cast<std::size_t>(place) >= live_.size()) return false;
  const std::vector<std::uint64_t>& live = live_[static_cast<std::size_t>(place)];
  bool is_register = false;
  auto one = std::ranges::lower_bound(registers_, slot - widest_, {}, &Register::slot);
  for (; one != registers_.end() && one->slot < slot + bytes; ++one) {
    const bool is_live = ((live[one->number / 64] >> (one->number % 64)) & 1) != 0;
    if (is_live && slot < one->slot + std::max(one->bytes, kWidestUse)) return false;
    is_register = is_register || (slot >= one->slot && slot + bytes <= one->slot + one->bytes);
  }
  return is_register;
}

}  // namespace warpsim::native
