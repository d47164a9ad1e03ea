#include "emulator/isa/video_operand.h"

#include <fmt/format.h>

namespace warpsim {
namespace {

using Kind = ptx::Operand::Kind;

ptx::Operand whole_register(const ptx::Operand& selected) {
  ptx::Operand operand;
  operand.kind = Kind::reg;
  operand.reg = selected.reg;
  return operand;
}

}  // namespace

VideoOperand video_source(Binder& binder, std::size_t i) {
  const ptx::Operand& operand = binder.operand(i);
  if (operand.kind != Kind::selected) return {binder.src(i, ptx::Type::u32), {}};
  return {binder.src(whole_register(operand), ptx::Type::u32), operand.text};
}

VideoOperand video_destination(Binder& binder, std::size_t i) {
  const ptx::Operand& operand = binder.operand(i);
  if (operand.kind != Kind::selected) return {binder.dst(i), {}};
  return {binder.src(whole_register(operand), ptx::Type::u32), operand.text};
}

Selection parse_selection(const Binder& binder, std::string_view selector, int most, int limit) {
  Selection selection;
  if (selector.empty()) return selection;
  selection.kind = selector[0];
  selection.count = static_cast<int>(selector.size()) - 1;
  bool known = (selection.kind == 'b' || selection.kind == 'h') && selection.count >= 1 &&
               selection.count <= most;
  for (int i = 0; known && i < selection.count; ++i) {
    const int part = selector[selector.size() - 1 - static_cast<std::size_t>(i)] - '0';
    known = part >= 0 && part < limit;
    selection.parts[i] = static_cast<std::uint8_t>(part);
  }
  if (!known) binder.unsupported(fmt::format("selector '.{}'", selector));
  return selection;
}

}  // namespace warpsim
