#include "emulator/native/emitter.h"

// Arithmetic, comparisons and conversions: what the handlers of emulator/isa/handlers do with all
// 32 lanes, bit for bit.

namespace warpsim::native {

using namespace asmjit;

namespace {

constexpr std::int32_t kBlock = Blocks::kBytes;

bool is_long(NativeType type) {
  return type == NativeType::u64 || type == NativeType::s64;
}

int blocks_of(NativeType type) {
  return is_long(type) ? 4 : 2;
}

/// One instruction for a block of two operands; 0 where there is none.
InstId binary_id(const NativeForm& form) {
  namespace id_of = x86::Inst;
  const bool wide = is_long(form.type);
  const bool is_signed = form.type == NativeType::s32 || form.type == NativeType::s64;
  switch (form.op) {
    case NativeOp::add:
      if (form.type == NativeType::f32) return id_of::kIdVaddps;
      return wide ? id_of::kIdVpaddq : id_of::kIdVpaddd;
    case NativeOp::subtract:
      if (form.type == NativeType::f32) return id_of::kIdVsubps;
      return wide ? id_of::kIdVpsubq : id_of::kIdVpsubd;
    case NativeOp::multiply:
      if (form.type == NativeType::f32) return id_of::kIdVmulps;
      return wide ? id_of::kIdVpmullq : id_of::kIdVpmulld;
    case NativeOp::minimum:
      if (is_signed) return wide ? id_of::kIdVpminsq : id_of::kIdVpminsd;
      return wide ? id_of::kIdVpminuq : id_of::kIdVpminud;
    case NativeOp::maximum:
      if (is_signed) return wide ? id_of::kIdVpmaxsq : id_of::kIdVpmaxsd;
      return wide ? id_of::kIdVpmaxuq : id_of::kIdVpmaxud;
    case NativeOp::bit_and:
      return id_of::kIdVpandq;
    case NativeOp::bit_or:
      return id_of::kIdVporq;
    case NativeOp::bit_xor:
      return id_of::kIdVpxorq;
    default:
      return 0;
  }
}

}  // namespace

bool can_compute(const Inst& in, const NativeForm& form) {
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
  if (!can_compute(in, form)) return false;
  if (const InstId id = binary_id(form); id != 0) {
    if (form.type == NativeType::f32) {
      float_binary(in, id);
    } else {
      binary(in, id, blocks_of(form.type));
    }
    return true;
  }
  switch (form.op) {
    case NativeOp::move:
    case NativeOp::bit_not:
      unary(step, 0, blocks_of(form.type));
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

void Emitter::unary(const Step& step, Id, int blocks) {
  const Inst& in = *step.inst;
  for (std::int32_t i = 0; i < blocks; ++i) {
    const Zmm a = blocks_.use(in.a + i * kBlock);
    const Zmm d = blocks_.scratch();
    if (step.form->op == NativeOp::move) {
      out_.vmovdqa32(d, a);
    } else {
      out_.vpternlogd(d, a, a, 0x55);  // not the last operand
    }
    blocks_.define(in.d + i * kBlock, d);
    blocks_.release();
  }
}

void Emitter::binary(const Inst& in, Id id, int blocks) {
  for (std::int32_t i = 0; i < blocks; ++i) {
    const Zmm a = blocks_.use(in.a + i * kBlock);
    const Zmm b = blocks_.use(in.b + i * kBlock);
    const Zmm d = blocks_.scratch();
    out_.emit(id, d, a, b);
    blocks_.define(in.d + i * kBlock, d);
    blocks_.release();
  }
}

void Emitter::float_binary(const Inst& in, Id id) {
  for (std::int32_t i = 0; i < 2; ++i) {
    const Zmm a = blocks_.use_any_nan(in.a + i * kBlock);
    const Zmm b = blocks_.use_any_nan(in.b + i * kBlock);
    const Zmm d = blocks_.scratch();
    out_.emit(id, d, a, b);
    blocks_.define(in.d + i * kBlock, d, true);
    blocks_.release();
  }
}

void Emitter::multiply_add(const Step& step) {
  const Inst& in = *step.inst;
  const bool wide = is_long(step.form->type);
  for (std::int32_t i = 0; i < blocks_of(step.form->type); ++i) {
    const Zmm a = blocks_.use(in.a + i * kBlock);
    const Zmm b = blocks_.use(in.b + i * kBlock);
    const Zmm c = blocks_.use(in.c + i * kBlock);
    const Zmm d = blocks_.scratch();
    if (wide) {
      out_.vpmullq(d, a, b);
      out_.vpaddq(d, d, c);
    } else {
      out_.vpmulld(d, a, b);
      out_.vpaddd(d, d, c);
    }
    blocks_.define(in.d + i * kBlock, d);
    blocks_.release();
  }
}

void Emitter::fused_multiply_add(const Inst& in) {
  for (std::int32_t i = 0; i < 2; ++i) {
    const Zmm a = blocks_.use_any_nan(in.a + i * kBlock);
    const Zmm b = blocks_.use_any_nan(in.b + i * kBlock);
    const Zmm c = blocks_.use_any_nan(in.c + i * kBlock);
    const Zmm d = blocks_.scratch();
    out_.vmovaps(d, c);
    out_.vfmadd231ps(d, a, b);
    blocks_.define(in.d + i * kBlock, d, true);
    blocks_.release();
  }
}

Zmm Emitter::extended(std::int32_t slot, int part, bool is_signed) {
  const std::int32_t from = slot + 32 * part;
  const std::int32_t block = slot + part / 2 * kBlock;
  const Zmm d = blocks_.scratch();
  x86::Ymm half;
  if (!blocks_.is_dirty(block)) {
    const x86::Mem memory = x86::ymmword_ptr(place::kRegisters, from);
    if (is_signed) {
      out_.vpmovsxdq(d, memory);
    } else {
      out_.vpmovzxdq(d, memory);
    }
    return d;
  }
  const Zmm a = blocks_.use(block);
  half = a.ymm();
  if (part % 2 != 0) {
    half = d.ymm();
    out_.vextracti64x4(half, a, 1);
  }
  if (is_signed) {
    out_.vpmovsxdq(d, half);
  } else {
    out_.vpmovzxdq(d, half);
  }
  return d;
}

void Emitter::wide(const Step& step) {
  const Inst& in = *step.inst;
  const bool is_signed = step.form->type == NativeType::s32;
  // All before the first result, whose registers may be those of a source.
  Zmm products[4];
  for (int i = 0; i < 4; ++i) {
    const Zmm a = extended(in.a, i, is_signed);
    const Zmm b = extended(in.b, i, is_signed);
    if (is_signed) {
      out_.vpmuldq(a, a, b);
    } else {
      out_.vpmuludq(a, a, b);
    }
    products[i] = a;
  }
  for (std::int32_t i = 0; i < 4; ++i) {
    if (step.form->op == NativeOp::multiply_add_wide) {
      out_.vpaddq(products[i], products[i], blocks_.use(in.c + i * kBlock));
    }
    blocks_.define(in.d + i * kBlock, products[i]);
  }
}

void Emitter::shift(const Step& step) {
  namespace id_of = x86::Inst;
  const Inst& in = *step.inst;
  const NativeType type = step.form->type;
  const bool left = step.form->op == NativeOp::shift_left;
  if (!is_long(type)) {
    const InstId id = left                      ? id_of::kIdVpsllvd
                      : type == NativeType::s32 ? id_of::kIdVpsravd
                                                : id_of::kIdVpsrlvd;
    binary(in, id, 2);
    return;
  }
  const InstId id = left                      ? id_of::kIdVpsllvq
                    : type == NativeType::s64 ? id_of::kIdVpsravq
                                              : id_of::kIdVpsrlvq;
  Zmm results[4];
  for (std::int32_t i = 0; i < 4; ++i) {
    const Zmm count = extended(in.b, i, false);
    out_.emit(id, count, blocks_.use(in.a + i * kBlock), count);
    results[i] = count;
  }
  for (std::int32_t i = 0; i < 4; ++i) blocks_.define(in.d + i * kBlock, results[i]);
}

void Emitter::load_predicate(const x86::KReg& k, std::int32_t slot, int block, bool is_long) {
  if (is_long) {
    out_.kmovb(k, x86::byte_ptr(place::kRegisters, slot + block));
  } else {
    out_.kmovw(k, x86::word_ptr(place::kRegisters, slot + 2 * block));
  }
}

void Emitter::select(const Step& step) {
  const Inst& in = *step.inst;
  const bool wide = is_long(step.form->type);
  blocks_.write_back_around(in.c);
  for (std::int32_t i = 0; i < (wide ? 4 : 2); ++i) {
    // Where the mask is set the last operand is taken.
    const Zmm if_set = blocks_.use((in.aux != 0 ? in.b : in.a) + i * kBlock);
    const Zmm if_clear = blocks_.use((in.aux != 0 ? in.a : in.b) + i * kBlock);
    load_predicate(x86::k2, in.c, i, wide);
    const Zmm d = blocks_.scratch();
    out_.k(x86::k2).emit(wide ? x86::Inst::kIdVpblendmq : x86::Inst::kIdVpblendmd, d, if_clear,
                         if_set);
    blocks_.define(in.d + i * kBlock, d);
    blocks_.release();
  }
}

void Emitter::compare(const Step& step) {
  const Inst& in = *step.inst;
  const NativeType type = step.form->type;
  blocks_.write_back_around(in.d);
  const int blocks = blocks_of(type);
  if (type == NativeType::f32) {
    for (std::int32_t i = 0; i < 2; ++i) {
      const Zmm a = blocks_.use_any_nan(in.a + i * kBlock);
      const Zmm b = blocks_.use_any_nan(in.b + i * kBlock);
      out_.vcmpps(x86::k(static_cast<std::uint32_t>(2 + i)), a, b, step.form->detail);
    }
  } else {
    // eq, ne, lt, le, gt, ge
    constexpr std::uint8_t kPredicates[] = {0, 4, 1, 2, 6, 5};
    const std::uint8_t predicate = kPredicates[step.form->detail];
    const InstId id = type == NativeType::s32   ? x86::Inst::kIdVpcmpd
                      : type == NativeType::u32 ? x86::Inst::kIdVpcmpud
                      : type == NativeType::s64 ? x86::Inst::kIdVpcmpq
                                                : x86::Inst::kIdVpcmpuq;
    for (std::int32_t i = 0; i < blocks; ++i) {
      const Zmm a = blocks_.use(in.a + i * kBlock);
      const Zmm b = blocks_.use(in.b + i * kBlock);
      out_.emit(id, x86::k(static_cast<std::uint32_t>(2 + i)), a, b, predicate);
      blocks_.release();
    }
  }
  if (blocks == 4) {
    out_.kunpckbw(x86::k2, x86::k3, x86::k2);
    out_.kunpckbw(x86::k3, x86::k5, x86::k4);
  }
  out_.kunpckwd(x86::k2, x86::k3, x86::k2);
  out_.kmovd(x86::dword_ptr(place::kRegisters, in.d), x86::k2);
}

void Emitter::convert(const Step& step) {
  const Inst& in = *step.inst;
  if (step.form->op == NativeOp::widen) {
    Zmm results[4];
    for (int i = 0; i < 4; ++i) results[i] = extended(in.a, i, step.form->type == NativeType::s32);
    for (std::int32_t i = 0; i < 4; ++i) blocks_.define(in.d + i * kBlock, results[i]);
    return;
  }
  Zmm results[2];
  for (std::int32_t i = 0; i < 2; ++i) {
    const Zmm low = blocks_.use(in.a + 2 * i * kBlock);
    const Zmm high = blocks_.use(in.a + (2 * i + 1) * kBlock);
    const Zmm d = blocks_.scratch();
    const Zmm upper = blocks_.scratch();
    out_.vpmovqd(d.ymm(), low);
    out_.vpmovqd(upper.ymm(), high);
    out_.vinserti64x4(d, d, upper.ymm(), 1);
    results[i] = d;
  }
  for (std::int32_t i = 0; i < 2; ++i) blocks_.define(in.d + i * kBlock, results[i]);
}

void Emitter::add_constant(const Inst& in) {
  for (std::int32_t i = 0; i < 4; ++i) {
    const Zmm a = blocks_.use(in.a + i * kBlock);
    const Zmm d = blocks_.scratch();
    if (in.imm == 0) {
      out_.vmovdqa32(d, a);
    } else {
      out_.mov(x86::rax, in.imm);
      out_.vpbroadcastq(d, x86::rax);
      out_.vpaddq(d, d, a);
    }
    blocks_.define(in.d + i * kBlock, d);
    blocks_.release();
  }
}

void Emitter::lookup(const Inst& in) {
  for (std::int32_t i = 0; i < 2; ++i) {
    const Zmm a = blocks_.use(in.a + i * kBlock);
    const Zmm b = blocks_.use(in.b + i * kBlock);
    const Zmm c = blocks_.use(in.c + i * kBlock);
    const Zmm d = blocks_.scratch();
    out_.vmovdqa32(d, a);
    out_.vpternlogd(d, b, c, static_cast<std::uint8_t>(in.imm));
    blocks_.define(in.d + i * kBlock, d);
    blocks_.release();
  }
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
