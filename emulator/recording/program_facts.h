#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "emulator/machine/program.h"

// What the recorder needs of the instructions of a launch. It asks for each warp instruction, so
// what an instruction is, is found out once.

namespace warpsim::recording {

class ProgramVariables;

/// What the recorder needs of an instruction.
struct Facts {
  bool known = false;
  bool barrier = false;  // of the block
  std::uint8_t element_bytes = 0;  // of the instruction's type, which may be a part of its width
  std::uint32_t file = 0, line = 0;  // the file by number, from 1; 0: not known
};

/// Those of a program.
struct ProgramFacts {
  const Program* program = nullptr;
  std::size_t number = 0;  // among the programs of the launch
  std::vector<Facts> facts;  // by instruction index
  const ProgramVariables* variables = nullptr;  // null without debug information
};

/// An instruction that was executed.
struct Site {
  const ProgramFacts* of = nullptr;
  std::uint32_t index = 0;

  [[nodiscard]] const Facts& facts() const { return of->facts[index]; }
};

}  // namespace warpsim::recording
