#include "emulator/isa/handlers/bind.h"
#include "emulator/isa/handlers/families.h"
#include "emulator/isa/video_operand.h"

// SIMD video instructions: one operation on two halves or four bytes at once. Their results are
// merged into c, part by part under a mask, or summed and added to c (.add).

namespace warpsim::WARPSIM_SIMD {
namespace {

/// What an instruction does besides its operation; lives in Inst::imm. A selector names its parts
/// by a nibble each: 0 to count - 1 are of a, the others of b.
struct Form {
  u16 select_a;
  u16 select_b;
  u8 mask;  // parts of d that get results
  u8 flags;
  u16 padding = 0;
};
static_assert(sizeof(Form) == sizeof(u64));
enum FormFlag : u8 { kSignedA = 1, kSignedB = 2, kSignedD = 4, kSaturate = 8, kAccumulate = 16 };

template <int kParts>
constexpr int kPartBits = 32 / kParts;

/// Part i of a selection from [b:a], extended.
template <int kParts>
[[gnu::always_inline]] inline s32 select_part(u64 both, u16 selector, int i, bool is_signed) {
  constexpr int kWidth = kPartBits<kParts>;
  const int part = (selector >> (4 * i)) & 15;
  const u32 raised = static_cast<u32>(both >> (part * kWidth)) << (32 - kWidth);
  return is_signed ? static_cast<s32>(raised) >> (32 - kWidth)
                   : static_cast<s32>(raised >> (32 - kWidth));
}

template <int kParts>
[[gnu::always_inline]] inline s32 saturate(s32 value, bool is_signed) {
  constexpr s32 kSpan = 1 << kPartBits<kParts>;
  const s32 least = is_signed ? -kSpan / 2 : 0;
  const s32 most = is_signed ? kSpan / 2 - 1 : kSpan - 1;
  return value < least ? least : value > most ? most : value;
}

template <class Op, int kParts>
const Inst* video(Warp& w, const Inst& in) {
  const Form form = __builtin_bit_cast(Form, in.imm);
  u32* d = w.reg<u32>(in.d);
  const u32* a = w.reg<u32>(in.a);
  const u32* b = w.reg<u32>(in.b);
  const u32* c = w.reg<u32>(in.c);
  for_each_lane(w.active, [&](int lane) {
    const u64 both = static_cast<u64>(b[lane]) << 32 | a[lane];
    u32 result = c[lane];
    for (int i = 0; i < kParts; ++i) {
      if (((form.mask >> i) & 1) == 0) continue;
      const s32 left = select_part<kParts>(both, form.select_a, i, form.flags & kSignedA);
      const s32 right = select_part<kParts>(both, form.select_b, i, form.flags & kSignedB);
      s32 value = Op::apply(left, right);
      if (form.flags & kAccumulate) {
        result += static_cast<u32>(value);
        continue;
      }
      if (form.flags & kSaturate) value = saturate<kParts>(value, form.flags & kSignedD);
      const u32 mask = ((1u << kPartBits<kParts>)-1) << (kPartBits<kParts> * i);
      result = (static_cast<u32>(value) << (kPartBits<kParts> * i) & mask) | (result & ~mask);
    }
    d[lane] = result;
  });
  return &in + 1;
}

struct Add {
  static s32 apply(s32 a, s32 b) { return a + b; }
};
struct Sub {
  static s32 apply(s32 a, s32 b) { return a - b; }
};
/// Rounds half up for sums that are not negative, down for the others.
struct Average {
  static s32 apply(s32 a, s32 b) { return a + b >= 0 ? (a + b + 1) >> 1 : (a + b) >> 1; }
};
struct AbsDiff {
  static s32 apply(s32 a, s32 b) { return a < b ? b - a : a - b; }
};
struct Min {
  static s32 apply(s32 a, s32 b) { return a < b ? a : b; }
};
struct Max {
  static s32 apply(s32 a, s32 b) { return a > b ? a : b; }
};
struct SetEq {
  static s32 apply(s32 a, s32 b) { return a == b; }
};
struct SetNe {
  static s32 apply(s32 a, s32 b) { return a != b; }
};
struct SetLt {
  static s32 apply(s32 a, s32 b) { return a < b; }
};
struct SetLe {
  static s32 apply(s32 a, s32 b) { return a <= b; }
};
struct SetGt {
  static s32 apply(s32 a, s32 b) { return a > b; }
};
struct SetGe {
  static s32 apply(s32 a, s32 b) { return a >= b; }
};

bool take_sign(Binder& b) {
  const Type type = b.take_type();
  if (type != Type::u32 && type != Type::s32) unsupported_type(b, type);
  return type == Type::s32;
}

/// A source's selector, by default `otherwise`.
template <int kParts>
u16 bind_selector(const Binder& b, std::string_view text, u16 otherwise) {
  if (text.empty()) return otherwise;
  const Selection selection = parse_selection(b, text, kParts, 2 * kParts);
  if (selection.kind != (kParts == 2 ? 'h' : 'b') || selection.count != kParts) {
    b.unsupported("a selector of another size");
  }
  u16 selector = 0;
  for (int i = 0; i < kParts; ++i) {
    selector = static_cast<u16>(selector | selection.parts[i] << (4 * i));
  }
  return selector;
}

template <int kParts>
u8 bind_mask(const Binder& b, std::string_view text) {
  if (text.empty()) return (1 << kParts) - 1;
  const Selection selection = parse_selection(b, text, kParts, kParts);
  if (selection.kind != (kParts == 2 ? 'h' : 'b')) b.unsupported("a mask of another size");
  u8 mask = 0;
  for (int i = 0; i < selection.count; ++i) mask = static_cast<u8>(mask | 1 << selection.parts[i]);
  return mask;
}

template <int kParts>
void bind_simd(Binder& b, u8 flags) {
  if (b.take("add")) {
    if (flags & kSaturate) b.unsupported("'.sat' with '.add'");
    flags = static_cast<u8>(flags | kAccumulate);
  }
  require_operands(b, 4);
  const VideoOperand d = video_destination(b, 0);
  const VideoOperand left = video_source(b, 1);
  const VideoOperand right = video_source(b, 2);
  b.inst.d = d.slot;
  b.inst.a = left.slot;
  b.inst.b = right.slot;
  b.inst.c = b.src(3, Type::u32);
  const Form form{.select_a = bind_selector<kParts>(b, left.selector, kParts == 2 ? 0x10 : 0x3210),
                  .select_b = bind_selector<kParts>(b, right.selector, kParts == 2 ? 0x32 : 0x7654),
                  .mask = bind_mask<kParts>(b, d.selector),
                  .flags = flags};
  b.inst.imm = __builtin_bit_cast(u64, form);
}

template <class Op, int kParts>
void bind_video(Binder& b) {
  const bool signed_d = take_sign(b);
  const bool signed_a = take_sign(b);
  const bool signed_b = take_sign(b);
  const bool saturating = b.take("sat");
  b.inst.run = &video<Op, kParts>;
  bind_simd<kParts>(b, static_cast<u8>((signed_a ? kSignedA : 0) | (signed_b ? kSignedB : 0) |
                                       (signed_d ? kSignedD : 0) | (saturating ? kSaturate : 0)));
}

template <int kParts>
void bind_vset(Binder& b) {
  constexpr Handler kHandlers[] = {&video<SetEq, kParts>, &video<SetNe, kParts>,
                                   &video<SetLt, kParts>, &video<SetLe, kParts>,
                                   &video<SetGt, kParts>, &video<SetGe, kParts>};
  const int comparison = b.take_one_of({"eq", "ne", "lt", "le", "gt", "ge"});
  if (comparison < 0) b.unsupported("no comparison");
  const bool signed_a = take_sign(b);
  const bool signed_b = take_sign(b);
  b.inst.run = kHandlers[comparison];
  bind_simd<kParts>(b, static_cast<u8>((signed_a ? kSignedA : 0) | (signed_b ? kSignedB : 0)));
}

#define WARPSIM_VIDEO_FORMS(name)                               \
  name ".{u32,s32}.{u32,s32}.{u32,s32}{.sat} d, a, b, c\n" name \
       ".{u32,s32}.{u32,s32}.{u32,s32}.add d, a, b, c"
#define WARPSIM_VIDEO_SET_FORMS(name) \
  name ".{u32,s32}.{u32,s32}.{eq,ne,lt,le,gt,ge}{.add} d, a, b, c"

}  // namespace

Family video_simd_family() {
  static constexpr Row kRows[] = {
      {"vadd2", WARPSIM_VIDEO_FORMS("vadd2"), &bind_video<Add, 2>, semantics::kCompute},
      {"vsub2", WARPSIM_VIDEO_FORMS("vsub2"), &bind_video<Sub, 2>, semantics::kCompute},
      {"vavrg2", WARPSIM_VIDEO_FORMS("vavrg2"), &bind_video<Average, 2>, semantics::kCompute},
      {"vabsdiff2", WARPSIM_VIDEO_FORMS("vabsdiff2"), &bind_video<AbsDiff, 2>, semantics::kCompute},
      {"vmin2", WARPSIM_VIDEO_FORMS("vmin2"), &bind_video<Min, 2>, semantics::kCompute},
      {"vmax2", WARPSIM_VIDEO_FORMS("vmax2"), &bind_video<Max, 2>, semantics::kCompute},
      {"vset2", WARPSIM_VIDEO_SET_FORMS("vset2"), &bind_vset<2>, semantics::kCompute},
      {"vadd4", WARPSIM_VIDEO_FORMS("vadd4"), &bind_video<Add, 4>, semantics::kCompute},
      {"vsub4", WARPSIM_VIDEO_FORMS("vsub4"), &bind_video<Sub, 4>, semantics::kCompute},
      {"vavrg4", WARPSIM_VIDEO_FORMS("vavrg4"), &bind_video<Average, 4>, semantics::kCompute},
      {"vabsdiff4", WARPSIM_VIDEO_FORMS("vabsdiff4"), &bind_video<AbsDiff, 4>, semantics::kCompute},
      {"vmin4", WARPSIM_VIDEO_FORMS("vmin4"), &bind_video<Min, 4>, semantics::kCompute},
      {"vmax4", WARPSIM_VIDEO_FORMS("vmax4"), &bind_video<Max, 4>, semantics::kCompute},
      {"vset4", WARPSIM_VIDEO_SET_FORMS("vset4"), &bind_vset<4>, semantics::kCompute},
  };
  return kRows;
}

}  // namespace warpsim::WARPSIM_SIMD
