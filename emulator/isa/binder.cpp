#include "emulator/isa/binder.h"

#include <bit>

namespace warpsim {
namespace {

/// The immediate as a value of `type`: integers are truncated, floats converted to its format.
std::uint64_t convert_immediate(const ptx::Operand& operand, ptx::Type type) {
  using Literal = ptx::Operand::Literal;
  switch (operand.literal) {
    case Literal::integer:
      return operand.bits;
    case Literal::f32_bits: {
      if (type != ptx::Type::f64) return operand.bits;
      const auto value = std::bit_cast<float>(static_cast<std::uint32_t>(operand.bits));
      return std::bit_cast<std::uint64_t>(static_cast<double>(value));
    }
    case Literal::f64_bits:
    case Literal::decimal_float: {
      if (type != ptx::Type::f32) return operand.bits;
      const auto value = static_cast<float>(std::bit_cast<double>(operand.bits));
      return std::bit_cast<std::uint32_t>(value);
    }
  }
  return operand.bits;
}

}  // namespace

bool Binder::take(std::string_view modifier) {
  for (std::size_t i = 0; i < source_->modifiers.size() && i < 64; ++i) {
    if (!((taken_ >> i) & 1) && source_->modifiers[i] == modifier) {
      taken_ |= std::uint64_t{1} << i;
      return true;
    }
  }
  return false;
}

int Binder::take_one_of(std::initializer_list<std::string_view> modifiers) {
  int position = 0;
  for (const auto modifier : modifiers) {
    if (take(modifier)) return position;
    ++position;
  }
  return -1;
}

ptx::Type Binder::take_type() {
  for (std::size_t i = 0; i < source_->modifiers.size() && i < 64; ++i) {
    if ((taken_ >> i) & 1) continue;
    if (const auto type = ptx::parse_type(source_->modifiers[i])) {
      taken_ |= std::uint64_t{1} << i;
      return *type;
    }
  }
  return ptx::Type::none;
}

ptx::Type Binder::peek_type() const {
  for (std::size_t i = 0; i < source_->modifiers.size() && i < 64; ++i) {
    if ((taken_ >> i) & 1) continue;
    if (const auto type = ptx::parse_type(source_->modifiers[i])) return *type;
  }
  return ptx::Type::none;
}

ptx::Space Binder::take_space() {
  for (std::size_t i = 0; i < source_->modifiers.size() && i < 64; ++i) {
    if ((taken_ >> i) & 1) continue;
    std::string_view text = source_->modifiers[i];
    if (const auto colon = text.find("::"); colon != text.npos) {
      const auto base = text.substr(0, colon);
      const auto scope = text.substr(colon + 2);
      if ((base == "shared" && scope == "cta") || (base == "param" && scope == "entry") ||
          (base == "param" && scope == "func")) {
        text = base;
      } else {
        continue;
      }
    }
    if (const auto space = ptx::parse_space(text); space && *space != ptx::Space::generic) {
      taken_ |= std::uint64_t{1} << i;
      return *space;
    }
  }
  return ptx::Space::generic;
}

void Binder::unsupported(std::string_view reason) const {
  throw UnsupportedForm{.reason = std::string(reason)};
}

std::size_t Binder::operand_count() const {
  return source_->operands.size();
}

const ptx::Operand& Binder::operand(std::size_t i) const {
  if (i >= source_->operands.size()) unsupported("too few operands");
  return source_->operands[i];
}

// A predicate's slot is smaller than a value's and not aligned: one must not be taken for the
// other.
std::int32_t Binder::slot_of(std::uint32_t reg, bool as_predicate) {
  const bool is_predicate = slots_->register_type(reg) == ptx::Type::pred;
  if (is_predicate && !as_predicate) unsupported("a predicate where a value belongs");
  if (!is_predicate && as_predicate) unsupported("a value where a predicate belongs");
  return slots_->register_slot(reg);
}

std::int32_t Binder::value_slot(std::uint32_t reg) {
  return slot_of(reg, false);
}

std::int32_t Binder::destination(const ptx::Operand& operand, bool predicate) {
  if (operand.kind == ptx::Operand::Kind::sink) return scratch(256);
  if (operand.kind != ptx::Operand::Kind::reg) unsupported("destination is not a register");
  return slot_of(operand.reg, predicate);
}

std::int32_t Binder::first_destination(std::size_t i, bool predicate) {
  const auto& operand = this->operand(i);
  if (operand.kind != ptx::Operand::Kind::pair) return destination(operand, predicate);
  if (operand.elements.empty()) unsupported("empty destination pair");
  return destination(operand.elements[0], predicate);
}

std::int32_t Binder::dst(std::size_t i) {
  return first_destination(i, false);
}

std::int32_t Binder::dst_pred(std::size_t i) {
  return first_destination(i, true);
}

std::int32_t Binder::dst_pair(std::size_t i) {
  const auto& operand = this->operand(i);
  if (operand.kind != ptx::Operand::Kind::pair || operand.elements.size() < 2) return -1;
  return destination(operand.elements[1], true);
}

std::int32_t Binder::src(std::size_t i, ptx::Type type) {
  return src(operand(i), type);
}

std::int32_t Binder::src(const ptx::Operand& operand, ptx::Type type) {
  const std::size_t bytes = ptx::size_bytes(type);
  switch (operand.kind) {
    case ptx::Operand::Kind::reg:
      return slot_of(operand.reg, type == ptx::Type::pred);
    case ptx::Operand::Kind::immediate: {
      if (type == ptx::Type::pred) return slots_->constant_slot(operand.bits ? 1 : 0, 0);
      const bool narrow = bytes == 1;  // 8-bit values travel in 16-bit slots
      return slots_->constant_slot(convert_immediate(operand, type), narrow ? 2 : bytes);
    }
    case ptx::Operand::Kind::special:
      return slots_->special_slot(operand.text, bytes);
    case ptx::Operand::Kind::symbol:
    case ptx::Operand::Kind::address:
      return slots_->symbol_slot(operand, bytes);
    default:
      unsupported("operand is not a value");
  }
}

std::int32_t Binder::src_pred(std::size_t i, bool& negated) {
  negated = operand(i).negated;
  return src(i, ptx::Type::pred);
}

ptx::Type Binder::register_type(const ptx::Operand& operand) const {
  if (operand.kind != ptx::Operand::Kind::reg) return ptx::Type::none;
  return slots_->register_type(operand.reg);
}

bool Binder::immediate(std::size_t i, std::uint64_t& bits) const {
  if (operand(i).kind != ptx::Operand::Kind::immediate) return false;
  bits = operand(i).bits;
  return true;
}

std::int32_t Binder::carry_slot() {
  return slots_->carry_slot();
}

std::int32_t Binder::scratch(std::size_t bytes) {
  return slots_->allocate(bytes);
}

void Binder::finish() const {
  for (std::size_t i = 0; i < source_->modifiers.size(); ++i) {
    if (i >= 64 || !((taken_ >> i) & 1)) {
      unsupported("modifier '." + std::string(source_->modifiers[i]) + "'");
    }
  }
}

}  // namespace warpsim
