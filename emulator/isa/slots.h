#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "emulator/ptx/module.h"

namespace warpsim {

/// Where the values of a function's frame are: byte offsets into the warp's register file. The
/// machine lays frames out; binding an instruction asks for the slots of its operands.
class Slots {
 public:
  Slots() = default;
  Slots(const Slots&) = delete;
  Slots& operator=(const Slots&) = delete;

  [[nodiscard]] virtual std::int32_t register_slot(std::uint32_t reg) = 0;
  [[nodiscard]] virtual ptx::Type register_type(std::uint32_t reg) const = 0;
  /// Slot holding `bits` in every lane, `bytes` wide (0: a predicate mask, all ones or zero).
  virtual std::int32_t constant_slot(std::uint64_t bits, std::size_t bytes) = 0;
  /// Slot of a special register.
  /// @throws UnsupportedForm for unknown ones
  virtual std::int32_t special_slot(std::string_view name, std::size_t bytes) = 0;
  /// Slot holding a symbol's address.
  virtual std::int32_t symbol_slot(const ptx::Operand& operand, std::size_t bytes) = 0;
  /// The frame's carry flags: a lane mask of 32 bits.
  virtual std::int32_t carry_slot() = 0;
  /// A fresh slot of `bytes`, aligned to 64.
  virtual std::int32_t allocate(std::size_t bytes) = 0;

 protected:
  ~Slots() = default;
};

}  // namespace warpsim
