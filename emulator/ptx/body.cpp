#include "emulator/ptx/body.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "emulator/ptx/declarations.h"
#include "emulator/ptx/labels.h"
#include "emulator/ptx/limits.h"
#include "emulator/ptx/operands.h"
#include "emulator/ptx/scopes.h"

namespace warpsim::ptx {
namespace {

using SymbolKind = Scopes::Symbol::Kind;

class BodyParser {
 public:
  BodyParser(Context& context, Function& function)
      : context_(context),
        lexer_(context.lexer),
        function_(function),
        operands_(context, scopes_) {}

  void parse() {
    context_.locations.begin_function();
    opening_ = lexer_.peek();
    lexer_.expect('{', "before the body of a function");
    open_scope();
    declare_register_parameters(function_.returns);
    declare_register_parameters(function_.parameters);
    while (scopes_.depth() > 0) parse_statement();
    resolve_labels();
  }

 private:
  [[nodiscard]] std::uint32_t next_instruction() const {
    return static_cast<std::uint32_t>(function_.instructions.size());
  }

  void open_scope() {
    if (scopes_.depth() == kMaxNesting) {
      lexer_.fail_expected(fmt::format("at most {} nested braces", kMaxNesting));
    }
    scopes_.open();
    labels_.open();
  }

  void close_scope() {
    labels_.close(resolved_);
    scopes_.close();
  }

  void parse_statement() {
    const Token& token = lexer_.peek();
    switch (token.kind) {
      case Token::Kind::identifier:
        parse_label_or_instruction();
        return;
      case Token::Kind::dotted:
        parse_directive(lexer_.next());
        return;
      case Token::Kind::end:
        fail(opening_, fmt::format("the body of '{}' is never closed", function_.name));
      default:
        break;
    }
    if (lexer_.accept('{')) {
      open_scope();
    } else if (lexer_.accept('}')) {
      close_scope();
    } else if (lexer_.at('@')) {
      parse_guarded_instruction();
    } else if (!lexer_.accept(';')) {
      lexer_.fail_expected("an instruction, a directive, a label or '}'");
    }
  }

  // -- declarations -----------------------------------------------------------------------------

  void parse_directive(const Token& word) {
    if (word.text == "reg") {
      parse_registers();
    } else if (word.text == "loc") {
      location_ = context_.locations.parse_loc(lexer_, context_.module);
      if (function_.location == kNoIndex) function_.location = location_;
    } else if (word.text == "pragma") {
      skip_pragma(lexer_);
    } else if (word.text == "extern") {
      const Token space = lexer_.expect(Token::Kind::dotted, "a state space");
      parse_local_variables(space, Linkage::external);
    } else if (word.text == "file") {
      context_.locations.parse_file(lexer_, context_.module);
    } else {
      parse_local_variables(word, Linkage::internal);
    }
  }

  void parse_local_variables(const Token& word, Linkage linkage) {
    const auto space = parse_space(word.text);
    if (!space || *space == Space::reg || *space == Space::sreg) {
      fail(word, fmt::format("unknown directive {} in a function", describe(word)));
    }
    std::size_t i = function_.variables.size();
    const Variable prototype{.space = *space, .linkage = linkage, .scope = scopes_.id()};
    parse_variables(context_, prototype, function_.variables);
    for (; i < function_.variables.size(); ++i) {
      declare(word, function_.variables[i].name,
              {.kind = SymbolKind::variable, .index = static_cast<std::uint32_t>(i)});
    }
  }

  void declare(const Token& where, std::string_view name, const Scopes::Symbol& symbol) {
    if (!scopes_.declare(name, symbol)) {
      fail(where, fmt::format("'{}' is declared twice in this scope", name));
    }
  }

  void declare_register_parameters(const std::vector<Variable>& parameters) {
    for (const Variable& parameter : parameters) {
      if (parameter.space != Space::reg) continue;
      const auto index = static_cast<std::uint32_t>(function_.registers.size());
      function_.registers.push_back({.name = parameter.name, .type = parameter.type});
      declare(opening_, parameter.name, {.kind = SymbolKind::reg, .index = index});
    }
  }

