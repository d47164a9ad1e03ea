#include "emulator/cudart/decoy_values.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "emulator/machine/memory.h"

namespace warpsim::cudart {
namespace {

constexpr std::size_t kWindow = 32;  // elements
constexpr std::size_t kLeastMatches = 8;  // in a window
constexpr std::size_t kLeastStretch = 4;  // consecutive elements that occur in an input
constexpr std::size_t kMostSearches = 256;  // of inputs, per copy
/// With more values than this, an unrelated float is too likely to equal one of them.
constexpr std::uint64_t kFewValues = 4096;
/// With fewer, windows of other small numbers are likely to match.
constexpr std::uint64_t kManyValues = 1 << 16;
constexpr std::uint64_t kLargeInteger = std::uint64_t{1} << 24;

std::uint64_t load(const std::byte* from, std::uint32_t element_bytes) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, from, element_bytes);
  return bits;
}

/// Uninitialized memory.
bool is_poison(std::uint64_t bits, std::uint32_t element_bytes) {
  return bits == kPoison * (element_bytes == 4 ? 0x01010101U : 0x0101010101010101U);
}

/// A number with so many digits that it is unlikely to occur by chance.
bool is_long_number(std::uint64_t bits, std::uint32_t element_bytes) {
  if (element_bytes == 4) {
    const auto word = static_cast<std::uint32_t>(bits);
    const std::uint32_t top = word >> 24U;  // of small integers all zeros or all ones
    return (word & 0xfffU) != 0 && top != 0 && top != 0xff;
  }
  const bool large = bits >= kLargeInteger && ~bits >= kLargeInteger;
  return large && (bits & 0xffffffffU) != 0;
}

}  // namespace

void DecoyValues::Table::reserve(std::uint64_t entries) {
  slots.resize(std::bit_ceil(2 * entries + 16));
}

void DecoyValues::Table::add(std::uint64_t from, std::uint64_t to, bool of_few) {
  for (std::uint64_t at = from * 0x9e3779b97f4a7c15U >> 20U;; ++at) {
    Slot& slot = slots[at & (slots.size() - 1)];
    if (slot.from == 0) {
      slot = {from, to, of_few};
      ++count;
      return;
    }
    if (slot.from != from) continue;
    slot.of_few = slot.of_few && of_few;
    if (slot.to != to) slot.to = from;  // ambiguous: input data, but not replaced
    return;
  }
}

const DecoyValues::Table::Slot* DecoyValues::Table::find(std::uint64_t from) const {
  if (slots.empty()) return nullptr;
  for (std::uint64_t at = from * 0x9e3779b97f4a7c15U >> 20U;; ++at) {
    const Slot& slot = slots[at & (slots.size() - 1)];
    if (slot.from == from) return &slot;
    if (slot.from == 0) return nullptr;
  }
}

DecoyValues::DecoyValues(std::span<const DecoyArray> arrays) : arrays_(arrays) {
  std::uint64_t fours = 0;
  std::uint64_t eights = 0;
  for (const DecoyArray& array : arrays_) {
    (array.element_bytes == 4 ? fours : eights) += array.host.size() / array.element_bytes;
  }
  if (fours > 0) four_.reserve(fours);
  if (eights > 0) eight_.reserve(eights);
  for (const DecoyArray& array : arrays_) {
    const std::uint32_t size = array.element_bytes;
    has_floats_ = has_floats_ || (size == 4 && array.is_float);
    Table& table = size == 4 ? four_ : eight_;
    const bool few = array.host.size() / size <= kFewValues;
    for (std::size_t at = 0; at + size <= array.host.size(); at += size) {
      const std::uint64_t from = load(array.host.data() + at, size);
      if (!is_common_value(from, size)) table.add(from, load(array.device.data() + at, size), few);
    }
  }
}

std::optional<DecoyValues::Table::Slot> DecoyValues::widened(std::uint64_t bits) const {
  const auto number = std::bit_cast<double>(bits);
  const auto narrow = static_cast<float>(number);
  if (!has_floats_ || static_cast<double>(narrow) != number) return std::nullopt;
  const Table::Slot* slot = four_.find(std::bit_cast<std::uint32_t>(narrow));
  if (slot == nullptr) return std::nullopt;
  const auto to = std::bit_cast<float>(static_cast<std::uint32_t>(slot->to));
  return Table::Slot{bits, std::bit_cast<std::uint64_t>(static_cast<double>(to)), slot->of_few};
}

bool DecoyValues::is_part_of_input(std::span<const std::byte> elements,
                                   std::uint32_t element_bytes) const {
  for (const DecoyArray& array : arrays_) {
    if (array.element_bytes != element_bytes) continue;
    const std::byte* from = array.host.data();
    const std::byte* const end = from + array.host.size();
    while (from < end) {
      const void* found =
          ::memmem(from, static_cast<std::size_t>(end - from), elements.data(), elements.size());
      if (found == nullptr) break;
      const auto* at = static_cast<const std::byte*>(found);
      if ((at - array.host.data()) % element_bytes == 0) return true;
      from = at + 1;
    }
  }
  return false;
}

/// One interpretation of the bytes: as elements of one size.
class DecoyValues::Pass {
 public:
  Pass(const DecoyValues& values, std::span<std::byte> bytes, std::span<std::uint8_t> taken,
       std::uint32_t element_bytes, bool widened, bool by_window)
      : values_(values),
        bytes_(bytes),
        taken_(taken),
        size_(element_bytes),
        widened_(widened),
        by_window_(by_window || values.table(element_bytes).count > kManyValues),
        // Few doubles are exactly representable as floats by chance.
        few_(widened || values.table(element_bytes).count <= kFewValues) {}

