#include "emulator/ptx/testing.h"

using namespace warpsim::ptx;

namespace {

/// The only variable of a module.
Variable sole_variable(std::string_view declaration) {
  Module module = parse_module(declaration);
  REQUIRE(module.variables.size() == 1);
  Variable variable = module.variables[0];
  variable.name = {};  // its text dies with the module
  return variable;
}

}  // namespace

TEST_CASE("a module says its version, target and address size", "[emulator][ptx][declarations]") {
  const Module module =
      parse_text(".version 8.4\n.target sm_90a, debug\n.address_size 64\n.pragma \"x\";");
  CHECK(module.isa_version == 84);
  CHECK(module.target == 90);
  CHECK(module.target_text == "sm_90a, debug");
  CHECK(parse_text(".version 9.0\n.target sm_100").target == 100);
}

TEST_CASE("variables have linkage, space, type, alignment and size",
          "[emulator][ptx][declarations]") {
  const Module module = parse_module(R"(
    .visible .global .align 8 .b8 matrix[4][6];
    .extern .shared .align 16 .b8 dynamic[];
    .const .f64 one;
    .weak .global .attribute(.managed) .u16 managed, another[3];
    .global .v4 .f32 vector[2];
    .common .global .b128 wide;)");
  REQUIRE(module.variables.size() == 7);
  const Variable& matrix = module.variables[0];
  CHECK(matrix.name == "matrix");
  CHECK(matrix.linkage == Linkage::visible);
  CHECK(matrix.space == Space::global);
  CHECK(matrix.align == 8);
  CHECK(matrix.size_bytes == 24);
  CHECK(matrix.initial.empty());
  CHECK(matrix.ptx_line == 5);
  const Variable& dynamic = module.variables[1];
  CHECK(dynamic.linkage == Linkage::external);
  CHECK(dynamic.space == Space::shared);
  CHECK(dynamic.align == 16);
  CHECK(dynamic.size_bytes == 0);
  CHECK(module.variables[2].space == Space::constant);
  CHECK(module.variables[2].align == 8);
  CHECK(module.variables[3].managed);
  CHECK(module.variables[3].size_bytes == 2);
  CHECK(module.variables[4].name == "another");
  CHECK(module.variables[4].managed);
  CHECK(module.variables[4].size_bytes == 6);
  CHECK(module.variables[5].size_bytes == 32);
  CHECK(module.variables[5].align == 16);
  CHECK(module.variables[6].size_bytes == 16);
  CHECK(module.variable_index.at("another") == 4);
}

TEST_CASE("by name, a definition is found instead of its declaration",
          "[emulator][ptx][declarations]") {
  const Module module = parse_module(R"(
    .extern .global .u32 a;
    .global .u32 a = 1;
    .global .u32 b = 2;
    .extern .global .u32 b;
    .func f();
    .func f() { ret; }
    .func f();)");
  CHECK(module.variables[module.variable_index.at("a")].initial.size() == 4);
  CHECK(module.variables[module.variable_index.at("b")].initial.size() == 4);
  CHECK(module.functions.size() == 3);
  CHECK_FALSE(module.functions[module.function_index.at("f")].is_declaration);
  CHECK(module_error(".global .u32 a; .global .u32 a;") == "'a' is defined twice");
  CHECK(module_error(".func f() {} .func f() {}") == "'f' is defined twice");
}

TEST_CASE("an alias leads to the function it names", "[emulator][ptx][declarations]") {
  const Module module = parse_module(".func other(); .func known() { ret; } .alias other, known;");
  CHECK(module.functions[module.function_index.at("other")].name == "known");
  CHECK(module_error(".func f(); .alias f, g;") == "no function 'g' for .alias");
}

TEST_CASE("parameters are read as compilers write them", "[emulator][ptx][declarations]") {
  const Module module = parse_module(R"(
    .visible .entry k(
      .param .align 8 .b8 big[24],
      .param .u64 .ptr .global .align 4 pointer,
      .param .u64 .ptr plain,
      .param .u64 .ptr .align 1 old,
      .param .f32 x
    ) { ret; }
    .extern .func (.param .b32 func_retval0) vprintf(.param .b64 a, .param .b64 b);
    .func (.reg .f32 r) registers(.reg .f32 x) { mov.f32 r, x; ret; }
    .entry no_parameters { ret; })");
  const Function& k = module.functions[0];
  CHECK(k.is_entry);
  CHECK(k.linkage == Linkage::visible);
  REQUIRE(k.parameters.size() == 5);
  CHECK(k.parameters[0].size_bytes == 24);
  CHECK(k.parameters[0].align == 8);
  CHECK(k.parameters[1].name == "pointer");
  CHECK(k.parameters[1].size_bytes == 8);
  CHECK(k.parameters[1].align == 8);  // of the pointer, not of what it points to
  CHECK(k.parameters[3].name == "old");
  CHECK(k.parameters[4].type == Type::f32);
  const Function& print = module.functions[1];
  CHECK(print.is_declaration);
  CHECK(print.returns.at(0).name == "func_retval0");
  CHECK(print.parameters.size() == 2);
  const Function& registers = module.functions[2];
  CHECK(registers.registers.at(0).name == "r");
  CHECK(registers.instructions[0].operands[1].reg == 1);
  CHECK(module.functions[3].parameters.empty());
}