  void parse_registers() {
    const TypeSpec spec = parse_type_spec(context_);
    do {
      const DeclaredName name = parse_declared_name(lexer_, kMaxFunctionRegisters);
      const Scopes::Symbol symbol{.kind = SymbolKind::reg,
                                  .width = static_cast<std::uint8_t>(spec.vector_width),
                                  .index = static_cast<std::uint32_t>(function_.registers.size())};
      if (name.is_range) {
        declare_register_range(name, spec, symbol);
      } else {
        declare(name.token, name.token.text, symbol);
        append_register(name.token.text, spec);
      }
      if (function_.registers.size() > kMaxFunctionRegisters) {
        fail(name.token, fmt::format("a function has at most {} registers", kMaxFunctionRegisters));
      }
    } while (lexer_.accept(','));
    lexer_.expect(';', "after a declaration");
  }

  void declare_register_range(const DeclaredName& name, const TypeSpec& spec,
                              const Scopes::Symbol& symbol) {
    count_names(context_, name);
    if (!scopes_.declare_range(name.token.text, name.count, symbol)) {
      fail(name.token, fmt::format("{} is declared twice in this scope", describe(name.token)));
    }
    for (std::uint32_t i = 0; i < name.count; ++i) {
      append_register(context_.module.names.add(name.token.text, i), spec);
    }
  }

  void append_register(std::string_view name, const TypeSpec& spec) {
    if (spec.vector_width == 1) {
      function_.registers.push_back({.name = name, .type = spec.type});
      return;
    }
    constexpr std::string_view kElements[] = {".x", ".y", ".z", ".w", ".4", ".5", ".6", ".7"};
    for (std::uint32_t i = 0; i < spec.vector_width; ++i) {
      const std::string_view element = context_.module.names.add(name, kElements[i]);
      function_.registers.push_back({.name = element, .type = spec.type});
    }
  }

  // -- labels, tables and prototypes ------------------------------------------------------------

  void parse_label_or_instruction() {
    const Token name = lexer_.next();
    if (!lexer_.accept(':')) {
      parse_instruction(name, {});
    } else if (lexer_.accept_dotted("branchtargets")) {
      parse_branch_table(name);
    } else if (lexer_.accept_dotted("calltargets")) {
      parse_call_targets(name);
    } else if (lexer_.accept_dotted("callprototype")) {
      parse_prototype(name);
    } else {
      labels_.declare(name, next_instruction());
    }
  }

  /// Declares the label of a table; the key is unique in the function, where inner scopes may
  /// repeat a label.
  template <class Map>
  std::string_view declare_list(const Token& label, const Map& map) {
    std::string_view key = label.text;
    if (map.contains(key)) key = context_.module.names.add(key, map.size(), "'");
    declare(label, label.text, {.kind = SymbolKind::list, .key = key});
    return key;
  }

  void parse_branch_table(const Token& label) {
    const std::string_view key = declare_list(label, function_.branch_tables);
    const auto table = static_cast<std::uint32_t>(tables_.size());
    std::uint32_t entries = 0;
    do {
      const Token target = lexer_.expect(Token::Kind::identifier, "a label");
      labels_.use({.label = target, .slot = kTableUse | table, .position = entries++});
    } while (lexer_.accept(','));
    lexer_.expect(';', "after the labels of .branchtargets");
    tables_.push_back(&function_.branch_tables[key]);
    tables_.back()->resize(entries, kNoIndex);
  }

  void parse_call_targets(const Token& label) {
    std::vector<std::string_view>& names =
        function_.call_targets[declare_list(label, function_.call_targets)];
    do {
      names.push_back(lexer_.expect(Token::Kind::identifier, "the name of a function").text);
    } while (lexer_.accept(','));
    lexer_.expect(';', "after the names of .calltargets");
  }

