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

/// "add_copy7(float*)::tile" is `tile` of `add`. Anonymous namespaces are left out.
std::string without_copy(std::string_view variable, std::uint32_t number) {
  std::string name = demangle(variable);
  const std::string suffix = fmt::format("_copy{}", number);
  for (const std::string_view word : {kAnonymous, std::string_view(suffix)}) {
    for (auto at = name.find(word); at != name.npos; at = name.find(word, at)) {
      const std::size_t end = at + word.size();
      const bool is_whole = word == kAnonymous || end == name.size() || name[end] < '0' ||
                            name[end] > '9';  // and not _copy70
      if (is_whole) {
        name.erase(at, word.size());
      } else {
        at = end;
      }
    }
  }
  return name;
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

std::optional<std::map<std::string_view, std::string_view>> KernelCopies::shared_names(
    const ptx::Function& copy, const ptx::Module& program, std::uint32_t number) const {
  std::map<std::string_view, std::string_view> names;
  for (const ptx::Instruction& instruction : copy.instructions) {
    for (const ptx::Operand& operand : instruction.operands) {
      const auto own = module_.variable_index.find(operand.text);
      if (own == module_.variable_index.end() || names.contains(operand.text)) continue;
      const ptx::Variable& variable = module_.variables[own->second];
      if (variable.space != ptx::Space::shared) continue;
      const std::string wanted = without_copy(variable.name, number);
      const auto same = std::ranges::find_if(program.variables, [&](const ptx::Variable& other) {
        return are_alike(variable, other) && without_copy(other.name, number) == wanted;
      });
      if (same == program.variables.end()) return std::nullopt;
      names.emplace(operand.text, same->name);
    }
  }
  return names;
}

std::optional<ptx::Function> KernelCopies::of(const ptx::Function& kernel,
                                              const ptx::Module& program,
                                              std::uint32_t number) const {
  const auto found =
      by_name_.find(with_suffix(demangle(kernel.name), fmt::format("_copy{}", number)));
  if (!kernel.is_entry || found == by_name_.end()) return std::nullopt;
  ptx::Function copy = module_.functions[found->second];
  if (!are_alike(copy.parameters, kernel.parameters) ||
      !are_alike(copy.variables, kernel.variables)) {
    return std::nullopt;
  }
  const auto shared = shared_names(copy, program, number);
  if (!shared) return std::nullopt;
  // Parameters are found by their names, which are made of the kernel's.
  copy.name = kernel.name;
  for (ptx::Instruction& instruction : copy.instructions) {
    instruction.location = ptx::kNoIndex;
    for (ptx::Operand& operand : instruction.operands) {
      for (std::size_t i = 0; i < copy.parameters.size(); ++i) {
        if (operand.text == copy.parameters[i].name) operand.text = kernel.parameters[i].name;
      }
      if (const auto name = shared->find(operand.text); name != shared->end()) {
        operand.text = name->second;
      }
    }
  }
  copy.parameters = kernel.parameters;
  return copy;
}

}  // namespace warpsim
