#include "emulator/isa/handlers/bind.h"
#include "emulator/isa/handlers/families.h"
#include "emulator/isa/handlers/members.h"

// vote, match, redux, activemask and elect. A `_sync` form executes when all its members are here;
// the active lanes then are the members that have not exited (see members.h), so that both kinds
// act on the active lanes.

namespace warpsim::WARPSIM_SIMD {
namespace {

enum class Vote { all, any, uni, ballot };

/// The same value in all active lanes of a register.
template <class T>
[[gnu::always_inline]] inline void broadcast(Warp& w, s32 slot, T value) {
  T* d = w.reg<T>(slot);
  const u32 active = w.active;
#pragma GCC ivdep
  for (int i = 0; i < kWarpSize; ++i) d[i] = (active >> i) & 1 ? value : d[i];
}

/// aux says that the source predicate is negated.
template <Vote kVote>
const Inst* vote(Warp& w, const Inst& in) {
  const u32 yes = (w.pred(in.a) ^ (in.aux ? kFullMask : 0)) & w.active;
  if constexpr (kVote == Vote::ballot) {
    broadcast(w, in.d, yes);
  } else {
    const bool all = yes == w.active;
    const bool passes = kVote == Vote::all ? all : kVote == Vote::any ? yes != 0 : all || yes == 0;
    set_pred(w, in.d, passes ? kFullMask : 0);
  }
  return &in + 1;
}

template <Vote kVote>
const Inst* vote_sync(Warp& w, const Inst& in) {
  static constexpr SyncOperation kOperation = {
      .a = SyncOperation::kPredicate,
      .b = 4,
      .d = kVote == Vote::ballot ? std::uint8_t{4} : SyncOperation::kPredicate,
      .negates = true,
      .run = &vote_sync<kVote>};
  if (const Inst* next = wait_for_members(w, in, in.b, kOperation)) return next;
  return vote<kVote>(w, in);
}

/// d = the lanes with this lane's value. T is u32 or u64.
template <class T>
const Inst* match_any(Warp& w, const Inst& in) {
  static constexpr SyncOperation kOperation = {
      .a = sizeof(T), .b = 4, .d = 4, .run = &match_any<T>};
  if (const Inst* next = wait_for_members(w, in, in.b, kOperation)) return next;
  const T* a = w.reg<T>(in.a);
  u32 result[kWarpSize];  // d may be a
  u32 rest = w.active;
  while (rest != 0) {
    const T value = a[__builtin_ctz(rest)];
    u32 equal = 0;
    for_each_lane(rest, [&](int i) { equal |= a[i] == value ? 1u << i : 0; });
    for_each_lane(equal, [&](int i) { result[i] = equal; });
    rest &= ~equal;
  }
  u32* d = w.reg<u32>(in.d);
  for_each_lane(w.active, [&](int i) { d[i] = result[i]; });
  return &in + 1;
}

/// d = the lanes when all have one value, and p is true; otherwise 0 and false.
template <class T>
const Inst* match_all(Warp& w, const Inst& in) {
  static constexpr SyncOperation kOperation = {
      .a = sizeof(T), .b = 4, .d = 4, .d2 = SyncOperation::kPredicate, .run = &match_all<T>};
  if (const Inst* next = wait_for_members(w, in, in.b, kOperation)) return next;
  const T* a = w.reg<T>(in.a);
  const T value = a[__builtin_ctz(w.active)];
  bool same = true;
  for_each_lane(w.active, [&](int i) { same = same && a[i] == value; });
  broadcast(w, in.d, same ? w.active : 0);
  if (in.d2 >= 0) set_pred(w, in.d2, same ? kFullMask : 0);
  return &in + 1;
}

struct ReduceAdd {
  template <class T>
  static T apply(T a, T b) {
    return static_cast<T>(static_cast<u32>(a) + static_cast<u32>(b));
  }
};
struct ReduceMin {
  template <class T>
  static T apply(T a, T b) {
    return a < b ? a : b;
  }
};
struct ReduceMax {
  template <class T>
  static T apply(T a, T b) {
    return a > b ? a : b;
  }
};
struct ReduceAnd {
  static u32 apply(u32 a, u32 b) { return a & b; }
};
struct ReduceOr {
  static u32 apply(u32 a, u32 b) { return a | b; }
};
struct ReduceXor {
  static u32 apply(u32 a, u32 b) { return a ^ b; }
};

template <class Op, class T>
const Inst* redux(Warp& w, const Inst& in) {
  static constexpr SyncOperation kOperation = {.a = 4, .b = 4, .d = 4, .run = &redux<Op, T>};
  if (const Inst* next = wait_for_members(w, in, in.b, kOperation)) return next;
  const T* a = w.reg<T>(in.a);
  T value = a[__builtin_ctz(w.active)];
  const u32 others = w.active & (w.active - 1);
  for_each_lane(others, [&](int i) { value = Op::apply(value, a[i]); });
  broadcast(w, in.d, value);
  return &in + 1;
}

const Inst* activemask(Warp& w, const Inst& in) {
  broadcast(w, in.d, active_lanes(w));
  return &in + 1;
}

/// The leader is the lowest member: d is its number in all of them, p is true in it alone.
const Inst* elect(Warp& w, const Inst& in) {
  static constexpr SyncOperation kOperation = {
      .a = 4, .d = 4, .d2 = SyncOperation::kPredicate, .run = &elect};
  if (const Inst* next = wait_for_members(w, in, in.a, kOperation)) return next;
  broadcast(w, in.d, static_cast<u32>(__builtin_ctz(w.active)));
  if (in.d2 >= 0) set_pred(w, in.d2, w.active & (0u - w.active));
  return &in + 1;
}

template <Vote kVote>
Handler vote_handler(bool sync) {
  return sync ? &vote_sync<kVote> : &vote<kVote>;
}

void bind_vote(Binder& b) {
  const bool sync = b.take("sync");
  const int mode = b.take_one_of({"all", "any", "uni", "ballot"});
  const Type type = b.take_type();
  if (type != (mode == 3 ? Type::b32 : Type::pred)) unsupported_type(b, type);
  switch (mode) {
    case 0:
      b.inst.run = vote_handler<Vote::all>(sync);
      break;
    case 1:
      b.inst.run = vote_handler<Vote::any>(sync);
      break;
    case 2:
      b.inst.run = vote_handler<Vote::uni>(sync);
      break;
    case 3:
      b.inst.run = vote_handler<Vote::ballot>(sync);
      break;
    default:
      b.unsupported("none of .all, .any, .uni, .ballot");
  }
  require_operands(b, sync ? 3 : 2);
  bool negated = false;
  b.inst.d = mode == 3 ? b.dst(0) : b.dst_pred(0);
  b.inst.a = b.src_pred(1, negated);
  b.inst.aux = negated ? 1 : 0;
  if (sync) b.inst.b = b.src(2, Type::b32);
}

void bind_match(Binder& b) {
  if (!b.take("sync")) b.unsupported("no .sync");
  const int mode = b.take_one_of({"any", "all"});
  if (mode < 0) b.unsupported("neither .any nor .all");
  const Type type = b.take_type();
  with_type<Type::b32, Type::b64>(
      b, type, [&]<class T>() { b.inst.run = mode == 0 ? &match_any<T> : &match_all<T>; });
  bind_operands(b, type, Type::b32);
  if (mode == 1) b.inst.d2 = b.dst_pair(0);
}

template <class Op>
void bind_redux_number(Binder& b, Type type) {
  with_type<Type::u32, Type::s32>(b, type, [&]<class T>() { b.inst.run = &redux<Op, T>; });
}

void bind_redux(Binder& b) {
  if (!b.take("sync")) b.unsupported("no .sync");
  const int op = b.take_one_of({"add", "min", "max", "and", "or", "xor"});
  if (op < 0) b.unsupported("no operation");
  const Type type = b.take_type();
  if (op > 2 && type != Type::b32) unsupported_type(b, type);
  switch (op) {
    case 0:
      bind_redux_number<ReduceAdd>(b, type);
      break;
    case 1:
      bind_redux_number<ReduceMin>(b, type);
      break;
    case 2:
      bind_redux_number<ReduceMax>(b, type);
      break;
    case 3:
      b.inst.run = &redux<ReduceAnd, u32>;
      break;
    case 4:
      b.inst.run = &redux<ReduceOr, u32>;
      break;
    default:
      b.inst.run = &redux<ReduceXor, u32>;
      break;
  }
  bind_operands(b, type, Type::b32);
}

void bind_activemask(Binder& b) {
  const Type type = b.take_type();
  if (type != Type::b32) unsupported_type(b, type);
  require_operands(b, 1);
  b.inst.d = b.dst(0);
  b.inst.run = &activemask;
}

void bind_elect(Binder& b) {
  if (!b.take("sync")) b.unsupported("no .sync");
  bind_operands(b, Type::b32);
  b.inst.d2 = b.dst_pair(0);
  b.inst.run = &elect;
}

}  // namespace

Family warp_vote_family() {
  static constexpr Row kRows[] = {
      {"vote",
       "vote.sync.{all,any,uni}.pred p, a, members\n"
       "vote.sync.ballot.b32 d, a, members\n"
       "vote.{all,any,uni}.pred p, a\n"
       "vote.ballot.b32 d, a",
       &bind_vote, semantics::kVote},
      {"match",
       "match.any.sync.{b32,b64} d, a, members\n"
       "match.all.sync.{b32,b64} d|p, a, members",
       &bind_match, semantics::kMatch},
      {"redux",
       "redux.sync.{add,min,max}.{u32,s32} d, a, members\n"
       "redux.sync.{and,or,xor}.b32 d, a, members",
       &bind_redux, semantics::kReduceLanes},
      {"activemask", "activemask.b32 d", &bind_activemask, semantics::kActiveMask},
      {"elect", "elect.sync d|p, members", &bind_elect, semantics::kElect},
  };
  return kRows;
}

}  // namespace warpsim::WARPSIM_SIMD
