#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string>
#include <type_traits>
#include <utility>

#include "emulator/ptx/body.h"
#include "emulator/ptx/context.h"
#include "emulator/ptx/declarations.h"
#include "emulator/ptx/limits.h"
#include "emulator/ptx/module.h"
#include "emulator/ptx/number.h"

namespace warpsim::ptx {
namespace {

// Modules have functions in a vector and pointers into their tables, so growth must move them.
static_assert(std::is_nothrow_move_constructible_v<Function>);

class ModuleParser {
 public:
  explicit ModuleParser(Module& module)
      : context_(module), lexer_(context_.lexer), module_(module) {}

  void parse() {
    parse_version();
    while (!lexer_.at(Token::Kind::end)) parse_directive();
    if (module_.target == 0) lexer_.fail_expected("a '.target' directive");
    context_.locations.finish(module_);
  }

 private:
  void parse_version() {
    if (!lexer_.accept_dotted("version")) {
      lexer_.fail_expected("'.version' at the start of a PTX module");
    }
    const Token version = lexer_.expect(Token::Kind::number, "the PTX version");
    const std::size_t dot = version.text.find('.');
    const auto part = [&](std::string_view digits, std::uint32_t max) {
      std::uint32_t value = 0;
      const char* end = digits.data() + digits.size();
      const auto [stop, error] = std::from_chars(digits.data(), end, value);
      if (error != std::errc{} || stop != end || value > max) {
        fail(version, fmt::format("malformed PTX version {}", describe(version)));
      }
      return value;
    };
    const std::string_view minor =
        dot == std::string_view::npos ? std::string_view("0") : version.text.substr(dot + 1);
    module_.isa_version = part(version.text.substr(0, dot), 99) * 10 + part(minor, 9);
  }

  void parse_directive() {
    if (lexer_.accept(';')) return;
    const Token word = lexer_.expect(Token::Kind::dotted, "a directive");
    if (word.text == "target") {
      parse_target();
    } else if (word.text == "address_size") {
      const Token size = lexer_.peek();
      if (expect_integer(lexer_, "the address size", ~std::uint64_t{0}) != 64) {
        fail(size, "only .address_size 64 is supported; compile for a 64-bit host");
      }
    } else if (word.text == "file") {
      context_.locations.parse_file(lexer_, module_);
    } else if (word.text == "loc") {
      (void)context_.locations.parse_loc(lexer_, module_);
    } else if (word.text == "section") {
      context_.locations.parse_section(lexer_, module_);
    } else if (word.text == "pragma") {
      skip_pragma(lexer_);
    } else if (word.text == "alias") {
      parse_alias();
    } else {
      parse_linked(word);
    }
  }

  /// `sm_90a, debug`
  void parse_target() {
    const Token first = lexer_.expect(Token::Kind::identifier, "a target such as 'sm_75'");
    Token last = first;
    parse_target_word(first);
    while (lexer_.accept(',')) {
      last = lexer_.expect(Token::Kind::identifier, "a target option");
      parse_target_word(last);
    }
    module_.target_text = {
        first.text.data(),
        static_cast<std::size_t>(last.text.data() - first.text.data()) + last.text.size()};
  }

  void parse_target_word(const Token& word) {
    if (!word.text.starts_with("sm_")) return;  // debug, texmode_independent, map_f64_to_f32
    const std::string_view digits = word.text.substr(3);
    std::uint32_t value = 0;
    const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc{} || value == 0 || value > 999) {
      fail(word, fmt::format("unknown target {}", describe(word)));
    }
    module_.target = value;
  }

  /// `.alias other, known;`: calls of `other` go to `known`.
  void parse_alias() {
    const Token alias = lexer_.expect(Token::Kind::identifier, "the name of a function");
    lexer_.expect(',', "between the names of .alias");
    const Token aliasee = lexer_.expect(Token::Kind::identifier, "the name of a function");
    lexer_.expect(';', "after .alias");
    const auto found = module_.function_index.find(aliasee.text);
    if (found == module_.function_index.end()) {
      fail(aliasee, fmt::format("no function {} for .alias", describe(aliasee)));
    }
    module_.function_index.insert_or_assign(alias.text, found->second);
  }