TEST_CASE("an entry's limits are read", "[emulator][ptx][declarations]") {
  const Module module = parse_module(R"(
    .entry k() .maxntid 128, 2 .minnctapersm 3 .maxnreg 64 .pragma "nounroll";
      .explicitcluster .reqnctapercluster 2, 1, 1 .maxclusterrank 8 { ret; }
    .entry r() .reqntid 16, 8, 4 { ret; }
    .func f() .noreturn { trap; })");
  const EntryLimits& k = module.functions[0].limits;
  CHECK(k.max_threads[0] == 128);
  CHECK(k.max_threads[1] == 2);
  CHECK(k.max_threads[2] == 1);
  CHECK(k.min_blocks_per_sm == 3);
  CHECK(k.max_registers == 64);
  CHECK(k.cluster[0] == 2);
  CHECK(k.cluster[2] == 1);
  const EntryLimits& r = module.functions[1].limits;
  CHECK(r.required_threads[2] == 4);
  CHECK(r.max_threads[0] == 0);
  CHECK(module.functions[2].noreturn);
  CHECK_FALSE(module.functions[1].noreturn);
}

TEST_CASE("numbers fill a variable as its type asks", "[emulator][ptx][initializer]") {
  using Bytes = std::vector<std::uint8_t>;
  CHECK(sole_variable(".global .u32 x = 0x01020304;").initial == Bytes{4, 3, 2, 1});
  CHECK(sole_variable(".global .s16 x = -2;").initial == Bytes{0xfe, 0xff});
  CHECK(sole_variable(".global .b8 x[3] = {1, -1, 255};").initial == Bytes{1, 255, 255});
  CHECK(sole_variable(".global .f32 x = 0f7F800001;").initial == Bytes{1, 0, 0x80, 0x7f});
  CHECK(sole_variable(".global .f32 x = 1.0;").initial == Bytes{0, 0, 0x80, 0x3f});
  CHECK(sole_variable(".global .f64 x = 0f3F800000;").initial ==
        Bytes{0, 0, 0, 0, 0, 0, 0xf0, 0x3f});
  CHECK(sole_variable(".global .b32 x = 0f3F800000;").initial == Bytes{0, 0, 0x80, 0x3f});
  CHECK(sole_variable(".global .f32 x = 0;").initial == Bytes{0, 0, 0, 0});
}

TEST_CASE("values not given are zero and are not stored", "[emulator][ptx][initializer]") {
  const Variable variable = sole_variable(".global .b8 x[1000000] = {7, 8};");
  CHECK(variable.initial == std::vector<std::uint8_t>{7, 8});
  CHECK(variable.size_bytes == 1'000'000);
}

TEST_CASE("braces nest as the array does", "[emulator][ptx][initializer]") {
  using Bytes = std::vector<std::uint8_t>;
  CHECK(sole_variable(".global .b8 x[2][3] = {{1}, {2, 3}};").initial == Bytes{1, 0, 0, 2, 3});
  CHECK(sole_variable(".global .b8 x[2][2] = {1, 2, 3, 4};").initial == Bytes{1, 2, 3, 4});
  CHECK(sole_variable(".global .b8 x[2][1][2] = {{{1}}, {{2}}};").initial == Bytes{1, 0, 2});
  CHECK(sole_variable(".global .v2 .b8 x[2] = {{1, 2}, {3, 4}};").initial == Bytes{1, 2, 3, 4});
  const Variable unsized = sole_variable(".global .u16 x[][2] = {{1, 2}, {3, 4}, {5, 6}};");
  CHECK(unsized.size_bytes == 12);
}

TEST_CASE("addresses become relocations", "[emulator][ptx][initializer]") {
  const Module module = parse_module(R"(
    .global .u32 a[4];
    .global .u64 p[5] = {a, a+8, generic(a), generic(a)+4, 7};
    .global .u64 q = generic(a-4)-4;)");
  const auto& p = module.variables[1];
  REQUIRE(p.relocations.size() == 4);
  CHECK(p.relocations[0].symbol == "a");
  CHECK_FALSE(p.relocations[0].generic);
  CHECK(p.relocations[1].offset == 8);
  CHECK(p.relocations[1].addend == 8);
  CHECK(p.relocations[2].generic);
  CHECK(p.relocations[3].offset == 24);
  CHECK(p.relocations[3].addend == 4);
  CHECK(p.relocations[3].size == 8);
  CHECK(p.initial.size() == 40);
  CHECK(p.initial[32] == 7);
  CHECK(module.variables[2].relocations[0].addend == -8);
}

