#include "emulator/checkers/read_only/address_sources.h"

#include <algorithm>
#include <vector>

#include "emulator/isa/description.h"

namespace warpsim {
namespace {

constexpr std::size_t kPointerBytes = 8;

class Sources {
 public:
  explicit Sources(const ptx::Function& kernel)
      : kernel_(kernel), of_register_(kernel.registers.size(), 0) {
    for (bool changed = true; changed;) {
      changed = false;
      for (const ptx::Instruction& instruction : kernel.instructions) {
        const AddressSources result = of_result(instruction);
        if (result == 0) continue;
        for (const std::uint32_t reg : register_use(instruction).writes) {
          changed |= (of_register_[reg] | result) != of_register_[reg];
          of_register_[reg] |= result;
        }
      }
    }
  }

  /// What is computed from an operand is computed from these.
  [[nodiscard]] AddressSources of(const ptx::Operand& operand) const {
    AddressSources sources = 0;
    if (operand.reg != ptx::kNoIndex) sources |= of_register_[operand.reg];
    const bool has_name =
        operand.kind == ptx::Operand::Kind::symbol || operand.kind == ptx::Operand::Kind::address;
    if (has_name && !operand.text.empty()) sources |= of_name(operand.text);
    for (const ptx::Operand& element : operand.elements) sources |= of(element);
    return sources;
  }

 private:
  [[nodiscard]] AddressSources of_name(std::string_view name) const {
    const auto parameter = std::ranges::find(kernel_.parameters, name, &ptx::Variable::name);
    const auto index = static_cast<std::uint64_t>(parameter - kernel_.parameters.begin());
    return parameter == kernel_.parameters.end() || index >= kMostParameters
               ? kElsewhere
               : std::uint64_t{1} << index;
  }

  [[nodiscard]] AddressSources of_result(const ptx::Instruction& instruction) const {
    const Description does = describe(instruction);
    switch (does.effect) {
      case Effect::pure:
      case Effect::collective: {
        AddressSources sources = 0;
        for (std::size_t i = 0; i < instruction.operands.size(); ++i) {
          if (role_of(does, instruction, i) == OperandRole::written) continue;
          sources |= of(instruction.operands[i]);
        }
        return sources;
      }
      case Effect::load:
        if (does.space == ptx::Space::param) return of(*address_of(instruction));
        [[fallthrough]];
      case Effect::atomic:
        // What has fewer bytes, or is a float, is an index at most.
        return does.has_result && ptx::size_bytes(does.type) == kPointerBytes &&
                       does.type != ptx::Type::f64
                   ? kElsewhere
                   : 0;
      case Effect::call:
      case Effect::other:
        return kElsewhere;
      default:
        return 0;
    }
  }

  const ptx::Function& kernel_;
  std::vector<AddressSources> of_register_;
};

bool reaches_global(const Description& does) {
  return does.space == ptx::Space::global || does.space == ptx::Space::generic;
}

}  // namespace

GlobalAddresses global_addresses(const ptx::Function& kernel) {
  GlobalAddresses addresses;
  const bool has_any = std::ranges::any_of(
      kernel.instructions,
      [](const ptx::Instruction& instruction) { return describe(instruction).read_only; });
  if (!has_any) return addresses;
  const Sources sources(kernel);
  for (const ptx::Instruction& instruction : kernel.instructions) {
    const Description does = describe(instruction);
    const ptx::Operand* const address = address_of(instruction);
    if (address == nullptr || !reaches_global(does)) continue;
    if (does.read_only) addresses.read_only |= sources.of(*address);
    if (does.effect == Effect::store || does.effect == Effect::atomic) {
      addresses.written |= sources.of(*address);
    } else if (does.effect == Effect::other) {
      addresses.written |= kElsewhere;  // a copy engine's, say
    }
  }
  return addresses;
}

}  // namespace warpsim
