#include "emulator/ptx/lexer.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <string>
#include <vector>

using namespace warpsim::ptx;

namespace {

/// All tokens in one line, each as the kind's first letter and the text.
std::string tokens(std::string_view text) {
  std::string result;
  for (Lexer lexer(text); !lexer.at(Token::Kind::end); (void)lexer.next()) {
    const Token& token = lexer.peek();
    constexpr std::string_view kLetters = "eidnsp";
    if (!result.empty()) result += ' ';
    result += kLetters[static_cast<std::size_t>(token.kind)];
    result += ':';
    result += token.text;
  }
  return result;
}

std::string lexer_error(std::string_view text) {
  try {
    (void)tokens(text);
  } catch (const SyntaxError& error) {
    return std::to_string(error.offset) + " " + error.message;
  }
  return "no error";
}

}  // namespace

TEST_CASE("instructions, directives and strings split into tokens", "[emulator][ptx][lexer]") {
  CHECK(tokens("@!%p1 ld.global.v4.f32 {%f1,_}, [%rd1+-8];") ==
        "p:@ p:! i:%p1 i:ld d:global d:v4 d:f32 p:{ i:%f1 p:, i:_ p:} p:, p:[ i:%rd1 p:+ p:- n:8 "
        "p:] p:;");
  CHECK(tokens("$L__BB0_1:.file 1 \"a\\\"b\"") == "i:$L__BB0_1 p:: d:file n:1 s:a\\\"b");
}

TEST_CASE("a modifier keeps its double colons, a label its single one", "[emulator][ptx][lexer]") {
  CHECK(tokens("mbarrier.shared::cta.L2::128B") == "i:mbarrier d:shared::cta d:L2::128B");
  CHECK(tokens("L:.loc") == "i:L p:: d:loc");
  CHECK(tokens(".a::;") == "d:a p:: p:: p:;");
}

TEST_CASE("numbers end where their kind ends", "[emulator][ptx][lexer]") {
  CHECK(tokens("0x1fU,0f3F800000 1.5e-3 2e+4 7.") ==
        "n:0x1fU p:, n:0f3F800000 n:1.5e-3 n:2e+4 n:7.");
  CHECK(tokens("0x1e-1") == "n:0x1e p:- n:1");
  CHECK(tokens("0d3FF0000000000000+1") == "n:0d3FF0000000000000 p:+ n:1");
}

TEST_CASE("comments are skipped and lines counted through them", "[emulator][ptx][lexer]") {
  Lexer lexer("a // one { \" \n/* two\nthree */ b\n\nc");
  CHECK(lexer.next().line == 1);
  CHECK(lexer.peek().text == "b");
  CHECK(lexer.next().line == 3);
  CHECK(lexer.next().line == 5);
  CHECK(lexer.at(Token::Kind::end));
}

TEST_CASE("a token knows whether something stands before it", "[emulator][ptx][lexer]") {
  Lexer lexer("%tid.x %tid .x %tid/**/.x");
  std::vector<bool> glued;
  while (!lexer.at(Token::Kind::end)) {
    const Token token = lexer.next();
    if (token.is_dotted("x")) glued.push_back(token.glued);
  }
  CHECK(glued == std::vector<bool>{true, false, false});
}

TEST_CASE("a section is skipped whatever is in it", "[emulator][ptx][lexer]") {
  Lexer lexer("{ #\x01 // }\n \"/} x");
  const Token opening = lexer.peek();
  REQUIRE_THROWS(lexer.next());  // '#' is not a token
  lexer.skip_section(opening);
  CHECK(lexer.peek().text == "x");
  CHECK(lexer.peek().line == 2);
}

TEST_CASE("what is not a token is named with its place", "[emulator][ptx][lexer]") {
  const auto [text, error] = GENERATE(table<std::string, std::string>({
      {"a #", "2 unexpected character '#'"},
      {"a \x01", "2 unexpected byte 0x01"},
      {"a \xc3\xa4", "2 unexpected byte 0xc3"},
      {"a \"b", "2 this string is never closed"},
      {"a \"b\n\"", "2 this string is never closed"},
      {"a \"b\\", "2 this string is never closed"},
      {"a /* b", "2 this comment is never closed"},
      {"a /*/", "2 this comment is never closed"},
      {"a . b", "2 unexpected character '.'"},
  }));
  CHECK(lexer_error(text) == error);
}

TEST_CASE("a name may be long but not endless", "[emulator][ptx][lexer]") {
  CHECK(tokens(std::string(60'000, 'a')).size() == 60'002);
  CHECK(lexer_error("x " + std::string(70'000, 'a')) ==
        "2 this name has 70000 characters; the limit is 65536");
}
