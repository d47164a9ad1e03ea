#include "emulator/machine/kernel_copies.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "emulator/machine/linker.h"

namespace warpsim {
namespace {

constexpr std::string_view kAnonymous = "(anonymous namespace)::";

bool are_alike(const ptx::Variable& one, const ptx::Variable& other) {
  return one.space == other.space && one.size_bytes == other.size_bytes && one.align == other.align;
}

bool are_alike(const std::vector<ptx::Variable>& some, const std::vector<ptx::Variable>& others) {
  return std::ranges::equal(some, others,
                            [](const auto& a, const auto& b) { return are_alike(a, b); });
}

}  // namespace

std::string with_suffix(std::string_view demangled, std::string_view suffix) {
  std::string name(demangled);
  for (auto at = name.find(kAnonymous); at != name.npos; at = name.find(kAnonymous, at)) {
    name.erase(at, kAnonymous.size());
  }
  // From the end: the list of parameters, and arguments of a template.
  std::size_t end = name.size();
  for (const auto& [close, open] : {std::pair{')', '('}, std::pair{'>', '<'}}) {
    if (end == 0 || name[end - 1] != close) continue;
    int depth = 0;
    do {
      --end;
      depth += name[end] == close ? 1 : name[end] == open ? -1 : 0;
    } while (depth > 0 && end > 0);
  }
  return name.insert(end, suffix);
}

KernelCopies::KernelCopies(ptx::Module module) : module_(std::move(module)) {
  for (std::size_t i = 0; i < module_.functions.size(); ++i) {
    const ptx::Function& function = module_.functions[i];
    if (function.is_entry) by_name_.emplace(with_suffix(demangle(function.name), ""), i);
  }
}

std::optional<KernelCopies> KernelCopies::parse(std::string ptx) {
  ptx::ParseError error;
  std::optional<ptx::Module> module = ptx::parse(std::move(ptx), error);
  if (!module) return std::nullopt;
  return KernelCopies(*std::move(module));
}

std::optional<ptx::Function> KernelCopies::of(const ptx::Function& kernel,
                                              std::uint32_t number) const {
  const auto found =
      by_name_.find(with_suffix(demangle(kernel.name), fmt::format("_copy{}", number)));
  if (!kernel.is_entry || found == by_name_.end()) return std::nullopt;
  ptx::Function copy = module_.functions[found->second];
  if (!are_alike(copy.parameters, kernel.parameters) ||
      !are_alike(copy.variables, kernel.variables)) {
    return std::nullopt;
  }
  // Parameters are found by their names, which are made of the kernel's.
  copy.name = kernel.name;
  for (ptx::Instruction& instruction : copy.instructions) {
    instruction.location = ptx::kNoIndex;
    for (ptx::Operand& operand : instruction.operands) {
      for (std::size_t i = 0; i < copy.parameters.size(); ++i) {
        if (operand.text == copy.parameters[i].name) operand.text = kernel.parameters[i].name;
      }
    }
  }
  copy.parameters = kernel.parameters;
  return copy;
}

}  // namespace warpsim
