#include "emulator/machine/possible_edits.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <iterator>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "emulator/isa/description.h"
#include "emulator/machine/edit_tables.h"
#include "emulator/machine/replace_part.h"

namespace warpsim {
namespace {

using OperandKind = ptx::Operand::Kind;
using Literal = ptx::Operand::Literal;

/// Of so many instructions of one place, each may be edited alone.
constexpr std::size_t kMostSingles = 8;

struct Proposal {
  Rank rank;
  std::string part, from, to;
};

class Proposals {
 public:
  Proposals(const EditableText& text, std::size_t at)
      : text_(text),
        instruction_(text.function().instructions[at]),
        does_(describe(instruction_)) {}

  [[nodiscard]] std::vector<Proposal> find() {
    words();
    guard();
    for (std::size_t i = 0; i < instruction_.operands.size(); ++i) operand(i);
    order();
    return std::move(found_);
  }

 private:
  void add(Rank rank, std::string part, std::string_view from, std::string_view to) {
    if (from != to) found_.push_back({rank, std::move(part), std::string(from), std::string(to)});
  }

  template <class Table>
  void replace(const Table& table, std::string_view word) {
    for (const Replacement& one : table) {
      if (one.from == word) add(one.rank, "word", word, one.to);
    }
  }

  [[nodiscard]] bool is_of_floats() const {
    return instruction_.has("f32") || instruction_.has("f64");
  }

  void words() {
    const std::string_view opcode = instruction_.opcode;
    // Sums of 64 bits are addresses, and a wider product is an index times the size of an element.
    const bool of_address = instruction_.has("s64") || instruction_.has("wide");
    if (does_.effect == Effect::pure && !of_address) replace(kOpcodes, opcode);
    if (opcode == "add" && is_of_floats()) add(kSometimes, "word", "add", "mul");
    for (const std::string_view modifier : instruction_.modifiers) {
      if (does_.compares) replace(kComparisons, modifier);
      const bool has_mode =
          does_.effect == Effect::atomic || does_.effect == Effect::collective || opcode == "cvt";
      if (has_mode) replace(kModifiers, modifier);
      const bool has_sign = does_.compares || opcode == "shr" || opcode == "div" ||
                            opcode == "rem" || opcode == "min" || opcode == "max" ||
                            opcode == "cvt" || (does_.effect == Effect::load && access() != 0);
      if (has_sign) replace(kSigns, modifier);
    }
  }

  void guard() {
    if (instruction_.guard.reg == ptx::kNoIndex) return;
    const char* from = instruction_.guard.negated ? "ifnot" : "if";
    add(kSometimes, "guard", from, "negated");
    if (does_.effect != Effect::branch && does_.effect != Effect::store) return;
    add(kRarely, "guard", from, "always");
    if (does_.effect == Effect::branch) add(kRarely, "guard", from, "never");
  }

  void operand(std::size_t i) {
    const ptx::Operand& operand = instruction_.operands[i];
    const OperandRole role = role_of(does_, instruction_, i);
    const std::string part = std::to_string(i);
    if (role == OperandRole::address) {
      if (operand.kind == OperandKind::address) address(part, operand);
      return;
    }
    if (role != OperandRole::read) return;
    if (operand.kind == OperandKind::special) specials(part, operand.text);
    if (operand.kind == OperandKind::reg) value(i, operand);
    if (operand.kind != OperandKind::immediate || !has_numbers()) return;
    if (operand.literal == Literal::integer) {
      whole_number(i, static_cast<std::int64_t>(operand.bits));
    } else {
      number(part, operand);
    }
  }

  /// Barriers, calls and returns have numbers, too.
  [[nodiscard]] bool has_numbers() const {
    return does_.effect == Effect::pure || does_.effect == Effect::store ||
           does_.effect == Effect::atomic || does_.effect == Effect::collective;
  }

  [[nodiscard]] bool is_product() const {
    return (instruction_.opcode == "mul" || instruction_.opcode == "mad") && instruction_.has("lo");
  }

