#pragma once

#include <asmjit/x86.h>

#include <array>
#include <cstdint>
#include <vector>

// Registers of a warp in vector registers of the host.

namespace warpsim::native {

using asmjit::x86::Zmm;

/// Where generated code has what it needs. All are kept over calls.
namespace place {
inline constexpr asmjit::x86::Gp kRegisters = asmjit::x86::rbx;  // the frame's register file
inline constexpr asmjit::x86::Gp kWarp = asmjit::x86::r12;
inline constexpr asmjit::x86::Gp kRun = asmjit::x86::r13;
inline constexpr asmjit::x86::Gp kShared = asmjit::x86::r14;  // the block's shared memory
inline constexpr asmjit::x86::Gp kState = asmjit::x86::r15;
}  // namespace place

/// The 64-byte blocks of the register file that are in vector registers. A block is written back
/// when its register is needed, a handler is called or the run ends, so one that is overwritten
/// before never is.
class Blocks {
 public:
  static constexpr std::int32_t kBytes = 64;

  /// @param canonical_nan  64 bytes of it
  Blocks(asmjit::x86::Assembler& out, asmjit::Label canonical_nan)
      : out_(out), canonical_nan_(canonical_nan) {}

  /// A block's value. The register is not to be changed, and is kept until release().
  [[nodiscard]] Zmm use(std::int32_t slot) { return use(slot, true); }
  /// The same for arithmetic, to which one NaN is as good as another.
  [[nodiscard]] Zmm use_any_nan(std::int32_t slot) { return use(slot, false); }
  /// A register for a result or in between, kept until release().
  [[nodiscard]] Zmm scratch();
  /// The block has the value of a register that scratch() gave.
  /// @param any_nan  NaNs in it are as the host made them
  void define(std::int32_t slot, Zmm value, bool any_nan = false);
  /// Ends an instruction: its registers may be given to others.
  void release();

  /// Whether only a register has the block's value.
  [[nodiscard]] bool is_dirty(std::int32_t slot) const;
  /// What is at `slot` in memory is about to be read or written there.
  void write_back_around(std::int32_t slot);
  void write_back_all();
  void forget_all();

  struct Dirty {
    std::int32_t slot;
    std::uint32_t reg;
    bool any_nan;
  };
  /// What an exit has to write.
  [[nodiscard]] std::vector<Dirty> dirty() const;
  void write(const Dirty& block);

 private:
  static constexpr std::uint32_t kRegisters = 32;
  static constexpr std::int32_t kFree = -1;
  struct Register {
    std::int32_t slot = kFree;
    bool dirty = false;
    bool any_nan = false;
    bool busy = false;  // in the instruction that is emitted
    std::uint32_t last_use = 0;
  };
  [[nodiscard]] std::uint32_t find(std::int32_t slot) const;
  [[nodiscard]] std::uint32_t take();
  [[nodiscard]] Zmm use(std::int32_t slot, bool canonical);
  void make_canonical(std::uint32_t reg);

  asmjit::x86::Assembler& out_;
  asmjit::Label canonical_nan_;
  std::array<Register, kRegisters> registers_;
  std::uint32_t now_ = 0;
};

}  // namespace warpsim::native
