#pragma once

// Matrices between a warp's registers and arrays stored row by row.

#include "emulator/isa/handlers/float_format.h"
#include "emulator/isa/matrix_operand.h"
#include "emulator/machine/context.h"
#include "emulator/machine/whole_warp.h"

namespace warpsim::WARPSIM_SIMD {

/// Waits until the whole warp is here, which instructions on matrices need.
/// @returns nullptr when the instruction can execute; otherwise what the handler has to return
[[nodiscard]] inline const Inst* wait_for_warp(Warp& w, const Inst& in) {
  if (w.active == kFullMask) [[likely]]
    return nullptr;
  return wait_for_whole_warp(w, in);
}

/// The largest matrix of one operand: A of m16n8k64, 16 x 64.
constexpr int kMaxCells = 1024;

template <class T, class F>
[[gnu::always_inline]] inline void scatter(const Warp& w, const MatrixFragment& fragment, T* cells,
                                           F decode) {
  const u32 bits = fragment.element_bits;
  for (u32 r = 0; r < fragment.distinct; ++r) {
    const u32* reg = w.reg<u32>(fragment.slots[r]);
    for (u32 e = 0; e < fragment.per_register; ++e) {
      const u32 base = fragment.base[r * fragment.per_register + e];
      alignas(64) T values[kWarpSize];
      for (int lane = 0; lane < kWarpSize; ++lane) values[lane] = decode(reg[lane] >> (e * bits));
      for (int lane = 0; lane < kWarpSize; ++lane) {
        cells[base + fragment.lane_offset[lane]] = values[lane];
      }
    }
  }
}

/// A matrix of integers of up to 32 bits; b1 gives 32 of its bits a cell.
inline void unpack_integers(const Warp& w, const MatrixFragment& fragment, s32* cells) {
  switch (fragment.element) {
    case MatrixElement::s4:
      return scatter(w, fragment, cells, [](u32 raw) { return static_cast<s32>(raw << 28) >> 28; });
    case MatrixElement::u4:
      return scatter(w, fragment, cells, [](u32 raw) { return static_cast<s32>(raw & 15); });
    case MatrixElement::s8:
      return scatter(w, fragment, cells, [](u32 raw) { return static_cast<s32>(raw << 24) >> 24; });
    case MatrixElement::u8:
      return scatter(w, fragment, cells, [](u32 raw) { return static_cast<s32>(raw & 255); });
    default:
      return scatter(w, fragment, cells, [](u32 raw) { return static_cast<s32>(raw); });
  }
}

/// A matrix of floats of up to 32 bits.
inline void unpack_floats(const Warp& w, const MatrixFragment& fragment, double* cells) {
  switch (fragment.element) {
    case MatrixElement::e4m3:
      return scatter(w, fragment, cells,
                     [](u32 raw) { return double{widen<E4M3>(static_cast<u8>(raw))}; });
    case MatrixElement::e5m2:
      return scatter(w, fragment, cells,
                     [](u32 raw) { return double{widen<E5M2>(static_cast<u8>(raw))}; });
    case MatrixElement::f16:
      return scatter(w, fragment, cells,
                     [](u32 raw) { return double{widen<F16>(static_cast<u16>(raw))}; });
    case MatrixElement::bf16:
      return scatter(w, fragment, cells, [](u32 raw) { return double{value_of<F32>(raw << 16)}; });
    case MatrixElement::tf32:
      // Cards ignore the lower bits.
      return scatter(w, fragment, cells, [](u32 raw) {
        return double{value_of<F32>(raw >> TF32::kRegisterShift << TF32::kRegisterShift)};
      });
    default:
      return scatter(w, fragment, cells, [](u32 raw) { return double{value_of<F32>(raw)}; });
  }
}

inline void unpack_doubles(const Warp& w, const MatrixFragment& fragment, double* cells) {
  for (u32 r = 0; r < fragment.distinct; ++r) {
    const double* reg = w.reg<double>(fragment.slots[r]);
    for (int lane = 0; lane < kWarpSize; ++lane) {
      cells[fragment.base[r] + fragment.lane_offset[lane]] = reg[lane];
    }
  }
}

/// Writes a matrix whose elements fill a register each to the active lanes. T is u32 or u64.
template <class T>
inline void pack(Warp& w, const MatrixFragment& fragment, const T* cells) {
  for (u32 r = 0; r < fragment.distinct; ++r) {
    T* reg = w.reg<T>(fragment.slots[r]);
    for (int lane = 0; lane < kWarpSize; ++lane) {
      const T value = cells[fragment.base[r] + fragment.lane_offset[lane]];
      reg[lane] = (w.active >> lane) & 1 ? value : reg[lane];
    }
  }
}

/// As pack for 16-bit elements, two a register.
inline void pack_halves(Warp& w, const MatrixFragment& fragment, const u32* cells) {
  for (u32 r = 0; r < fragment.distinct; ++r) {
    u32* reg = w.reg<u32>(fragment.slots[r]);
    for (int lane = 0; lane < kWarpSize; ++lane) {
      const u32 low = cells[fragment.base[2 * r] + fragment.lane_offset[lane]];
      const u32 high = cells[fragment.base[2 * r + 1] + fragment.lane_offset[lane]];
      reg[lane] = (w.active >> lane) & 1 ? high << 16 | (low & 0xffff) : reg[lane];
    }
  }
}

}  // namespace warpsim::WARPSIM_SIMD
