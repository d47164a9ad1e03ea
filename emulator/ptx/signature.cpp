#include <limits>
#include <string>

#include "emulator/ptx/body.h"
#include "emulator/ptx/declarations.h"
#include "emulator/ptx/number.h"

namespace warpsim::ptx {
namespace {

constexpr std::uint64_t kMaxU32 = std::numeric_limits<std::uint32_t>::max();

std::uint32_t parse_count(Lexer& lexer, const Token& directive) {
  return static_cast<std::uint32_t>(
      expect_integer(lexer, "the argument of " + describe(directive), kMaxU32));
}

/// `128` or `16, 8` or `8, 8, 4`; dimensions not given are 1.
void parse_extent(Lexer& lexer, const Token& directive, std::uint32_t (&extent)[3]) {
  std::size_t given = 0;
  do {
    if (given == 3) lexer.fail_expected("at most three dimensions");
    extent[given++] = parse_count(lexer, directive);
  } while (lexer.accept(','));
  while (given < 3) extent[given++] = 1;
}

}  // namespace

Token parse_signature(Context& context, Function& function) {
  Lexer& lexer = context.lexer;
  if (lexer.at('(')) function.returns = parse_parameters(context);
  const Token name = lexer.expect(Token::Kind::identifier, "the name of a function");
  function.name = name.text;
  function.ptx_line = name.line;
  if (lexer.at('(')) function.parameters = parse_parameters(context);
  return name;
}

void parse_function_directives(Context& context, Function& function) {
  Lexer& lexer = context.lexer;
  EntryLimits& limits = function.limits;
  while (lexer.at(Token::Kind::dotted)) {
    const Token word = lexer.next();
    if (word.text == "noreturn") {
      function.noreturn = true;
    } else if (word.text == "maxntid") {
      parse_extent(lexer, word, limits.max_threads);
    } else if (word.text == "reqntid") {
      parse_extent(lexer, word, limits.required_threads);
    } else if (word.text == "reqnctapercluster") {
      parse_extent(lexer, word, limits.cluster);
    } else if (word.text == "minnctapersm" || word.text == "maxnctapersm") {
      limits.min_blocks_per_sm = parse_count(lexer, word);
    } else if (word.text == "maxnreg") {
      limits.max_registers = parse_count(lexer, word);
    } else if (word.text == "maxclusterrank" || word.text == "abi_preserve" ||
               word.text == "abi_preserve_control") {
      (void)parse_count(lexer, word);
    } else if (word.text == "pragma") {
      skip_pragma(lexer);
    } else if (word.text != "explicitcluster" && word.text != "blocksareclusters") {
      fail(word, "unknown directive " + describe(word) + " of a function");
    }
  }
}

}  // namespace warpsim::ptx
