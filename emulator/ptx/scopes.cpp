#include "emulator/ptx/scopes.h"

#include <charconv>

namespace warpsim::ptx {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// The number in `digits` as in the names of a range: no leading zero, fits in 32 bits.
std::optional<std::uint32_t> range_number(std::string_view digits) {
  if (digits.size() > 1 && digits[0] == '0') return std::nullopt;
  std::uint32_t number = 0;
  const char* end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, number);
  if (error != std::errc{} || stop != end) return std::nullopt;
  return number;
}

}  // namespace

void Scopes::open() {
  open_.push_back({.id = next_id_++, .declarations = declarations_.size()});
}

void Scopes::close() {
  while (declarations_.size() > open_.back().declarations) {
    const Declaration& last = declarations_.back();
    (last.count == 0 ? names_ : ranges_)[last.name] = last.hidden;
    declarations_.pop_back();
  }
  open_.pop_back();
}

bool Scopes::add(Index& index, const Declaration& declaration) {
  std::uint32_t& newest = index[declaration.name];
  if (newest != 0 && declarations_[newest - 1].scope == id()) return false;
  declarations_.push_back(declaration);
  declarations_.back().scope = id();
  declarations_.back().hidden = newest;
  newest = static_cast<std::uint32_t>(declarations_.size());
  return true;
}

bool Scopes::declare(std::string_view name, const Symbol& symbol) {
  return add(names_, {.name = name, .symbol = symbol});
}

bool Scopes::declare_range(std::string_view prefix, std::uint32_t count, const Symbol& symbol) {
  if (count == 0) return true;
  prefix_ends_in_digit_ = prefix_ends_in_digit_ || is_digit(prefix.back());
  return add(ranges_, {.name = prefix, .symbol = symbol, .count = count});
}

const Scopes::Declaration* Scopes::find_in_ranges(std::string_view name,
                                                  std::uint32_t& number) const {
  std::size_t split = name.size();
  while (split > 1 && is_digit(name[split - 1])) --split;
  const Declaration* best = nullptr;
  // %p12 may be number 12 of %p<...> or number 2 of %p1<...>.
  for (; split < name.size(); ++split) {
    const auto found = ranges_.find(name.substr(0, split));
    if (found != ranges_.end()) {
      const auto value = range_number(name.substr(split));
      std::uint32_t position = value ? found->second : 0;
      while (position != 0 && declarations_[position - 1].count <= *value) {
        position = declarations_[position - 1].hidden;
      }
      const Declaration* candidate = position == 0 ? nullptr : &declarations_[position - 1];
      if (candidate != nullptr && (best == nullptr || candidate > best)) {
        best = candidate;
        number = *value;
      }
    }
    if (!prefix_ends_in_digit_) break;
  }
  return best;
}

std::optional<Scopes::Symbol> Scopes::find(std::string_view name) const {
  std::uint32_t number = 0;
  const Declaration* range = is_digit(name.back()) ? find_in_ranges(name, number) : nullptr;
  const auto single = names_.find(name);
  const std::uint32_t position = single == names_.end() ? 0 : single->second;
  const Declaration* found = position == 0 ? nullptr : &declarations_[position - 1];
  if (range != nullptr && (found == nullptr || range > found)) {
    Symbol symbol = range->symbol;
    symbol.index += number * symbol.width;
    return symbol;
  }
  if (found == nullptr) return std::nullopt;
  return found->symbol;
}

}  // namespace warpsim::ptx
