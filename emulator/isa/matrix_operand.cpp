#include "emulator/isa/matrix_operand.h"

#include <fmt/format.h>

#include <bit>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "emulator/isa/matrix_parts.h"
#include "emulator/isa/process_lifetime.h"
#include "emulator/isa/unsupported.h"

namespace warpsim {
namespace {

using Element = MatrixElement;
using Shape = MatrixShape;

struct Layouts {
  bool a_by_rows = true;
  bool b_by_columns = true;
};

/// Takes two of .row and .col.
Layouts take_layouts(Binder& binder) {
  Layouts layouts;
  int seen = 0;
  for (const std::string_view modifier : binder.source().modifiers) {
    if (modifier != "row" && modifier != "col") continue;
    if (seen == 0) layouts.a_by_rows = modifier == "row";
    if (seen == 1) layouts.b_by_columns = modifier == "col";
    if (++seen <= 2) binder.take(modifier);
  }
  if (seen < 2) binder.unsupported("no layouts");
  return layouts;
}

void require_sync(Binder& binder) {
  if (!binder.take("sync")) binder.unsupported("no .sync");
  if (!binder.take("aligned")) binder.unsupported("no .aligned");
}

MatrixFragment fragment_b(Element element, unsigned k, unsigned n) {
  MatrixFragment f = empty_fragment(element);
  const unsigned e = cells(element);
  const unsigned step = 4 * e;  // rows that one register of all lanes covers
  const unsigned tile = k / step;  // registers of 8 columns
  f.per_register = static_cast<std::uint8_t>(e);
  f.distinct = static_cast<std::uint8_t>(n / 8 * tile);
  f.columns_log2 = log2_of(n);
  for (unsigned r = 0; r < f.distinct; ++r) {
    for (unsigned i = 0; i < e; ++i) {
      f.base[r * e + i] = static_cast<std::uint16_t>((r % tile * step + i) * n + r / tile * 8);
    }
  }
  for (unsigned lane = 0; lane < kWarpSize; ++lane) {
    f.lane_offset[lane] = static_cast<std::uint16_t>(lane % 4 * e * n + lane / 4);
  }
  return f;
}

/// Accumulators of all types have the same elements in the same order.
MatrixFragment fragment_c(Element element, unsigned m, unsigned n) {
  MatrixFragment f = empty_fragment(element);
  const unsigned e = element == Element::f16 ? 2 : 1;
  const unsigned elements = m * n / kWarpSize;
  f.per_register = static_cast<std::uint8_t>(e);
  f.distinct = static_cast<std::uint8_t>(elements / e);
  f.columns_log2 = log2_of(n);
  for (unsigned i = 0; i < elements; ++i) {
    unsigned row = 0;
    unsigned column = i % 2;
    if (m == 8) {
      column += i / 2 * 8;
    } else {
      row = i % 4 / 2 * 8 + (m == 32 ? i / 4 * 16 : 0);
      column += m == 16 ? i / 4 * 8 : 0;
    }
    f.base[i] = static_cast<std::uint16_t>(row * n + column);
  }
  for (unsigned lane = 0; lane < kWarpSize; ++lane) {
    f.lane_offset[lane] = static_cast<std::uint16_t>(lane / 4 * n + lane % 4 * 2);
  }
  return f;
}

// mma.m8n8k4 on f16: lanes 4q..4q+3 and 16+4q..16+4q+3 multiply matrices of their own.

unsigned quad_pair(unsigned lane) {
  return lane / 4 % 4;
}
unsigned quad_row(unsigned lane) {
  return lane % 4 + (lane >= 16 ? 4 : 0);
}

MatrixFragment quad_operand(bool lane_is_major, unsigned columns) {
  // A by rows and B by columns: a lane has four elements of its own row (column). Otherwise it has
  // four elements of one k.
  MatrixFragment f = empty_fragment(Element::f16);
  f.per_register = 2;
  f.distinct = 2;
  f.columns_log2 = log2_of(columns);
  const bool is_a = columns == 4;
  for (unsigned lane = 0; lane < kWarpSize; ++lane) {
    const unsigned upper = lane >= 16 ? 4 : 0;
    const unsigned outer = lane_is_major ? quad_row(lane) : upper;
    const unsigned k = lane_is_major ? 0 : lane % 4;
    f.lane_offset[lane] =
        static_cast<std::uint16_t>(quad_pair(lane) * 32 + (is_a ? outer * 4 + k : k * 8 + outer));
  }
  for (unsigned i = 0; i < 4; ++i) {
    const unsigned along_k = is_a ? 1 : 8;
    const unsigned along_outer = is_a ? 4 : 1;
    f.base[i] = static_cast<std::uint16_t>(i * (lane_is_major ? along_k : along_outer));
  }
  return f;
}

MatrixFragment quad_accumulator(Element element) {
  MatrixFragment f = empty_fragment(element);
  f.columns_log2 = 3;
  if (element == Element::f16) {
    f.per_register = 2;
    f.distinct = 4;
    for (unsigned i = 0; i < 8; ++i) f.base[i] = static_cast<std::uint16_t>(i);
    for (unsigned lane = 0; lane < kWarpSize; ++lane) {
      f.lane_offset[lane] = static_cast<std::uint16_t>(quad_pair(lane) * 64 + quad_row(lane) * 8);
    }
    return f;
  }
  f.per_register = 1;
  f.distinct = 8;
  for (unsigned i = 0; i < 8; ++i) {
    f.base[i] = static_cast<std::uint16_t>((i & 2) * 8 + (i & 4) + (i & 1));
  }
  for (unsigned lane = 0; lane < kWarpSize; ++lane) {
    const unsigned row = (lane & 1) + (lane >= 16 ? 4 : 0);
    f.lane_offset[lane] = static_cast<std::uint16_t>(quad_pair(lane) * 64 + row * 8 + (lane & 2));
  }
  return f;
}

bool is_int4(Element e) {
  return e == Element::s4 || e == Element::u4;
}

struct Types {
  Element d, a, b, c;
};

bool one_of(const Shape& shape, std::initializer_list<Shape> shapes) {
  for (const Shape& other : shapes) {
    if (shape == other) return true;
  }
  return false;
}

/// Whether the manual lists the shape for the operands' type.
bool mma_shape_exists(const Shape& shape, Element a) {
  switch (a) {
    case Element::f16:
      return one_of(shape, {{8, 8, 4}, {16, 8, 8}, {16, 8, 16}});
    case Element::bf16:
      return one_of(shape, {{16, 8, 8}, {16, 8, 16}});
    case Element::tf32:
      return one_of(shape, {{16, 8, 4}, {16, 8, 8}});
    case Element::f64:
      return one_of(shape, {{8, 8, 4}, {16, 8, 4}, {16, 8, 8}, {16, 8, 16}});
    case Element::e4m3:
    case Element::e5m2:
      return one_of(shape, {{16, 8, 16}, {16, 8, 32}});
    case Element::s8:
    case Element::u8:
      return one_of(shape, {{8, 8, 16}, {16, 8, 16}, {16, 8, 32}});
    case Element::s4:
    case Element::u4:
      return one_of(shape, {{8, 8, 32}, {16, 8, 32}, {16, 8, 64}});
    case Element::b1:
      return one_of(shape, {{8, 8, 128}, {16, 8, 128}, {16, 8, 256}});
    default:
      return false;
  }
}

bool wmma_shape_exists(const Shape& shape, Element a) {
  switch (a) {
    case Element::f16:
    case Element::bf16:
    case Element::s8:
    case Element::u8:
      return one_of(shape, {{16, 16, 16}, {8, 32, 16}, {32, 8, 16}});
    case Element::tf32:
      return shape == Shape{16, 16, 8};
    case Element::f64:
      return shape == Shape{8, 8, 4};
    case Element::s4:
    case Element::u4:
      return shape == Shape{8, 8, 32};
    case Element::b1:
      return shape == Shape{8, 8, 128};
    default:
      return false;
  }
}

/// Whether the types of one instruction go together.
bool types_fit(const Types& t) {
  const bool half_or_single_c = t.c == Element::f16 || t.c == Element::f32;
  const bool half_or_single_d = t.d == Element::f16 || t.d == Element::f32;
  if (t.a == Element::f16) return t.b == t.a && half_or_single_c && half_or_single_d;
  if (is_f8(t.a)) return is_f8(t.b) && t.c == t.d && half_or_single_c;
  if (t.a == Element::bf16 || t.a == Element::tf32) {
    return t.b == t.a && t.c == Element::f32 && t.d == Element::f32;
  }
  if (t.a == Element::f64) return t.b == t.a && t.c == t.a && t.d == t.a;
  const bool integers = (is_int8(t.a) && is_int8(t.b)) || (is_int4(t.a) && is_int4(t.b)) ||
                        (t.a == Element::b1 && t.b == t.a);
  return integers && t.c == Element::s32 && t.d == Element::s32;
}

void take_operation(Binder& binder, MatrixMultiply& multiply, Element a) {
  const bool integer = is_int8(a) || is_int4(a);
  if (integer) multiply.saturate = binder.take("satfinite");
  if (a != Element::b1) return;
  const int operation = binder.take_one_of({"xor", "and"});
  if (operation < 0 || !binder.take("popc")) binder.unsupported("neither .xor.popc nor .and.popc");
  multiply.bit_operation = operation == 0 ? BitOperation::exclusive_or : BitOperation::conjunction;
}

/// k in elements of the fragments.
unsigned fragment_k(const Shape& shape, Element a) {
  return a == Element::b1 ? shape.k / 32 : shape.k;
}

void take_multiply_operands(Binder& binder, MatrixMultiply& multiply) {
  require_operands(binder, 4);
  take_registers(binder, 0, multiply.d, true);
  take_registers(binder, 1, multiply.a, false);
  take_registers(binder, 2, multiply.b, false);
  take_registers(binder, 3, multiply.c, false);
}

void set_fragments(MatrixMultiply& multiply, const Shape& shape, const Types& types) {
  multiply.m = shape.m;
  multiply.n = shape.n;
  multiply.k = fragment_k(shape, types.a);
  multiply.a = fragment_a(types.a, multiply.m, multiply.k);
  multiply.b = fragment_b(types.b, multiply.k, multiply.n);
  multiply.c = fragment_c(types.c, multiply.m, multiply.n);
  multiply.d = fragment_c(types.d, multiply.m, multiply.n);
}

}  // namespace

const MatrixMultiply* bind_matrix_multiply(Binder& binder) {
  for (const std::string_view modifier : binder.source().modifiers) {
    if (modifier == "sp" || modifier.starts_with("sp::")) {
      binder.unsupported("sparse matrices (mma.sp) are not emulated");
    }
    if (modifier.starts_with("kind::") || modifier == "block_scale") {
      binder.unsupported(fmt::format("'.{}' needs compute capability 12.0", modifier));
    }
  }
  require_sync(binder);
  const Shape shape = take_shape(binder);
  const std::vector<Element> elements = take_elements(binder);
  if (elements.size() != 4) binder.unsupported("not four element types");
  const Types types = {elements[0], elements[1], elements[2], elements[3]};
  if (!types_fit(types)) binder.unsupported("combination of element types");
  if (!mma_shape_exists(shape, types.a)) binder.unsupported("shape for this element type");
  const Layouts layouts = take_layouts(binder);
  auto multiply = std::make_unique<MatrixMultiply>();
  take_operation(binder, *multiply, types.a);
  set_fragments(*multiply, shape, types);
  if (types.a == Element::f16 && shape == Shape{8, 8, 4}) {
    if (types.c == Element::f32 && types.d == Element::f16) {
      binder.unsupported("an f16 result of an f32 accumulator");
    }
    multiply->batch = 4;
    multiply->a = quad_operand(layouts.a_by_rows, 4);
    multiply->b = quad_operand(layouts.b_by_columns, 8);
    multiply->c = quad_accumulator(types.c);
    multiply->d = quad_accumulator(types.d);
  } else {
    if (types.c != types.d) binder.unsupported("accumulator and result of different types");
    if (!layouts.a_by_rows || !layouts.b_by_columns) {
      binder.unsupported("layouts other than .row.col");
    }
  }
  take_multiply_operands(binder, *multiply);
  return keep(std::move(multiply));
}

const MatrixMultiply* bind_warp_matrix_multiply(Binder& binder) {
  if (!binder.take("mma")) return nullptr;
  require_sync(binder);
  const Shape shape = take_shape(binder);
  const std::vector<Element> elements = take_elements(binder);
  Types types = {};
  if (elements.size() == 2) {  // operands are f16 where only D and C are named
    types = {elements[0], Element::f16, Element::f16, elements[1]};
  } else if (elements.size() == 4) {
    types = {elements[0], elements[1], elements[2], elements[3]};
  } else {
    binder.unsupported("neither two nor four element types");
  }
  if (!types_fit(types)) binder.unsupported("combination of element types");
  if (!wmma_shape_exists(shape, types.a)) binder.unsupported("shape for this element type");
  // Layouts name what the fragments were loaded as; they change nothing in registers.
  static_cast<void>(take_layouts(binder));
  auto multiply = std::make_unique<MatrixMultiply>();
  take_operation(binder, *multiply, types.a);
  if (types.a == Element::f64) {
    const int rounding = binder.take_one_of({"rn", "rz", "rm", "rp"});
    multiply->rounding = static_cast<std::uint8_t>(rounding < 0 ? 0 : rounding);
  }
  set_fragments(*multiply, shape, types);
  if (types.a == Element::f16) multiply->a.registers = multiply->b.registers = 8;
  take_multiply_operands(binder, *multiply);
  return keep(std::move(multiply));
}

MatrixMemory* bind_matrix_memory(Binder& binder, bool is_load) {
  const int which = is_load ? binder.take_one_of({"a", "b", "c"}) : binder.take("d") ? 2 : -1;
  if (which < 0) binder.unsupported("no matrix");
  require_sync(binder);
  const int layout = binder.take_one_of({"row", "col"});
  if (layout < 0) binder.unsupported("no layout");
  const Shape shape = take_shape(binder);
  const std::vector<Element> elements = take_elements(binder);
  if (elements.size() != 1) binder.unsupported("not one element type");
  const Element element = elements[0];
  auto memory = std::make_unique<MatrixMemory>();
  memory->column_major = layout == 1;
  MatrixFragment& fragment = memory->fragment;
  if (which == 2) {
    const bool fits = (element == Element::f64 && wmma_shape_exists(shape, Element::f64)) ||
                      (element == Element::f16 && wmma_shape_exists(shape, Element::f16)) ||
                      (element == Element::f32 && (wmma_shape_exists(shape, Element::f16) ||
                                                   wmma_shape_exists(shape, Element::tf32))) ||
                      (element == Element::s32 && (wmma_shape_exists(shape, Element::s8) ||
                                                   wmma_shape_exists(shape, Element::s4) ||
                                                   wmma_shape_exists(shape, Element::b1)));
    if (!fits) binder.unsupported("element type for this shape");
    fragment = fragment_c(element, shape.m, shape.n);
    memory->packed_stride = memory->column_major ? shape.m : shape.n;
  } else {
    if (!wmma_shape_exists(shape, element)) binder.unsupported("shape for this element type");
    const unsigned k = fragment_k(shape, element);
    const bool along_k = (which == 0) != memory->column_major;
    if (bits_of(element) < 8 && !along_k) {
      binder.unsupported("elements of less than a byte across rows");
    }
    fragment = which == 0 ? fragment_a(element, shape.m, k) : fragment_b(element, k, shape.n);
    if (element == Element::f16) fragment.registers = 8;
    const unsigned across = which == 0 ? shape.m : shape.n;
    memory->packed_stride = along_k ? shape.k : across;
  }
  const std::size_t value = is_load ? 0 : 1;
  require_operands(binder, 2, 3);
  take_registers(binder, value, fragment, is_load);
  if (binder.operand_count() == 3) memory->stride_slot = binder.src(2, ptx::Type::u32);
  return keep(std::move(memory));
}

MatrixMove* bind_matrix_move(Binder& binder, std::size_t registers) {
  require_sync(binder);
  for (const std::string_view modifier : binder.source().modifiers) {
    if (modifier == "m16n16" || modifier == "m8n16" || modifier == "m16n8" || modifier == "b8") {
      binder.unsupported(fmt::format("'.{}' needs compute capability 10.0", modifier));
    }
  }
  if (!binder.take("m8n8")) binder.unsupported("no .m8n8");
  if (!binder.take("b16")) binder.unsupported("no .b16");
  auto move = std::make_unique<MatrixMove>();
  move->transposed = binder.take("trans");
  static constexpr unsigned counts[] = {1, 2, 4};
  const int count = binder.take_one_of({"x1", "x2", "x4"});
  move->count = count < 0 ? 1 : counts[count];
  MatrixFragment fragment = empty_fragment(Element::f16);
  fragment.distinct = static_cast<std::uint8_t>(move->count);
  take_registers(binder, registers, fragment, registers == 0);
  for (unsigned i = 0; i < move->count; ++i) move->slots[i] = fragment.slots[i];
  return keep(std::move(move));
}

MatrixAccumulation accumulation_of(const Card& card, const MatrixMultiply& multiply) {
  const int capability = card.major * 10 + card.minor;
  const Element element = multiply.a.element;
  MatrixAccumulation model;
  unsigned block_bytes = 8;  // of operands added at a time
  if (capability >= 90) {
    model.fraction_bits = 25;
    block_bytes = 32;
  } else if (capability >= 75) {
    model.fraction_bits = 24;
    block_bytes = 16;
  } else {
    model.fraction_bits = 23;
  }
  // m8n8k4 on f16 is Volta's own operation; the quads' products are four long on every card.
  if (multiply.batch > 1) {
    block_bytes = 8;
    // Newer cards have no such operation. Measured on an H200: ordinary arithmetic stands in.
    model.chain = capability >= 80 && multiply.d.element == Element::f32;
  }
  model.zero_exponent = -108 - model.fraction_bits;
  unsigned element_bytes = bits_of(element) / 8;
  if (is_f8(element)) {
    if (capability == 89) {
      model.fraction_bits = 13;
      model.result_bits = 13;
    } else {
      // mma does not take 8-bit floats on these: they are converted and multiplied as f16.
      model.through_f16 = true;
      element_bytes = 2;
    }
  }
  model.block = block_bytes / element_bytes;
  if (model.through_f16) {
    // Measured on an H200: two multiplications as f16, each of half the products.
    model.accumulator_last = true;
    model.block = multiply.k / 2;
  }
  return model;
}

}  // namespace warpsim
