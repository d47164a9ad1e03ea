#include "emulator/checkers/uninitialized/flow.h"

#include <algorithm>
#include <unordered_map>

#include "emulator/machine/decoder.h"
#include "emulator/machine/liveness.h"
#include "emulator/machine/paths.h"
#include "emulator/machine/program.h"

namespace warpsim {
namespace {

/// Registers that hold what memory or another lane held, or such values combined bit by bit: data
/// as against masks, which are computed. A constant may be there at first, as in an accumulator.
/// @return one element per register of the function
std::vector<bool> data_registers(const ptx::Function& function) {
  struct Definition {
    bool reads_data = false;  // a load, a shuffle or an atomic
    bool combines = false;  // copies its operand, or combines operands bit by bit
    RegisterUse use;
  };
  std::vector<Definition> definitions;
  for (const ptx::Instruction& instruction : function.instructions) {
    Definition definition;
    definition.use = register_use(instruction);
    if (definition.use.writes.empty()) continue;
    const Description does = describe(instruction);
    const bool fixed = does.space == ptx::Space::param || does.space == ptx::Space::constant;
    definition.reads_data = (does.effect == Effect::load && !fixed) ||
                            does.effect == Effect::atomic || does.collective == Collective::shuffle;
    definition.combines = does.copies || does.bitwise;
    definitions.push_back(std::move(definition));
  }
  const std::size_t count = function.registers.size();
  std::vector<bool> computed(count);  // by something else
  std::vector<bool> loaded(count);
  for (bool changed = true; changed;) {
    changed = false;
    for (const auto& [reads_data, combines, use] : definitions) {
      const auto is_in = [](const std::vector<bool>& set) {
        return [&set](std::uint32_t r) { return static_cast<bool>(set[r]); };
      };
      const bool from_data =
          reads_data || (combines && std::ranges::any_of(use.reads, is_in(loaded)));
      const bool from_other =
          !reads_data && (!combines || std::ranges::any_of(use.reads, is_in(computed)));
      for (const std::uint32_t r : use.writes) {
        changed = changed || (from_data && !loaded[r]) || (from_other && !computed[r]);
        if (from_data) loaded[r] = true;
        if (from_other) computed[r] = true;
      }
    }
  }
  for (std::size_t r = 0; r < count; ++r) loaded[r] = loaded[r] && !computed[r];
  return loaded;
}

class Builder {
 public:
  explicit Builder(const Program& program)
      : program_(program), data_(data_registers(*program.function)) {
    const auto& registers = program.function->registers;
    for (std::size_t i = 0; i < registers.size() && i < program.register_slots.size(); ++i) {
      bytes_of_slot_[program.register_slots[i]] = bytes(registers[i].type);
    }
    // Only saves time, so not worth the memory that very large functions would need.
    constexpr std::size_t kLargest = std::size_t{1} << 28;
    if (program.function->instructions.size() * registers.size() < kLargest) {
      live_ = live_registers(*program.function);
    }
  }

  [[nodiscard]] Flow at(const Inst& in) const {
    const std::size_t index = in.index;
    const ptx::Instruction* source = program_.source[index];
    if (source == nullptr) return {};  // the implicit ret
    if (in.run == run_unsupported) return {};  // ends the kernel; has no operands
    // The decoder may put helpers before an instruction; they compute `d` from `a`.
    if (index + 1 < program_.source.size() && program_.source[index + 1] == source) {
      return helper(in);
    }
    Flow flow;
    const Description does = describe(*source);
    flow.effect = does.effect;
    flow.verbatim = does.verbatim;
    flow.compares = does.compares;
    if (flow.effect == Effect::load || flow.effect == Effect::store) {
      memory(flow, does, *source, in);
      return flow;
    }
    const RegisterUse use = register_use(*source);
    // Two values of data make a new one. With a mask a bit field is taken out or put in, and its
    // neighbours may stay uninitialized.
    const auto is_data = [&](std::uint32_t r) { return static_cast<bool>(data_[r]); };
    if (does.bitwise && std::ranges::count_if(use.reads, is_data) > 1) flow.verbatim = false;
    for (const std::uint32_t r : use.writes) flow.writes.push_back(place(r));
    for (const std::uint32_t r : use.reads) {
      const bool address = flow.effect == Effect::atomic && slot(r) == in.a;
      if (!address && r != source->guard.reg) flow.reads.push_back(place(r));
    }
    if (flow.effect == Effect::branch && !live_.empty()) add_live(flow, *source);
    if (does.atomic == AtomicOperation::exchange) {
      flow.exchanges = true;
      flow.element = in.width;
    }
    return flow;
  }

