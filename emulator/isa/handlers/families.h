#pragma once

#include "emulator/isa/lanes.h"  // for WARPSIM_SIMD
#include "emulator/isa/native_form.h"
#include "emulator/isa/row.h"

// Every family of the instruction table, in the order in which rows of the same name are tried.
// Adding a family is one line here and one function `Family <name>_family()` in its own file.
// clang-format off
#define WARPSIM_FAMILIES(family) \
  family(int_arith) \
  family(int_carry) \
  family(int_mul) \
  family(int_div) \
  family(int_dot) \
  family(bits_logic) \
  family(bits_shift) \
  family(bits_field) \
  family(compare_int) \
  family(move) \
  family(move_select) \
  family(convert_int) \
  family(float_arith) \
  family(float_bits) \
  family(half_arith) \
  family(approx) \
  family(compare_float) \
  family(compare_half) \
  family(convert_float) \
  family(convert_float_packed) \
  family(warp_shuffle) \
  family(warp_vote) \
  family(video_simd) \
  family(memory) \
  family(atomics) \
  family(texture) \
  family(control) \
  family(address)
// clang-format on

namespace warpsim::WARPSIM_SIMD {

#define WARPSIM_DECLARE_FAMILY(name) Family name##_family();
WARPSIM_FAMILIES(WARPSIM_DECLARE_FAMILY)
#undef WARPSIM_DECLARE_FAMILY

/// The whole table with this level's handlers.
std::span<const Family> all_families();

// Files whose handlers have emitters, which they list in `<name>_native()`.
// clang-format off
#define WARPSIM_NATIVE_FILES(file) \
  file(int_arith) \
  file(int_mul) \
  file(bits_logic) \
  file(bits_shift) \
  file(compare_int) \
  file(compare_float) \
  file(move) \
  file(move_select) \
  file(convert_int) \
  file(float_arith) \
  file(control) \
  file(address) \
  file(memory_global) \
  file(memory_shared)
// clang-format on
#define WARPSIM_DECLARE_NATIVE(name) std::span<const NativeForm> name##_native();
WARPSIM_NATIVE_FILES(WARPSIM_DECLARE_NATIVE)
#undef WARPSIM_DECLARE_NATIVE

/// What each file lists.
std::span<const std::span<const NativeForm>> all_native_forms();

}  // namespace warpsim::WARPSIM_SIMD
