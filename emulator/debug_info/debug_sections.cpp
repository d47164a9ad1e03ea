#include "emulator/debug_info/debug_sections.h"

#include <algorithm>
#include <charconv>

namespace warpsim::debug {
namespace {

std::string_view trim(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r')) {
    text.remove_suffix(1);
  }
  return text;
}

/// Calls `use` with each line, without blanks around it, and its number from 1.
template <class F>
void for_lines(std::string_view text, F use) {
  std::uint32_t number = 1;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    use(trim(line), number++);
  }
}

bool is_label(std::string_view line) {
  if (line.size() < 2 || !line.ends_with(':')) return false;
  return line.find_first_of(" \t,;{}") == line.npos;
}

/// "12", "$L__tmp3", ".debug_loc+133"
void add_value(DebugSection& section, std::string_view text, std::size_t bytes) {
  std::uint64_t value = 0;
  const bool negative = text.starts_with('-');
  const std::string_view digits = negative ? text.substr(1) : text;
  const char* const end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, value);
  if (error != std::errc{} || stop != end) {
    DebugSection::Symbol symbol;
    const std::size_t plus = text.find('+');
    symbol.name = text.substr(0, plus);
    if (plus != text.npos) {
      (void)std::from_chars(text.data() + plus + 1, text.data() + text.size(), symbol.add);
    }
    // An offset in another section.
    if (symbol.name.starts_with('.')) value = symbol.add;
    section.symbols.emplace(section.bytes.size(), symbol);
  }
  if (negative) value = 0 - value;
  for (std::size_t i = 0; i < bytes; ++i) {
    section.bytes.push_back(static_cast<std::uint8_t>(i < 8 ? value >> (8 * i) : 0));
  }
}

void add_values(DebugSection& section, std::string_view line) {
  const std::size_t bytes = line.starts_with(".b8")    ? 1
                            : line.starts_with(".b16") ? 2
                            : line.starts_with(".b32") ? 4
                            : line.starts_with(".b64") ? 8
                                                       : 0;
  if (bytes == 0) return;
  std::string_view rest = line.substr(bytes == 1 ? 3 : 4);
  while (!rest.empty()) {
    const std::string_view value = rest.substr(0, rest.find(','));
    rest.remove_prefix(std::min(rest.size(), value.size() + 1));
    add_value(section, trim(value), bytes);
  }
}

}  // namespace

DebugSections::DebugSections(const ptx::Module& module) {
  if (module.text == nullptr) return;
  read_sections(*module.text);
  if (!section("debug_info").bytes.empty()) read_labels(module);
}

void DebugSections::read_sections(std::string_view text) {
  constexpr std::string_view kSection = ".section";
  DebugSection* current = nullptr;
  for_lines(text, [&](std::string_view line, std::uint32_t) {
    if (line.starts_with(kSection)) {
      std::string_view name = trim(line.substr(kSection.size()));
      name = trim(name.substr(0, name.find('{')));
      if (name.starts_with('.')) name.remove_prefix(1);
      current = &sections_[name];
    } else if (line.starts_with('}')) {
      current = nullptr;
    } else if (current != nullptr) {
      if (is_label(line)) {
        current->labels.emplace(line.substr(0, line.size() - 1), current->bytes.size());
      } else {
        add_values(*current, line);
      }
    }
  });
}

void DebugSections::read_labels(const ptx::Module& module) {
  // Functions in the order of the text; each ends where the next one begins.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> begins;
  for (std::uint32_t i = 0; i < module.functions.size(); ++i) {
    if (!module.functions[i].is_declaration) begins.emplace_back(module.functions[i].ptx_line, i);
  }
  std::ranges::sort(begins);
  std::size_t next = 0;
  for_lines(*module.text, [&](std::string_view line, std::uint32_t number) {
    while (next < begins.size() && begins[next].first <= number) ++next;
    if (next == 0 || !is_label(line)) return;
    const std::uint32_t function = begins[next - 1].second;
    const auto& instructions = module.functions[function].instructions;
    const auto at = std::ranges::lower_bound(instructions, number, {}, &ptx::Instruction::ptx_line);
    labels_.emplace(line.substr(0, line.size() - 1),
                    CodePlace{function, static_cast<std::uint32_t>(at - instructions.begin())});
  });
}

const DebugSection& DebugSections::section(std::string_view name) const {
  static const DebugSection none;
  const auto found = sections_.find(name);
  return found == sections_.end() ? none : found->second;
}

CodePlace DebugSections::label(std::string_view name) const {
  const auto found = labels_.find(name);
  return found == labels_.end() ? CodePlace{} : found->second;
}

}  // namespace warpsim::debug
