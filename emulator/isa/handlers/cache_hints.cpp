#include "emulator/isa/handlers/bind.h"
#include "emulator/isa/row.h"
#include "emulator/machine/decoder.h"

// Instructions that tell caches what will be needed: they change no value that a program may read,
// and the emulator's caches follow no hints.

namespace warpsim::WARPSIM_SIMD {
namespace {

const Inst* nothing(Warp&, const Inst& in) {
  return &in + 1;
}

/// A policy is opaque, and good for `.L2::cache_hint` only, which is ignored.
const Inst* no_policy(Warp& w, const Inst& in) {
  u64* d = w.reg<u64>(in.d);
  for (int i = 0; i < kWarpSize; ++i) d[i] = (w.active >> i) & 1 ? 0 : d[i];
  return &in + 1;
}

bool take_priority(Binder& b) {
  return b.take_one_of(
             {"L2::evict_last", "L2::evict_normal", "L2::evict_first", "L2::evict_unchanged"}) >= 0;
}

void bind_createpolicy(Binder& b) {
  const int kind = b.take_one_of({"fractional", "range", "cvt"});
  if (kind == 2) {
    if (!b.take("L2")) b.unsupported("no .L2");
    require_operands(b, 2);
  } else {
    if (kind == 1) b.take("global");
    if (kind < 0 || !take_priority(b)) b.unsupported("no priority");
    take_priority(b);  // of the rest of the addresses
    require_operands(b, kind == 0 ? 1 : 4, kind == 0 ? 2 : 4);
  }
  const Type type = b.take_type();
  if (type != Type::b64) unsupported_type(b, type);
  b.inst.d = b.dst(0);
  b.inst.run = no_policy;
}

/// discard and applypriority: 128 bytes at an aligned address.
void bind_line(Binder& b) {
  b.take("global");
  if (!b.take("L2") && !b.take("L2::evict_normal")) b.unsupported("no .L2");
  require_operands(b, 2);
  u64 bytes = 0;
  if (!b.immediate(1, bytes) || bytes != 128) b.unsupported("a size other than 128");
  b.inst.run = nothing;
}

}  // namespace

Family cache_hints_family() {
  static constexpr Row rows[] = {
      {.name = "createpolicy",
       .forms = "createpolicy.fractional.{L2::evict_last,L2::evict_normal,L2::evict_first,L2::"
                "evict_unchanged}.b64 d, a\n"
                "createpolicy.fractional.L2::evict_last.{L2::evict_first,L2::evict_unchanged}.b64 "
                "d, a\n"
                "createpolicy.range.L2::evict_last.b64 d, [a], b, c\n"
                "createpolicy.range.global.L2::evict_normal.b64 d, [a], b, c\n"
                "createpolicy.range.global.L2::evict_first.L2::evict_unchanged.b64 d, [a], b, c\n"
                "createpolicy.cvt.L2.b64 d, a",
       .bind = bind_createpolicy,
       .does = semantics::kImpure},
      {.name = "discard",
       .forms = "discard{.global}.L2 [a], 128",
       .bind = bind_line,
       .does = semantics::kHint},
      {.name = "applypriority",
       .forms = "applypriority{.global}.L2::evict_normal [a], 128",
       .bind = bind_line,
       .does = semantics::kHint},
  };
  return rows;
}

}  // namespace warpsim::WARPSIM_SIMD
