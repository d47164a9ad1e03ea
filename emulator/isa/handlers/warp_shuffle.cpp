#include "emulator/isa/handlers/bind.h"
#include "emulator/isa/handlers/families.h"
#include "emulator/isa/handlers/members.h"
#include "emulator/machine/access.h"

// shfl, with and without .sync.

namespace warpsim::WARPSIM_SIMD {
namespace {

enum class Mode { up, down, bfly, idx };

/// The lane each lane reads from, as the manual defines it: c has the clamp value in bits 0 to 4
/// and the segment mask in bits 8 to 12. A lane whose source is out of its segment reads itself.
/// @returns the lanes whose source was in range
template <Mode kMode>
[[gnu::always_inline]] inline u32 source_lanes(const u32* b, const u32* c, u32* source) {
  alignas(64) u8 in_range[kWarpSize];
#pragma GCC ivdep
  for (u32 lane = 0; lane < kWarpSize; ++lane) {
    const u32 offset = b[lane] & 31;
    const u32 clamp = c[lane] & 31;
    const u32 segment = (c[lane] >> 8) & 31;
    const u32 largest = (lane & segment) | (clamp & ~segment);
    u32 from = 0;
    bool valid = false;
    if constexpr (kMode == Mode::up) {
      from = lane - offset;
      valid = static_cast<s32>(from) >= static_cast<s32>(largest);
    } else {
      if constexpr (kMode == Mode::down) from = lane + offset;
      if constexpr (kMode == Mode::bfly) from = lane ^ offset;
      if constexpr (kMode == Mode::idx) from = (lane & segment) | (offset & ~segment);
      valid = from <= largest;
    }
    source[lane] = valid ? from : lane;
    in_range[lane] = valid ? 1 : 0;
  }
  return pack_mask(in_range);
}

/// result[i] = a[source[i]], before anything is written: d may be a.
[[gnu::always_inline]] inline void gather(const u32* a, const u32* source, u32* result) {
#if defined(__AVX512F__)
  const __m512i low = _mm512_load_si512(a);
  const __m512i high = _mm512_load_si512(a + 16);
  for (int i = 0; i < kWarpSize; i += 16) {
    const __m512i lanes = _mm512_load_si512(source + i);
    _mm512_store_si512(result + i, _mm512_permutex2var_epi32(low, lanes, high));
  }
#else
  for (int i = 0; i < kWarpSize; ++i) result[i] = a[source[i]];
#endif
}

/// Lanes whose source has ended, waits elsewhere or does not exist: what they get is undefined.
[[gnu::noinline]] void check_sources(Warp& w, const Inst& in, const u32* source) {
  u32 missing = 0;
  for_each_lane(w.active, [&](int i) {
    if (!((w.active >> source[i]) & 1)) missing |= 1u << i;
  });
  if (missing != 0) shuffle_undefined(*w.context, in, missing, source);
}

template <Mode kMode>
const Inst* shfl(Warp& w, const Inst& in) {
  alignas(64) u32 source[kWarpSize];
  alignas(64) u32 result[kWarpSize];
  const u32 in_range = source_lanes<kMode>(w.reg<u32>(in.b), w.reg<u32>(in.c), source);
  gather(w.reg<u32>(in.a), source, result);
  u32* d = w.reg<u32>(in.d);
  const u32 active = w.active;
  for (int i = 0; i < kWarpSize; ++i) d[i] = (active >> i) & 1 ? result[i] : d[i];
  if (in.d2 >= 0) set_pred(w, in.d2, in_range);
  if (active != ~u32{0}) [[unlikely]]
    check_sources(w, in, source);
  return &in + 1;
}

template <Mode kMode>
const Inst* shfl_sync(Warp& w, const Inst& in) {
  static constexpr SyncOperation kOperation = {.a = 4,
                                               .b = 4,
                                               .c = 4,
                                               .imm = 4,
                                               .d = 4,
                                               .d2 = SyncOperation::kPredicate,
                                               .run = &shfl_sync<kMode>};
  const Inst* next = wait_for_members(w, in, static_cast<s32>(in.imm), kOperation);
  if (next != nullptr) return next;
  return shfl<kMode>(w, in);
}

void bind_shfl(Binder& b) {
  const bool sync = b.take("sync");
  const int mode = b.take_one_of({"up", "down", "bfly", "idx"});
  const Type type = b.take_type();
  if (type != Type::b32) unsupported_type(b, type);
  require_operands(b, sync ? 5 : 4);
  switch (mode) {
    case 0:
      b.inst.run = sync ? &shfl_sync<Mode::up> : &shfl<Mode::up>;
      break;
    case 1:
      b.inst.run = sync ? &shfl_sync<Mode::down> : &shfl<Mode::down>;
      break;
    case 2:
      b.inst.run = sync ? &shfl_sync<Mode::bfly> : &shfl<Mode::bfly>;
      break;
    case 3:
      b.inst.run = sync ? &shfl_sync<Mode::idx> : &shfl<Mode::idx>;
      break;
    default:
      b.unsupported("none of .up, .down, .bfly, .idx");
  }
  b.inst.d = b.dst(0);
  b.inst.d2 = b.dst_pair(0);
  b.inst.a = b.src(1, type);
  b.inst.b = b.src(2, type);
  b.inst.c = b.src(3, type);
  if (sync) b.inst.imm = static_cast<u64>(b.src(4, type));
}

}  // namespace

Family warp_shuffle_family() {
  static constexpr Row kRows[] = {
      {"shfl",
       "shfl.sync.{up,down,bfly,idx}.b32 d|p, a, b, c, members\n"
       "shfl.{up,down,bfly,idx}.b32 d|p, a, b, c",
       &bind_shfl, semantics::kShuffle},
  };
  return kRows;
}

}  // namespace warpsim::WARPSIM_SIMD