  void whole_number(std::size_t i, std::int64_t value) {
    const std::string_view opcode = instruction_.opcode;
    // An index times the size of an element.
    if (opcode == "mul" && instruction_.has("wide") && (value == 4 || value == 8)) return;
    if (opcode == "shl" && instruction_.has("b64")) return;
    // The mask of lanes, and the last lane that a shuffle reads.
    if (does_.effect == Effect::collective && i > 2) return;
    const std::string part = std::to_string(i);
    const std::string from = std::to_string(value);
    const auto to = [&](Rank rank, std::int64_t other) {
      add(rank, part, from, std::to_string(other));
    };
    constexpr std::int64_t kLargest = std::int64_t{1} << 40;
    if (value > kLargest || value < -kLargest) return;
    to(kOften, value + 1);
    to(kOften, value - 1);
    if (value != 0) to(opcode == "add" ? kOften : kRarely, -value);
    if (value % 2 == 0 && value != 0) to(kSometimes, value / 2);
    if (value != 0 && value != 1) to(kSometimes, value * 2);
    if (value > 1 && is_product()) to(kRarely, value * 4);
    if (value > 1) to(kSometimes, 0);
    if (value > 2) to(kRarely, 1);
    if (value > 3 && (value & (value + 1)) == 0) {  // a mask
      to(kSometimes, value * 2 + 1);
      to(kSometimes, value / 2);
    }
    if (!does_.copies) return;
    // Neutral elements of a minimum and a maximum, and of a bitwise operation.
    for (const std::int64_t other :
         {std::int64_t{std::numeric_limits<std::int32_t>::max()},
          std::int64_t{std::numeric_limits<std::int32_t>::min()}, std::int64_t{-1}}) {
      to(kSometimes, other);
    }
  }

  void number(const std::string& part, const ptx::Operand& operand) {
    const std::string from = spelling_of(operand);
    if (from.empty()) return;
    const bool is_double = operand.literal != Literal::f32_bits;
    const std::string most = is_double ? "DBL_MAX" : "FLT_MAX";
    const std::string least = is_double ? "DBL_MIN" : "FLT_MIN";
    const auto negated = [](const std::string& text) {
      return text.starts_with('-') ? text.substr(1) : "-" + text;
    };
    if (from == "0" || from == "-0") {
      for (const std::string& to : {std::string("1"), negated("inf"), std::string("inf")}) {
        add(kOften, part, from, to);
      }
      add(kSometimes, part, from, most);
      add(kSometimes, part, from, negated(most));
      return;
    }
    add(kOften, part, from, negated(from));
    if (from == least) add(kOften, part, from, negated(most));
    if (from.ends_with("inf") || from.ends_with("_MAX") || from.ends_with("_MIN")) {
      add(kSometimes, part, from, "0");
      return;
    }
    if (from == "1" || from == "-1") add(kOften, part, from, "0");
    ptx::Operand other = operand;
    for (const double factor : {2.0, 0.5}) {
      set_to(other, factor);
      add(kSometimes, part, from, spelling_of(other));
      other = operand;
    }
  }

  static void set_to(ptx::Operand& operand, double factor) {
    if (operand.literal == Literal::f32_bits) {
      const auto value = std::bit_cast<float>(static_cast<std::uint32_t>(operand.bits));
      operand.bits = std::bit_cast<std::uint32_t>(value * static_cast<float>(factor));
    } else {
      operand.bits = std::bit_cast<std::uint64_t>(std::bit_cast<double>(operand.bits) * factor);
    }
  }

  [[nodiscard]] std::uint32_t access() const { return access_bytes(instruction_); }

  void address(const std::string& part, const ptx::Operand& operand) {
    const std::int64_t size = access();
    if (size == 0) return;
    for (const std::int64_t by : {size, -size}) {
      add(kOften, part, "address", fmt::format("{:+}", by));
    }
    if (operand.offset == 0) return;
    const std::string from = fmt::format("{:+}", operand.offset);
    add(kSometimes, part, from, "+0");
    add(kSometimes, part, from, fmt::format("{:+}", -operand.offset));
  }

  void specials(const std::string& part, std::string_view special) {
    for (const Replacement& one : kSpecials) {
      if (one.from == special) add(one.rank, part, special, one.to);
    }
  }

