#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "emulator/machine/context.h"
#include "emulator/recording/program_variables.h"
#include "emulator/recording/variables.h"

namespace warpsim::recording {

/// Follows the values of a block's variables, and writes down what has changed.
class VariableWatch {
 public:
  /// A warp has executed an instruction. @param lanes  that did
  /// @param frame  in which they did
  void executed(const ProgramVariables& program, std::uint32_t index, const WarpContext& context,
                const Frame& frame, std::uint32_t lanes);
  /// What was executed since the last call is this step's.
  void end_step(std::uint32_t step);

  [[nodiscard]] std::size_t size() const { return writer_.size(); }
  /// What was recorded; only once.
  [[nodiscard]] VariableRecord take();
  /// The block has ended.
  void forget_values() { warps_.clear(); }

 private:
  /// What the page knows of a variable, by lane.
  struct Known {
    std::uint32_t lanes = 0;  // that have a value
    std::array<std::uint64_t, 32> value = {};
  };
  struct Numbers {  // of a function's variables and views in the block
    std::uint32_t first = 0;
    std::vector<std::uint32_t> sets;  // + 1; 0: none yet
  };
  struct Activation {  // of a function, at one depth of calls
    Numbers* numbers = nullptr;
    std::vector<std::uint32_t> written;  // lanes, by number of the register
  };
  struct Of {  // a warp
    std::vector<Known> known;  // by number of the variable in the block
    std::map<std::pair<const ProgramVariables*, std::uint32_t>, Activation> activations;
    // Of the last instruction.
    const ProgramVariables* program = nullptr;
    std::uint32_t depth = 0, lanes = 0;
    Activation* activation = nullptr;
    const ProgramVariables::View* view = nullptr;  // after it
    std::uint32_t set = ~0u;  // that the page knows
  };
  struct Dirty {
    std::uint32_t variable = 0, lanes = 0;
  };

  [[nodiscard]] Numbers& numbers_of(const ProgramVariables& program);
  [[nodiscard]] Activation& activation_of(Of& warp, const ProgramVariables& program,
                                          std::uint32_t depth);
  [[nodiscard]] std::uint32_t set_of(const ProgramVariables& program, Numbers& numbers,
                                     std::uint32_t view);
  void look(Of& warp, const ProgramVariables::Seen& seen, const WarpContext& context,
            const Frame& frame, std::uint32_t lanes);

  std::map<const ProgramVariables*, Numbers> numbers_;
  VariableRecord record_;
  VariableWriter writer_;
  std::vector<Of> warps_;  // by number; empty until the first one is seen
  // What the running step has changed; a step is one warp's.
  std::uint32_t warp_ = 0;
  std::uint32_t set_ = ~0u;
  std::vector<Dirty> dirty_;
};

}  // namespace warpsim::recording
