#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "emulator/machine/program.h"

namespace warpsim {

/// What a launch executed of a function.
struct ExecutedProgram {
  const Program* program = nullptr;
  std::vector<Counts> counts;  // by instruction index
};

/// Finds the instructions of a kernel whose results may reach a store that a launch executed: a
/// backward slice over registers, shared and local arrays, parameters of calls, and the branches
/// that decide what is executed. The rest is work that is thrown away. What a launch never did (a
/// store under a condition that never held, a branch that no lane took) leads nowhere.
///
/// Where it cannot tell, an instruction counts as useful.
class WorkSlices {
 public:
  explicit WorkSlices(const Kernel& kernel);
  ~WorkSlices();

  /// Whether each instruction is useful, by the order of `programs` and instruction index.
  /// @param programs  of the kernel, those that ran
  [[nodiscard]] const std::vector<std::vector<bool>>& useful(
      std::span<const ExecutedProgram> programs);

 private:
  struct Facts;
  class Slice;

  void learn(std::span<const ExecutedProgram> programs);

  const Kernel& kernel_;
  std::map<const Program*, std::unique_ptr<Facts>> facts_;
  /// What was found, by what was executed: most launches of a kernel are alike.
  std::map<std::string, std::vector<std::vector<bool>>> known_;
};

}  // namespace warpsim
