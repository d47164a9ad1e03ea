#include "emulator/ptx/testing.h"

using namespace warpsim::ptx;
using Kind = Operand::Kind;

namespace {

const Instruction& instruction(const Module& module, std::size_t i) {
  return module.functions.at(0).instructions.at(i);
}

std::string_view register_name(const Module& module, const Operand& operand) {
  REQUIRE(operand.kind == Kind::reg);
  return module.functions.at(0).registers.at(operand.reg).name;
}

}  // namespace

TEST_CASE("an instruction has an opcode, modifiers, a guard and operands",
          "[emulator][ptx][body]") {
  const Module module =
      parse_in_entry("@!%p2 ld.global.L1::no_allocate.v2.f32 {%f1, _}, [%rd3+-8];");
  const Instruction& ld = instruction(module, 0);
  CHECK(ld.opcode == "ld");
  CHECK(ld.modifiers == std::vector<std::string_view>{"global", "L1::no_allocate", "v2", "f32"});
  CHECK(module.functions[0].registers[ld.guard.reg].name == "%p2");
  CHECK(ld.guard.negated);
  REQUIRE(ld.operands.size() == 2);
  REQUIRE(ld.operands[0].kind == Kind::vector);
  CHECK(register_name(module, ld.operands[0].elements[0]) == "%f1");
  CHECK(ld.operands[0].elements[1].kind == Kind::sink);
  CHECK(ld.operands[1].kind == Kind::address);
  CHECK(module.functions[0].registers[ld.operands[1].reg].name == "%rd3");
  CHECK(ld.operands[1].offset == -8);
  CHECK(ld.ptx_line == 10);
}

TEST_CASE("an instruction may have neither operands nor a guard", "[emulator][ptx][body]") {
  const Module module = parse_in_entry("ret;");
  CHECK(instruction(module, 0).opcode == "ret");
  CHECK(instruction(module, 0).operands.empty());
  CHECK(instruction(module, 0).guard.reg == kNoIndex);
}

TEST_CASE("immediates keep how they were written", "[emulator][ptx][operands]") {
  const Module module =
      parse_in_entry("x 7, -1, 0f3F800000, 0d3FF0000000000000, 1.5, WARP_SZ, 0x10U;");
  const auto& list = instruction(module, 0).operands;
  for (const Operand& operand : list) CHECK(operand.kind == Kind::immediate);
  CHECK(list[0].bits == 7);
  CHECK(list[1].bits == ~std::uint64_t{0});
  CHECK(list[2].bits == 0x3f800000);
  CHECK(list[2].literal == Operand::Literal::f32_bits);
  CHECK(list[3].literal == Operand::Literal::f64_bits);
  CHECK(list[4].literal == Operand::Literal::decimal_float);
  CHECK(list[5].bits == 32);
  CHECK(list[6].bits == 16);
}

TEST_CASE("addresses have a register, a symbol or nothing as their base",
          "[emulator][ptx][operands]") {
  const Module module = parse_in_entry(
      ".shared .b8 tile[64]; x [%rd1], [arg+4], [tile+-4], [64], [%rd2-8+4], [-16];");
  const auto& list = instruction(module, 0).operands;
  CHECK(list[0].reg != kNoIndex);
  CHECK(list[0].offset == 0);
  CHECK(list[1].text == "arg");
  CHECK(list[1].variable == kNoIndex);
  CHECK(list[1].offset == 4);
  CHECK(list[2].text == "tile");
  CHECK(list[2].variable == 0);
  CHECK(list[2].offset == -4);
  CHECK(list[3].reg == kNoIndex);
  CHECK(list[3].text.empty());
  CHECK(list[3].offset == 64);
  CHECK(list[4].offset == -4);
  CHECK(list[5].offset == -16);
}

TEST_CASE("what follows a comma in an address are its elements", "[emulator][ptx][operands]") {
  const Module module = parse_in_entry(
      "tex.2d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [%rd1, {%f0, %f1}];\n"
      "tex.1d.v4.f32.s32 {%f0, %f1, %f2, %f3}, [image, sampler, {%r1}];");
  const Operand& first = instruction(module, 0).operands.at(1);
  REQUIRE(first.elements.size() == 1);
  CHECK(first.elements[0].kind == Kind::vector);
  CHECK(first.elements[0].elements.size() == 2);
  const Operand& second = instruction(module, 1).operands.at(1);
  CHECK(second.text == "image");
  REQUIRE(second.elements.size() == 2);
  CHECK(second.elements[0].kind == Kind::symbol);
  CHECK(second.elements[0].text == "sampler");
}

