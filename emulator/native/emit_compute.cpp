#include <utility>

#include "emulator/native/emitter.h"

// Arithmetic, comparisons and conversions: what the handlers of emulator/isa/handlers do with all
// 32 lanes, bit for bit.

namespace warpsim::native {

using namespace asmjit;

namespace {

bool is_long(NativeType type) {
  return type == NativeType::u64 || type == NativeType::s64;
}

std::int32_t bytes_of(NativeType type) {
  return is_long(type) ? 8 : 4;
}

/// One instruction for a block of two operands; 0 where there is none.
InstId binary_id(const NativeForm& form) {
  const bool wide = is_long(form.type);
  const bool is_signed = form.type == NativeType::s32 || form.type == NativeType::s64;
  switch (form.op) {
    case NativeOp::add:
      if (form.type == NativeType::f32) return op::kIdVaddps;
      return wide ? op::kIdVpaddq : op::kIdVpaddd;
    case NativeOp::subtract:
      if (form.type == NativeType::f32) return op::kIdVsubps;
      return wide ? op::kIdVpsubq : op::kIdVpsubd;
    case NativeOp::multiply:
      if (form.type == NativeType::f32) return op::kIdVmulps;
      return wide ? op::kIdVpmullq : op::kIdVpmulld;
    case NativeOp::minimum:
      if (is_signed) return wide ? op::kIdVpminsq : op::kIdVpminsd;
      return wide ? op::kIdVpminuq : op::kIdVpminud;
    case NativeOp::maximum:
      if (is_signed) return wide ? op::kIdVpmaxsq : op::kIdVpmaxsd;
      return wide ? op::kIdVpmaxuq : op::kIdVpmaxud;
    default:
      return 0;
  }
}

/// AVX2 has neither products nor orders nor arithmetic shifts of 64 bits.
bool is_in_avx2(const NativeForm& form) {
  switch (form.op) {
    case NativeOp::multiply:
    case NativeOp::multiply_add:
    case NativeOp::minimum:
    case NativeOp::maximum:
      return !is_long(form.type);
    case NativeOp::shift_right:
      return form.type != NativeType::s64;
    default:
      return true;
  }
}

}  // namespace

bool can_compute(const Inst& in, const NativeForm& form, std::int32_t vector_bytes) {
  if (vector_bytes == 32 && !is_in_avx2(form)) return false;
  switch (form.op) {
    case NativeOp::none:
    case NativeOp::load_global:
    case NativeOp::store_global:
    case NativeOp::load_shared:
    case NativeOp::store_shared:
      return false;
    case NativeOp::compare:
      // A float's comparison may be combined with a predicate.
      return form.type != NativeType::f32 || (in.aux == 0 && in.d2 < 0);
    default:
      return true;
  }
}

bool Emitter::compute(const Step& step) {
  const Inst& in = *step.inst;
  const NativeForm& form = *step.form;
  if (!can_compute(in, form, vectors_.bytes())) return false;
  if (const InstId id = binary_id(form); id != 0) {
    if (form.type == NativeType::f32) {
      float_binary(in, id);
    } else {
      binary(in, id, bytes_of(form.type));
    }
    return true;
  }
  switch (form.op) {
    case NativeOp::move:
    case NativeOp::bit_not:
      unary(step);
      return true;
    case NativeOp::bit_and:
      binary(in, vectors_.and_id(), bytes_of(form.type));
      return true;
    case NativeOp::bit_or:
      binary(in, vectors_.or_id(), bytes_of(form.type));
      return true;
    case NativeOp::bit_xor:
      binary(in, vectors_.xor_id(), bytes_of(form.type));
      return true;
    case NativeOp::multiply_add:
      multiply_add(step);
      return true;
    case NativeOp::fused_multiply_add:
      fused_multiply_add(in);
      return true;
    case NativeOp::multiply_wide:
    case NativeOp::multiply_add_wide:
      wide(step);
      return true;
    case NativeOp::lookup:
      lookup(in);
      return true;
    case NativeOp::shift_left:
    case NativeOp::shift_right:
      shift(step);
      return true;
    case NativeOp::select:
      select(step);
      return true;
    case NativeOp::widen:
    case NativeOp::narrow:
      convert(step);
      return true;
    case NativeOp::add_constant:
      add_constant(in);
      return true;
    case NativeOp::compare:
    case NativeOp::compare_constant:
      compare(step);
      return true;
    default:
      predicate(step);
      return true;
  }
}

void Emitter::unary(const Step& step) {
  const Inst& in = *step.inst;
  const std::int32_t bytes = vectors_.bytes();
  for (std::int32_t i = 0; i < vectors_.blocks(bytes_of(step.form->type)); ++i) {
    const Vec a = blocks_.use(in.a + i * bytes);
    const Vec d = blocks_.scratch();
    if (step.form->op == NativeOp::move) {
      vectors_.move(d, a);
    } else if (vectors_.wide()) {
      constexpr std::uint32_t kNotLast = 0x55;
      out_.emit(op::kIdVpternlogd, d, a, a, kNotLast);
    } else {
      vectors_.set(d);
      vectors_.bit_xor(d, d, a);
    }
    blocks_.define(in.d + i * bytes, d);
    blocks_.release();
  }
}

void Emitter::binary(const Inst& in, Id id, std::int32_t element) {
  const std::int32_t bytes = vectors_.bytes();
  for (std::int32_t i = 0; i < vectors_.blocks(element); ++i) {
    const Vec a = blocks_.use(in.a + i * bytes);
    const Vec b = blocks_.use(in.b + i * bytes);
    const Vec d = blocks_.scratch();
    vectors_.emit(id, d, a, b);
    blocks_.define(in.d + i * bytes, d);
    blocks_.release();
  }
}

void Emitter::float_binary(const Inst& in, Id id) {
  const std::int32_t bytes = vectors_.bytes();
  for (std::int32_t i = 0; i < vectors_.blocks(4); ++i) {
    const Vec a = blocks_.use_any_nan(in.a + i * bytes);
    const Vec b = blocks_.use_any_nan(in.b + i * bytes);
    const Vec d = blocks_.scratch();
    vectors_.emit(id, d, a, b);
    blocks_.define(in.d + i * bytes, d, true);
    blocks_.release();
  }
}

void Emitter::multiply_add(const Step& step) {
  const Inst& in = *step.inst;
  const bool wide = is_long(step.form->type);
  const std::int32_t bytes = vectors_.bytes();
  for (std::int32_t i = 0; i < vectors_.blocks(bytes_of(step.form->type)); ++i) {
    const Vec a = blocks_.use(in.a + i * bytes);
    const Vec b = blocks_.use(in.b + i * bytes);
    const Vec c = blocks_.use(in.c + i * bytes);
    const Vec d = blocks_.scratch();
    vectors_.emit(wide ? op::kIdVpmullq : op::kIdVpmulld, d, a, b);
    vectors_.emit(wide ? op::kIdVpaddq : op::kIdVpaddd, d, d, c);
    blocks_.define(in.d + i * bytes, d);
    blocks_.release();
  }
}

void Emitter::fused_multiply_add(const Inst& in) {
  const std::int32_t bytes = vectors_.bytes();
  for (std::int32_t i = 0; i < vectors_.blocks(4); ++i) {
    const Vec a = blocks_.use_any_nan(in.a + i * bytes);
    const Vec b = blocks_.use_any_nan(in.b + i * bytes);
    const Vec c = blocks_.use_any_nan(in.c + i * bytes);
    const Vec d = blocks_.scratch();
    vectors_.move(d, c);
    vectors_.emit(op::kIdVfmadd231ps, d, a, b);
    blocks_.define(in.d + i * bytes, d, true);
    blocks_.release();
  }
}

void Emitter::extend(const Vec& d, std::int32_t slot, int part, bool is_signed) {
  if (blocks_.is_uniform(slot)) part = 0;
  const op::Id id = is_signed ? op::kIdVpmovsxdq : op::kIdVpmovzxdq;
  const std::int32_t half = vectors_.bytes() / 2;
  const std::int32_t block = slot + part / 2 * vectors_.bytes();
  if (!vectors_.wide()) blocks_.write_back(block, 1);  // registers are few
  if (!blocks_.is_dirty(block)) {
    vectors_.emit(id, d, x86::ptr(place::kRegisters, slot + half * part, half));
    return;
  }
  Vec from = vectors_.half(blocks_.use(block));
  if (part % 2 != 0) {
    const Vec upper = vectors_.half(d);
    out_.emit(op::kIdVextracti64x4, upper, vectors_.reg(from.id()), 1);
    from = upper;
  }
  vectors_.emit(id, d, from);
}

Vec Emitter::extended(std::int32_t slot, int part, bool is_signed) {
  const Vec d = blocks_.scratch();
  extend(d, slot, part, is_signed);
  return d;
}

void Emitter::wide(const Step& step) {
  const Inst& in = *step.inst;
  const bool is_signed = step.form->type == NativeType::s32;
  const std::int32_t bytes = vectors_.bytes();
  const std::int32_t blocks = vectors_.blocks(8);
  // All before the first result, whose registers may be those of a source.
  Vec products[8];
  const Vec b = blocks_.scratch();
  for (std::int32_t i = 0; i < blocks; ++i) {
    products[i] = extended(in.a, i, is_signed);
    if (i == 0 || !blocks_.is_uniform(in.b)) extend(b, in.b, i, is_signed);
    vectors_.emit(is_signed ? op::kIdVpmuldq : op::kIdVpmuludq, products[i], products[i], b);
  }
  if (step.form->op == NativeOp::multiply_add_wide) {
    blocks_.write_back(in.c, blocks);
    for (std::int32_t i = 0; i < blocks; ++i) {
      vectors_.emit(op::kIdVpaddq, products[i], products[i],
                    x86::ptr(place::kRegisters, in.c + i * bytes));
    }
  }
  for (std::int32_t i = 0; i < blocks; ++i) blocks_.define(in.d + i * bytes, products[i]);
}

void Emitter::shift(const Step& step) {
  const Inst& in = *step.inst;
  const NativeType type = step.form->type;
  const bool left = step.form->op == NativeOp::shift_left;
  if (!is_long(type)) {
    const InstId id = left                      ? op::kIdVpsllvd
                      : type == NativeType::s32 ? op::kIdVpsravd
                                                : op::kIdVpsrlvd;
    binary(in, id, 4);
    return;
  }
  const InstId id = left                      ? op::kIdVpsllvq
                    : type == NativeType::s64 ? op::kIdVpsravq
                                              : op::kIdVpsrlvq;
  const std::int32_t bytes = vectors_.bytes();
  const std::int32_t blocks = vectors_.blocks(8);
  blocks_.write_back(in.a, blocks);
  const Vec value = blocks_.scratch();
  Vec results[8];
  for (std::int32_t i = 0; i < blocks; ++i) {
    results[i] = extended(in.b, i, false);
    vectors_.move(value, x86::ptr(place::kRegisters, in.a + i * bytes));
    vectors_.emit(id, results[i], value, results[i]);
  }
  for (std::int32_t i = 0; i < blocks; ++i) blocks_.define(in.d + i * bytes, results[i]);
}

void Emitter::load_predicate(const x86::KReg& k, std::int32_t slot, int block, bool is_long) {
  if (is_long) {
    out_.kmovb(k, x86::byte_ptr(place::kRegisters, slot + block));
  } else {
    out_.kmovw(k, x86::word_ptr(place::kRegisters, slot + 2 * block));
  }
}

void Emitter::spread_predicate(const Vec& d, std::int32_t slot, int block, std::int32_t element) {
  const auto words = static_cast<std::size_t>(element / 4);
  const std::size_t lanes = 8 / words;
  std::uint32_t bits[8];
  for (std::size_t i = 0; i < 8; ++i) {
    bits[i] = std::uint32_t{1} << (static_cast<std::size_t>(block) * lanes + i / words);
  }
  const x86::Mem bit = constant(bits);
  vectors_.emit(op::kIdVpbroadcastd, d, x86::dword_ptr(place::kRegisters, slot));
  vectors_.bit_and(d, d, bit);
  vectors_.emit(op::kIdVpcmpeqd, d, d, bit);
}

void Emitter::select(const Step& step) {
  const Inst& in = *step.inst;
  const std::int32_t element = bytes_of(step.form->type);
  const std::int32_t bytes = vectors_.bytes();
  blocks_.write_back_around(in.c);
  for (std::int32_t i = 0; i < vectors_.blocks(element); ++i) {
    // Where the mask is set the last operand is taken.
    const Vec if_set = blocks_.use((in.aux != 0 ? in.b : in.a) + i * bytes);
    const Vec if_clear = blocks_.use((in.aux != 0 ? in.a : in.b) + i * bytes);
    const Vec d = blocks_.scratch();
    if (vectors_.wide()) {
      load_predicate(x86::k2, in.c, i, element == 8);
      out_.k(x86::k2).emit(element == 8 ? op::kIdVpblendmq : op::kIdVpblendmd, d, if_clear, if_set);
    } else {
      spread_predicate(d, in.c, i, element);
      out_.emit(op::kIdVpblendvb, d, if_clear, if_set, d);
    }
    blocks_.define(in.d + i * bytes, d);
    blocks_.release();
  }
}

void Emitter::compare(const Step& step) {
  blocks_.write_back_around(step.inst->d);
  if (vectors_.wide()) {
    compare_to_masks(step);
  } else {
    compare_by_signs(step);
  }
}

void Emitter::compare_to_masks(const Step& step) {
  const Inst& in = *step.inst;
  const NativeType type = step.form->type;
  const std::int32_t bytes = vectors_.bytes();
  const std::int32_t blocks = vectors_.blocks(bytes_of(type));
  // eq, ne, lt, le, gt, ge
  constexpr std::uint32_t kPredicates[] = {0, 4, 1, 2, 6, 5};
  const InstId id = type == NativeType::f32   ? op::kIdVcmpps
                    : type == NativeType::s32 ? op::kIdVpcmpd
                    : type == NativeType::u32 ? op::kIdVpcmpud
                    : type == NativeType::s64 ? op::kIdVpcmpq
                                              : op::kIdVpcmpuq;
  const std::uint32_t predicate =
      type == NativeType::f32 ? step.form->detail : kPredicates[step.form->detail];
  for (std::int32_t i = 0; i < blocks; ++i) {
    const bool is_float = type == NativeType::f32;
    const Vec a = is_float ? blocks_.use_any_nan(in.a + i * bytes) : blocks_.use(in.a + i * bytes);
    const Vec b = is_float ? blocks_.use_any_nan(in.b + i * bytes) : blocks_.use(in.b + i * bytes);
    out_.emit(id, x86::k(static_cast<std::uint32_t>(2 + i)), a, b, predicate);
    blocks_.release();
  }
  if (blocks == 4) {
    out_.kunpckbw(x86::k2, x86::k3, x86::k2);
    out_.kunpckbw(x86::k3, x86::k5, x86::k4);
  }
  out_.kunpckwd(x86::k2, x86::k3, x86::k2);
  out_.kmovd(x86::dword_ptr(place::kRegisters, in.d), x86::k2);
}

/// AVX2 compares signed integers for equal and greater, and gives elements of ones or zeros.
void Emitter::compare_by_signs(const Step& step) {
  const Inst& in = *step.inst;
  const NativeType type = step.form->type;
  const bool is_float = type == NativeType::f32;
  const bool is_wide = is_long(type);
  const std::int32_t bytes = vectors_.bytes();
  const std::int32_t lanes = bytes / bytes_of(type);
  enum Order { eq, ne, lt, le, gt, ge };
  const auto order = static_cast<Order>(step.form->detail);
  const bool equals = order == eq || order == ne;
  const bool swaps = order == lt || order == ge;
  const bool inverts = !is_float && (order == ne || order == le || order == ge);
  const bool is_unsigned = type == NativeType::u32 || type == NativeType::u64;
  std::uint32_t signs[8];
  for (std::size_t i = 0; i < 8; ++i) signs[i] = is_wide && i % 2 == 0 ? 0 : 0x80000000u;
  for (std::int32_t i = 0; i < vectors_.blocks(bytes_of(type)); ++i) {
    Vec a = is_float ? blocks_.use_any_nan(in.a + i * bytes) : blocks_.use(in.a + i * bytes);
    Vec b = is_float ? blocks_.use_any_nan(in.b + i * bytes) : blocks_.use(in.b + i * bytes);
    const Vec d = blocks_.scratch();
    if (is_float) {
      out_.emit(op::kIdVcmpps, d, a, b, std::uint32_t{step.form->detail});
    } else {
      if (is_unsigned && !equals) {
        const Vec other = blocks_.scratch();
        vectors_.bit_xor(d, a, constant(signs));
        vectors_.bit_xor(other, b, constant(signs));
        a = d;
        b = other;
      }
      if (swaps) std::swap(a, b);
      if (equals) {
        vectors_.emit(is_wide ? op::kIdVpcmpeqq : op::kIdVpcmpeqd, d, a, b);
      } else {
        vectors_.emit(is_wide ? op::kIdVpcmpgtq : op::kIdVpcmpgtd, d, a, b);
      }
    }
    out_.emit(is_wide ? op::kIdVmovmskpd : op::kIdVmovmskps, x86::eax, d);
    if (i == 0) {
      out_.mov(x86::ecx, x86::eax);
    } else {
      out_.shl(x86::eax, lanes * i);
      out_.or_(x86::ecx, x86::eax);
    }
    blocks_.release();
  }
  if (inverts) out_.not_(x86::ecx);
  out_.mov(x86::dword_ptr(place::kRegisters, in.d), x86::ecx);
}

void Emitter::convert(const Step& step) {
  const Inst& in = *step.inst;
  const std::int32_t bytes = vectors_.bytes();
  if (step.form->op == NativeOp::widen) {
    Vec results[8];
    const std::int32_t blocks = vectors_.blocks(8);
    for (std::int32_t i = 0; i < blocks; ++i) {
      results[i] = extended(in.a, i, step.form->type == NativeType::s32);
    }
    for (std::int32_t i = 0; i < blocks; ++i) blocks_.define(in.d + i * bytes, results[i]);
    return;
  }
  Vec results[4];
  const std::int32_t blocks = vectors_.blocks(4);
  for (std::int32_t i = 0; i < blocks; ++i) {
    const Vec low = blocks_.use(in.a + 2 * i * bytes);
    const Vec high = blocks_.use(in.a + (2 * i + 1) * bytes);
    const Vec d = blocks_.scratch();
    if (vectors_.wide()) {
      const Vec upper = blocks_.scratch();
      out_.emit(op::kIdVpmovqd, vectors_.half(d), low);
      out_.emit(op::kIdVpmovqd, vectors_.half(upper), high);
      out_.emit(op::kIdVinserti64x4, d, d, vectors_.half(upper), 1);
    } else {
      constexpr std::uint32_t kEvenOfBoth = 0x88, kLowsThenHighs = 0xd8;
      out_.emit(op::kIdVshufps, d, low, high, kEvenOfBoth);
      out_.emit(op::kIdVpermq, d, d, kLowsThenHighs);
    }
    results[i] = d;
  }
  for (std::int32_t i = 0; i < blocks; ++i) blocks_.define(in.d + i * bytes, results[i]);
}

void Emitter::add_constant(const Inst& in) {
  const std::int32_t bytes = vectors_.bytes();
  for (std::int32_t i = 0; i < vectors_.blocks(8); ++i) {
    const Vec a = blocks_.use(in.a + i * bytes);
    const Vec d = blocks_.scratch();
    if (in.imm == 0) {
      vectors_.move(d, a);
    } else {
      out_.mov(x86::rax, in.imm);
      vectors_.broadcast64(d, x86::rax);
      vectors_.emit(op::kIdVpaddq, d, d, a);
    }
    blocks_.define(in.d + i * bytes, d);
    blocks_.release();
  }
}

void Emitter::lookup(const Inst& in) {
  const std::int32_t bytes = vectors_.bytes();
  for (std::int32_t i = 0; i < vectors_.blocks(4); ++i) {
    const Vec a = blocks_.use(in.a + i * bytes);
    const Vec b = blocks_.use(in.b + i * bytes);
    const Vec c = blocks_.use(in.c + i * bytes);
    const Vec d = blocks_.scratch();
    const auto table = static_cast<std::uint32_t>(in.imm & 0xff);
    if (vectors_.wide()) {
      vectors_.move(d, a);
      out_.emit(op::kIdVpternlogd, d, b, c, table);
    } else {
      // Where a bit of the first operand is set, the upper half of the table decides.
      const Vec if_clear = blocks_.scratch();
      lookup_pair(d, b, c, table >> 4);
      lookup_pair(if_clear, b, c, table & 15);
      vectors_.bit_and(d, d, a);
      vectors_.emit(op::kIdVpandn, if_clear, a, if_clear);
      vectors_.bit_or(d, d, if_clear);
    }
    blocks_.define(in.d + i * bytes, d);
    blocks_.release();
  }
}

void Emitter::lookup_pair(const Vec& d, const Vec& b, const Vec& c, std::uint32_t table) {
  // Of a table and its complement one has the bit for two zeros clear: it is made.
  const bool inverts = (table & 1) != 0;
  switch (inverts ? table ^ 15 : table) {
    case 0:
      vectors_.bit_xor(d, d, d);
      break;
    case 2:
      vectors_.emit(op::kIdVpandn, d, b, c);
      break;
    case 4:
      vectors_.emit(op::kIdVpandn, d, c, b);
      break;
    case 6:
      vectors_.bit_xor(d, b, c);
      break;
    case 8:
      vectors_.bit_and(d, b, c);
      break;
    case 10:
      vectors_.move(d, c);
      break;
    case 12:
      vectors_.move(d, b);
      break;
    default:  // 14
      vectors_.bit_or(d, b, c);
      break;
  }
  if (!inverts) return;
  vectors_.set(vectors_.spare());
  vectors_.bit_xor(d, d, vectors_.spare());
}

void Emitter::predicate(const Step& step) {
  const Inst& in = *step.inst;
  const auto at = [](std::int32_t slot) { return x86::dword_ptr(place::kRegisters, slot); };
  for (const std::int32_t slot : {in.d, in.a, in.b}) {
    if (slot >= 0) blocks_.write_back_around(slot);
  }
  const NativeOp op = step.form->op;
  out_.mov(x86::eax, at(in.a));
  const bool negated = op == NativeOp::predicate_not    ? (in.aux & 1) == 0
                       : op == NativeOp::predicate_move ? in.aux != 0
                                                        : (in.aux & 1) != 0;
  if (negated) out_.not_(x86::eax);
  if (op == NativeOp::predicate_and || op == NativeOp::predicate_or ||
      op == NativeOp::predicate_xor) {
    out_.mov(x86::ecx, at(in.b));
    if ((in.aux & 2) != 0) out_.not_(x86::ecx);
    if (op == NativeOp::predicate_and) {
      out_.and_(x86::eax, x86::ecx);
    } else if (op == NativeOp::predicate_or) {
      out_.or_(x86::eax, x86::ecx);
    } else {
      out_.xor_(x86::eax, x86::ecx);
    }
  }
  out_.mov(at(in.d), x86::eax);
}

}  // namespace warpsim::native
