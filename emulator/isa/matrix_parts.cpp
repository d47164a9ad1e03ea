#include "emulator/isa/matrix_parts.h"

#include <fmt/format.h>

#include <bit>
#include <optional>

namespace warpsim {
namespace {

using Element = MatrixElement;
using Shape = MatrixShape;
using ptx::Operand;

constexpr struct {
  std::string_view name;
  Element element;
} kElements[] = {
    {"b1", Element::b1},     {"s4", Element::s4},   {"u4", Element::u4},
    {"s8", Element::s8},     {"u8", Element::u8},   {"e4m3", Element::e4m3},
    {"e5m2", Element::e5m2}, {"f16", Element::f16}, {"bf16", Element::bf16},
    {"tf32", Element::tf32}, {"f32", Element::f32}, {"s32", Element::s32},
    {"f64", Element::f64},
};

/// "m16n8k16", or nothing when the modifier is not a shape.
std::optional<Shape> parse_shape(std::string_view text) {
  Shape shape;
  unsigned* const parts[] = {&shape.m, &shape.n, &shape.k};
  std::size_t at = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    if (at >= text.size() || text[at] != "mnk"[i]) return std::nullopt;
    const std::size_t first = ++at;
    while (at < text.size() && text[at] >= '0' && text[at] <= '9' && at < first + 4) {
      *parts[i] = *parts[i] * 10 + static_cast<unsigned>(text[at++] - '0');
    }
    if (at == first) return std::nullopt;
  }
  if (at != text.size()) return std::nullopt;
  return shape;
}

}  // namespace

std::vector<MatrixElement> take_elements(Binder& binder) {
  std::vector<Element> found;
  for (const std::string_view modifier : binder.source().modifiers) {
    for (const auto& [name, element] : kElements) {
      if (modifier != name) continue;
      binder.take(modifier);
      found.push_back(element);
    }
  }
  return found;
}

MatrixShape take_shape(Binder& binder) {
  for (const std::string_view modifier : binder.source().modifiers) {
    if (const auto shape = parse_shape(modifier)) {
      binder.take(modifier);
      return *shape;
    }
  }
  binder.unsupported("no shape");
}

unsigned bits_of(Element element) {
  switch (element) {
    case Element::b1:
      return 1;
    case Element::s4:
    case Element::u4:
      return 4;
    case Element::s8:
    case Element::u8:
    case Element::e4m3:
    case Element::e5m2:
      return 8;
    case Element::f16:
    case Element::bf16:
      return 16;
    case Element::f64:
      return 64;
    default:
      return 32;
  }
}

unsigned cells(Element element) {
  return element == Element::b1 || bits_of(element) >= 32 ? 1 : 32 / bits_of(element);
}

std::uint8_t log2_of(unsigned value) {
  return static_cast<std::uint8_t>(std::countr_zero(value));
}

// The places follow the figures of the PTX manual, sections "Matrix Fragments for mma.m16n8k..":
// a lane is number `lane / 4` of its group and `lane % 4` in it. wmma's layouts are unspecified; we
// use the same ones, side by side where wmma's matrix is wider, as the cards from 7.5 on do.

MatrixFragment empty_fragment(Element element) {
  MatrixFragment f;
  f.element = element;
  f.element_bits = static_cast<std::uint8_t>(bits_of(element));
  return f;
}

MatrixFragment fragment_a(Element element, unsigned m, unsigned k) {
  MatrixFragment f = empty_fragment(element);
  const unsigned e = cells(element);
  const unsigned step = 4 * e;  // columns that one register of all lanes covers
  const unsigned tile = (m >= 16 ? 2 : 1) * (k / step);  // registers of 16 (or 8) rows
  f.per_register = static_cast<std::uint8_t>(e);
  f.distinct = static_cast<std::uint8_t>(m >= 16 ? m / 16 * tile : tile);
  f.columns_log2 = log2_of(k);
  for (unsigned r = 0; r < f.distinct; ++r) {
    const unsigned within = r % tile;
    const unsigned row = m >= 16 ? r / tile * 16 + within % 2 * 8 : 0;
    const unsigned column = (m >= 16 ? within / 2 : within) * step;
    for (unsigned i = 0; i < e; ++i) {
      f.base[r * e + i] = static_cast<std::uint16_t>(row * k + column + i);
    }
  }
  for (unsigned lane = 0; lane < kWarpSize; ++lane) {
    f.lane_offset[lane] = static_cast<std::uint16_t>(lane / 4 * k + lane % 4 * e);
  }
  return f;
}

void take_registers(Binder& binder, std::size_t i, MatrixFragment& fragment, bool is_destination) {
  const Operand& operand = binder.operand(i);
  const bool vector = operand.kind == Operand::Kind::vector;
  const std::size_t count = vector ? operand.elements.size() : 1;
  if (fragment.registers == 0) fragment.registers = fragment.distinct;
  if (count != fragment.registers) {
    binder.unsupported(
        fmt::format("operand {} has {} registers instead of {}", i + 1, count, fragment.registers));
  }
  const bool wide = fragment.element == Element::f64;
  const ptx::Type type = wide ? ptx::Type::f64 : ptx::Type::b32;
  for (std::size_t r = 0; r < count; ++r) {
    const Operand& element = vector ? operand.elements[r] : operand;
    if (element.kind == Operand::Kind::reg &&
        ptx::size_bytes(binder.register_type(element)) != ptx::size_bytes(type)) {
      binder.unsupported("registers of another width");
    }
    fragment.slots[r] = is_destination ? binder.dst(element) : binder.src(element, type);
  }
}

}  // namespace warpsim