TEST_CASE("pairs, negated predicates, sinks and symbols are told apart",
          "[emulator][ptx][operands]") {
  const Module module = parse_in_entry("x %p1|%p2, _|%p3, !%p0, table+16, _;");
  const auto& list = instruction(module, 0).operands;
  REQUIRE(list[0].kind == Kind::pair);
  CHECK(register_name(module, list[0].elements[1]) == "%p2");
  CHECK(list[1].elements[0].kind == Kind::sink);
  CHECK(list[2].kind == Kind::reg);
  CHECK(list[2].negated);
  CHECK(list[3].kind == Kind::symbol);
  CHECK(list[3].text == "table");
  CHECK(list[3].offset == 16);
  CHECK(list[4].kind == Kind::sink);
}

TEST_CASE("special registers are known by name", "[emulator][ptx][operands]") {
  const Module module = parse_in_entry(
      "x %tid.x, %nctaid.z, %laneid, %envreg31, %clock64, %lanemask_lt, %cluster_ctarank, "
      "%dynamic_smem_size, %tid;");
  const auto& list = instruction(module, 0).operands;
  for (const Operand& operand : list) CHECK(operand.kind == Kind::special);
  CHECK(list[0].text == "tid.x");
  CHECK(list[3].text == "envreg31");
  CHECK(list[8].text == "tid");
  CHECK(body_error("x %tidx;") == "register '%tidx' is not declared");
  CHECK(body_error("x %tid.q;") == "register '%tid.q' is not declared");
  CHECK(body_error("x %laneid.x;") == "register '%laneid.x' is not declared");
  CHECK(body_error("x %envreg;") == "register '%envreg' is not declared");
  CHECK(body_error("x %r10;") == "register '%r10' is not declared");
}

TEST_CASE("a declared register wins over a special one of its name", "[emulator][ptx][operands]") {
  const Module module = parse_in_entry(".reg .u32 %laneid; x %laneid;");
  CHECK(register_name(module, instruction(module, 0).operands[0]) == "%laneid");
}

TEST_CASE("ranges of registers are expanded with their types", "[emulator][ptx][body]") {
  const Module module = parse_module(".entry k() { .reg .b16 %a<3>, b; .reg .pred %q<1>; }");
  const auto& registers = module.functions[0].registers;
  REQUIRE(registers.size() == 5);
  CHECK(registers[2].name == "%a2");
  CHECK(registers[2].type == Type::b16);
  CHECK(registers[3].name == "b");
  CHECK(registers[4].name == "%q0");
  CHECK(registers[4].type == Type::pred);
}

TEST_CASE("vector registers are their elements", "[emulator][ptx][operands]") {
  const Module module = parse_in_entry(".reg .v2 .f32 v, w<2>; x v, v.y, w1.x, v.r;");
  const auto& list = instruction(module, 0).operands;
  REQUIRE(list[0].kind == Kind::vector);
  CHECK(register_name(module, list[0].elements[0]) == "v.x");
  CHECK(register_name(module, list[0].elements[1]) == "v.y");
  CHECK(register_name(module, list[1]) == "v.y");
  CHECK(register_name(module, list[2]) == "w1.x");
  CHECK(register_name(module, list[3]) == "v.x");
  CHECK(body_error(".reg .v2 .f32 v; x v.z;") == "'v' has no element '.z'");
}

TEST_CASE("a selector of a video instruction is kept apart from a plain register",
          "[emulator][ptx][operands]") {
  const Module module = parse_in_entry("vadd.s32.u32.s32.sat %r1, %r2.b3, %r3.h1;");
  const auto& list = instruction(module, 0).operands;
  CHECK(list[0].kind == Kind::reg);
  CHECK(list[1].kind == Kind::selected);
  CHECK(list[1].text == "b3");
  CHECK(list[2].text == "h1");
}

