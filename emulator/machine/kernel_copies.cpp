#include "emulator/machine/kernel_copies.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>
#include <vector>

namespace warpsim {
namespace {

bool are_alike(const ptx::Variable& one, const ptx::Variable& other) {
  return one.space == other.space && one.size_bytes == other.size_bytes && one.align == other.align;
}

bool are_alike(const std::vector<ptx::Variable>& some, const std::vector<ptx::Variable>& others) {
  return std::ranges::equal(some, others,
                            [](const auto& a, const auto& b) { return are_alike(a, b); });
}

}  // namespace

std::optional<std::string> with_suffix(std::string_view mangled, std::string_view suffix) {
  if (!mangled.starts_with("_Z")) return fmt::format("{}{}", mangled, suffix);
  std::size_t at = 2;
  if (at < mangled.size() && mangled[at] == 'L') ++at;  // of a static function
  std::size_t length = 0;
  const char* const end = mangled.data() + mangled.size();
  const auto [rest, error] = std::from_chars(mangled.data() + at, end, length);
  const auto begin = static_cast<std::size_t>(rest - mangled.data());
  if (error != std::errc{} || length > mangled.size() - begin) return std::nullopt;
  const std::string_view after = mangled.substr(begin + length);
  if (after.starts_with('I')) return std::nullopt;  // arguments of a template
  return fmt::format("{}{}{}{}{}", mangled.substr(0, at), length + suffix.size(),
                     mangled.substr(begin, length), suffix, after);
}

std::optional<KernelCopies> KernelCopies::parse(std::string ptx) {
  ptx::ParseError error;
  std::optional<ptx::Module> module = ptx::parse(std::move(ptx), error);
  if (!module) return std::nullopt;
  return KernelCopies(*std::move(module));
}

std::optional<ptx::Function> KernelCopies::of(const ptx::Function& kernel,
                                              std::uint32_t number) const {
  const auto name = with_suffix(kernel.name, fmt::format("_copy{}", number));
  const auto found = name ? module_.function_index.find(*name) : module_.function_index.end();
  if (!kernel.is_entry || found == module_.function_index.end()) return std::nullopt;
  ptx::Function copy = module_.functions[found->second];
  if (!copy.is_entry || !are_alike(copy.parameters, kernel.parameters) ||
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