 private:
  static std::uint8_t bytes(ptx::Type type) {
    return type == ptx::Type::pred ? std::uint8_t{0}
                                   : static_cast<std::uint8_t>(ptx::size_bytes(type));
  }
  [[nodiscard]] std::int32_t slot(std::uint32_t reg) const { return program_.register_slots[reg]; }
  [[nodiscard]] FlowPlace place(std::uint32_t reg) const {
    return {slot(reg), bytes(program_.function->registers[reg].type)};
  }
  [[nodiscard]] FlowPlace place_of_slot(std::int32_t slot) const {
    const auto it = bytes_of_slot_.find(slot);
    return {slot, it == bytes_of_slot_.end() ? std::uint8_t{8} : it->second};
  }

  /// What is read after a branch, wherever it leads.
  void add_live(Flow& flow, const ptx::Instruction& source) const {
    const ptx::Function& function = *program_.function;
    const auto index = static_cast<std::size_t>(&source - function.instructions.data());
    std::vector<std::uint64_t> all = live_[index + 1];
    const auto include = [&](std::uint32_t target) {
      for (std::size_t w = 0; w < all.size(); ++w) all[w] |= live_[target][w];
    };
    for (const std::uint32_t target : branch_targets(function, static_cast<std::uint32_t>(index))) {
      include(target);
    }
    for (std::uint32_t r = 0; r < function.registers.size(); ++r) {
      if ((all[r / 64] >> (r % 64)) & 1) flow.live.push_back(slot(r));
    }
    std::sort(flow.live.begin(), flow.live.end());
    flow.knows_live = true;
  }

  [[nodiscard]] Flow helper(const Inst& in) const {
    Flow flow;
    flow.effect = Effect::pure;
    flow.verbatim = true;
    if (in.a >= 0) flow.reads.push_back(place_of_slot(in.a));
    if (in.d >= 0) flow.writes.push_back(place_of_slot(in.d));
    return flow;
  }

  void memory(Flow& flow, const Description& does, const ptx::Instruction& source,
              const Inst& in) const {
    const bool load = flow.effect == Effect::load;
    flow.space = does.space;
    flow.element = bytes(does.type);
    flow.is_signed = ptx::is_signed(does.type);
    constexpr std::uint8_t kIsParameter = 1;  // as the handlers of local memory mark it
    flow.parameter = flow.space == ptx::Space::param && in.aux2 == kIsParameter;
    if (flow.space == ptx::Space::param) {
      flow.space = flow.parameter ? ptx::Space::local : ptx::Space::constant;
    }
    const auto& address = source.operands[load ? 1 : 0];
    if (flow.space == ptx::Space::shared || flow.space == ptx::Space::local) {
      const bool narrow = flow.space == ptx::Space::shared || (load && flow.parameter);
      flow.address_bytes = address.reg != ptx::kNoIndex
                               ? bytes(program_.function->registers[address.reg].type)
                               : std::uint8_t{narrow ? std::uint8_t{4} : std::uint8_t{8}};
    }
    const auto& value = source.operands[load ? 0 : 1];
    auto& places = load ? flow.writes : flow.reads;
    const auto add = [&](const ptx::Operand& element) {
      const bool is_register = element.kind == ptx::Operand::Kind::reg;
      places.push_back(is_register ? place(element.reg) : FlowPlace{});
    };
    if (value.kind == ptx::Operand::Kind::vector) {
      for (const auto& element : value.elements) add(element);
    } else {
      add(value);
    }
  }

  const Program& program_;
  std::vector<bool> data_;  // by register of the function
  std::vector<std::vector<std::uint64_t>> live_;  // before each instruction
  std::unordered_map<std::int32_t, std::uint8_t> bytes_of_slot_;
};

}  // namespace

std::vector<Flow> flow_of(const Program& program) {
  const Builder builder(program);
  std::vector<Flow> flows(program.source.size());
  for (const Inst& in : program.code) flows[in.index] = builder.at(in);
  return flows;
}

}  // namespace warpsim
