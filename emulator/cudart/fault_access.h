#pragma once

// What the context of a SIGSEGV says about the access, on each processor. Async-signal-safe.

#include <signal.h>
#include <ucontext.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__aarch64__)
#include <asm/sigcontext.h>
#elif !defined(__x86_64__)
#error "say here where this processor's program counter is, and whether a fault was a write"
#endif

namespace warpsim::cudart {

inline const void* faulting_instruction(const void* context) {
  const auto& registers = static_cast<const ucontext_t*>(context)->uc_mcontext;
#if defined(__x86_64__)
  return reinterpret_cast<const void*>(registers.gregs[REG_RIP]);
#else
  return reinterpret_cast<const void*>(registers.pc);
#endif
}

/// Whether a 64-bit Arm instruction, of those that access memory, writes. By the groups of "Loads
/// and Stores" in the Arm Architecture Reference Manual: bit 22 is 1 in a load of most groups.
constexpr bool is_arm64_store(std::uint32_t instruction) {
  const bool is_vector = (instruction >> 26 & 1) != 0;
  const std::uint32_t group = instruction >> 27 & 7;  // bits 29:27
  const std::uint32_t opc = instruction >> 22 & 3;
  const bool is_load = (opc & 1) != 0;
  if (group == 7) {  // one register
    const bool is_atomic = !is_vector && (instruction & 0x01200c00U) == 0x00200000U;
    const bool is_128_bits = is_vector && instruction >> 30 == 0;
    return is_atomic || opc == 0 || (is_128_bits && opc == 2);
  }
  if (group == 1 && !is_vector) {  // exclusive and ordered accesses
    const bool is_compare_and_swap = (instruction & 0x00a00000U) == 0x00a00000U;
    return is_compare_and_swap || !is_load;
  }
  // Pairs of registers, and structures of vectors; 3 is a load relative to the program counter.
  return (group == 5 || (group == 1 && is_vector)) && !is_load;
}

/// Whether the access that faulted was a write.
inline bool fault_is_write(const void* context) {
  const auto& registers = static_cast<const ucontext_t*>(context)->uc_mcontext;
#if defined(__x86_64__)
  constexpr greg_t kWriteFault = 2;
  return (registers.gregs[REG_ERR] & kWriteFault) != 0;
#else
  // The processor's exception syndrome, among the records that follow the registers.
  for (std::size_t at = 0; at + sizeof(esr_context) <= sizeof(registers.__reserved);) {
    _aarch64_ctx head;
    std::memcpy(&head, registers.__reserved + at, sizeof(head));
    if (head.magic == ESR_MAGIC) {
      esr_context record;
      std::memcpy(&record, registers.__reserved + at, sizeof(record));
      constexpr std::uint64_t kWriteNotRead = 1U << 6;
      return (record.esr & kWriteNotRead) != 0;
    }
    if (head.magic == 0 || head.size == 0) break;
    at += head.size;
  }
  // Linux always gives it; qemu-user does not.
  std::uint32_t instruction = 0;
  std::memcpy(&instruction, faulting_instruction(context), sizeof(instruction));
  return is_arm64_store(instruction);
#endif
}

}  // namespace warpsim::cudart
