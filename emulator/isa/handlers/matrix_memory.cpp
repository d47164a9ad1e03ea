#include "emulator/isa/handlers/matrix_fragment.h"
#include "emulator/isa/handlers/memory_lanes.h"
#include "emulator/isa/row.h"
#include "emulator/machine/decoder.h"

// Matrices between memory and registers (wmma.load, wmma.store, ldmatrix, stmatrix) and between
// lanes (movmatrix). An instruction makes several accesses, each of which is checked and counted
// as a load or store of its own, like the ones that a card's machine code makes.

namespace warpsim::WARPSIM_SIMD {
namespace {

enum class Place : u8 { global, shared, generic };
constexpr ptx::Space kSpaces[] = {ptx::Space::global, ptx::Space::shared, ptx::Space::generic};

constexpr u32 kPoison = 0xCBCBCBCB;

/// Runs with other active lanes than the warp's.
class LaneScope {
 public:
  LaneScope(Warp& w, u32 lanes) : warp_(w), before_(w.active) { w.active = lanes; }
  ~LaneScope() { warp_.active = before_; }
  LaneScope(const LaneScope&) = delete;
  LaneScope& operator=(const LaneScope&) = delete;

 private:
  Warp& warp_;
  u32 before_;
};

/// Finds the `width` bytes of each active lane at `at.address`, which are offsets for shared
/// memory.
/// @returns nullptr, or what the handler has to return
const Inst* locate(Warp& w, const Inst& in, Place place, u32 width, AccessType type, Located& at) {
  WarpContext& context = *w.context;
  const AccessRequest request{
      .in = in, .space = kSpaces[static_cast<u8>(place)], .type = type, .width = width};
  if (!begin_access(context, request, at.address)) {
    return abort_launch(w, in, LaunchStatus::misaligned);
  }
  settle_access(context, request, at);
  return nullptr;
}

// -- wmma.load and wmma.store --------------------------------------------------------------------

const MatrixMemory& memory_of(const Inst& in) {
  return *static_cast<const MatrixMemory*>(in.extra);
}

struct Addresses {
  alignas(64) u64 base[kWarpSize];
  alignas(64) u64 stride[kWarpSize];  // in bits
};

/// The lanes' pointers and strides; what lanes that are off have is never used.
Addresses addresses_of(const Warp& w, const Inst& in, const MatrixMemory& memory) {
  Addresses result;
  const u32 mask = w.active;
  const u64* wide = in.aux2 ? w.reg<u64>(in.a) : nullptr;
  const u32* narrow = in.aux2 ? nullptr : w.reg<u32>(in.a);
  const u32* stride = memory.stride_slot < 0 ? nullptr : w.reg<u32>(memory.stride_slot);
  const u32 bits = memory.fragment.element_bits;
  const int first = std::countr_zero(mask);
  for (int i = 0; i < kWarpSize; ++i) {
    const int lane = (mask >> i) & 1 ? i : first;
    const u64 address = wide != nullptr ? wide[lane] : u64{narrow[lane]};
    result.base[i] = address + static_cast<u64>(memory.offset);
    result.stride[i] = u64{stride != nullptr ? stride[lane] : memory.packed_stride} * bits;
  }
  return result;
}

/// Where each lane has an element of its fragment.
void element_addresses(const MatrixMemory& memory, const Addresses& from, u32 element, u32 active,
                       u64* address) {
  const MatrixFragment& f = memory.fragment;
  // One cell of b1 is 32 elements.
  const u64 cell_bits = f.element_bits == 1 ? 32 : f.element_bits;
  const u32 columns = (1u << f.columns_log2) - 1;
  const int first = std::countr_zero(active);
  for (int i = 0; i < kWarpSize; ++i) {
    const u32 cell = u32{f.base[element]} + f.lane_offset[(active >> i) & 1 ? i : first];
    const u64 row = cell >> f.columns_log2;
    const u64 column = cell & columns;
    const u64 along = memory.column_major ? row : column;
    const u64 across = memory.column_major ? column : row;
    address[i] = from.base[i] + (across * from.stride[i] + along * cell_bits) / 8;
  }
}

/// Whether lanes have the elements `first` and `first + 1` side by side in memory.
bool adjacent(const MatrixMemory& memory, u32 first) {
  const MatrixFragment& f = memory.fragment;
  const u32 step = memory.column_major ? 1u << f.columns_log2 : 1;
  return f.base[first + 1] == f.base[first] + step;
}

/// Calls f(first element, elements, bytes of all) for each access: as many elements as stand side
/// by side in memory, a register at most, or two elements of an accumulator.
template <class F>
const Inst* for_each_access(const MatrixMemory& memory, const Addresses& from, F f) {
  const MatrixFragment& fragment = memory.fragment;
  const u32 elements = u32{fragment.distinct} * fragment.per_register;
  const u32 bytes = fragment.element_bits < 8 ? 0 : fragment.element_bits / 8;
  const u32 group = fragment.per_register > 1 ? fragment.per_register : elements > 1 ? 2u : 1u;
  u64 bits = 0;
  for (int i = 0; i < kWarpSize; ++i) bits |= from.base[i] | from.stride[i] / 8;
  for (u32 first = 0; first < elements; first += group) {
    const u32 width = bytes == 0 ? 4 : bytes * group;
    // Wider than an element only where the pointer and the stride allow it.
    const bool whole = bytes == 0 || (group > 1 && adjacent(memory, first) && width <= 8 &&
                                      (bits & (width - 1)) == 0);
    if (whole) {
      if (const Inst* stop = f(first, group, width)) return stop;
      continue;
    }
    for (u32 e = first; e < first + group; ++e) {
      if (const Inst* stop = f(e, 1u, bytes)) return stop;
    }
  }
  return nullptr;
}

/// Up to 8 bytes from memory, lowest byte first.
u64 read_bytes(const std::byte* from, u32 width) {
  u64 value = 0;
  __builtin_memcpy(&value, from, width);
  return value;
}

/// Sets elements `first`, ... of one lane's registers from their bytes.
void set_elements(Warp& w, const MatrixFragment& f, u32 first, u32 count, int lane, u64 value) {
  if (f.element_bits == 64) {
    for (u32 e = 0; e < count; ++e) w.reg<u64>(f.slots[first + e])[lane] = value;
    return;
  }
  const u32 r = first / f.per_register;
  if (f.per_register == 1) {
    for (u32 e = 0; e < count; ++e) {
      w.reg<u32>(f.slots[r + e])[lane] = static_cast<u32>(value >> (32 * e));
    }
    return;
  }
  u32& reg = w.reg<u32>(f.slots[r])[lane];
  if (count == f.per_register) {
    reg = static_cast<u32>(value);
    return;
  }
  const u32 shift = first % f.per_register * f.element_bits;
  const u32 mask = ((1u << f.element_bits) - 1) << shift;
  reg = (reg & ~mask) | ((static_cast<u32>(value) << shift) & mask);
}

u64 get_elements(const Warp& w, const MatrixFragment& f, u32 first, u32 count, int lane) {
  if (f.element_bits == 64) return w.reg<u64>(f.slots[first])[lane];
  const u32 r = first / f.per_register;
  if (f.per_register > 1) {
    const u32 reg = w.reg<u32>(f.slots[r])[lane];
    return count == f.per_register ? reg : reg >> (first % f.per_register * f.element_bits);
  }
  u64 value = 0;
  for (u32 e = 0; e < count; ++e) value |= u64{w.reg<u32>(f.slots[r + e])[lane]} << (32 * e);
  return value;
}

const Inst* load_matrix(Warp& w, const Inst& in) {
  if (const Inst* next = wait_for_warp(w, in)) return next;
  const MatrixMemory& memory = memory_of(in);
  const MatrixFragment& fragment = memory.fragment;
  const Addresses from = addresses_of(w, in, memory);
  const Inst* stop = for_each_access(memory, from, [&](u32 first, u32 count, u32 width) {
    Located at;
    element_addresses(memory, from, first, w.active, at.address);
    if (const Inst* bad = locate(w, in, Place{in.aux}, width, AccessType::load, at)) return bad;
    for_each_lane(w.active, [&](int lane) {
      const bool good = (at.lanes >> lane) & 1;
      const u64 value = good ? read_bytes(at.host[lane], width) : u64{kPoison} << 32 | kPoison;
      set_elements(w, fragment, first, count, lane, value);
    });
    return at.fatal ? abort_launch(w, in, LaunchStatus::illegal_address) : nullptr;
  });
  if (stop != nullptr) return stop;
  // Fragments of f16 operands have room for each element twice.
  for (u32 r = fragment.distinct; r < fragment.registers; ++r) {
    const u32* original = w.reg<u32>(fragment.slots[r % fragment.distinct]);
    u32* copy = w.reg<u32>(fragment.slots[r]);
    for_each_lane(w.active, [&](int lane) { copy[lane] = original[lane]; });
  }
  return &in + 1;
}

const Inst* store_matrix(Warp& w, const Inst& in) {
  if (const Inst* next = wait_for_warp(w, in)) return next;
  const MatrixMemory& memory = memory_of(in);
  const Addresses to = addresses_of(w, in, memory);
  const Inst* stop = for_each_access(memory, to, [&](u32 first, u32 count, u32 width) {
    Located at;
    element_addresses(memory, to, first, w.active, at.address);
    if (const Inst* bad = locate(w, in, Place{in.aux}, width, AccessType::store, at)) return bad;
    for_each_lane(at.lanes, [&](int lane) {
      const u64 value = get_elements(w, memory.fragment, first, count, lane);
      __builtin_memcpy(at.host[lane], &value, width);
    });
    return at.fatal ? abort_launch(w, in, LaunchStatus::illegal_address) : nullptr;
  });
  return stop != nullptr ? stop : &in + 1;
}

// -- ldmatrix, stmatrix, movmatrix
// ---------------------------------------------------------------------------------

constexpr u32 kRowBytes = 16;

const MatrixMove& move_of(const Inst& in) {
  return *static_cast<const MatrixMove*>(in.extra);
}

/// Locates the rows of all matrices: lane 8 * i + r points to row r of matrix i.
const Inst* locate_rows(Warp& w, const Inst& in, AccessType type, Located& at) {
  const MatrixMove& op = move_of(in);
  const u32 rows = op.count == 4 ? kFullMask : (1u << (8 * op.count)) - 1;
  const LaneScope scope(w, w.active & rows);
  const u64* wide = in.aux2 ? w.reg<u64>(in.a) : nullptr;
  const u32* narrow = in.aux2 ? nullptr : w.reg<u32>(in.a);
  at.lanes = 0;
  if (w.active == 0) return nullptr;
  const int first = std::countr_zero(w.active);
  for (int i = 0; i < kWarpSize; ++i) {
    const int lane = (w.active >> i) & 1 ? i : first;
    at.address[i] =
        (wide != nullptr ? wide[lane] : u64{narrow[lane]}) + static_cast<u64>(op.offset);
  }
  return locate(w, in, Place{in.aux}, kRowBytes, type, at);
}

const Inst* load_rows(Warp& w, const Inst& in) {
  if (const Inst* next = wait_for_warp(w, in)) return next;
  const MatrixMove& op = move_of(in);
  Located at;
  if (const Inst* stop = locate_rows(w, in, AccessType::load, at)) return stop;
  // Addresses may be in a destination register, so all of them were read before.
  for (u32 i = 0; i < op.count; ++i) {
    alignas(64) u16 cells[8][8];
    for (u32 r = 0; r < 8; ++r) {
      const u32 lane = 8 * i + r;
      if ((at.lanes >> lane) & 1) {
        __builtin_memcpy(cells[r], at.host[lane], kRowBytes);
      } else {
        __builtin_memset(cells[r], 0xCB, kRowBytes);
      }
    }
    u32* d = w.reg<u32>(op.slots[i]);
    for_each_lane(w.active, [&](int lane) {
      const int group = lane / 4;
      const int pair = lane % 4 * 2;
      const u32 low = op.transposed ? cells[pair][group] : cells[group][pair];
      const u32 high = op.transposed ? cells[pair + 1][group] : cells[group][pair + 1];
      d[lane] = high << 16 | low;
    });
  }
  if (at.fatal) return abort_launch(w, in, LaunchStatus::illegal_address);
  return &in + 1;
}

/// The 8x8 matrix that lanes hold in one register each.
void gather_cells(const Warp& w, s32 slot, bool transposed, u16 (&cells)[8][8]) {
  const u32* reg = w.reg<u32>(slot);
  for (int lane = 0; lane < kWarpSize; ++lane) {
    const int group = lane / 4;
    const int pair = lane % 4 * 2;
    const u16 low = static_cast<u16>(reg[lane]);
    const u16 high = static_cast<u16>(reg[lane] >> 16);
    (transposed ? cells[pair][group] : cells[group][pair]) = low;
    (transposed ? cells[pair + 1][group] : cells[group][pair + 1]) = high;
  }
}

const Inst* store_rows(Warp& w, const Inst& in) {
  if (const Inst* next = wait_for_warp(w, in)) return next;
  const MatrixMove& op = move_of(in);
  Located at;
  if (const Inst* stop = locate_rows(w, in, AccessType::store, at)) return stop;
  for (u32 i = 0; i < op.count; ++i) {
    alignas(64) u16 cells[8][8];
    gather_cells(w, op.slots[i], op.transposed, cells);
    for (u32 r = 0; r < 8; ++r) {
      const u32 lane = 8 * i + r;
      if ((at.lanes >> lane) & 1) __builtin_memcpy(at.host[lane], cells[r], kRowBytes);
    }
  }
  if (at.fatal) return abort_launch(w, in, LaunchStatus::illegal_address);
  return &in + 1;
}

const Inst* transpose_rows(Warp& w, const Inst& in) {
  if (const Inst* next = wait_for_warp(w, in)) return next;
  alignas(64) u16 cells[8][8];
  gather_cells(w, in.a, true, cells);
  u32* d = w.reg<u32>(in.d);
  for_each_lane(w.active, [&](int lane) {
    const int pair = lane % 4 * 2;
    d[lane] = u32{cells[lane / 4][pair + 1]} << 16 | cells[lane / 4][pair];
  });
  return &in + 1;
}

// -- binding
// ---------------------------------------------------------------------------------------

/// Sets the address (`a`; aux2: 64 bits wide) and the space (aux), and says what kind of access the
/// instruction makes. @returns the address's constant part
s64 bind_address(Binder& b, std::size_t operand, bool is_load) {
  const auto space = b.take_space();
  Place place = Place::generic;
  if (space == ptx::Space::shared) {
    place = Place::shared;
  } else if (space == ptx::Space::global) {
    place = Place::global;
  } else if (space != ptx::Space::generic) {
    b.unsupported("state space");
  }
  b.inst.aux = static_cast<u8>(place);
  const auto& address = b.operand(operand);
  const bool is_shared = place == Place::shared;
  s64 offset = 0;
  if (address.reg != ptx::kNoIndex) {
    b.inst.a = b.value_slot(address.reg);
    offset = address.offset;
    b.inst.aux2 = ptx::size_bytes(decoder_of(b).register_type(address.reg)) == 8 ? 1 : 0;
  } else {
    b.inst.aux2 = is_shared ? 0 : 1;
    b.inst.a = address.text.empty() ? decoder_of(b).constant_slot(static_cast<u64>(address.offset),
                                                                  is_shared ? 4 : 8)
                                    : decoder_of(b).symbol_slot(address, is_shared ? 4 : 8);
  }
  decoder_of(b).access(is_shared ? (is_load ? AccessKind::shared_load : AccessKind::shared_store)
                                 : (is_load ? AccessKind::global_load : AccessKind::global_store));
  return offset;
}

void bind_wmma(Binder& b) {
  const int which = b.take_one_of({"load", "store"});
  if (which < 0) b.unsupported("");  // mma
  const bool is_load = which == 0;
  MatrixMemory* memory = bind_matrix_memory(b, is_load);
  memory->offset = bind_address(b, is_load ? 1 : 0, is_load);
  b.inst.run = is_load ? load_matrix : store_matrix;
  b.inst.extra = memory;
}

void bind_rows(Binder& b, bool is_load) {
  MatrixMove* op = bind_matrix_move(b, is_load ? 0 : 1);
  require_operands(b, 2);
  op->offset = bind_address(b, is_load ? 1 : 0, is_load);
  b.inst.run = is_load ? load_rows : store_rows;
  b.inst.extra = op;
}

void bind_ldmatrix(Binder& b) {
  bind_rows(b, true);
}

void bind_stmatrix(Binder& b) {
  bind_rows(b, false);
}

void bind_movmatrix(Binder& b) {
  if (!b.take("sync") || !b.take("aligned") || !b.take("m8n8") || !b.take("trans")) {
    b.unsupported("not .sync.aligned.m8n8.trans");
  }
  const Type type = b.take_type();
  if (type != Type::b16) unsupported_type(b, type);
  bind_operands(b, Type::b32);
  b.inst.run = transpose_rows;
}

}  // namespace

Family matrix_memory_family() {
  static constexpr Row rows[] = {
      {.name = "wmma",
       .forms =
           "wmma.load.{a,b}.sync.aligned.{row,col}.{m16n16k16,m8n32k16,m32n8k16}.{f16,bf16,s8,u8} "
           "d, [a], stride\n"
           "wmma.load.{a,b}.sync.aligned.{row,col}.m16n16k16.{global,shared}.f16 d, [a], stride\n"
           "wmma.load.{a,b}.sync.aligned.{row,col}.m16n16k8.tf32 d, [a], stride\n"
           "wmma.load.{a,b}.sync.aligned.{row,col}.m8n8k4.f64 d, [a], stride\n"
           "wmma.load.a.sync.aligned.row.{m8n8k32.s4,m8n8k32.u4,m8n8k128.b1} d, [a], stride\n"
           "wmma.load.b.sync.aligned.col.{m8n8k32.s4,m8n8k32.u4,m8n8k128.b1} d, [a], stride\n"
           "wmma.load.c.sync.aligned.{row,col}.{m16n16k16,m8n32k16,m32n8k16}.{f16,f32,s32} d, [a], "
           "stride\n"
           "wmma.load.c.sync.aligned.{row,col}.{m16n16k8.f32,m8n8k4.f64,m8n8k32.s32,m8n8k128.s32} "
           "d, [a], stride\n"
           "wmma.store.d.sync.aligned.{row,col}.{m16n16k16,m8n32k16,m32n8k16}.{f16,f32,s32} [a], "
           "b, stride\n"
           "wmma.store.d.sync.aligned.{row,col}.{m16n16k8.f32,m8n8k4.f64,m8n8k32.s32,m8n8k128."
           "s32} [a], b, stride\n"
           "wmma.store.d.sync.aligned.row.m16n16k16.{global,shared}.{f16,f32} [a], b, stride",
       .bind = bind_wmma,
       .does = semantics::kWmma},
      {.name = "ldmatrix",
       .forms = "ldmatrix.sync.aligned.m8n8.{x1,x2,x4}{.trans}.shared.b16 d, [a]",
       .bind = bind_ldmatrix,
       .does = semantics::kMatrixMove},
      {.name = "stmatrix",
       .forms = "stmatrix.sync.aligned.m8n8.{x1,x2,x4}{.trans}.shared.b16 [a], b",
       .bind = bind_stmatrix,
       .does = semantics::kMatrixMove},
      {.name = "movmatrix",
       .forms = "movmatrix.sync.aligned.m8n8.trans.b16 d, a",
       .bind = bind_movmatrix,
       .does = semantics::kMatrixMove},
  };
  return rows;
}

}  // namespace warpsim::WARPSIM_SIMD
