#pragma once

#include <memory>
#include <vector>

// What compiles hot runs of instructions for the host (emulator/native), as the machine sees it.
// The machine runs without one: then every instruction is interpreted.

namespace warpsim {

struct LaunchState;
struct Program;
struct ProgramTables;

/// What one worker keeps of a program's native code during a launch.
class NativeRuns {
 public:
  NativeRuns() = default;
  virtual ~NativeRuns() = default;
  NativeRuns(const NativeRuns&) = delete;
  NativeRuns& operator=(const NativeRuns&) = delete;

  /// What it has by the index of an instruction, of which only the compiler knows what it is: found
  /// at each execution of native code.
  [[nodiscard]] void** by_index() { return by_index_.data(); }

  /// Adds what native code has counted since the last call to the tables, which have it themselves
  /// when an instruction is interpreted.
  virtual void add_counts(ProgramTables& tables) = 0;
  /// Allocations have changed: forgets where memory is.
  virtual void forget_places() = 0;

 protected:
  std::vector<void*> by_index_;
};

/// The native code of one program. All of this is called by several host threads.
class NativeProgram {
 public:
  NativeProgram() = default;
  virtual ~NativeProgram() = default;
  NativeProgram(const NativeProgram&) = delete;
  NativeProgram& operator=(const NativeProgram&) = delete;

  [[nodiscard]] virtual std::unique_ptr<NativeRuns> runs() = 0;
};

class NativeCode {
 public:
  NativeCode() = default;
  virtual ~NativeCode() = default;
  NativeCode(const NativeCode&) = delete;
  NativeCode& operator=(const NativeCode&) = delete;

  /// A program has been decoded. Handlers where a run begins are replaced by one that looks for
  /// native code, for which the tables of the program have NativeRuns.
  /// @returns null when nothing of the program is to be compiled
  [[nodiscard]] virtual std::unique_ptr<NativeProgram> prepare(Program& program) = 0;
};

}  // namespace warpsim
