#include "emulator/isa/description.h"

#include <catch2/catch_test_macros.hpp>
#include <cctype>
#include <string_view>
#include <vector>

#include "emulator/isa/row.h"

namespace warpsim {
namespace {

/// An instruction with every modifier that the forms of a row name, which no real one has.
ptx::Instruction with_all_modifiers(const Row& row) {
  ptx::Instruction instruction;
  instruction.opcode = row.name;
  const auto is_part = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == ':' || c == '_';
  };
  const std::string_view forms = row.forms;
  for (std::size_t i = 0; i < forms.size();) {
    std::size_t end = i;
    while (end < forms.size() && is_part(forms[end])) ++end;
    if (end != i) instruction.modifiers.push_back(forms.substr(i, end - i));
    i = end + 1;
  }
  instruction.operands.resize(3);
  return instruction;
}

TEST_CASE("no modifier changes where control goes", "[emulator][isa][unit]") {
  for (const Family& family : instruction_table(SimdLevel::baseline)) {
    for (const Row& row : family) {
      INFO(row.name);
      const ptx::Instruction instruction = with_all_modifiers(row);
      CHECK(describe(instruction).control == control_of(instruction));
    }
  }
}

TEST_CASE("modifiers change the roles of operands only where the row says so",
          "[emulator][isa][unit]") {
  bool some_change = false;
  for (const Family& family : instruction_table(SimdLevel::baseline)) {
    for (const Row& row : family) {
      INFO(row.name);
      if (row.does.refine == nullptr) {
        CHECK_FALSE(row.does.refines_roles);
        continue;
      }
      Description refined = row.does.description;
      row.does.refine(with_all_modifiers(row), refined);
      const bool changes = refined.has_result != row.does.description.has_result ||
                           refined.members != row.does.description.members;
      some_change = some_change || changes;
      if (changes) CHECK(row.does.refines_roles);
    }
  }
  CHECK(some_change);
}

}  // namespace
}  // namespace warpsim
