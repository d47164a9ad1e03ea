#include "emulator/ptx/testing.h"

using namespace warpsim::ptx;

namespace {

const SourceLocation& location_of(const Module& module, std::size_t instruction) {
  const std::uint32_t index = module.functions.at(0).instructions.at(instruction).location;
  REQUIRE(index != kNoIndex);
  return module.locations.at(index);
}

}  // namespace

TEST_CASE("instructions know the last .loc before them", "[emulator][ptx][locations]") {
  const Module module = parse_module(R"(
    .file 1 "vec.cu"
    .file 2 "lib.h", 1700000000, 1234
    .entry k() { a; .loc 1 5 3
      b; c; .loc 2 7 0
      d; })");
  CHECK(module.files.at(1) == "vec.cu");
  CHECK(module.files.at(2) == "lib.h");
  CHECK(module.functions[0].instructions[0].location == kNoIndex);
  CHECK(location_of(module, 1).line == 5);
  CHECK(location_of(module, 1).column == 3);
  CHECK(location_of(module, 2).line == 5);
  CHECK(location_of(module, 3).file == 2);
  CHECK(location_of(module, 3).inlined_at == kNoIndex);
  CHECK(module.functions[0].location == module.functions[0].instructions[1].location);
}

TEST_CASE("a position that comes again is the same location", "[emulator][ptx][locations]") {
  const Module module = parse_module(
      ".entry k() { .loc 1 5 3\n a; .loc 1 6 3\n b; .loc 1 5 3\n c; .loc 1 5 4\n d; }");
  const auto& code = module.functions[0].instructions;
  CHECK(code[0].location == code[2].location);
  CHECK(code[0].location != code[1].location);
  CHECK(code[0].location != code[3].location);
  CHECK(module.locations.size() == 3);
}

TEST_CASE("an inlined position leads through its call sites to the kernel",
          "[emulator][ptx][locations]") {
  const Module module = parse_module(R"(
    .entry k() {
      .loc 1 22 3
      a;
      .loc 1 13 29, function_name $L_outer, inlined_at 1 22 3
      .loc 1 12 9, function_name $L_inner, inlined_at 1 13 29
      b;
      .loc 2 8 1, function_name $L_inner+2, inlined_at 1 40 7
      c;
    }
    .section .debug_str
    {
    $L_outer: .b8 111,117,116,0
    $L_inner:
    .b8 105,110
    .b8 110,0
    })");
  const SourceLocation& inner = location_of(module, 1);
  CHECK(inner.line == 12);
  CHECK(inner.inlined_function == "inn");
  const SourceLocation& outer = module.locations.at(inner.inlined_at);
  CHECK(outer.line == 13);
  CHECK(outer.inlined_function == "out");
  const SourceLocation& kernel = module.locations.at(outer.inlined_at);
  CHECK(kernel.line == 22);
  CHECK(kernel.inlined_at == kNoIndex);
  CHECK(kernel.inlined_function.empty());
  const SourceLocation& alone = location_of(module, 2);
  CHECK(alone.inlined_function == "n");
  CHECK(module.locations.at(alone.inlined_at).line == 40);
}

TEST_CASE("a chain of call sites does not lead into another function",
          "[emulator][ptx][locations]") {
  const Module module = parse_module(R"(
    .func f() { .loc 1 9 1, function_name $L, inlined_at 1 5 5
      a; }
    .func g() { .loc 1 7 1, function_name $L, inlined_at 1 9 1
      b; })");
  const auto& inlined = module.locations.at(module.functions[1].instructions[0].location);
  const auto& call = module.locations.at(inlined.inlined_at);
  CHECK(call.line == 9);
  CHECK(call.inlined_at == kNoIndex);
}

TEST_CASE("debug sections are skipped, also between functions", "[emulator][ptx][locations]") {
  const Module module = parse_module(R"(
    .section .debug_info { .b32 8
      .b64 .debug_abbrev+4 // a comment with }
      # anything at all
    }
    .section .debug_loc { }
    .entry k() { ret; })");
  CHECK(module.functions.size() == 1);
}

TEST_CASE("wrong locations are errors", "[emulator][ptx][locations]") {
  CHECK(module_error(".loc 1 2") == "expected the column of .loc, found the end of the text");
  CHECK(module_error(".loc 1 2 3, odd 4") ==
        "expected 'function_name' or 'inlined_at', found 'odd'");
  CHECK(module_error(".loc 1 4294967296 3") ==
        "the line of .loc is 4294967296; the limit is 4294967295");
  CHECK(module_error(".file 1 vec.cu") == "expected the path of .file, found 'vec'");
  CHECK(module_error(".section .debug_info {") == "this '{' is never closed");
  CHECK(module_error(".section .debug_info ;") ==
        "expected '{' after the name of a section, found ';'");
  CHECK(module_error(".loc 1 2 3 .section .debug_str { .b8 300 }") ==
        "a byte of .debug_str is 300; the limit is 255");
}
