#include "emulator/isa/description.h"

#include <catch2/catch_test_macros.hpp>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "emulator/isa/row.h"
#include "emulator/tests/golden_runner/expand.h"

// Compares what rows say about their opcodes with the forms that they list.

namespace warpsim::golden {
namespace {

template <class R>
concept MayLeaveOutWhatItDoes = requires {
  R{.name = "x", .forms = "x d, a", .bind = nullptr};
};
static_assert(!MayLeaveOutWhatItDoes<Row>);

/// An expanded form, "ld.global.u32 d, [a]", as a parsed instruction.
struct FormInstruction {
  std::string text;  // what `instruction` points into
  std::vector<std::string> operands;
  ptx::Instruction instruction;

  explicit FormInstruction(std::string form) : text(std::move(form)) {
    const std::size_t space = std::min(text.find(' '), text.size());
    std::string_view rest = std::string_view(text).substr(0, space);
    for (bool first = true; !rest.empty(); first = false) {
      const std::size_t dot = std::min(rest.find('.'), rest.size());
      const std::string_view part = rest.substr(0, dot);
      rest.remove_prefix(std::min(dot + 1, rest.size()));
      if (first) {
        instruction.opcode = part;
      } else {
        instruction.modifiers.push_back(part);
      }
    }
    split(space == text.size() ? "" : text.substr(space + 1));
    for (std::uint32_t i = 0; i < operands.size(); ++i) {
      ptx::Operand& operand = instruction.operands.emplace_back();
      operand.kind = kind_of(operands[i]);
      if (operand.kind != ptx::Operand::Kind::label) operand.reg = i;
    }
  }

  /// Whether the manual's notation calls the first operand a result.
  [[nodiscard]] bool names_result() const {
    if (operands.empty()) return false;
    const std::string& first = operands.front();
    return first == "d" || first == "p" || first == "_" || first.starts_with("d|") ||
           first.starts_with("p|") || first.starts_with("p[|") || first.starts_with("{d");
  }
  [[nodiscard]] bool has_address() const { return address_of(instruction) != nullptr; }

 private:
  void split(const std::string& list) {
    int depth = 0;
    std::string now;
    for (const char c : list) {
      if (c == '[' || c == '{' || c == '(') ++depth;
      if (c == ']' || c == '}' || c == ')') --depth;
      if (c == ',' && depth == 0) {
        operands.push_back(now);
        now.clear();
      } else if (c != ' ' || depth > 0) {
        now += c;
      }
    }
    if (!now.empty()) operands.push_back(now);
  }

