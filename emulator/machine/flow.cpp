#include "emulator/machine/flow.h"

#include <algorithm>
#include <initializer_list>
#include <string_view>
#include <unordered_map>

#include "emulator/machine/decoder.h"
#include "emulator/machine/liveness.h"
#include "emulator/machine/program.h"

namespace warpsim {
namespace {

using Names = std::initializer_list<std::string_view>;

bool is_one_of(std::string_view name, Names names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool is_verbatim(const ptx::Instruction& instruction) {
  if (instruction.opcode == "cvt") {
    return std::none_of(instruction.modifiers.begin(), instruction.modifiers.end(),
                        [](std::string_view modifier) {
                          const auto type = ptx::parse_type(modifier);
                          return type && ptx::is_float(*type);
                        });
  }
  return is_one_of(instruction.opcode,
                   {"mov", "and", "or", "xor", "not", "lop3", "shl", "shr", "shf", "prmt", "bfe",
                    "bfi", "selp", "slct", "shfl", "brev", "cvta"});
}

}  // namespace

bool is_pure(const ptx::Instruction& instruction) {
  if (instruction.has("cc")) return false;
  return is_one_of(instruction.opcode,
                   {"abs",  "add",      "and",  "bfe",  "bfi",   "bfind", "bmsk",  "brev",  "clz",
                    "cnot", "copysign", "cos",  "cvt",  "div",   "dp2a",  "dp4a",  "ex2",   "fma",
                    "fns",  "isspacep", "lg2",  "lop3", "mad",   "max",   "min",   "mov",   "mul",
                    "neg",  "not",      "or",   "popc", "prmt",  "rcp",   "rem",   "rsqrt", "sad",
                    "selp", "set",      "setp", "shf",  "shl",   "shr",   "sin",   "sub",   "slct",
                    "sqrt", "tanh",     "xor",  "cvta", "testp", "mad24", "mul24", "szext"});
}

FlowKind flow_kind(const ptx::Instruction& instruction) {
  const std::string_view opcode = instruction.opcode;
  if (is_pure(instruction)) return FlowKind::pure;
  if (is_one_of(opcode, {"shfl", "vote", "match", "redux"})) return FlowKind::collective;
  if (is_one_of(opcode, {"ld", "ldu"})) return FlowKind::load;
  if (opcode == "st") return FlowKind::store;
  if (is_one_of(opcode, {"atom", "red"})) return FlowKind::atomic;
  if (is_one_of(opcode, {"bra", "brx"})) return FlowKind::branch;
  if (is_one_of(opcode, {"bar", "barrier"})) return FlowKind::barrier;
  if (opcode == "call") return FlowKind::call;
  if (is_one_of(opcode, {"prefetch", "prefetchu", "discard", "applypriority", "nanosleep",
                         "pmevent", "membar", "fence"})) {
    return FlowKind::harmless;
  }
  return FlowKind::other;
}

namespace {

class Builder {
 public:
  explicit Builder(const Program& program) : program_(program) {
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
    // The decoder may put helpers in front of an instruction; they compute `d` from `a`.
    if (index + 1 < program_.source.size() && program_.source[index + 1] == source) {
      return helper(in);
    }
    Flow flow;
    flow.kind = flow_kind(*source);
    flow.verbatim = is_verbatim(*source);
    flow.compares = is_one_of(source->opcode, {"setp", "set"});
    if (flow.kind == FlowKind::load || flow.kind == FlowKind::store) {
      memory(flow, *source, in);
      return flow;
    }
    const RegisterUse use = register_use(*source);
    for (const std::uint32_t r : use.writes) flow.writes.push_back(place(r));
    for (const std::uint32_t r : use.reads) {
      const bool address = flow.kind == FlowKind::atomic && slot(r) == in.a;
      if (!address && r != source->guard.reg) flow.reads.push_back(place(r));
    }
    if (flow.kind == FlowKind::branch && !live_.empty()) add_live(flow, *source);
    if (flow.kind == FlowKind::atomic && source->has("exch")) {
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

  /// What is read behind a branch, wherever it leads.
  void add_live(Flow& flow, const ptx::Instruction& source) const {
    const ptx::Function& function = *program_.function;
    const auto index = static_cast<std::size_t>(&source - function.instructions.data());
    std::vector<std::uint64_t> all = live_[index + 1];
    const auto include = [&](std::uint32_t target) {
      for (std::size_t w = 0; w < all.size(); ++w) all[w] |= live_[target][w];
    };
    for (const auto& operand : source.operands) {
      if (operand.kind == ptx::Operand::Kind::label) include(operand.target);
    }
    if (source.opcode == "brx") {
      const auto table = function.branch_tables.find(source.operands[1].text);
      if (table == function.branch_tables.end()) return;
      for (const std::uint32_t target : table->second) include(target);
    }
    for (std::uint32_t r = 0; r < function.registers.size(); ++r) {
      if ((all[r / 64] >> (r % 64)) & 1) flow.live.push_back(slot(r));
    }
    std::sort(flow.live.begin(), flow.live.end());
    flow.knows_live = true;
  }

  [[nodiscard]] Flow helper(const Inst& in) const {
    Flow flow;
    flow.kind = FlowKind::pure;
    flow.verbatim = true;
    if (in.a >= 0) flow.reads.push_back(place_of_slot(in.a));
    if (in.d >= 0) flow.writes.push_back(place_of_slot(in.d));
    return flow;
  }

  void memory(Flow& flow, const ptx::Instruction& source, const Inst& in) const {
    const bool load = flow.kind == FlowKind::load;
    for (const std::string_view modifier : source.modifiers) {
      const std::string_view base = modifier.substr(0, modifier.find("::"));
      if (const auto space = ptx::parse_space(base)) flow.space = *space;
      if (const auto type = ptx::parse_type(modifier)) {
        flow.element = bytes(*type);
        flow.is_signed = ptx::is_signed(*type);
      }
    }
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
  std::vector<std::vector<std::uint64_t>> live_;  // in front of each instruction
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
