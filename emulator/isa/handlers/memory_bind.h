#pragma once

// Decoding of ld and st, shared by the spaces.

#include "emulator/isa/handlers/bind.h"

namespace warpsim::WARPSIM_SIMD {

/// What a load or store form says, once its modifiers and operands are taken.
struct MemoryForm {
  Type element = Type::none;  // type of one element in memory
  Type container = Type::none;  // declared type of the registers, at least as wide
  unsigned count = 1;  // vector elements
};

void bind_global_load(Binder& b, const MemoryForm& form);
void bind_global_store(Binder& b, const MemoryForm& form);
void bind_generic_load(Binder& b, const MemoryForm& form);
void bind_generic_store(Binder& b, const MemoryForm& form);
void bind_shared_load(Binder& b, const MemoryForm& form, bool wide_address);
void bind_shared_store(Binder& b, const MemoryForm& form, bool wide_address);
void bind_local_load(Binder& b, const MemoryForm& form, bool wide_address);
void bind_local_store(Binder& b, const MemoryForm& form, bool wide_address);
void bind_parameter_load(Binder& b, const MemoryForm& form);

/// The handler of a family for an element type and a register width: F::run<E, R>. Elements of
/// fewer bytes than the register are extended by the sign of their type.
template <class F>
Handler pick_handler(Binder& b, const MemoryForm& form) {
  const std::size_t element = ptx::size_bytes(form.element);
  const std::size_t container = ptx::size_bytes(form.container);
  const bool is_signed = ptx::is_signed(form.element);
  const auto key = element * 100 + container;
  switch (key) {
    case 101:
      return F::template run<u8, u8>;
    case 102:
      return is_signed ? F::template run<s8, u16> : F::template run<u8, u16>;
    case 104:
      return is_signed ? F::template run<s8, u32> : F::template run<u8, u32>;
    case 108:
      return is_signed ? F::template run<s8, u64> : F::template run<u8, u64>;
    case 202:
      return F::template run<u16, u16>;
    case 204:
      return is_signed ? F::template run<s16, u32> : F::template run<u16, u32>;
    case 208:
      return is_signed ? F::template run<s16, u64> : F::template run<u16, u64>;
    case 404:
      return F::template run<u32, u32>;
    case 408:
      return is_signed ? F::template run<s32, u64> : F::template run<u32, u64>;
    case 808:
      return F::template run<u64, u64>;
    default:
      b.unsupported("register type does not fit the element type");
  }
}

}  // namespace warpsim::WARPSIM_SIMD
