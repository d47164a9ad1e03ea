#include "emulator/fatbin/fatbin.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

namespace warpsim::fatbin {
namespace {

std::string only_machine_code(const Container& container) {
  std::string architectures;
  for (const Entry& entry : container.entries) {
    const std::string_view separator = architectures.empty() ? "" : ", ";
    const bool code = entry.kind == Entry::Kind::machine_code;
    architectures += fmt::format("{}{}{}", separator, code ? "sm_" : "lto_", entry.architecture);
  }
  return fmt::format(
      "the program contains machine code ({}) but no PTX, which the emulator requires; compile "
      "with "
      "-arch=compute_75 or -gencode arch=compute_75,code=compute_75",
      architectures);
}

void append(Images& all, Images more) {
  std::move(more.images.begin(), more.images.end(), std::back_inserter(all.images));
  std::move(more.problems.begin(), more.problems.end(), std::back_inserter(all.problems));
}

/// The containers of separately compiled units. The main container then holds at most the result
/// of the device linker, which the units' PTX replaces.
Images read_linked(std::span<const std::span<const std::byte>> units, std::uint32_t target) {
  Images all;
  Images prebuilt;
  for (const std::span<const std::byte> unit : units) {
    const bool aside = is_prebuilt_for(unit, target);
    append(aside ? prebuilt : all, read_fatbin(unit, target));
  }
  // A program whose units are all prebuilt was meant to run like this.
  return all.images.empty() && all.problems.empty() ? prebuilt : all;
}

/// Whether PTX is for one architecture only, such as "sm_90a": no other device runs it.
bool is_for_one_architecture(std::string_view ptx) {
  constexpr std::string_view kTarget = "\n.target sm_";
  const auto at = ptx.find(kTarget);
  if (at == ptx.npos) return false;
  const auto number = ptx.substr(at + kTarget.size(), 16);
  const auto end = number.find_first_not_of("0123456789");
  return end != number.npos && number[end] == 'a';
}

/// The PTX of an entry, or nothing with `problem` filled.
std::optional<Image> read_entry(const Entry& entry, std::uint32_t target, std::string& problem) {
  auto text = unpack(entry, problem);
  if (!text) return std::nullopt;
  if (entry.architecture != target && is_for_one_architecture(*text)) {
    problem = fmt::format(
        "the device code is for compute capability {}.{} only (sm_{}a), and the card has {}.{}; "
        "choose another card, such as --card h100 for sm_90a, or compile for this one, too",
        entry.architecture / 10, entry.architecture % 10, entry.architecture, target / 10,
        target % 10);
    return std::nullopt;
  }
  return Image{.ptx = std::move(*text),
               .architecture = entry.architecture,
               .name = std::string(entry.name),
               .max_registers = max_registers(entry.options)};
}

/// The entries to execute: all units of a link, or the one for this device.
std::vector<const Entry*> choose_units(const Container& container, std::uint32_t target) {
  std::vector<const Entry*> units;
  for (const Entry& entry : container.entries) {
    if (entry.kind == Entry::Kind::linked_ptx) units.push_back(&entry);
  }
  if (!units.empty()) return units;
  if (const Entry* entry = choose_ptx(container, target)) units.push_back(entry);
  return units;
}

}  // namespace

std::uint32_t max_registers(std::string_view options) {
  constexpr std::string_view kOption = "-maxrregcount";
  const auto at = options.find(kOption);
  if (at == options.npos || at + kOption.size() >= options.size()) return 0;
  const std::string_view value = options.substr(at + kOption.size() + 1);  // behind '=' or ' '
  std::uint32_t count = 0;
  std::from_chars(value.data(), value.data() + value.size(), count);
  return count;
}

const Entry* choose_ptx(const Container& container, std::uint32_t target) {
  const Entry* best = nullptr;
  for (const Entry& entry : container.entries) {
    if (entry.kind != Entry::Kind::ptx) continue;
    const auto is_better = [&](const Entry& old) {
      const bool fits = entry.architecture <= target;
      const bool old_fits = old.architecture <= target;
      if (fits != old_fits) return fits;
      return fits ? entry.architecture > old.architecture : entry.architecture < old.architecture;
    };
    if (best == nullptr || is_better(*best)) best = &entry;
  }
  return best;
}

bool is_prebuilt_for(std::span<const std::byte> bytes, std::uint32_t target) {
  const Container container = parse_container(bytes);
  const Entry* ptx = choose_ptx(container, target);
  return ptx != nullptr && ptx->architecture > target &&
         std::any_of(container.entries.begin(), container.entries.end(), [&](const Entry& entry) {
           return entry.kind == Entry::Kind::machine_code && entry.architecture <= target;
         });
}

Images read_fatbin(std::span<const std::byte> bytes, std::uint32_t target) {
  Images result;
  if (!container_size(bytes) && looks_like_ptx(bytes)) {
    std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    text.resize(text.find_last_not_of('\0') + 1);
    result.images.push_back({.ptx = std::move(text), .name = {}});
    return result;
  }
  const Container container = parse_container(bytes);
  if (!container.error.empty()) {
    result.problems.push_back(container.error);
    return result;
  }
  const std::vector<const Entry*> entries = choose_units(container, target);
  if (entries.empty() && !container.entries.empty()) {
    result.problems.push_back(only_machine_code(container));
  }
  for (const Entry* entry : entries) {
    std::string problem;
    if (auto image = read_entry(*entry, target, problem)) {
      result.images.push_back(std::move(*image));
    } else {
      return {.images = {}, .problems = {std::move(problem)}};
    }
  }
  return result;
}

Images read_fatbin(const Code& code, std::uint32_t target) {
  if (code.linked) return read_linked(code.units, target);
  if (!code.units.empty()) return read_fatbin(code.units.front(), target);
  Images nothing;
  if (!code.problem.empty()) nothing.problems.push_back(code.problem);
  return nothing;
}

Images read_fatbin(const void* wrapper, std::uint32_t target) {
  return read_fatbin(find_code(wrapper), target);
}

}  // namespace warpsim::fatbin
