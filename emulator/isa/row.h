#pragma once

#include <span>
#include <string_view>

#include "emulator/isa/binder.h"
#include "emulator/isa/semantics.h"

namespace warpsim {

/// One row of the instruction table: adding an instruction is one bind function and one row, in
/// the file of its family, and one golden in emulator/tests/golden.
struct Row {
  std::string_view name;  // base opcode, "add"
  /// The forms in the PTX manual's notation, one per line, for the catalogue and error messages:
  /// alternatives in braces. Every form named here needs a golden test.
  /// "add{.sat}.s32 d, a, b\nadd.{u16,u32,u64,s16,s64} d, a, b"
  std::string_view forms;
  void (*bind)(Binder&);
  /// What the opcode does, in all its forms: rows of one name name the same.
  const Semantics& does;
  /// Set for what the table names on purpose without executing it (wgmma, tcgen05): why.
  std::string_view unsupported = {};
  /// Set where a golden cannot execute the forms, since an operand comes from the runtime library:
  /// the program, from the project's root, that does.
  std::string_view proven_by = {};
};

/// A family's rows; several families may list the same name, each for its own types (then the
/// first whose bind does not throw UnsupportedForm wins).
using Family = std::span<const Row>;

/// Instruction sets of the host that the handlers are compiled for, worst to best.
enum class SimdLevel { baseline, avx2, avx512 };

/// The rows of an opcode at the best level, in the order in which they are tried; none when the
/// table does not have it.
[[nodiscard]] std::span<const Row* const> rows_named(std::string_view opcode);
/// All families, bound to handlers compiled for `level`; a level that is not built falls back to
/// the one below it.
[[nodiscard]] std::span<const Family> instruction_table(SimdLevel level);
/// The best level that this processor and build have; WARPSIM_SIMD=baseline|avx2|avx512 overrides.
[[nodiscard]] SimdLevel best_simd_level();

}  // namespace warpsim