TEST_CASE("branches reach labels before and after them, also at the end",
          "[emulator][ptx][labels]") {
  const Module module = parse_in_entry("TOP: @%p1 bra END;\nMID:\nbra.uni TOP; bra MID;\nEND:");
  CHECK(instruction(module, 0).operands[0].kind == Kind::label);
  CHECK(instruction(module, 0).operands[0].text == "END");
  CHECK(instruction(module, 0).operands[0].target == 3);
  CHECK(instruction(module, 1).operands[0].target == 0);
  CHECK(instruction(module, 2).operands[0].target == 1);
}

TEST_CASE("a label belongs to its braces", "[emulator][ptx][labels]") {
  const Module module =
      parse_in_entry("L: { bra L; x; L: { bra L; bra OUT; } } { bra L; x; L: } bra L; OUT:");
  const auto target = [&](std::size_t i) { return instruction(module, i).operands[0].target; };
  CHECK(target(0) == 2);
  CHECK(target(2) == 2);
  CHECK(target(3) == 7);
  CHECK(target(4) == 6);
  CHECK(target(6) == 0);
}

TEST_CASE("labels that are missing or repeated are errors", "[emulator][ptx][labels]") {
  CHECK(body_error("bra L;") == "no label 'L' in this function");
  CHECK(body_error("bra L; { L: }") == "no label 'L' in this function");
  CHECK(body_error("L: L:") == "label 'L' is defined twice");
  CHECK(body_error("bra %r;") == "no label '%r' in this function");
  CHECK(body_error("bra 7;") == "expected a label, found '7'");
}

TEST_CASE("inline PTX may repeat the names of its registers", "[emulator][ptx][body]") {
  const Module module = parse_in_entry(
      "{ .reg .u32 t; mov.u32 t, 1; } { .reg .u64 t; mov.u64 t, 2; { .reg .f32 t; x t; } x t; }");
  const auto type = [&](std::size_t i) {
    return module.functions[0].registers[instruction(module, i).operands[0].reg].type;
  };
  CHECK(type(0) == Type::u32);
  CHECK(type(1) == Type::u64);
  CHECK(type(2) == Type::f32);
  CHECK(type(3) == Type::u64);
}

TEST_CASE("the parameters of calls are variables of their braces", "[emulator][ptx][calls]") {
  const Module module = parse_in_entry(R"(
    { .param .b64 param0; st.param.b64 [param0], %rd1; .param .b32 retval0;
      call.uni (retval0), f, (param0); ld.param.b32 %r1, [retval0]; }
    { .param .align 8 .b8 param0[16]; st.param.b64 [param0+8], %rd1; call g, (param0); })");
  const Function& k = module.functions[0];
  REQUIRE(k.variables.size() == 3);
  CHECK(k.variables[0].space == Space::param);
  CHECK(k.variables[0].scope == k.variables[1].scope);
  CHECK(k.variables[0].scope != k.variables[2].scope);
  CHECK(instruction(module, 0).operands[0].variable == 0);
  const auto& call = instruction(module, 1).operands;
  REQUIRE(call.size() == 3);
  CHECK(call[0].kind == Kind::vector);
  CHECK(call[0].elements.at(0).variable == 1);
  CHECK(call[1].text == "f");
  CHECK(call[1].variable == kNoIndex);
  CHECK(call[2].elements.at(0).variable == 0);
  CHECK(instruction(module, 2).operands[1].variable == 1);
  CHECK(instruction(module, 3).operands[0].variable == 2);
  CHECK(instruction(module, 3).operands[0].offset == 8);
  CHECK(instruction(module, 4).operands.at(0).text == "g");
}

TEST_CASE("every form of call is read", "[emulator][ptx][calls]") {
  const Module module = parse_in_entry(R"(
    proto: .callprototype (.param .b32 _) _ (.param .b32 _, .param .align 8 .b8 _[16]) .noreturn;
    targets: .calltargets f, g;
    call f;
    call f, ();
    call (%r1), f, (%r2, 7);
    call (%r1), %rd1, (%r2), proto;
    call %rd1, (%r2), targets;)");
  CHECK(instruction(module, 0).operands.size() == 1);
  CHECK(instruction(module, 1).operands.at(1).elements.empty());
  CHECK(instruction(module, 2).operands.at(2).elements.at(1).kind == Kind::immediate);
  const auto& indirect = instruction(module, 3).operands;
  REQUIRE(indirect.size() == 4);
  CHECK(indirect[1].kind == Kind::reg);
  CHECK(indirect[3].text == "proto");
  const Function& proto = module.functions[0].prototypes.at("proto");
  CHECK(proto.noreturn);
  CHECK(proto.returns.size() == 1);
  CHECK(proto.parameters.at(1).size_bytes == 16);
  CHECK(module.functions[0].call_targets.at("targets") == std::vector<std::string_view>{"f", "g"});
}