  void parse_prototype(const Token& label) {
    const std::string_view key = declare_list(label, function_.prototypes);
    Function prototype;
    prototype.is_declaration = true;
    parse_signature(context_, prototype);
    parse_function_directives(context_, prototype);
    lexer_.expect(';', "after .callprototype");
    function_.prototypes.emplace(key, std::move(prototype));
  }

  void resolve_labels() {
    for (const LabelScopes::Resolved& label : resolved_) {
      const LabelScopes::Use& use = label.use;
      if ((use.slot & kTableUse) != 0) {
        (*tables_[use.slot & ~kTableUse])[use.position] = label.target;
      } else {
        function_.instructions[use.slot].operands[use.position].target = label.target;
      }
    }
  }

  // -- instructions -----------------------------------------------------------------------------

  void parse_guarded_instruction() {
    lexer_.expect('@');
    Guard guard;
    guard.negated = lexer_.accept('!');
    const Token name = lexer_.expect(Token::Kind::identifier, "a predicate register");
    const auto symbol = scopes_.find(name.text);
    if (!symbol || symbol->kind != SymbolKind::reg || symbol->width != 1 ||
        function_.registers[symbol->index].type != Type::pred) {
      fail(name, fmt::format("{} is not a predicate register", describe(name)));
    }
    guard.reg = symbol->index;
    parse_instruction(lexer_.expect(Token::Kind::identifier, "an instruction"), guard);
  }

  /// Called after the opcode.
  void parse_instruction(const Token& opcode, const Guard& guard) {
    modifiers_.clear();
    while (lexer_.at(Token::Kind::dotted)) {
      const Token modifier = lexer_.next();
      if (modifiers_.size() == kMaxModifiers) {
        fail(modifier, fmt::format("an instruction has at most {} modifiers", kMaxModifiers));
      }
      modifiers_.push_back(modifier.text);
    }
    scratch_.clear();
    const bool branches = opcode.text == "bra";
    const bool calls = opcode.text == "call";
    if (!lexer_.at(';')) {
      do {
        parse_operand(branches, calls);
      } while (lexer_.accept(','));
    }
    if (!lexer_.accept(';')) {
      lexer_.fail_expected(scratch_.empty() ? "an operand or ';' after an instruction"
                                            : "',' or ';' after operand");
    }
    Instruction& instruction = function_.instructions.emplace_back();
    instruction.opcode = opcode.text;
    instruction.modifiers = modifiers_;
    instruction.guard = guard;
    instruction.operands.assign(std::make_move_iterator(scratch_.begin()),
                                std::make_move_iterator(scratch_.end()));
    instruction.location = location_;
    instruction.ptx_line = opcode.line;
  }

  void parse_operand(bool branches, bool calls) {
    if (scratch_.size() == kMaxOperands) {
      lexer_.fail_expected(fmt::format("at most {} operands", kMaxOperands));
    }
    if (branches) {
      const Token label = lexer_.expect(Token::Kind::identifier, "a label");
      labels_.use({.label = label,
                   .slot = next_instruction(),
                   .position = static_cast<std::uint32_t>(scratch_.size())});
      scratch_.push_back({.kind = Operand::Kind::label, .text = label.text});
    } else if (calls && lexer_.accept('(')) {
      scratch_.push_back(operands_.parse_vector(')'));
    } else {
      scratch_.push_back(operands_.parse());
    }
  }

  // A use of a label in a branch table: `slot` is the table's number with this bit.
  static constexpr std::uint32_t kTableUse = 0x80000000u;

  Context& context_;
  Lexer& lexer_;
  Function& function_;
  Scopes scopes_;
  LabelScopes labels_;
  OperandParser operands_;
  std::vector<LabelScopes::Resolved> resolved_;
  std::vector<std::vector<std::uint32_t>*> tables_;  // the branch tables in order
  std::vector<std::string_view> modifiers_;  // of the current instruction; kept for its capacity
  std::vector<Operand> scratch_;  // likewise its operands
  std::uint32_t location_ = kNoIndex;
  Token opening_;
};

}  // namespace

void parse_body(Context& context, Function& function) {
  BodyParser(context, function).parse();
}

}  // namespace warpsim::ptx
