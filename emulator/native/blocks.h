#pragma once

#include <asmjit/x86.h>

#include <array>
#include <cstdint>
#include <vector>

#include "emulator/machine/program.h"
#include "emulator/native/vectors.h"

// Registers of a warp in vector registers of the host.

namespace warpsim::native {

/// Where generated code has what it needs. All are kept over calls.
namespace place {
inline constexpr asmjit::x86::Gp kRegisters = asmjit::x86::rbx;  // the frame's register file
inline constexpr asmjit::x86::Gp kWarp = asmjit::x86::r12;
inline constexpr asmjit::x86::Gp kRun = asmjit::x86::r13;
inline constexpr asmjit::x86::Gp kShared = asmjit::x86::r14;  // the block's shared memory
inline constexpr asmjit::x86::Gp kState = asmjit::x86::r15;
}  // namespace place

/// The blocks of the register file that are in vector registers. A block is written back
/// when its register is needed, a handler is called or the run ends, so one that is overwritten
/// before never is.
class Blocks {
 public:
  /// @param canonical_nan  64 bytes of it
  Blocks(Vectors& vectors, asmjit::Label canonical_nan, const Program& program)
      : vectors_(vectors), canonical_nan_(canonical_nan), program_(program) {}

  /// The register at `slot` is the same for all lanes.
  [[nodiscard]] bool is_uniform(std::int32_t slot) const {
    return program_.uniform_place(slot) != nullptr;
  }
  /// A block with the same value: those of a register that is the same for all lanes are one.
  [[nodiscard]] std::int32_t like(std::int32_t slot) const {
    const Program::Place* const uniform = program_.uniform_place(slot);
    return uniform != nullptr ? uniform->slot : slot;
  }

  /// A block's value. The register is not to be changed, and is kept until release().
  [[nodiscard]] Vec use(std::int32_t slot) { return use(slot, true); }
  /// The same for arithmetic, to which one NaN is as good as another.
  [[nodiscard]] Vec use_any_nan(std::int32_t slot) { return use(slot, false); }
  /// A register for a result or in between, kept until release().
  [[nodiscard]] Vec scratch();
  /// The block has the value of a register that scratch() gave.
  /// @param any_nan  NaNs in it are as the host made them
  void define(std::int32_t slot, Vec value, bool any_nan = false);
  /// Ends an instruction: its registers may be given to others.
  void release();

  /// Whether only a register has the block's value.
  [[nodiscard]] bool is_dirty(std::int32_t slot) const;
  /// What is at `slot` in memory is about to be read or written there.
  void write_back_around(std::int32_t slot);
  /// Memory has the values of `count` blocks from `slot` on; registers may, too.
  void write_back(std::int32_t slot, std::int32_t count);
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
  /// The value is not needed any more.
  void forget(const Dirty& block) { registers_[block.reg] = {}; }

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
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
  [[nodiscard]] Vec use(std::int32_t slot, bool canonical);

  Vectors& vectors_;
  asmjit::Label canonical_nan_;
  const Program& program_;
  std::array<Register, 32> registers_;  // of which there are Vectors::registers()
  std::uint32_t now_ = 0;
};

}  // namespace warpsim::native