  static ptx::Operand::Kind kind_of(const std::string& text) {
    using Kind = ptx::Operand::Kind;
    if (text.starts_with('[')) return Kind::address;
    if (text.starts_with('{') || text.starts_with('(')) return Kind::vector;
    if (text == "label") return Kind::label;
    return text.find('|') == text.npos ? Kind::reg : Kind::pair;
  }
};

/// Calls `check` with each form of the table, the refused ones left out.
template <class F>
void for_each_form(F check) {
  for (const Family& family : instruction_table(SimdLevel::baseline)) {
    for (const Row& row : family) {
      if (!row.unsupported.empty()) continue;
      std::istringstream lines{std::string(row.forms)};
      for (std::string line; std::getline(lines, line);) {
        for (const Expansion& form : expand(line)) {
          const FormInstruction parsed(form.text);
          INFO(form.text);
          check(parsed, describe(parsed.instruction));
        }
      }
    }
  }
}

bool has_any(const ptx::Instruction& instruction, std::initializer_list<const char*> modifiers) {
  return std::ranges::any_of(modifiers, [&](const char* m) { return instruction.has(m); });
}

TEST_CASE("rows of one opcode say that it does the same", "[golden][description]") {
  std::map<std::string_view, const Semantics*> known;
  for (const Family& family : instruction_table(SimdLevel::baseline)) {
    for (const Row& row : family) {
      INFO(row.name);
      CHECK(known.try_emplace(row.name, &row.does).first->second == &row.does);
    }
  }
}

TEST_CASE("an instruction writes its first operand where its form calls it a result",
          "[golden][description]") {
  for_each_form([](const FormInstruction& form, const Description& does) {
    const bool writes =
        !form.operands.empty() && role_of(does, form.instruction, 0) == OperandRole::written;
    CHECK(writes == form.names_result());
    const RegisterUse use = register_use(form.instruction);
    CHECK(use.writes.size() == (writes ? 1 : 0));
    for (std::size_t i = 1; i < form.operands.size(); ++i) {
      CHECK(role_of(does, form.instruction, i) != OperandRole::written);
    }
  });
}

TEST_CASE("what is pure has a result, and neither memory nor other lanes",
          "[golden][description]") {
  std::size_t pure = 0;
  for_each_form([&](const FormInstruction& form, const Description& does) {
    if (does.effect != Effect::pure) return;
    ++pure;
    CHECK(form.names_result());
    CHECK_FALSE(form.has_address());
    CHECK_FALSE(form.instruction.has("sync"));
    CHECK_FALSE(form.instruction.has("cc"));
    CHECK(does.control == Control::next);
    CHECK(does.convergence == Convergence::none);
    CHECK_FALSE(does.varies);
  });
  CHECK(pure > 1000);
}

TEST_CASE("accesses have an address, and atomics an operation", "[golden][description]") {
  std::set<Effect> seen;
  for_each_form([&](const FormInstruction& form, const Description& does) {
    seen.insert(does.effect);
    const bool access = does.effect == Effect::load || does.effect == Effect::store ||
                        does.effect == Effect::atomic;
    if (access) CHECK(form.has_address());
    if (does.effect == Effect::load) CHECK(form.names_result());
    if (does.effect == Effect::store) CHECK_FALSE(form.names_result());
    CHECK((does.effect == Effect::atomic) == (does.atomic != AtomicOperation::none));
    if (form.instruction.has("global") && access) CHECK(does.space == ptx::Space::global);
    if (has_any(form.instruction, {"shared", "shared::cta", "shared::cluster"}) && access) {
      CHECK(does.space == ptx::Space::shared);
    }
    if (access) CHECK(does.type != ptx::Type::none);
  });
  CHECK(seen.size() == 10);  // every effect is somebody's
}

TEST_CASE("what is for several lanes brings them together", "[golden][description]") {
  for_each_form([](const FormInstruction& form, const Description& does) {
    if (has_any(form.instruction, {"sync", "aligned"})) {
      CHECK(does.convergence != Convergence::none);
    }
    if (does.effect == Effect::barrier || does.effect == Effect::collective) {
      CHECK(does.convergence != Convergence::none);
    }
    const auto members = std::ranges::find(form.operands, "members");
    if (members != form.operands.end()) CHECK(does.members == members - form.operands.begin());
    if (does.members >= 0) {
      CHECK(role_of(does, form.instruction, static_cast<std::size_t>(does.members)) ==
            OperandRole::members);
    }
  });
}

TEST_CASE("branches have a label, and nothing else has", "[golden][description]") {
  for_each_form([](const FormInstruction& form, const Description& does) {
    const bool label = std::ranges::find(form.operands, "label") != form.operands.end();
    const bool table = form.operands.size() == 2 && form.operands[1] == "table";
    CHECK((does.control == Control::branch) == label);
    CHECK((does.control == Control::indexed_branch) == table);
    CHECK((does.effect == Effect::branch) == (label || table));
    if (does.control != Control::next) CHECK_FALSE(does.has_result);
  });
}

TEST_CASE("only arithmetic of floating-point types counts as such", "[golden][description]") {
  for_each_form([](const FormInstruction& form, const Description& does) {
    const bool floats =
        std::ranges::any_of(form.instruction.modifiers, [](std::string_view modifier) {
          const auto type = ptx::parse_type(modifier);
          return type && ptx::is_float(*type);
        });
    if (!floats) CHECK(does.flops == 0);
    if (does.flops != 0) CHECK(does.unit != ArithmeticUnit::none);
    CHECK((does.matrix_work != 0) == (does.unit == ArithmeticUnit::matrix));
  });
}

TEST_CASE("an opcode that no row has does nothing that is known", "[golden][description]") {
  const Description does = describe(FormInstruction("frobnicate.u32 d, a").instruction);
  CHECK(does.effect == Effect::other);
  CHECK(does.has_result);
}

}  // namespace
}  // namespace warpsim::golden