TEST_CASE("a branch table lists instructions", "[emulator][ptx][labels]") {
  const Module module =
      parse_in_entry("ts: .branchtargets A, B, A, END;\nA: brx.idx %r1, ts;\nB: ret;\nEND:");
  CHECK(module.functions[0].branch_tables.at("ts") == std::vector<std::uint32_t>{0, 1, 0, 2});
  CHECK(instruction(module, 0).operands[1].kind == Kind::symbol);
  CHECK(instruction(module, 0).operands[1].text == "ts");
}

TEST_CASE("tables and prototypes of one name in two scopes stay apart", "[emulator][ptx][labels]") {
  const Module module = parse_in_entry(
      "{ ts: .branchtargets L; brx.idx %r1, ts; L: } { ts: .branchtargets L; brx.idx %r1, ts; x; "
      "L: }");
  const Function& k = module.functions[0];
  const auto& first = k.branch_tables.at(instruction(module, 0).operands[1].text);
  const auto& second = k.branch_tables.at(instruction(module, 1).operands[1].text);
  CHECK(first == std::vector<std::uint32_t>{1});
  CHECK(second == std::vector<std::uint32_t>{3});
}

TEST_CASE("shared and local variables may be declared in a body", "[emulator][ptx][body]") {
  const Module module = parse_in_entry(
      ".local .align 16 .b8 depot[32]; .shared .f32 tile[8][4]; .extern .shared .b8 more[]; "
      "mov.u64 %rd1, depot; mov.u64 %rd2, tile+4;");
  const Function& k = module.functions[0];
  CHECK(k.variables[0].space == Space::local);
  CHECK(k.variables[1].size_bytes == 128);
  CHECK(k.variables[2].linkage == Linkage::external);
  CHECK(instruction(module, 0).operands[1].variable == 0);
  CHECK(instruction(module, 1).operands[1].variable == 1);
  CHECK(instruction(module, 1).operands[1].offset == 4);
}

TEST_CASE("wrong bodies are errors", "[emulator][ptx][body]") {
  CHECK(body_error("add %r1 %r2;") == "expected ',' or ';' after operand, found '%r2'");
  CHECK(body_error("add %r1,;") == "expected an operand, found ';'");
  CHECK(body_error("foo bar") == "expected ',' or ';' after operand, found '}'");
  CHECK(body_error("foo") == "expected an operand, found '}'");
  CHECK(body_error("7;") == "expected an instruction, a directive, a label or '}', found '7'");
  CHECK(body_error("@%r1 bra L;") == "'%r1' is not a predicate register");
  CHECK(body_error("@q bra L;") == "'q' is not a predicate register");
  CHECK(body_error("@%p1 { }") == "expected an instruction, found '{'");
  CHECK(body_error(".reg .u32 %r<3>;") == "'%r' is declared twice in this scope");
  CHECK(body_error(".reg .u32 a, a;") == "'a' is declared twice in this scope");
  CHECK(body_error(".shared .u32 a; .local .u32 a;") == "'a' is declared twice in this scope");
  CHECK(body_error(".bogus;") == "unknown directive '.bogus' in a function");
  CHECK(body_error("x [f+];") == "expected the offset, found ']'");
  CHECK(body_error("x [%r1;") == "expected ']' after an address, found ';'");
  CHECK(body_error("x [1.5];") == "an address must be an integer");
  CHECK(body_error("x [{%r1}];") ==
        "an address is [register], [symbol] or [number], each with an offset");
  CHECK(body_error("x {{%r1}};") == "a vector cannot hold vectors or addresses");
  CHECK(body_error("x {%r1;") == "expected '}' after the elements of a vector, found ';'");
  CHECK(body_error("x !7;") == "'!' needs a predicate register, found '7'");
  CHECK(body_error("x %r1|7;") == "'|' joins two destination registers");
  CHECK(module_error(".entry k() { ret;") == "the body of 'k' is never closed");
}