  void run() {
    const std::size_t count = bytes_.size() / size_;
    classify(count);
    if (std::none_of(elements_.begin(), elements_.end(),
                     [](const Element& e) { return e.kind == Kind::match; })) {
      return;
    }
    if (by_window_) choose_by_window();
    choose_the_rest();
    for (std::size_t i = 0; i < count; ++i) {
      if (elements_[i].chosen) put(i);
    }
  }

 private:
  enum class Kind : std::uint8_t { common, match, other };
  struct Element {
    std::uint64_t to = 0;
    Kind kind = Kind::common;
    bool chosen = false;
  };

  bool is_taken(std::size_t i) const {
    const auto part = taken_.subspan(i * size_, size_);
    return std::any_of(part.begin(), part.end(), [](std::uint8_t t) { return t != 0; });
  }

  std::optional<Table::Slot> find(std::uint64_t bits) const {
    if (widened_) return values_.widened(bits);
    const Table::Slot* slot = values_.table(size_).find(bits);
    return slot == nullptr ? std::nullopt : std::optional(*slot);
  }

  bool is_long(std::uint64_t bits) const {
    if (!widened_) return is_long_number(bits, size_);
    const auto narrow = static_cast<float>(std::bit_cast<double>(bits));
    return is_long_number(std::bit_cast<std::uint32_t>(narrow), sizeof narrow);
  }

  /// Whether the halves of a double are floats of the inputs: two of them may look like a third one
  /// that was widened.
  bool is_pair_of_floats(std::uint64_t bits) const {
    const auto low = static_cast<std::uint32_t>(bits);
    const auto high = static_cast<std::uint32_t>(bits >> 32U);
    const bool low_fits = is_common_value(low, sizeof low) || values_.four_.find(low) != nullptr;
    return low_fits && values_.four_.find(high) != nullptr;
  }

  void classify(std::size_t count) {
    elements_.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
      Element& element = elements_[i];
      const std::uint64_t bits = load(bytes_.data() + i * size_, size_);
      if (is_common_value(bits, size_) || is_poison(bits, size_) || is_taken(i)) continue;
      const std::optional<Table::Slot> slot = find(bits);
      element.kind = slot ? Kind::match : Kind::other;
      if (!slot) continue;
      element.to = slot->to;
      element.chosen =
          (few_ || slot->of_few) && is_long(bits) && !(widened_ && is_pair_of_floats(bits));
    }
  }

  /// Windows are of significant elements, since padding spreads inputs without changing them.
  void choose_by_window() {
    std::vector<Element*> significant;
    for (Element& element : elements_) {
      if (element.kind != Kind::common) significant.push_back(&element);
    }
    const std::size_t count = significant.size();
    for (std::size_t begin = 0; begin < count; begin += kWindow) {
      // The last window is complete, too.
      const std::size_t end = std::min(begin + kWindow, count);
      const std::size_t first = end < kWindow ? 0 : end - kWindow;
      const auto window = std::span(significant).subspan(first, end - first);
      const auto is_match = [](const Element* e) { return e->kind == Kind::match; };
      const auto matches = static_cast<std::size_t>(std::ranges::count_if(window, is_match));
      if (matches < kLeastMatches || matches < window.size() - matches) continue;
      for (Element* element : window) element->chosen = element->chosen || is_match(element);
    }
  }

  /// Runs of elements that occur in the inputs, from the first to the last significant one.
  void choose_the_rest() {
    std::size_t searches = 0;
    for (std::size_t i = 0; i < elements_.size() && !widened_ && searches < kMostSearches; ++i) {
      if (elements_[i].kind != Kind::match) continue;
      std::size_t end = i;
      bool all_chosen = true;
      for (std::size_t j = i; j < elements_.size() && elements_[j].kind != Kind::other; ++j) {
        if (elements_[j].kind != Kind::match) continue;
        end = j + 1;
        all_chosen = all_chosen && elements_[j].chosen;
      }
      if (end - i >= kLeastStretch && !all_chosen) {
        ++searches;
        if (values_.is_part_of_input(bytes_.subspan(i * size_, (end - i) * size_), size_)) {
          for (std::size_t j = i; j < end; ++j) {
            elements_[j].chosen = elements_[j].kind == Kind::match;
          }
        }
      }
      i = end;
    }
  }

  void put(std::size_t i) {
    std::memcpy(bytes_.data() + i * size_, &elements_[i].to, size_);
    std::fill_n(taken_.begin() + static_cast<std::ptrdiff_t>(i * size_), size_, kInside);
    taken_[i * size_] = static_cast<std::uint8_t>(size_);
  }

  static constexpr std::uint8_t kInside = 1;

  const DecoyValues& values_;
  std::span<std::byte> bytes_;
  std::span<std::uint8_t> taken_;
  const std::uint32_t size_;
  const bool widened_;
  const bool by_window_;
  const bool few_;
  std::vector<Element> elements_;
};

void DecoyValues::replace(std::span<std::byte> bytes, std::span<std::uint8_t> taken,
                          bool after_results) const {
  const bool by_window = !after_results;
  if (eight_.count > 0) Pass(*this, bytes, taken, 8, false, by_window).run();
  if (has_floats_) Pass(*this, bytes, taken, 8, true, by_window).run();
  if (four_.count > 0) Pass(*this, bytes, taken, 4, false, by_window).run();
}

}  // namespace warpsim::cudart
