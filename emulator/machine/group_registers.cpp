#include "emulator/machine/group_registers.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <memory>
#include <string_view>

#include "emulator/isa/description.h"
#include "emulator/machine/faults.h"

namespace warpsim {
namespace {

using Numbers = std::unordered_map<std::uint32_t, std::uint32_t>;  // by register

const GroupWork* work_of(const GroupState& state, std::uint64_t group) {
  const auto found = std::ranges::find(state.works, group, &GroupWork::group);
  return found == state.works.end() ? nullptr : &*found;
}

void report_use(const WarpContext& context, const Inst& in, const GroupState& state,
                std::uint64_t group, std::string_view what) {
  const std::uint32_t lanes = context.warp.active;
  if (!comes_first(context, in, FindingKind::group_registers, context.executed)) return;
  Finding f = finding_at(context, in, lanes, FindingKind::group_registers);
  f.message = fmt::format("{} before wgmma.wait_group", what);
  const GroupWork* const work = work_of(state, group);
  f.got = work == nullptr ? "the wgmma is not complete"
                          : fmt::format("the wgmma at {} is not complete",
                                        describe_place(*work->site.program, *work->site.in));
  f.want = "wgmma.commit_group and wgmma.wait_group before other instructions use its registers";
  f.next =
      "Wait for the group first (warpgroup_wait<N>), with N at most the number of groups that were "
      "committed after it.";
  log(context, std::move(f));
}

void report_fence(const WarpContext& context, const Inst& in, const Inst* written) {
  if (!comes_first(context, in, FindingKind::group_fence, context.executed)) return;
  const Program& program = *context.frame().program;
  Finding f = finding_at(context, in, context.warp.active, FindingKind::group_fence);
  f.message = "wgmma uses registers that other instructions have written, without wgmma.fence";
  f.got = written == nullptr
              ? "no wgmma.fence before the kernel's first wgmma"
              : fmt::format("a register written at {}", describe_place(program, *written));
  f.want = "wgmma.fence.sync.aligned between the last write and wgmma";
  f.next =
      "Put wgmma.fence (warpgroup_arrive, warpgroup_fence) after the registers of D and A are set, "
      "before the first wgmma of a batch.";
  log(context, std::move(f));
}

GroupState* group_state_of(const WarpContext& context) {
  if (context.block->async == nullptr) return nullptr;
  GroupState* const state = async_of(const_cast<WarpContext&>(context)).groups.get();
  if (state == nullptr || state->frame != &context.frame()) return nullptr;
  return state;
}

const Inst* touch_registers(Warp& warp, const Inst& in) {
  WarpContext& context = *warp.context;
  const GroupRegisters& all = *context.frame().program->group_registers;
  const GroupRegisters::Touch& touch = all.touches.at(in.index);
  GroupState* const state = group_state_of(context);
  if (state == nullptr) return touch.run(warp, in);
  if (touch.copies && touch.reads.size() == 1 && touch.writes.size() == 1) {
    // The compiler gives the copy the same register, or one to which it belongs later.
    const GroupState::Register from = state->registers[touch.reads[0]];
    state->registers[touch.writes[0]] = from;
    return touch.run(warp, in);
  }
  for (const std::uint32_t number : touch.reads) {
    const auto& reg = state->registers[number];
    if (!state->under_way(reg.sum_of)) continue;
    report_use(context, in, *state, reg.sum_of, "an accumulator of wgmma is read");
    break;
  }
  for (const std::uint32_t number : touch.writes) {
    auto& reg = state->registers[number];
    if (state->under_way(reg.sum_of)) {
      report_use(context, in, *state, reg.sum_of, "an accumulator of wgmma is written");
    } else if (state->under_way(reg.operand_of)) {
      report_use(context, in, *state, reg.operand_of, "a register of wgmma's operand A is written");
    }
    reg = {.written = &in};
  }
  return touch.run(warp, in);
}

void collect(const ptx::Operand& operand, Numbers& numbers, std::vector<std::uint32_t>& to) {
  for (const ptx::Operand& element : operand.elements) {
    if (element.reg == ptx::kNoIndex) continue;
    const auto next = static_cast<std::uint32_t>(numbers.size());
    to.push_back(numbers.try_emplace(element.reg, next).first->second);
  }
}

}  // namespace

void watch_group_registers(Program& program) {
  auto all = std::make_shared<GroupRegisters>();
  Numbers numbers;
  for (std::uint32_t i = 0; i < program.source.size(); ++i) {
    const ptx::Instruction* const source = program.source[i];
    if (source == nullptr || !describe(*source).accumulates) continue;
    GroupRegisters::Operands& operands = all->products[i];
    collect(source->operands[0], numbers, operands.sums);
    if (source->operands[1].kind == ptx::Operand::Kind::vector) {
      collect(source->operands[1], numbers, operands.factors);
    }
  }
  all->count = static_cast<std::uint32_t>(numbers.size());
  const auto numbers_of = [&](const std::vector<std::uint32_t>& registers) {
    std::vector<std::uint32_t> found;
    for (const std::uint32_t reg : registers) {
      if (const auto at = numbers.find(reg); at != numbers.end()) found.push_back(at->second);
    }
    return found;
  };
  for (Inst& in : program.code) {
    const ptx::Instruction* const source = program.source[in.index];
    if (source == nullptr || all->products.contains(in.index)) continue;
    const RegisterUse use = register_use(*source);
    GroupRegisters::Touch touch{.run = in.run,
                                .reads = numbers_of(use.reads),
                                .writes = numbers_of(use.writes),
                                .copies = describe(*source).copies};
    if (touch.reads.empty() && touch.writes.empty()) continue;
    if (!all->touches.try_emplace(in.index, std::move(touch)).second) continue;
    in.run = touch_registers;
  }
  program.group_registers = std::move(all);
}

void begin_group_registers(WarpContext& context, const Inst& in, GroupState& state) {
  const GroupRegisters& all = *context.frame().program->group_registers;
  const GroupRegisters::Operands& operands = all.products.at(in.index);
  if (state.frame != &context.frame() || state.registers.size() != all.count) {
    state.frame = &context.frame();
    state.registers.assign(all.count, {});
  }
  if (!state.fenced) report_fence(context, in, nullptr);
  const auto check_written = [&](const std::vector<std::uint32_t>& numbers) {
    for (const std::uint32_t number : numbers) {
      const Inst* const written = state.registers[number].written;
      if (written == nullptr || !state.fenced) continue;
      report_fence(context, in, written);
      return;
    }
  };
  check_written(operands.sums);
  check_written(operands.factors);
  for (const std::uint32_t number : operands.factors) {
    auto& reg = state.registers[number];
    if (state.under_way(reg.sum_of)) {
      report_use(context, in, state, reg.sum_of,
                 "an accumulator of wgmma is an operand of another");
    }
    reg.operand_of = state.open;
  }
  for (const std::uint32_t number : operands.sums) state.registers[number].sum_of = state.open;
}

}  // namespace warpsim