TEST_CASE("the bytes of an address in a byte array are joined", "[emulator][ptx][initializer]") {
  std::string bytes;
  for (int i = 0; i < 8; ++i)
    bytes += ", 0xFF" + std::string(2 * static_cast<std::size_t>(i), '0') + "(generic(f)+4)";
  const Module module = parse_module(".global .b8 x[24] = {9" + bytes +
                                     ", 5, 0xFF(g), 0xFF00(g), 0xFF0000(g), 0xFF000000(g)};");
  const Variable& x = module.variables[0];
  REQUIRE(x.relocations.size() == 2);
  CHECK(x.relocations[0].offset == 1);
  CHECK(x.relocations[0].size == 8);
  CHECK(x.relocations[0].symbol == "f");
  CHECK(x.relocations[0].addend == 4);
  CHECK(x.relocations[0].generic);
  CHECK(x.relocations[1].offset == 10);
  CHECK(x.relocations[1].size == 4);
  CHECK(x.initial == std::vector<std::uint8_t>{9, 0, 0, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0, 0});
}

TEST_CASE("wrong initial values are errors", "[emulator][ptx][initializer]") {
  const auto error = [](const std::string& text) { return module_error(".global " + text); };
  CHECK(error(".b8 x[2] = {1, 2, 3};") == "more initial values than the array has elements");
  CHECK(error(".b8 x[2][2] = {{1, 2, 3}};") == "more initial values than the array has elements");
  CHECK(error(".b8 x[1][2] = {{1}, {2}};") == "more initial values than the array has elements");
  CHECK(error(".b8 x[2] = {{1}};") == "more braces than the array has dimensions");
  CHECK(error(".b8 x[2][2] = {1, {2}};") == "a brace in the middle of an inner array");
  CHECK(error(".b8 x[2] = 1;") == "expected '{' before the initial values of an array, found '1'");
  CHECK(error(".b8 x[2] = {1 2};") == "expected ',' or '}' after an initial value, found '2'");
  CHECK(error(".b8 x[2] = {1,") == "this '{' is never closed");
  CHECK(error(".b8 x = f;") == "an address does not fit in .b8");
  CHECK(error(".b8 x[2] = {0xFF00(f)};") ==
        "mask 0xFF00 does not continue the bytes of an address from 0xFF up");
  CHECK(error(".b8 x[3] = {0xFF(f), 0xFF00(g)};") ==
        "mask 0xFF00 does not continue the bytes of an address from 0xFF up");
  CHECK(error(".u64 x = 0xFF(f);") == "a masked address needs an array of bytes");
  CHECK(error(".f32 x = 1;") == "an initial value of .f32 must be a floating-point number");
  CHECK(error(".u32 x = 1.5;") == "a floating-point number cannot initialise .u32");
  CHECK(error(".u32 x<2> = 1;") == "a range of variables cannot have an initial value");
}

TEST_CASE("wrong declarations are errors", "[emulator][ptx][declarations]") {
  CHECK(module_error(".global .u33 x;") == "unknown type '.u33'");
  CHECK(module_error(".global x;") == "expected a type, found 'x'");
  CHECK(module_error(".global .u32 x") ==
        "expected ';' after a declaration, found the end of the text");
  CHECK(module_error(".global .align 3 .u32 x;") ==
        "the alignment must be a power of two, found 3");
  CHECK(module_error(".global .align 0 .u32 x;") ==
        "the alignment must be a power of two, found 0");
  CHECK(module_error(".global .b8 x[2][];") == "expected the array size, found ']'");
  CHECK(module_error(".global .b8 x[2][0];") == "only the first dimension of an array may be 0");
  CHECK(module_error(".global .b8 x[1.5];") == "the array size must be an integer, found '1.5'");
  CHECK(module_error(".local .u32 x; .bogus .u32 y;") == "unknown directive '.bogus'");
  CHECK(module_error(".global .attribute(.odd) .u32 x;") == "unknown attribute '.odd'");
  CHECK(module_error(".entry k(.param .u32 a, .param .u32 a) {}") ==
        "two parameters are called 'a'");
  CHECK(module_error(".entry k(.local .u32 a) {}") ==
        "expected '.param' or '.reg', found '.local'");
  CHECK(module_error(".entry k() .odd {}") == "unknown directive '.odd' of a function");
  CHECK(module_error(".entry k() .maxntid 1, 2, 3, 4 {}") ==
        "expected at most three dimensions, found '4'");
  CHECK(module_error(".entry k()") ==
        "expected '{' before the body of a function, found the end of the text");
  CHECK(parse_error(".version 9.0\n.address_size 32\n") ==
        "2:15: only .address_size 64 is supported; compile for a 64-bit host");
  CHECK(parse_error(".version 9.0\n") ==
        "2:1: expected a '.target' directive, found the end of the text");
  CHECK(parse_error(".version x") == "1:10: expected the PTX version, found 'x'");
  CHECK(parse_error(".version 7.10") == "1:10: malformed PTX version '7.10'");
  CHECK(parse_error(".version 1.x") == "1:10: malformed PTX version '1.x'");
  CHECK(parse_error(".version 9.0\n.target sm_x\n") == "2:9: unknown target 'sm_x'");
}
