#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "emulator/isa/description.h"
#include "emulator/machine/address.h"
#include "emulator/machine/linker.h"

// Static shared memory: which arrays a kernel can reach, and where they go.

namespace warpsim {
namespace {

/// Room after each array in which an overrun is noticed. A multiple of 128 bytes keeps every
/// array at the bank that it has on a card, so that bank conflicts are counted as there.
constexpr std::uint32_t kSharedGuard = 1024;

/// What the system keeps of a block's shared memory since compute capability 8.0. Cooperative
/// groups of several warps have their barriers there.
constexpr std::uint32_t kReservedShared = 1024;

/// What the arrays of a kernel may add up to: more than any card has, so that such a launch is
/// still reported as illegal, and little enough for offsets of 32 bits.
constexpr std::uint64_t kMaxSharedBytes = std::uint64_t{256} << 20;

/// Calls `visit` for every function that the kernel can reach; an indirect call may reach any.
class Reach {
 public:
  Reach(Linker& linker, FunctionRef& root) : linker_(linker) { add(&root); }

  [[nodiscard]] const std::vector<FunctionRef*>& functions() const { return found_; }
  [[nodiscard]] bool has_calls() const { return has_calls_; }

 private:
  void add(FunctionRef* ref) {
    if (ref == nullptr || ref->function == nullptr || !seen_.insert(ref).second) return;
    found_.push_back(ref);
    for (const auto& instruction : ref->function->instructions) {
      const bool calls = describe(instruction).control == Control::call;
      if (calls) has_calls_ = true;
      for (const auto& operand : instruction.operands) mention(*ref, operand);
      if (calls && is_indirect(instruction)) add_all_of(ref->module->unit);
    }
  }

  /// Every function of the unit: of this module and of those linked with it.
  void add_all_of(std::uint32_t unit) {
    if (std::exchange(added_all_, true)) return;
    for (std::uint64_t number = 1;; ++number) {
      FunctionRef* ref = linker_.function_at(kFunctionWindow + 16 * number);
      if (ref == nullptr) return;
      const bool defined = ref->module != nullptr && ref->function != nullptr;
      if (defined && ref->module->unit == unit && !ref->function->is_entry) add(ref);
    }
  }

  static bool is_indirect(const ptx::Instruction& call) {
    return std::any_of(call.operands.begin(), call.operands.end(),
                       [](const auto& operand) { return operand.kind == ptx::Operand::Kind::reg; });
  }

  void mention(const FunctionRef& from, const ptx::Operand& operand) {
    if (operand.kind != ptx::Operand::Kind::symbol || operand.variable != ptx::kNoIndex) return;
    const auto& functions = from.module->functions;
    if (const auto it = functions.find(operand.text); it != functions.end()) {
      add(it->second);
    } else if (from.module->ptx.function_index.contains(operand.text)) {
      add(linker_.resolve_function(*from.module, operand.text));
    }
  }

  Linker& linker_;
  std::vector<FunctionRef*> found_;
  std::unordered_set<FunctionRef*> seen_;
  bool has_calls_ = false;
  bool added_all_ = false;
};

std::string display_name(std::string_view mangled) {
  std::string name = demangle(mangled);
  if (const auto colon = name.rfind("::"); colon != name.npos) name = name.substr(colon + 2);
  return name;
}

void mentioned_shared(const LoadedModule& module, const ptx::Operand& operand,
                      std::vector<const ptx::Variable*>& found) {
  if (!operand.text.empty() && operand.variable == ptx::kNoIndex) {
    if (const auto it = module.shared.find(operand.text); it != module.shared.end()) {
      if (std::find(found.begin(), found.end(), it->second) == found.end()) {
        found.push_back(it->second);
      }
    }
  }
  for (const auto& element : operand.elements) mentioned_shared(module, element, found);
}

bool names_reserved_shared(const ptx::Instruction& instruction) {
  return std::any_of(instruction.operands.begin(), instruction.operands.end(),
                     [](const ptx::Operand& operand) {
                       return operand.kind == ptx::Operand::Kind::special &&
                              operand.text.starts_with("reserved_smem_offset");
                     });
}

}  // namespace

void Linker::lay_out_shared(Kernel& kernel) {
  const Reach reach(*this, *kernel.ref);
  kernel.has_calls = reach.has_calls();
  std::vector<const ptx::Variable*> arrays;
  bool reserved = false;
  for (const FunctionRef* ref : reach.functions()) {
    for (const auto& variable : ref->function->variables) {
      if (variable.space == ptx::Space::shared) arrays.push_back(&variable);
    }
    for (const auto& instruction : ref->function->instructions) {
      reserved = reserved || names_reserved_shared(instruction);
      for (const auto& operand : instruction.operands) {
        mentioned_shared(*ref->module, operand, arrays);
      }
    }
  }
  SharedLayout& layout = kernel.shared;
  std::vector<const ptx::Variable*> dynamic;
  for (const auto* variable : arrays) {
    if (variable->size_bytes == 0) {
      dynamic.push_back(variable);
      continue;
    }
    const std::uint32_t align = std::max<std::uint32_t>(variable->align, 1);
    const std::uint64_t before = std::max(layout.hardware_bytes, layout.bytes) + align;
    if (before > kMaxSharedBytes || variable->size_bytes > kMaxSharedBytes - before) {
      throw LoadError(fmt::format("{} has more shared memory than any card: `{}` has {} bytes",
                                  demangle(kernel.ref->name), display_name(variable->name),
                                  variable->size_bytes));
    }
    const std::uint32_t hardware = (layout.hardware_bytes + align - 1) / align * align;
    const auto bytes = static_cast<std::uint32_t>(variable->size_bytes);
    layout.hardware_bytes = hardware + bytes;
    // The next emulated offset, past a guard, that is at the same bank as the hardware's.
    std::uint32_t offset = hardware;
    if (!layout.arrays.empty()) {
      const auto& last = layout.arrays.back();
      const std::uint32_t free = last.offset + last.bytes + kSharedGuard;
      offset = free + (hardware + 4096 * 1024 - free) % 128;
    }
    layout.arrays.push_back({display_name(variable->name), offset, bytes});
    layout.offset[variable] = offset;
    layout.bytes = offset + bytes;
  }
  if (reserved) {
    // Behind the program's own arrays, where it moves none of them to another bank.
    const std::uint32_t offset = (layout.bytes + kSharedGuard + 127) / 128 * 128;
    layout.arrays.push_back({std::string(kReservedSharedName), offset, kReservedShared});
    layout.reserved_offset = {offset, offset + kReservedShared / 2};
    layout.bytes = offset + kReservedShared;
  }
  if (!dynamic.empty()) {
    std::uint32_t align = 16;
    for (const auto* variable : dynamic) align = std::max(align, variable->align);
    const std::uint32_t hardware = (layout.hardware_bytes + align - 1) / align * align;
    std::uint32_t offset = hardware;
    if (layout.bytes > 0) {
      const std::uint32_t free = layout.bytes + kSharedGuard;
      offset = free + (hardware + 4096 * 1024 - free) % 128;
    }
    for (const auto* variable : dynamic) layout.offset[variable] = offset;
    layout.arrays.push_back({display_name(dynamic.front()->name), offset, 0});
    layout.bytes = offset;
  }
}

}  // namespace warpsim
