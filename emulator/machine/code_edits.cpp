#include "emulator/machine/code_edits.h"

#include <algorithm>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

#include "emulator/machine/possible_edits.h"

namespace warpsim {
namespace {

/// A place for an edited function. The linker knows functions by their addresses, so that no
/// address may be used twice: places stay, and only their text is freed.
ptx::Function& new_place(ptx::Function function) {
  static auto& places = *new std::deque<ptx::Function>;
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  places.push_back(std::move(function));
  return places.back();
}

void forget_text(const ptx::Function* function) {
  auto& place = *const_cast<ptx::Function*>(function);  // made by new_place
  place.instructions = {};
  place.registers = {};
}

}  // namespace

void swap_text(ptx::Function& one, ptx::Function& other) {
  // Not the variables, which are known by their addresses.
  std::swap(one.instructions, other.instructions);
  std::swap(one.registers, other.registers);
  std::swap(one.branch_tables, other.branch_tables);
}

CodeEdits::CodeEdits(std::span<const Kernel* const> kernels) {
  std::map<std::uint32_t, const FunctionRef*> ran;  // in the order of the text
  for (const Kernel* const kernel : kernels) {
    // The runtime hands kernels out as const for its users only.
    auto* const own = const_cast<Kernel*>(kernel);
    if (std::ranges::find(kernels_, own) != kernels_.end()) continue;
    kernels_.push_back(own);
    for (const auto& [ref, program] : own->programs) ran.emplace(ref->number, ref);
  }
  for (const auto& [number, ref] : ran) {
    if (ref->function == nullptr) continue;
    texts_.push_back({const_cast<FunctionRef*>(ref), ref->function});
    editable_.emplace_back(*ref->module, *ref->function);
  }
}

std::vector<CodeEdit> CodeEdits::possible(std::size_t most) const {
  return possible_edits(editable_, most);
}

void CodeEdits::put(const Text& text, ptx::Function edited) {
  const ptx::Function& place = new_place(std::move(edited));
  for (Kernel* const kernel : kernels_) {
    if (!kernel->programs.contains(text.ref)) continue;
    const bool first = std::ranges::find(unedited_, kernel, &Unedited::kernel) == unedited_.end();
    if (first) unedited_.push_back({kernel, kernel->entry, kernel->programs, kernel->shared});
    const std::vector<ptx::Variable>& variables = text.original->variables;
    for (std::size_t i = 0; i < variables.size(); ++i) {
      const auto offset = kernel->shared.offset.find(&variables[i]);
      if (offset == kernel->shared.offset.end()) continue;
      const std::uint32_t same = offset->second;
      kernel->shared.offset[&place.variables[i]] = same;
    }
  }
  text.ref->function = &place;
  edited_.push_back(text);
}

std::size_t CodeEdits::make(const CodeEdit& edit) {
  take_back();
  std::size_t places = 0;
  for (std::size_t i = 0; i < texts_.size(); ++i) {
    std::size_t count = 0;
    std::optional<ptx::Function> edited = editable_[i].edited(edit, count);
    if (!edited) continue;
    places += count;
    put(texts_[i], *std::move(edited));
  }
  decode_again();
  return places;
}

std::size_t CodeEdits::replace(const KernelCopies& copies, std::uint32_t number) {
  take_back();
  std::size_t replaced = 0;
  for (const Text& text : texts_) {
    std::optional<ptx::Function> copy = copies.of(*text.original, text.ref->module->ptx, number);
    if (!copy) continue;
    ++replaced;
    put(text, *std::move(copy));
  }
  decode_again();
  return replaced;
}

void CodeEdits::decode_again() {
  for (const Unedited& unedited : unedited_) {
    unedited.kernel->entry = nullptr;
    unedited.kernel->programs.clear();
  }
}

void CodeEdits::take_back() {
  for (Unedited& unedited : unedited_) {
    unedited.kernel->programs = std::move(unedited.programs);
    unedited.kernel->shared = std::move(unedited.shared);
    unedited.kernel->entry = unedited.entry;
  }
  unedited_.clear();
  for (const Text& text : edited_) {
    forget_text(std::exchange(text.ref->function, text.original));
  }
  edited_.clear();
}

}  // namespace warpsim
