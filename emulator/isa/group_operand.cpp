#include "emulator/isa/group_operand.h"

#include <fmt/format.h>

#include <memory>
#include <string_view>
#include <utility>

#include "emulator/isa/matrix_parts.h"
#include "emulator/isa/process_lifetime.h"
#include "emulator/isa/unsupported.h"

namespace warpsim {
namespace {

using Element = MatrixElement;
using ptx::Operand;

bool is_half(Element e) {
  return e == Element::f16 || e == Element::bf16;
}

bool types_fit(Element d, Element a, Element b) {
  if (a == Element::f16) return b == a && (d == Element::f16 || d == Element::f32);
  if (is_f8(a)) return is_f8(b) && (d == Element::f16 || d == Element::f32);
  if (a == Element::bf16 || a == Element::tf32) return b == a && d == Element::f32;
  if (is_int8(a)) return is_int8(b) && d == Element::s32;
  return a == Element::b1 && b == a && d == Element::s32;
}

/// Elements along k are as many as fill 32 bytes. Of integers, not all numbers of columns exist.
bool shape_exists(const MatrixShape& shape, Element a) {
  const unsigned k = GroupMultiply::kRowBytes * 8 / (a == Element::tf32 ? 32 : bits_of(a));
  if (shape.m != 64 || shape.k != k || shape.n % 8 != 0 || shape.n == 0 ||
      shape.n > GroupMultiply::kMostColumns) {
    return false;
  }
  const bool integer = is_int8(a) || a == Element::b1;
  return !integer || shape.n == 8 || shape.n == 24 || shape.n % 16 == 0;
}

void take_result(Binder& binder, GroupMultiply& multiply) {
  const Operand& operand = binder.operand(0);
  const unsigned count = multiply.n / (multiply.shape.d.element == Element::f16 ? 4 : 2);
  if (operand.kind != Operand::Kind::vector || operand.elements.size() != count) {
    binder.unsupported(fmt::format("operand 1 does not have {} registers", count));
  }
  for (const Operand& element : operand.elements) {
    if (ptx::size_bytes(binder.register_type(element)) != 4) {
      binder.unsupported("registers of another width");
    }
    multiply.d.push_back(binder.dst(element));
  }
}

/// Operand `i`, which is the constant 0 or 1 (or, as a sign, 1 or -1).
bool take_constant(Binder& binder, std::size_t i, std::uint64_t yes, std::uint64_t no) {
  std::uint64_t value = 0;
  if (!binder.immediate(i, value) || (value != yes && value != no)) {
    binder.unsupported(fmt::format("operand {} is not one of the constants {} and {}", i + 1,
                                   static_cast<std::int64_t>(no), static_cast<std::int64_t>(yes)));
  }
  return value == yes;
}

void take_scale(Binder& binder, std::size_t i, GroupMultiply& multiply) {
  std::uint64_t value = 0;
  if (binder.immediate(i, value)) {
    multiply.adds = value != 0;
  } else {
    multiply.scale = binder.src_pred(i, multiply.scale_negated);
  }
}

}  // namespace

GroupDescriptor GroupDescriptor::decode(std::uint64_t bits) {
  constexpr std::uint64_t kUnknown = 0x3ff1'c000'c000'c000;
  constexpr std::uint32_t kSwizzles[] = {0, 128, 64, 32};
  const auto field = [&](unsigned first) {
    return static_cast<std::uint32_t>(bits >> first & 0x3fff) << 4;
  };
  return {.start = field(0),
          .leading = field(16),
          .stride = field(32),
          .base = static_cast<std::uint32_t>(bits >> 49 & 7),
          .swizzle = kSwizzles[bits >> 62],
          .unknown = bits & kUnknown};
}

std::uint32_t GroupDescriptor::swizzled(std::uint32_t offset) const {
  const std::uint32_t address = start + offset;
  if (swizzle == 0) return address;
  // A pattern is as many rows of 128 bytes as it has chunks of 16 bytes along a row.
  const std::uint32_t row = (address >> 7) - base;
  return address ^ (row & (swizzle / 16 - 1)) << 4;
}

std::uint32_t GroupDescriptor::along_k(std::uint32_t row, std::uint32_t chunk) const {
  const std::uint32_t groups = row / 8 * stride;
  if (swizzle == 0) return swizzled(groups + row % 8 * 16 + chunk * leading);
  return swizzled(groups + row % 8 * swizzle + chunk * 16);
}

std::uint32_t GroupDescriptor::across_k(std::uint32_t chunk, std::uint32_t k) const {
  if (swizzle == 0) return swizzled(chunk * stride + k / 8 * leading + k % 8 * 16);
  const std::uint32_t wide = swizzle / 16;
  return swizzled(chunk / wide * leading + chunk % wide * 16 + k / 8 * stride + k % 8 * swizzle);
}

MatrixAccumulation accumulation_of(const GroupMultiply& multiply) {
  MatrixAccumulation model;
  model.fraction_bits = 25;
  model.zero_exponent = -108 - model.fraction_bits;
  model.block = multiply.shape.k;
  if (is_f8(multiply.shape.a.element)) {
    model.fraction_bits = 13;
    model.result_bits = 13;
  }
  return model;
}

const GroupMultiply* bind_group_multiply(Binder& binder) {
  if (!binder.take("sync") || !binder.take("aligned")) binder.unsupported("no .sync.aligned");
  for (const std::string_view modifier : binder.source().modifiers) {
    if (modifier == "sp")
      binder.unsupported("sparse matrices (wgmma.mma_async.sp) are not emulated");
  }
  const MatrixShape shape = take_shape(binder);
  const std::vector<Element> elements = take_elements(binder);
  if (elements.size() != 3) binder.unsupported("not three element types");
  const Element d = elements[0], a = elements[1], b = elements[2];
  if (!types_fit(d, a, b)) binder.unsupported("combination of element types");
  if (!shape_exists(shape, a)) binder.unsupported("shape for this element type");

  auto multiply = std::make_unique<GroupMultiply>();
  multiply->n = shape.n;
  multiply->shape.m = GroupMultiply::kRows;
  multiply->shape.n = shape.n;
  multiply->shape.k = a == Element::b1 ? shape.k / 32 : shape.k;
  if (is_int8(a)) multiply->shape.saturate = binder.take("satfinite");
  if (a == Element::b1) {
    if (!binder.take("and") || !binder.take("popc")) binder.unsupported("no .and.popc");
    multiply->shape.bit_operation = BitOperation::conjunction;
  }
  multiply->shape.b = empty_fragment(b);
  multiply->shape.c = multiply->shape.d = empty_fragment(d);
  take_result(binder, *multiply);
  const bool in_registers = binder.operand(1).kind == Operand::Kind::vector;
  multiply->shape.a =
      in_registers ? fragment_a(a, GroupMultiply::kRows, multiply->shape.k) : empty_fragment(a);
  if (in_registers) {
    take_registers(binder, 1, multiply->shape.a, false);
  } else {
    multiply->a.descriptor = binder.src(1, ptx::Type::b64);
  }
  multiply->b.descriptor = binder.src(2, ptx::Type::b64);
  take_scale(binder, 3, *multiply);
  const bool integer = d == Element::s32;
  const std::size_t layouts = is_half(a) ? (in_registers ? 1 : 2) : 0;
  require_operands(binder, 4 + (integer ? 0 : 2) + layouts);
  if (!integer) {
    constexpr std::uint64_t kMinusOne = ~std::uint64_t{0};
    multiply->a.negated = take_constant(binder, 4, kMinusOne, 1);
    multiply->b.negated = take_constant(binder, 5, kMinusOne, 1);
  }
  if (layouts == 2) multiply->a.across_k = take_constant(binder, 6, 1, 0);
  if (layouts > 0) multiply->b.across_k = take_constant(binder, 5 + layouts, 1, 0);
  return keep(std::move(multiply));
}

}  // namespace warpsim
