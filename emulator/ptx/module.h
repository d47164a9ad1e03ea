#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "emulator/ptx/name_store.h"
#include "emulator/ptx/type.h"

// The parsed form of one PTX module, with nothing resolved to addresses yet. All string_views point
// into Module::text or Module::names, which a Module owns and which never move; a Module can be
// moved, not copied.

namespace warpsim::ptx {

constexpr std::uint32_t kNoIndex = 0xffffffffu;

/// One `.loc` directive: where the following instructions come from in the .cu source.
struct SourceLocation {
  std::uint32_t file = 0;  // index into Module::files by the `.file` number
  std::uint32_t line = 0;  // 1-based; 0 means the compiler gave none
  std::uint32_t column = 0;
  std::uint32_t inlined_at = kNoIndex;  // index into Module::locations of the call site
  std::string_view inlined_function = {};  // name of the inlined function, when known
};

struct Operand {
  enum class Kind : std::uint8_t {
    reg,  // %r1: `reg` indexes Function::registers
    special,  // %tid.x, %laneid, %clock64, ...: `text` holds the spelling without '%'
    immediate,  // 7, 0x10, 0f3f800000, 0d..., 1.5: see `bits` and `literal`
    symbol,  // a variable, function, branch table or call prototype: `text`, plus `offset` bytes
    label,  // a branch target in this function: `target` is the instruction index
    address,  // [base + offset]: base is `reg` or `text` (a symbol) or neither (absolute);
              // what follows a comma inside the brackets (tex, tensors) is in `elements`
    vector,  // {a, b, c, d} or, for a call, (a, b): `elements`
    pair,  // p|q : `elements` has the two destinations
    sink,  // _
    selected,  // %r1.b0, %r1.h1 of the video instructions: `reg`, and the selector in `text`
  };
  /// How an immediate was written, for conversions to the instruction's type.
  enum class Literal : std::uint8_t { integer, f32_bits, f64_bits, decimal_float };

  Kind kind = Kind::sink;
  Literal literal = Literal::integer;
  bool negated = false;  // !%p
  std::uint32_t reg = kNoIndex;
  std::uint32_t target = kNoIndex;  // label: instruction index (== size() for an end label)
  std::uint32_t variable = kNoIndex;  // symbol, address: index into Function::variables when the
                                      // name is function-local (names repeat in nested scopes);
                                      // parameters and module variables are found by `text`
  std::uint64_t bits = 0;  // integer value, or the float's bit pattern
                           // (decimal_float: bits of the double)
  std::int64_t offset = 0;  // address, symbol: the constant part, in bytes
  std::string_view text = {};
  std::vector<Operand> elements = {};
};

struct Guard {
  std::uint32_t reg = kNoIndex;  // a predicate register, kNoIndex when the instruction has none
  bool negated = false;
};

struct Instruction {
  std::string_view opcode;  // the part before the first dot: "ld", "bar", "mad"
  std::vector<std::string_view> modifiers;  // dotted parts in written order: "global", "v4", "f32"
  Guard guard;
  std::vector<Operand> operands;  // destinations first, as written
  std::uint32_t location = kNoIndex;  // index into Module::locations
  std::uint32_t ptx_line = 0;  // 1-based line in the PTX text

  /// Whether it was written with this dotted part: has("cas").
  [[nodiscard]] bool has(std::string_view modifier) const {
    return std::ranges::find(modifiers, modifier) != modifiers.end();
  }
};

struct Register {
  std::string_view name;  // with its '%'; %r<N> is expanded to N registers, and a vector register
                          // (.reg .v2 .f32 %v) to %v.x and %v.y
  Type type = Type::none;
};

/// A part of an initialiser that is only known once addresses are assigned.
struct Relocation {
  std::uint64_t offset = 0;  // in bytes into the variable
  std::uint32_t size = 8;  // bytes written
  std::string_view symbol;
  std::int64_t addend = 0;
  bool generic = false;  // generic(sym): the generic address, not the space's own
};

enum class Linkage : std::uint8_t { internal, visible, external, weak, common };

/// A variable in any state space: module scope, function scope (demoted shared), or a parameter.
struct Variable {
  std::string_view name = {};
  Space space = Space::generic;
  Type type = Type::none;
  std::uint32_t align = 1;
  std::uint64_t size_bytes = 0;  // 0 for `.extern .shared x[]`
  Linkage linkage = Linkage::internal;
  std::vector<std::uint8_t> initial = {};  // the first bytes; those up to size_bytes are zero
  std::vector<Relocation> relocations = {};
  bool managed = false;  // .attribute(.managed)
  std::uint32_t ptx_line = 0;
  std::uint32_t scope = 0;  // function-local: unique id of the { } that declares it
};

/// Launch bounds and other directives of an entry; 0 means not given.
struct EntryLimits {
  std::uint32_t max_threads[3] = {0, 0, 0};  // .maxntid
  std::uint32_t required_threads[3] = {0, 0, 0};  // .reqntid
  std::uint32_t min_blocks_per_sm = 0;
  std::uint32_t max_registers = 0;
  std::uint32_t cluster[3] = {0, 0, 0};  // .reqnctapercluster
};

/// A function, an entry, a declaration, or a `.callprototype` (then only the parameters count).
struct Function {
  std::string_view name;
  bool is_entry = false;
  bool is_declaration = false;  // `.extern .func` or a forward declaration: no body
  Linkage linkage = Linkage::internal;
  bool noreturn = false;
  std::vector<Variable> returns;  // .func (.param .b32 func_retval0) name
  std::vector<Variable> parameters;
  std::vector<Register> registers;
  std::vector<Variable> variables;  // .local, .shared, .param declared in the body
  std::vector<Instruction> instructions;
  std::unordered_map<std::string_view, std::vector<std::uint32_t>> branch_tables;
  // .branchtargets by label: instruction indices
  std::unordered_map<std::string_view, Function> prototypes;  // .callprototype by its label
  std::unordered_map<std::string_view, std::vector<std::string_view>> call_targets;
  // .calltargets by label: function names
  EntryLimits limits;
  std::uint32_t ptx_line = 0;
  std::uint32_t location = kNoIndex;
};

struct Module {
  std::unique_ptr<const std::string> text;
  NameStore names;  // spellings that the text does not contain, such as "%r17" of %r<32>
  std::uint32_t isa_version = 0;  // 90 for .version 9.0
  std::uint32_t target = 0;  // 75 for sm_75
  std::string_view target_text;  // "sm_90a, debug"
  std::unordered_map<std::uint32_t, std::string> files;  // .file number -> path as given
  std::vector<SourceLocation> locations;
  std::vector<Variable> variables;  // module scope
  std::vector<Function> functions;
  // By name. Where a name is declared and defined, the definition; an .alias leads to its aliasee.
  std::unordered_map<std::string_view, std::uint32_t> function_index;
  std::unordered_map<std::string_view, std::uint32_t> variable_index;
};

/// Why a text cannot be parsed as a PTX module.
struct ParseError {
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  std::string message;  // one sentence: what is wrong and what was expected
  /// "name.ptx:12:5: error: ...", then the source line and a caret under the token.
  [[nodiscard]] std::string render(std::string_view file_name, std::string_view text) const;
};

/// Parses one PTX module. Hostile input gives an error, never a crash, a hang or unbounded memory
/// use (expanded registers, nesting and array sizes are limited).
///
/// @param text  the whole module, without trailing zero bytes
/// @returns the module, or nothing with `error` filled
[[nodiscard]] std::optional<Module> parse(std::string text, ParseError& error);

}  // namespace warpsim::ptx