  /// A function or variable, with or without linkage before it.
  void parse_linked(Token word) {
    Linkage linkage = Linkage::internal;
    for (;; word = lexer_.expect(Token::Kind::dotted, "'.entry', '.func' or a state space")) {
      if (word.text == "visible") {
        linkage = Linkage::visible;
      } else if (word.text == "extern") {
        linkage = Linkage::external;
      } else if (word.text == "weak") {
        linkage = Linkage::weak;
      } else if (word.text == "common") {
        linkage = Linkage::common;
      } else {
        break;
      }
    }
    if (word.text == "entry" || word.text == "func") {
      parse_function(word.text == "entry", linkage);
      return;
    }
    const auto space = parse_space(word.text);
    if (!space || *space == Space::reg || *space == Space::sreg || *space == Space::param) {
      fail(word, fmt::format("unknown directive {}", describe(word)));
    }
    parse_module_variables(*space, linkage);
  }

  void parse_module_variables(Space space, Linkage linkage) {
    const Token where = lexer_.peek();
    std::size_t i = module_.variables.size();
    parse_variables(context_, {.space = space, .linkage = linkage}, module_.variables);
    for (; i < module_.variables.size(); ++i) {
      const auto index = static_cast<std::uint32_t>(i);
      const auto [entry, is_new] =
          module_.variable_index.try_emplace(module_.variables[i].name, index);
      if (is_new) continue;
      const Linkage old = module_.variables[entry->second].linkage;
      Token name = where;
      name.text = module_.variables[i].name;
      name.kind = Token::Kind::identifier;
      if (replaces(name, old != Linkage::external, linkage != Linkage::external)) {
        entry->second = index;
      }
    }
  }

  void parse_function(bool is_entry, Linkage linkage) {
    Function function;
    function.is_entry = is_entry;
    function.linkage = linkage;
    if (lexer_.accept_dotted("attribute")) (void)parse_attributes(lexer_);
    const Token name = parse_signature(context_, function);
    parse_function_directives(context_, function);
    function.is_declaration = lexer_.accept(';');
    if (!function.is_declaration) parse_body(context_, function);
    index_function(name, std::move(function));
  }

  void index_function(const Token& name, Function function) {
    const auto index = static_cast<std::uint32_t>(module_.functions.size());
    const bool defined = !function.is_declaration;
    module_.functions.push_back(std::move(function));
    const auto [entry, is_new] = module_.function_index.try_emplace(name.text, index);
    if (is_new) return;
    if (replaces(name, !module_.functions[entry->second].is_declaration, defined)) {
      entry->second = index;
    }
  }

  Context context_;
  Lexer& lexer_;
  Module& module_;
};

ParseError locate(const SyntaxError& error, std::string_view text) {
  const std::string_view before = text.substr(0, error.offset);
  const std::size_t line_start = before.rfind('\n') + 1;  // npos + 1 == 0: the first line
  return {.line = static_cast<std::uint32_t>(std::count(before.begin(), before.end(), '\n')) + 1,
          .column = static_cast<std::uint32_t>(before.size() - line_start) + 1,
          .message = error.message};
}

}  // namespace

std::optional<Module> parse(std::string text, ParseError& error) {
  if (text.size() > kMaxTextBytes) {
    error = {.line = 1,
             .column = 1,
             .message = fmt::format("the module has {} bytes; the limit is {}", text.size(),
                                    kMaxTextBytes)};
    return std::nullopt;
  }
  Module module;
  module.text = std::make_unique<const std::string>(std::move(text));
  try {
    ModuleParser(module).parse();
  } catch (const SyntaxError& e) {
    error = locate(e, *module.text);
    return std::nullopt;
  }
  return module;
}

}  // namespace warpsim::ptx
