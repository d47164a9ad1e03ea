#include "emulator/ptx/testing.h"

using namespace warpsim::ptx;

namespace {

std::string rendered(const std::string& text) {
  ParseError error;
  REQUIRE_FALSE(parse(text, error));
  return error.render("vec.ptx", text);
}

}  // namespace

TEST_CASE("an error shows the place, the line and a caret", "[emulator][ptx][error]") {
  CHECK(rendered(kHeader + ".entry k()\n{\n\t.reg .b32 %r<3>;\n\tadd.s32 \t%r1, %r2 }\n") ==
        "vec.ptx:7:20: error: expected ',' or ';' after operand, found '}'\n"
        "\tadd.s32 \t%r1, %r2 }\n"
        "\t        \t         ^\n");
}

TEST_CASE("an error at the end of the text points behind it", "[emulator][ptx][error]") {
  CHECK(rendered(".version 9.0\n.target") ==
        "vec.ptx:2:8: error: expected a target such as 'sm_75', found the end of the text\n"
        ".target\n"
        "       ^\n");
}

TEST_CASE("a text that is no PTX is recognised at once", "[emulator][ptx][error]") {
  CHECK(parse_error("") ==
        "1:1: expected '.version' at the start of a PTX module, found the end of the text");
  CHECK(parse_error("int main() {}") ==
        "1:1: expected '.version' at the start of a PTX module, found 'int'");
  CHECK(parse_error("\x7f"
                    "ELF") == "1:1: unexpected byte 0x7f");
}

TEST_CASE("long lines and control characters do not flood the terminal", "[emulator][ptx][error]") {
  const std::string text =
      ".version 9.0 /*" + std::string(500, '\x1b') + "*/ oops /*" + std::string(500, 'y') + "*/";
  const std::string shown = rendered(text);
  CHECK(shown.size() < 350);
  CHECK(shown.find('\x1b') == std::string::npos);
  // The caret stands below the word.
  const std::size_t source = shown.find('\n') + 1;
  const std::size_t caret_line = shown.find('\n', source) + 1;
  const std::size_t caret = shown.find('^', caret_line) - caret_line;
  CHECK(shown.substr(source + caret, 4) == "oops");
}

TEST_CASE("rendering survives a text that is not the one that was parsed",
          "[emulator][ptx][error]") {
  const ParseError error{.line = 100, .column = 100, .message = "m"};
  CHECK(error.render("a.ptx", "short") == "a.ptx:100:100: error: m\n\n^\n");
}
