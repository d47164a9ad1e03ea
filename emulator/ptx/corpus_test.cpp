#include <algorithm>
#include <catch2/generators/catch_generators.hpp>
#include <chrono>
#include <fstream>
#include <iterator>
#include <random>

#include "emulator/ptx/testing.h"

// Modules that nvcc made of the programs in emulator/tests/ptx_corpus.

using namespace warpsim::ptx;
namespace {

std::string read(const std::string& name) {
  std::ifstream file(std::string(WARPSIM_TEST_DATA) + "/ptx_corpus/" + name, std::ios::binary);
  REQUIRE(file);
  return {std::istreambuf_iterator<char>(file), {}};
}

const Function& function(const Module& module, std::string_view name) {
  return module.functions.at(module.function_index.at(name));
}

const Variable& variable(const Module& module, std::string_view name) {
  return module.variables.at(module.variable_index.at(name));
}

constexpr auto kKernel = "_Z5callsPf4Pairid";

void check_operand(const Module& module, const Function& f, const Operand& operand) {
  if (operand.kind == Operand::Kind::reg) CHECK(operand.reg < f.registers.size());
  if (operand.kind == Operand::Kind::label) CHECK(operand.target <= f.instructions.size());
  if (operand.variable != kNoIndex) CHECK(f.variables.at(operand.variable).name == operand.text);
  const bool named =
      operand.kind == Operand::Kind::symbol || operand.kind == Operand::Kind::address;
  if (named && operand.variable == kNoIndex && !operand.text.empty()) {
    const auto is_parameter = [&](const std::vector<Variable>& list) {
      return std::any_of(list.begin(), list.end(),
                         [&](const Variable& v) { return v.name == operand.text; });
    };
    INFO(std::string(operand.text));
    CHECK((is_parameter(f.parameters) || is_parameter(f.returns) ||
           module.variable_index.contains(operand.text) ||
           module.function_index.contains(operand.text) || f.prototypes.contains(operand.text)));
  }
  for (const Operand& element : operand.elements) check_operand(module, f, element);
}

}  // namespace

TEST_CASE("every name in a real module is resolved", "[emulator][ptx][corpus]") {
  const auto* const name = GENERATE("calls.ptx", "calls_debug.ptx", "separate.ptx");
  const Module module = parse_text(read(name));
  CHECK(module.isa_version == 90);
  for (const Function& f : module.functions) {
    for (const Instruction& instruction : f.instructions) {
      if (instruction.guard.reg != kNoIndex) {
        CHECK(f.registers.at(instruction.guard.reg).type == Type::pred);
      }
      for (const Operand& operand : instruction.operands) check_operand(module, f, operand);
    }
  }
}

TEST_CASE("a module with calls has the functions and variables of its program",
          "[emulator][ptx][corpus]") {
  const Module module = parse_text(read("calls.ptx"));
  const Function& k = function(module, kKernel);
  CHECK(k.is_entry);
  CHECK(k.limits.max_threads[0] == 128);
  CHECK(k.limits.min_blocks_per_sm == 2);
  CHECK(k.parameters.at(1).size_bytes == 16);
  CHECK(function(module, "vprintf").is_declaration);
  CHECK_FALSE(function(module, "_Z8add_pairi4Pair").is_declaration);
  CHECK(k.prototypes.size() == 3);  // chosen, records[].function, the virtual destructor
  CHECK(variable(module, "table").initial ==
        std::vector<std::uint8_t>{1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4});
  const Variable& pointers = variable(module, "pointers");
  REQUIRE(pointers.relocations.size() == 2);
  CHECK(pointers.relocations[1].symbol == "table");
  CHECK(pointers.relocations[1].addend == 8);
  CHECK(pointers.relocations[1].generic);
  const Variable& records = variable(module, "records");
  CHECK(records.size_bytes == 48);
  REQUIRE(records.relocations.size() == 2);
  CHECK(records.relocations[1].offset == 32);
  CHECK(records.relocations[1].symbol == "_Z8add_pairi4Pair");
  CHECK(variable(module, "dynamic_shared").linkage == Linkage::external);
}

