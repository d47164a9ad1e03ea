#pragma once

#include <cstdint>
#include <vector>

#include "emulator/machine/program.h"

namespace warpsim::native {

/// What of a frame is still needed: a value that nothing reads any more need not be written where
/// the interpreter would have it.
class LiveValues {
 public:
  /// Nothing is known of large programs, and of those in which something else than an instruction
  /// of the same lane may look at a register.
  explicit LiveValues(const Program& program);

  [[nodiscard]] const Program& program() const { return program_; }
  /// Whether nothing from the instruction `next` on reads `bytes` at `slot` before they are written
  /// again.
  [[nodiscard]] bool is_dead(const Inst& next, std::int32_t slot, std::int32_t bytes) const;

 private:
  struct Register {
    std::int32_t slot = 0;
    std::int32_t bytes = 0;
    std::uint32_t number = 0;
  };

  const Program& program_;
  std::vector<Register> registers_;  // by slot, without predicates
  std::int32_t widest_ = 0;  // bytes
  /// By instruction of the text, and for the end; empty where nothing is known.
  std::vector<std::vector<std::uint64_t>> live_;
};

}  // namespace warpsim::native
