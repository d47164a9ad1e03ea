#include "emulator/ptx/limits.h"
#include "emulator/ptx/testing.h"

// Texts made to be expensive: each limit answers with one error.

using namespace warpsim::ptx;

namespace {

std::string repeat(std::string_view text, std::size_t n) {
  std::string result;
  result.reserve(text.size() * n);
  for (std::size_t i = 0; i < n; ++i) result += text;
  return result;
}

}  // namespace

TEST_CASE("nesting is limited in bodies, operands and initial values", "[emulator][ptx][hostile]") {
  CHECK(parse_in_entry(repeat("{", 60) + repeat("}", 60)).functions.size() == 1);
  CHECK(body_error(repeat("{", 100'000)) == "expected at most 64 nested braces, found '{'");
  CHECK(body_error("x " + repeat("[", 100'000)) ==
        "an address is [register], [symbol] or [number], each with an offset");
  CHECK(body_error("x " + repeat("{", 100'000)) == "a vector cannot hold vectors or addresses");
  CHECK(body_error("x " + repeat("!", 100'000)) == "'!' needs a predicate register, found '!'");
  CHECK(body_error("x " + repeat("-", 100'000)) == "expected a number, found '-'");
  CHECK(module_error(".global .b8 x[1] = " + repeat("{", 100'000)) ==
        "more braces than the array has dimensions");
  CHECK(module_error(".global .b8 x" + repeat("[1]", 100'000)) ==
        "an array has at most 8 dimensions");
}

TEST_CASE("registers that a range expands to are limited", "[emulator][ptx][hostile]") {
  CHECK(module_error(".entry k() { .reg .u32 %r<4000000000>; }") ==
        "the number of names in a range is 4000000000; the limit is 262144");
  CHECK(module_error(".entry k() { .reg .u32 %r<262144>, %s<2>; }") ==
        "a function has at most 262144 registers");
  CHECK(module_error([] {
          std::string functions;
          for (int i = 0; i < 12; ++i) {
            functions += ".func f" + std::to_string(i) + "() { .reg .u32 %r<200000>; }";
          }
          return functions;
        }()) == "this module declares more than 2097152 names in ranges");
  CHECK(module_error(".global .u32 x<100000>;") ==
        "the number of names in a range is 100000; the limit is 8192");
}

TEST_CASE("sizes that overflow or cannot be stored are errors", "[emulator][ptx][hostile]") {
  CHECK(module_error(".global .b8 x[18446744073709551615];") ==
        "the array size is 18446744073709551615; the limit is 1099511627776");
  CHECK(module_error(".global .u64 x[1099511627776];") == "'x' is larger than 1099511627776 bytes");
  CHECK(module_error(".global .b8 x[1099511627776][1099511627776];") ==
        "'x' is larger than 1099511627776 bytes");
  CHECK(module_error(".global .b8 x[][1099511627776][1099511627776];") ==
        "'x' is larger than 1099511627776 bytes");
  CHECK(module_error(".global .b8 x[2][1000000000] = {{1}, {2}};") ==
        "the initial values of this module need more than 67108864 bytes");
  CHECK(module_error(".global .b8 x[][1000000000] = {{1}, {2}};") ==
        "more initial values than the array has elements");
}

TEST_CASE("operands, modifiers and parameters are limited", "[emulator][ptx][hostile]") {
  CHECK(body_error("x %r1" + repeat(", %r1", 5000) + ";") ==
        "expected at most 4096 operands, found '%r1'");
  CHECK(body_error("x {%r1" + repeat(", %r1", 5000) + "};") ==
        "a vector has at most 4096 elements");
  CHECK(body_error("x" + repeat(".f32", 100) + ";") == "an instruction has at most 32 modifiers");
  std::string parameters = ".param .u32 p0";
  for (int i = 1; i < 9000; ++i) parameters += ", .param .u32 p" + std::to_string(i);
  CHECK(module_error(".entry k(" + parameters + ") {}") ==
        "a function has at most 8192 parameters");
}

TEST_CASE("a text beyond the limit is refused before it is read", "[emulator][ptx][hostile]") {
  CHECK(parse_error(std::string(kMaxTextBytes + 1, ' ')) ==
        "1:1: the module has 67108865 bytes; the limit is 67108864");
}

TEST_CASE("names and labels by the hundred thousand take no quadratic time",
          "[emulator][ptx][hostile]") {
  std::string body;
  for (int i = 0; i < 50'000; ++i) {
    const std::string n = std::to_string(i);
    body += ".reg .u32 a" + n + "; { .param .b32 p; bra L" + n + "; } bra END; L" + n + ":\n";
  }
  const Module module = parse_in_entry(body + "END:");
  CHECK(module.functions[0].instructions.size() == 100'000);
  CHECK(module.functions[0].instructions[1].operands[0].target == 100'000);
}