TEST_CASE("an inlined call in a real module leads to the kernel's line",
          "[emulator][ptx][corpus]") {
  const Module module = parse_text(read("calls.ptx"));
  CHECK(module.files.at(1) == "calls.cu");
  // table[x & 3] in inner(), called by outer(), called in the kernel.
  const auto inner =
      std::find_if(module.locations.begin(), module.locations.end(),
                   [](const SourceLocation& l) { return l.inlined_function == "_Z5inneri"; });
  REQUIRE(inner != module.locations.end());
  CHECK(inner->line == 35);
  const SourceLocation& outer = module.locations.at(inner->inlined_at);
  CHECK(outer.line == 36);
  CHECK(outer.inlined_function == "_Z5outeri");
  CHECK(module.locations.at(outer.inlined_at).line == 48);
  CHECK(module.locations.at(outer.inlined_at).inlined_at == kNoIndex);
}

TEST_CASE("external symbols of a separately compiled unit are declarations",
          "[emulator][ptx][corpus]") {
  const Module module = parse_text(read("separate.ptx"));
  CHECK(function(module, "_Z9elsewherei").is_declaration);
  CHECK(function(module, "_Z9elsewherei").linkage == Linkage::external);
  CHECK(function(module, "_Z8exportedi").linkage == Linkage::visible);
  CHECK(variable(module, "external_value").linkage == Linkage::external);
  CHECK(variable(module, "external_weights").space == Space::constant);
  CHECK(variable(module, "defined_here").initial.at(0) == 4);
}

TEST_CASE("a module can be moved and read afterwards", "[emulator][ptx][corpus]") {
  Module module = parse_text(read("calls.ptx"));
  const Module moved = std::move(module);
  const Function& k = function(moved, kKernel);
  CHECK(k.name == kKernel);
  for (const Register& r : k.registers) CHECK(!r.name.empty());
  CHECK(std::any_of(k.registers.begin(), k.registers.end(),
                    [](const Register& r) { return r.name == "%rd17"; }));
}

TEST_CASE("every truncation of a real module is answered", "[emulator][ptx][hostile]") {
  const std::string text = read(GENERATE("separate.ptx", "calls.ptx"));
  // Every byte of the small one, a sample of the other.
  const std::size_t step = text.size() < 4000 ? 1 : 13;
  for (std::size_t size = 0; size < text.size(); size += step) {
    ParseError error;
    // Blank or a whole prefix may be right; anything else must say why not.
    if (!parse(text.substr(0, size), error)) {
      CHECK(!error.message.empty());
      CHECK(!error.render("x.ptx", text).empty());
    }
  }
}

TEST_CASE("random damage to a real module is answered", "[emulator][ptx][hostile]") {
  const std::string text = read("calls.ptx");
  std::mt19937 random(20);
  const auto below = [&](std::size_t n) { return random() % n; };
  constexpr std::string_view kBytes = "{}()[];:,.@%<>_0x9f\"/*!|-+ \n\xff";
  for (int round = 0; round < 1500; ++round) {
    std::string damaged = text;
    for (std::size_t n = 1 + below(4); n > 0; --n) {
      const std::size_t at = below(damaged.size());
      switch (below(4)) {
        case 0:
          damaged[at] = kBytes[below(kBytes.size())];
          break;
        case 1:
          damaged[at] = static_cast<char>(below(256));
          break;
        case 2:
          damaged.erase(at, 1 + below(40));
          break;
        default:
          damaged.insert(at, damaged.substr(below(damaged.size()), 1 + below(40)));
      }
    }
    ParseError error;
    const std::string copy = damaged;
    if (!parse(std::move(damaged), error)) {
      CHECK(error.line >= 1);
      CHECK(!error.message.empty());
      CHECK(!error.render("x.ptx", copy).empty());
    }
  }
}
