#include <type_traits>

#include "emulator/isa/atomic_operand.h"
#include "emulator/isa/handlers/families.h"
#include "emulator/isa/handlers/float_ops.h"
#include "emulator/isa/handlers/memory_lanes.h"
#include "emulator/machine/address.h"
#include "emulator/machine/decoder.h"

// atom and red. Lanes update memory one after the other, lowest first; on global memory each
// update is atomic for the host as well, as other host threads may run other blocks.

namespace warpsim::WARPSIM_SIMD {
namespace {

enum class Where : u8 { global, shared, generic };

struct And {
  template <class T>
  static T apply(T old, T b, T) {
    return static_cast<T>(old & b);
  }
};
struct Or {
  template <class T>
  static T apply(T old, T b, T) {
    return static_cast<T>(old | b);
  }
};
struct Xor {
  template <class T>
  static T apply(T old, T b, T) {
    return static_cast<T>(old ^ b);
  }
};
struct Exchange {
  template <class T>
  static T apply(T, T b, T) {
    return b;
  }
};
struct CompareAndSwap {
  template <class T>
  static T apply(T old, T b, T c) {
    return old == b ? c : old;
  }
};
struct Add {
  template <class T>
  static T apply(T old, T b, T) {
    if constexpr (std::is_same_v<T, float>) {
      return canonical_value(old + b);
    } else if constexpr (std::is_floating_point_v<T>) {
      return old + b;
    } else {
      return static_cast<T>(static_cast<Unsigned<T>>(old) + static_cast<Unsigned<T>>(b));
    }
  }
};
/// atom.add.f32 flushes subnormal inputs and results on global memory, as the card's units do.
struct AddFlush {
  static float flush(float a) {
    return __builtin_fabsf(a) < 0x1p-126f ? __builtin_copysignf(0.0f, a) : a;
  }
  static float apply(float old, float b, float) {
    return canonical_value(flush(flush(old) + flush(b)));
  }
};
/// add.noftz on patterns of the format F; f32 has more than twice its bits, so rounding twice
/// cannot be noticed.
template <class F>
struct AddHalf {
  static u16 apply(u16 old, u16 b) {
    const float sum = widen<F>(old) + widen<F>(b);
    return narrow<F, F32, Rounding::nearest_even>(__builtin_bit_cast(u32, sum));
  }
  static u16 apply(u16 old, u16 b, u16) { return apply(old, b); }
};
/// Both halves; PTX promises each for itself, not the pair, but here the pair is one update.
template <class F>
struct AddHalves {
  static u32 apply(u32 old, u32 b, u32) { return HalfPair<AddHalf<F>>::apply(old, b); }
};
struct Increment {
  template <class T>
  static T apply(T old, T b, T) {
    return old >= b ? T{0} : static_cast<T>(old + 1);
  }
};
struct Decrement {
  template <class T>
  static T apply(T old, T b, T) {
    return old == 0 || old > b ? b : static_cast<T>(old - 1);
  }
};
struct Min {
  template <class T>
  static T apply(T old, T b, T) {
    return b < old ? b : old;
  }
};
struct Max {
  template <class T>
  static T apply(T old, T b, T) {
    return b > old ? b : old;
  }
};

/// The value as bits, for the host's compare-and-swap.
template <class T>
auto bits_of(T value) {
  if constexpr (sizeof(T) == 2) {
    return __builtin_bit_cast(u16, value);
  } else if constexpr (sizeof(T) == 4) {
    return __builtin_bit_cast(u32, value);
  } else {
    return __builtin_bit_cast(u64, value);
  }
}

template <class Op, class T>
[[gnu::always_inline]] inline T update(std::byte* place, T b, T c, bool plain) {
  if (plain) {
    const T old = peek<T>(place);
    poke(place, Op::apply(old, b, c));
    return old;
  }
  using Bits = decltype(bits_of(T{}));
  auto* word = reinterpret_cast<Bits*>(place);
  Bits seen = __atomic_load_n(word, __ATOMIC_RELAXED);
  for (;;) {
    const T old = __builtin_bit_cast(T, seen);
    const Bits next = bits_of(Op::apply(old, b, c));
    if (__atomic_compare_exchange_n(word, &seen, next, true, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)) {
      return old;
    }
  }
}

void shared_offsets(const Warp& w, const Inst& in, u64* address) {
  const bool wide = in.aux2 != 0;
  for (int i = 0; i < kWarpSize; ++i) {
    const u64 a = wide ? w.reg<u64>(in.a)[i] : u64{w.reg<u32>(in.a)[i]};
    address[i] = static_cast<u32>(a + static_cast<u64>(in.offset));
  }
}

constexpr ptx::Space space_of(Where where) {
  switch (where) {
    case Where::global:
      return ptx::Space::global;
    case Where::shared:
      return ptx::Space::shared;
    case Where::generic:
      break;
  }
  return ptx::Space::generic;
}

/// Finds the lanes' places. @returns what to return, or null to go on
template <Where kWhere>
const Inst* locate(Warp& w, const Inst& in, Located& at) {
  WarpContext& context = *w.context;
  if constexpr (kWhere == Where::shared) {
    shared_offsets(w, in, at.address);
  } else {
    lane_addresses(w, in, at.address);
  }
  context.spins = true;
  const AccessRequest request{
      .in = in, .space = space_of(kWhere), .type = AccessType::atomic, .width = in.width};
  if (!begin_access(context, request, at.address)) {
    return abort_launch(w, in, LaunchStatus::misaligned);
  }
  settle_access(context, request, at);
  return nullptr;
}

template <Where kWhere, class Op, class T>
const Inst* run_atomic(Warp& w, const Inst& in) {
  Located at;
  if (const Inst* stop = locate<kWhere>(w, in, at)) return stop;
  const bool plain = kWhere == Where::shared || w.context->block->launch->only_worker != nullptr;
  const T* b = w.reg<T>(in.b);
  const T* c = in.c >= 0 ? w.reg<T>(in.c) : b;
  T* d = w.reg<T>(in.d);
  for_each_lane(at.lanes, [&](int i) {
    const T first = b[i];
    const T second = c[i];
    d[i] = update<Op, T>(at.host[i], first, second, plain);
  });
  if (at.fatal) return abort_launch(w, in, LaunchStatus::illegal_address);
  return &in + 1;
}

/// Neighbours in global memory, each of them updated for itself.
template <class Op, class T>
const Inst* run_vector(Warp& w, const Inst& in) {
  const auto& vector = *static_cast<const AtomicVector*>(in.extra);
  Inst access = in;
  access.offset = vector.offset;
  Located at;
  if (const Inst* stop = locate<Where::global>(w, access, at)) return stop;
  const bool plain = w.context->block->launch->only_worker != nullptr;
  for_each_lane(at.lanes, [&](int i) {
    T values[AtomicVector::kMost];  // a result may have the slot of a value
    for (unsigned k = 0; k < vector.count; ++k) values[k] = w.reg<T>(vector.values[k])[i];
    for (unsigned k = 0; k < vector.count; ++k) {
      std::byte* const place = at.host[i] + k * sizeof(T);
      w.reg<T>(vector.results[k])[i] = update<Op, T>(place, values[k], values[k], plain);
    }
  });
  if (at.fatal) return abort_launch(w, in, LaunchStatus::illegal_address);
  return &in + 1;
}

template <class Op, class T>
Handler place(Where where) {
  switch (where) {
    case Where::global:
      return run_atomic<Where::global, Op, T>;
    case Where::shared:
      return run_atomic<Where::shared, Op, T>;
    case Where::generic:
      break;
  }
  return run_atomic<Where::generic, Op, T>;
}

template <class Op>
Handler pick_integer(Binder& b, Type type, Where where) {
  switch (type) {
    case Type::u32:
      return place<Op, u32>(where);
    case Type::s32:
      return place<Op, s32>(where);
    case Type::u64:
      return place<Op, u64>(where);
    case Type::s64:
      return place<Op, s64>(where);
    default:
      unsupported_type(b, type);
  }
}

template <class Op>
Handler pick_bits(Binder& b, Type type, Where where) {
  switch (type) {
    case Type::b16:
      return place<Op, u16>(where);
    case Type::b32:
      return place<Op, u32>(where);
    case Type::b64:
      return place<Op, u64>(where);
    default:
      unsupported_type(b, type);
  }
}

bool is_half(Type type) {
  return type == Type::f16 || type == Type::f16x2 || type == Type::bf16 || type == Type::bf16x2;
}

/// What `of` makes of a sum of halves: its operation and the type of its patterns.
template <class Of>
Handler pick_half_sum(Binder& b, Type type, Of of) {
  switch (type) {
    case Type::f16:
      return of.template operator()<AddHalf<F16>, u16>();
    case Type::f16x2:
      return of.template operator()<AddHalves<F16>, u32>();
    case Type::bf16:
      return of.template operator()<AddHalf<BF16>, u16>();
    case Type::bf16x2:
      return of.template operator()<AddHalves<BF16>, u32>();
    default:
      unsupported_type(b, type);
  }
}

Handler pick_vector(Binder& b, Type type) {
  decoder_of(b).program().order_sensitive = true;  // sums of floats
  if (type == Type::f32) return run_vector<AddFlush, float>;
  return pick_half_sum(b, type, []<class Op, class T>() -> Handler { return run_vector<Op, T>; });
}

Handler pick_add(Binder& b, Type type, Where where) {
  // The sum of floats depends on the order of the summands.
  const bool is_float = type == Type::f32 || type == Type::f64 || is_half(type);
  if (is_float) decoder_of(b).program().order_sensitive = true;
  if (is_half(type)) {
    return pick_half_sum(b, type, [=]<class Op, class T>() { return place<Op, T>(where); });
  }
  switch (type) {
    case Type::f32:
      return where == Where::shared ? place<Add, float>(where) : place<AddFlush, float>(where);
    case Type::f64:
      return place<Add, double>(where);
    default:
      return pick_integer<Add>(b, type, where);
  }
}

enum Operation { kAnd, kOr, kXor, kCas, kExch, kAdd, kInc, kDec, kMin, kMax };

Handler pick(Binder& b, int operation, Type type, Where where) {
  switch (operation) {
    case kAnd:
      return pick_bits<And>(b, type, where);
    case kOr:
      return pick_bits<Or>(b, type, where);
    case kXor:
      return pick_bits<Xor>(b, type, where);
    case kCas:
      return pick_bits<CompareAndSwap>(b, type, where);
    case kExch:
      return pick_bits<Exchange>(b, type, where);
    case kAdd:
      return pick_add(b, type, where);
    case kInc:
      return place<Increment, u32>(where);
    case kDec:
      return place<Decrement, u32>(where);
    case kMin:
      return pick_integer<Min>(b, type, where);
    case kMax:
      return pick_integer<Max>(b, type, where);
    default:
      b.unsupported("atomic operation");
  }
}

const Inst* widen(Warp& w, const Inst& in) {
  return map1<u64, u32>(w, in, [](u32 a) { return u64{a}; });
}

/// shared::cluster: an address in the cluster's window is a generic one without its upper half.
void make_generic(Binder& b) {
  if (b.inst.aux2 == 0) {
    Inst extend;
    extend.run = widen;
    extend.a = b.inst.a;
    extend.d = b.scratch(kWarpSize * sizeof(u64));
    decoder_of(b).emit_before(extend);
    b.inst.a = extend.d;
    b.inst.aux2 = 1;
  }
  b.inst.offset += static_cast<s64>(kSharedWindow);
}

/// The rest of an add on a vector, when its address is known.
void bind_vector(Binder& b, unsigned count, Type type, bool has_result) {
  const std::size_t bytes = count * ptx::size_bytes(type);
  if (bytes > 16) b.unsupported("a vector of more than 16 bytes");
  b.inst.width = static_cast<u8>(bytes);
  AtomicVector* const vector = bind_atomic_vector(b, count, type, has_result);
  vector->offset = b.inst.offset;
  b.inst.extra = vector;
  b.inst.run = pick_vector(b, type);
}

void bind_atomic(Binder& b, bool has_result) {
  b.take_one_of({"relaxed", "acquire", "release", "acq_rel"});
  b.take_one_of({"cta", "cluster", "gpu", "sys"});
  const bool cluster = b.take("shared::cluster");
  const auto space = b.take_space();
  Where where = Where::generic;
  if (space == ptx::Space::global) where = Where::global;
  if (space == ptx::Space::shared) where = Where::shared;
  const int operation =
      b.take_one_of({"and", "or", "xor", "cas", "exch", "add", "inc", "dec", "min", "max"});
  const bool noftz = operation == kAdd && b.take("noftz");
  const bool hint = b.take("L2::cache_hint");
  static_cast<void>(hint);
  const int vector = b.take_one_of({"v2", "v4", "v8"});
  const Type type = b.take_type();
  if (noftz != is_half(type)) unsupported_type(b, type);  // halves have no other form
  const std::size_t first = has_result ? 1 : 0;
  const auto& address = b.operand(first);
  const bool shared = where == Where::shared;
  b.inst.width = static_cast<u8>(ptx::size_bytes(type));
  if (address.reg != ptx::kNoIndex) {
    b.inst.a = b.value_slot(address.reg);
    b.inst.offset = address.offset;
    b.inst.aux2 = ptx::size_bytes(decoder_of(b).register_type(address.reg)) == 8;
    if (!shared && !cluster && b.inst.aux2 == 0) {
      b.unsupported("32-bit address in a 64-bit space");
    }
  } else {
    b.inst.a = decoder_of(b).symbol_slot(address, 8);
    b.inst.aux2 = 1;
  }
  const bool dead = !has_result || decoder_of(b).result_is_dead(b.operand(0));
  b.inst.flags |= dead ? kVolatile | kDeadResult : kVolatile;
  // Exchanges have no form without a result (RED) in the card's machine code, and generic addresses
  // none at all, as ncu counted on an H200 (emulator/tests/counters/path_atomics_sm90.cu).
  const bool has_reduction = operation != kExch && operation != kCas && where == Where::global;
  decoder_of(b).access(shared || cluster       ? AccessKind::shared_atomic
                       : dead && has_reduction ? AccessKind::global_reduction
                                               : AccessKind::global_atomic);
  if (vector >= 0) {
    if (operation != kAdd || where != Where::global) b.unsupported("an atomic on a vector");
    bind_vector(b, 2u << vector, type, has_result);
    return;
  }
  if (cluster) make_generic(b);
  b.inst.b = b.src(first + 1, type);
  if (operation == kCas) b.inst.c = b.src(first + 2, type);
  b.inst.d = dead ? b.scratch(kWarpSize * sizeof(u64)) : b.dst(0);
  // An order of blocks that shows in a result must be the same with any number of host threads.
  const bool commutes =
      operation != kExch && operation != kCas && operation != kInc && operation != kDec;
  if (!shared && !cluster && (!dead || !commutes)) decoder_of(b).program().order_sensitive = true;
  b.inst.run = pick(b, operation, type, where);
}

void bind_atom(Binder& b) {
  bind_atomic(b, true);
}
void bind_red(Binder& b) {
  bind_atomic(b, false);
}

/// Memory is sequentially consistent here, so that a fence changes nothing.
const Inst* memory_fence(Warp& w, const Inst& in) {
  tell_fence(*w.context, in);
  return &in + 1;
}

void bind_fence(Binder& b) {
  b.take_one_of({"sc", "acq_rel", "acquire", "release"});
  b.take_one_of({"cta", "cluster", "gpu", "sys", "gl"});
  b.inst.run = memory_fence;
}

}  // namespace

Family atomics_family() {
  static constexpr Row rows[] = {
      {.name = "atom",
       .forms = "atom.{global,shared}.{and,or,xor}.{b32,b64} d, [a], b\n"
                "atom.{global,shared}.exch.{b32,b64} d, [a], b\n"
                "atom.{global,shared}.cas.{b16,b32,b64} d, [a], b, c\n"
                "atom.{global,shared}.add.{u32,s32,u64,f32,f64} d, [a], b\n"
                "atom.{global,shared}.add.noftz.{f16,f16x2,bf16,bf16x2} d, [a], b\n"
                "atom.{global,shared}.{inc,dec}.u32 d, [a], b\n"
                "atom.{global,shared}.{min,max}.{u32,s32,u64,s64} d, [a], b\n"
                "atom.shared::cluster.add.u32 d, [a], b\n"
                "atom.global.add.{v2,v4}.f32 d, [a], b\n"
                "atom.global.add.noftz.{v2,v4,v8}.{f16,bf16} d, [a], b\n"
                "atom.global.add.noftz.{v2,v4}.{f16x2,bf16x2} d, [a], b\n"
                "atom.add.u32 d, [a], b\natom.exch.b32 d, [a], b\n"
                "atom.{relaxed,acquire,release,acq_rel}.{cta,gpu,sys}.global.add.u32 d, [a], b",
       .bind = bind_atom,
       .does = semantics::kAtomic},
      {.name = "red",
       .forms = "red.{global,shared}.{and,or,xor}.{b32,b64} [a], b\n"
                "red.{global,shared}.add.{u32,s32,u64,f32,f64} [a], b\n"
                "red.{global,shared}.add.noftz.{f16,f16x2,bf16,bf16x2} [a], b\n"
                "red.{global,shared}.{inc,dec}.u32 [a], b\n"
                "red.{global,shared}.{min,max}.{u32,s32,u64,s64} [a], b\n"
                "red.global.add.{v2,v4}.f32 [a], b\n"
                "red.global.add.noftz.{v2,v4,v8}.{f16,bf16} [a], b\n"
                "red.global.add.noftz.{v2,v4}.{f16x2,bf16x2} [a], b\n"
                "red.shared::cluster.add.u32 [a], b",
       .bind = bind_red,
       .does = semantics::kReduction},
      {.name = "membar",
       .forms = "membar.{cta,gl,sys}",
       .bind = bind_fence,
       .does = semantics::kFence},
      {.name = "fence",
       .forms = "fence.{sc,acq_rel}.{cta,cluster,gpu,sys}",
       .bind = bind_fence,
       .does = semantics::kFence},
  };
  return rows;
}

}  // namespace warpsim::WARPSIM_SIMD
