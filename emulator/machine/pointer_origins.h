#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "emulator/machine/memory.h"
#include "emulator/ptx/module.h"

// Which array an address was computed from. An index that is too large by far may lead into another
// allocation, where an address alone looks right.

namespace warpsim {

struct Extent;
struct Inst;
struct LaunchState;
struct Program;
struct WarpContext;

/// What the addresses of a kernel's accesses are computed from, by its text: pointers among its
/// parameters, and variables. Where a pointer may come from elsewhere (it was loaded from memory, a
/// call returned it, or it is a parameter of a function that was not inlined) nothing is known.
///
/// An integer is followed like a pointer, as it may be one. So of `a[i]`, where `i` is computed
/// from 8 bytes in memory, nothing is known either.
class PointerOrigins {
 public:
  /// @param kernel  outlives this
  explicit PointerOrigins(const ptx::Function& kernel);

  /// 8 bytes that a kernel is given, or the address of a variable.
  struct Source {
    std::uint32_t parameter = 0;  // its number, where there is no variable
    std::uint32_t offset = 0;  // of the 8 bytes in the parameter
    std::string_view variable;
    bool operator==(const Source&) const = default;
  };
  /// A set of sources: bit i for sources()[i]; kElsewhere: it may be another one.
  using Set = std::uint64_t;
  static constexpr std::uint32_t kMostSources = 63;
  static constexpr Set kElsewhere = Set{1} << kMostSources;

  [[nodiscard]] const std::vector<Source>& sources() const { return sources_; }
  /// Of the address of a load, a store or an atomic. @param index  in the function's text
  [[nodiscard]] Set of_address(std::uint32_t index) const;

 private:
  [[nodiscard]] Set bit_of(const Source& source);
  [[nodiscard]] Set of_name(std::string_view name);
  [[nodiscard]] Set of(const ptx::Operand& operand);
  [[nodiscard]] Set of_parameter(const ptx::Instruction& load);
  [[nodiscard]] Set of_result(const ptx::Instruction& instruction);

  const ptx::Function& kernel_;
  std::vector<Source> sources_;
  std::vector<Set> of_register_;
  std::vector<Set> of_address_;  // by instruction
};

/// The allocations that a launch's arguments give the address of one instruction.
struct AllowedArrays {
  struct Range {
    std::uint64_t base = 0, end = 0;
    const GlobalMemory::Allocation* allocation = nullptr;
  };
  bool known = false;  // otherwise any array is allowed
  std::vector<Range> arrays;

  [[nodiscard]] bool allow(const Extent& extent) const;
  /// The one whose bounds are nearest to an address. There is one.
  [[nodiscard]] const GlobalMemory::Allocation* nearest(std::uint64_t address) const;
};

/// A launch begins: what threads remember of other launches is not of this one.
void forget_allowed_arrays();

/// For an instruction of the current frame's program. Good until the next question of this thread.
[[nodiscard]] const AllowedArrays& allowed_arrays(const WarpContext& context, const Inst& in);

}  // namespace warpsim
