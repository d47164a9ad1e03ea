#include "emulator/isa/handlers/bind.h"
#include "emulator/isa/handlers/families.h"
#include "emulator/isa/video_operand.h"

// Scalar video instructions: an operation on bytes, halves or words of 32-bit registers, then a
// second one with c, or a merge of the result into c. Compilers hardly emit them; they are
// executed lane by lane.

namespace warpsim::WARPSIM_SIMD {
namespace {

/// Where an operand is within its register.
struct Part {
  u8 shift = 0;
  u8 bits = 32;
};

enum class Secondary : u8 { none, add, min, max };

/// What an instruction does besides its operation; lives in Inst::imm.
struct Form {
  Part a;
  Part b;
  Part d;
  u8 flags = 0;
  Secondary secondary = Secondary::none;
};
static_assert(sizeof(Form) == sizeof(u64));
enum FormFlag : u8 { kSignedA = 1, kSignedB = 2, kSignedD = 4, kSaturate = 8, kWrap = 16 };

/// Result enough for a word shifted by 32 places.
using Result = s128;

[[gnu::always_inline]] inline s64 select_part(u32 value, Part part, bool is_signed) {
  const u64 raised = static_cast<u64>(value) << (64 - part.shift - part.bits);
  const int down = 64 - part.bits;
  return is_signed ? static_cast<s64>(raised) >> down : static_cast<s64>(raised >> down);
}

[[gnu::always_inline]] inline Result saturate(Result value, u32 bits, bool is_signed) {
  const Result span = Result{1} << bits;
  const Result least = is_signed ? -span / 2 : 0;
  const Result most = is_signed ? span / 2 - 1 : span - 1;
  return value < least ? least : value > most ? most : value;
}

/// The operation's result as the destination's bits.
[[gnu::always_inline]] inline u32 finish(const Form& form, Result result, u32 c) {
  const bool is_signed = (form.flags & kSignedD) != 0;
  if (form.flags & kSaturate) result = saturate(result, form.d.bits, is_signed);
  const Result third = is_signed ? Result{static_cast<s32>(c)} : Result{c};
  switch (form.secondary) {
    case Secondary::none:
      break;
    case Secondary::add:
      result += third;
      break;
    case Secondary::min:
      result = result < third ? result : third;
      break;
    case Secondary::max:
      result = result > third ? result : third;
      break;
  }
  if (form.d.bits == 32) return static_cast<u32>(result);
  const u32 mask = ((1u << form.d.bits) - 1) << form.d.shift;
  return (static_cast<u32>(result) << form.d.shift & mask) | (c & ~mask);
}

/// f(form, a, b) gives the operation's result.
template <class Op>
const Inst* video(Warp& w, const Inst& in) {
  const Form form = __builtin_bit_cast(Form, in.imm);
  u32* d = w.reg<u32>(in.d);
  const u32* a = w.reg<u32>(in.a);
  const u32* b = w.reg<u32>(in.b);
  const u32* c = in.c >= 0 ? w.reg<u32>(in.c) : d;  // without c nothing of it is used
  for_each_lane(w.active, [&](int i) {
    const s64 left = select_part(a[i], form.a, form.flags & kSignedA);
    const s64 right = select_part(b[i], form.b, form.flags & kSignedB);
    d[i] = finish(form, Op::apply(form, left, right), c[i]);
  });
  return &in + 1;
}

struct Add {
  static Result apply(const Form&, s64 a, s64 b) { return a + b; }
};
struct Sub {
  static Result apply(const Form&, s64 a, s64 b) { return a - b; }
};
struct AbsDiff {
  static Result apply(const Form&, s64 a, s64 b) { return a < b ? b - a : a - b; }
};
struct Min {
  static Result apply(const Form&, s64 a, s64 b) { return a < b ? a : b; }
};
struct Max {
  static Result apply(const Form&, s64 a, s64 b) { return a > b ? a : b; }
};
inline int shift_count(const Form& form, s64 b) {
  if (form.flags & kWrap) return static_cast<int>(b & 31);
  return b > 32 ? 32 : static_cast<int>(b);
}
struct Shl {
  static Result apply(const Form& form, s64 a, s64 b) {
    return Result{a} * (Result{1} << shift_count(form, b));
  }
};
struct Shr {
  static Result apply(const Form& form, s64 a, s64 b) { return a >> shift_count(form, b); }
};
struct SetEq {
  static Result apply(const Form&, s64 a, s64 b) { return a == b; }
};
struct SetNe {
  static Result apply(const Form&, s64 a, s64 b) { return a != b; }
};
struct SetLt {
  static Result apply(const Form&, s64 a, s64 b) { return a < b; }
};
struct SetLe {
  static Result apply(const Form&, s64 a, s64 b) { return a <= b; }
};
struct SetGt {
  static Result apply(const Form&, s64 a, s64 b) { return a > b; }
};
struct SetGe {
  static Result apply(const Form&, s64 a, s64 b) { return a >= b; }
};

/// aux: what the result is shifted right by; aux2: what .po adds.
const Inst* vmad(Warp& w, const Inst& in) {
  const Form form = __builtin_bit_cast(Form, in.imm);
  const bool is_signed = (form.flags & (kSignedA | kSignedB)) != 0;
  u32* d = w.reg<u32>(in.d);
  const u32* a = w.reg<u32>(in.a);
  const u32* b = w.reg<u32>(in.b);
  const u32* c = w.reg<u32>(in.c);
  for_each_lane(w.active, [&](int i) {
    const s64 left = select_part(a[i], form.a, form.flags & kSignedA);
    const s64 right = select_part(b[i], form.b, form.flags & kSignedB);
    const Result third = is_signed ? Result{static_cast<s32>(c[i])} : Result{c[i]};
    Result result = (Result{left} * right + third + in.aux2) >> in.aux;
    if (form.flags & kSaturate) result = saturate(result, 32, is_signed);
    d[i] = static_cast<u32>(result);
  });
  return &in + 1;
}

bool take_sign(Binder& b) {
  const Type type = b.take_type();
  if (type != Type::u32 && type != Type::s32) unsupported_type(b, type);
  return type == Type::s32;
}

/// A part's place by its selector; a whole register without one.
Part bind_part(const Binder& b, std::string_view selector) {
  const Selection selection = parse_selection(b, selector, 1, 4);
  if (selection.kind == 0) return {};
  if (selection.kind == 'b') return {static_cast<u8>(8 * selection.parts[0]), 8};
  if (selection.parts[0] > 1) b.unsupported("a half beyond .h1");
  return {static_cast<u8>(16 * selection.parts[0]), 16};
}

/// Binds the operands and the secondary operation.
void bind_form(Binder& b, u8 flags) {
  Form form;
  form.flags = flags;
  const int secondary = b.take_one_of({"add", "min", "max"});
  form.secondary = static_cast<Secondary>(secondary + 1);
  const VideoOperand d = video_destination(b, 0);
  form.d = bind_part(b, d.selector);
  const bool merges = form.d.bits != 32;
  if (merges && secondary >= 0) b.unsupported("a second operation and a merge");
  const bool has_c = merges || secondary >= 0;
  require_operands(b, has_c ? 4 : 3);
  const VideoOperand left = video_source(b, 1);
  const VideoOperand right = video_source(b, 2);
  form.a = bind_part(b, left.selector);
  form.b = bind_part(b, right.selector);
  b.inst.d = d.slot;
  b.inst.a = left.slot;
  b.inst.b = right.slot;
  if (has_c) b.inst.c = b.src(3, Type::u32);
  b.inst.imm = __builtin_bit_cast(u64, form);
}

u8 flags_of(bool signed_d, bool signed_a, bool signed_b, bool saturating) {
  return static_cast<u8>((signed_a ? kSignedA : 0) | (signed_b ? kSignedB : 0) |
                         (signed_d ? kSignedD : 0) | (saturating ? kSaturate : 0));
}

template <class Op>
void bind_video(Binder& b) {
  const bool signed_d = take_sign(b);
  const bool signed_a = take_sign(b);
  const bool signed_b = take_sign(b);
  b.inst.run = &video<Op>;
  bind_form(b, flags_of(signed_d, signed_a, signed_b, b.take("sat")));
}

template <class Op>
void bind_shift(Binder& b) {
  const bool signed_d = take_sign(b);
  const bool signed_a = take_sign(b);
  if (take_sign(b)) b.unsupported("a signed shift count");
  const int mode = b.take_one_of({"clamp", "wrap"});
  if (mode < 0) b.unsupported("neither .clamp nor .wrap");
  u8 flags = flags_of(signed_d, signed_a, false, b.take("sat"));
  if (mode == 1) flags = static_cast<u8>(flags | kWrap);
  b.inst.run = &video<Op>;
  bind_form(b, flags);
}

void bind_vset(Binder& b) {
  constexpr Handler kHandlers[] = {&video<SetEq>, &video<SetNe>, &video<SetLt>,
                                   &video<SetLe>, &video<SetGt>, &video<SetGe>};
  const int comparison = b.take_one_of({"eq", "ne", "lt", "le", "gt", "ge"});
  if (comparison < 0) b.unsupported("no comparison");
  const bool signed_a = take_sign(b);
  const bool signed_b = take_sign(b);
  b.inst.run = kHandlers[comparison];
  bind_form(b, flags_of(false, signed_a, signed_b, false));
}

void bind_vmad(Binder& b) {
  const bool signed_d = take_sign(b);
  const bool signed_a = take_sign(b);
  const bool signed_b = take_sign(b);
  Form form;
  form.flags = flags_of(signed_d, signed_a, signed_b, b.take("sat"));
  const int scale = b.take_one_of({"shr7", "shr15"});
  require_operands(b, 4);
  const VideoOperand left = video_source(b, 1);
  const VideoOperand right = video_source(b, 2);
  form.a = bind_part(b, left.selector);
  form.b = bind_part(b, right.selector);
  b.inst.d = b.dst(0);
  b.inst.a = left.slot;
  b.inst.b = right.slot;
  b.inst.c = b.src(3, Type::u32);
  b.inst.aux = scale < 0 ? 0 : scale == 0 ? 7 : 15;
  b.inst.aux2 = b.take("po") ? 1 : 0;
  b.inst.imm = __builtin_bit_cast(u64, form);
  b.inst.run = &vmad;
}

#define WARPSIM_VIDEO_FORMS(name)                            \
  name ".{u32,s32}.{u32,s32}.{u32,s32}{.sat} d, a, b\n" name \
       ".{u32,s32}.{u32,s32}.{u32,s32}{.sat}.{add,min,max} d, a, b, c"
#define WARPSIM_VIDEO_SHIFT_FORMS(name)                             \
  name ".{u32,s32}.{u32,s32}.u32{.sat}.{clamp,wrap} d, a, b\n" name \
       ".{u32,s32}.{u32,s32}.u32{.sat}.{clamp,wrap}.{add,min,max} d, a, b, c"

}  // namespace

Family video_scalar_family() {
  static constexpr Row kRows[] = {
      {"vadd", WARPSIM_VIDEO_FORMS("vadd"), &bind_video<Add>, does::kCompute},
      {"vsub", WARPSIM_VIDEO_FORMS("vsub"), &bind_video<Sub>, does::kCompute},
      {"vabsdiff", WARPSIM_VIDEO_FORMS("vabsdiff"), &bind_video<AbsDiff>, does::kCompute},
      {"vmin", WARPSIM_VIDEO_FORMS("vmin"), &bind_video<Min>, does::kCompute},
      {"vmax", WARPSIM_VIDEO_FORMS("vmax"), &bind_video<Max>, does::kCompute},
      {"vshl", WARPSIM_VIDEO_SHIFT_FORMS("vshl"), &bind_shift<Shl>, does::kCompute},
      {"vshr", WARPSIM_VIDEO_SHIFT_FORMS("vshr"), &bind_shift<Shr>, does::kCompute},
      {"vset",
       "vset.{u32,s32}.{u32,s32}.{eq,ne,lt,le,gt,ge} d, a, b\n"
       "vset.{u32,s32}.{u32,s32}.{eq,ne,lt,le,gt,ge}.{add,min,max} d, a, b, c",
       &bind_vset, does::kCompute},
      {"vmad",
       "vmad.{u32,s32}.{u32,s32}.{u32,s32}{.sat}{.shr7,.shr15} d, a, b, c\n"
       "vmad.{u32,s32}.{u32,s32}.{u32,s32}.po{.sat}{.shr7,.shr15} d, a, b, c",
       &bind_vmad, does::kCompute},
  };
  return kRows;
}

}  // namespace warpsim::WARPSIM_SIMD