  void value(std::size_t i, const ptx::Operand& operand) {
    const std::string part = std::to_string(i);
    const std::string held = text_.held_by(operand.reg);
    if (!does_.copies && does_.index != IndexArithmetic::converted && !held.empty()) {
      specials(part, held);
      if (held.starts_with('p')) parameters(part, held);
    }
    const bool is_float = is_of_floats();
    if (instruction_.has("s32") && (instruction_.opcode == "add" || is_product())) {
      for (const char* factor : {"*2", "*4"}) add(kRarely, part, "value", factor);
    }
    if (does_.compares && i == 2 && !is_float && held.empty()) {
      add(kRarely, part, "value", "+1");
      add(kRarely, part, "value", "-1");
    }
    const bool of_sum = instruction_.opcode == "fma" && (i == 1 || i == 3);
    if (is_float && of_sum) add(kOften, part, "value", "negated");
  }

  void parameters(const std::string& part, const std::string& held) {
    for (const auto& [number, load] : text_.loads()) {
      add(kSometimes, part, held, fmt::format("p{}", number));
    }
    add(kSometimes, part, held, "-1");
    add(kSometimes, part, held, "+1");
  }

  void order() {
    const std::string_view opcode = instruction_.opcode;
    const std::size_t count = instruction_.operands.size();
    const auto exchange = [&](Rank rank, const char* pair) { add(rank, "order", "order", pair); };
    if ((opcode == "sub" || opcode == "div") && count == 3) exchange(kOften, "1-2");
    if (opcode == "selp" && count == 4) exchange(kSometimes, "1-2");
    const bool both = does_.index == IndexArithmetic::product_and_sum;
    if (both && count == 4) {
      exchange(kSometimes, "1-3");
      exchange(kSometimes, "2-3");
    }
  }

  const EditableText& text_;
  const ptx::Instruction& instruction_;
  Description does_;
  std::vector<Proposal> found_;
};

struct Candidate {
  Rank rank;
  std::size_t order;  // of appearance
  CodeEdit edit;
  std::size_t count = 0;  // instructions of one function that it changes
};

}  // namespace

std::vector<CodeEdit> possible_edits(std::span<const EditableText> functions, std::size_t most) {
  std::map<std::string, std::size_t> known;  // by text
  std::vector<Candidate> all;
  for (const EditableText& text : functions) {
    std::map<std::size_t, std::size_t> here;
    for (std::size_t i = 0; i < text.function().instructions.size(); ++i) {
      const EditableText::Place& place = text.place(i);
      if (place.line == 0) continue;
      for (Proposal& proposal : Proposals(text, i).find()) {
        CodeEdit edit = {.file = place.file,
                         .line = place.line,
                         .column = place.column,
                         .opcode = text.opcode(i),
                         .part = std::move(proposal.part),
                         .from = std::move(proposal.from),
                         .to = std::move(proposal.to)};
        const auto [it, is_new] = known.try_emplace(to_text(edit), all.size());
        if (is_new) all.push_back({proposal.rank, all.size(), std::move(edit)});
        ++here[it->second];
      }
    }
    for (const auto& [number, count] : here) {
      all[number].count = std::max(all[number].count, count);
    }
  }
  const std::size_t groups = all.size();
  for (std::size_t i = 0; i < groups; ++i) {
    const std::size_t count = all[i].count;
    if (count < 2 || count > kMostSingles || all[i].rank > kSometimes) continue;
    for (std::uint32_t only = 1; only <= count; ++only) {
      Candidate single = {kSingle, all.size(), all[i].edit};
      single.edit.only = only;
      all.push_back(std::move(single));
    }
  }
  std::ranges::stable_sort(all, {}, [](const Candidate& c) { return std::pair(c.rank, c.order); });
  if (all.size() > most)
    all.erase(std::next(all.begin(), static_cast<std::ptrdiff_t>(most)), all.end());
  std::vector<CodeEdit> edits;
  for (Candidate& candidate : all) edits.push_back(std::move(candidate.edit));
  return edits;
}

}  // namespace warpsim
