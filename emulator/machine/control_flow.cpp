#include "emulator/machine/control_flow.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "emulator/isa/description.h"
#include "emulator/machine/liveness.h"
#include "emulator/machine/paths.h"

namespace warpsim {
namespace {

using Edges = std::vector<std::vector<std::uint32_t>>;
constexpr std::uint32_t kNone = ControlFlow::kNone;

/// Immediate dominators by Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm".
/// @returns by node; kNone for the root and for what it does not reach
std::vector<std::uint32_t> dominators(const Edges& next, const Edges& previous,
                                      std::uint32_t root) {
  const std::size_t count = next.size();
  std::vector<std::uint32_t> order;  // postorder
  std::vector<std::uint32_t> number(count, kNone);  // in it
  std::vector<std::pair<std::uint32_t, std::size_t>> open = {{root, 0}};
  std::vector<bool> seen(count, false);
  seen[root] = true;
  while (!open.empty()) {
    auto& [node, at] = open.back();
    if (at == next[node].size()) {
      number[node] = static_cast<std::uint32_t>(order.size());
      order.push_back(node);
      open.pop_back();
      continue;
    }
    const std::uint32_t child = next[node][at++];
    if (!seen[child]) {
      seen[child] = true;
      open.emplace_back(child, 0);
    }
  }
  std::vector<std::uint32_t> dominator(count, kNone);
  dominator[root] = root;
  const auto common = [&](std::uint32_t a, std::uint32_t b) {
    while (a != b) {
      while (number[a] < number[b]) a = dominator[a];
      while (number[b] < number[a]) b = dominator[b];
    }
    return a;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (auto it = order.rbegin(); it != order.rend(); ++it) {
      if (*it == root) continue;
      std::uint32_t nearest = kNone;
      for (const std::uint32_t from : previous[*it]) {
        if (number[from] == kNone || dominator[from] == kNone) continue;
        nearest = nearest == kNone ? from : common(from, nearest);
      }
      if (dominator[*it] != nearest) {
        dominator[*it] = nearest;
        changed = true;
      }
    }
  }
  dominator[root] = kNone;
  return dominator;
}

bool names_thread(const ptx::Operand& operand) {
  if (operand.kind == ptx::Operand::Kind::special) {
    const std::string_view text = operand.text;
    return text.starts_with("tid") || text.starts_with("lane") || text.starts_with("warpid") ||
           text.starts_with("clock") || text.starts_with("globaltimer");
  }
  return std::any_of(operand.elements.begin(), operand.elements.end(), names_thread);
}

}  // namespace

std::vector<bool> divergent_registers(const ptx::Function& function) {
  std::vector<bool> divergent(function.registers.size(), false);
  for (bool changed = true; changed;) {
    changed = false;
    for (const ptx::Instruction& instruction : function.instructions) {
      const RegisterUse use = register_use(instruction);
      const bool differs =
          describe(instruction).varies ||
          std::any_of(use.reads.begin(), use.reads.end(),
                      [&](std::uint32_t reg) { return divergent[reg]; }) ||
          std::any_of(instruction.operands.begin(), instruction.operands.end(), names_thread);
      if (!differs) continue;
      for (const std::uint32_t reg : use.writes) {
        if (divergent[reg]) continue;
        divergent[reg] = true;
        changed = true;
      }
    }
  }
  return divergent;
}

ControlFlow::ControlFlow(const ptx::Function& function, bool ends_count) {
  find_blocks(function);
  if (too_large()) return;
  if (!ends_count) leave_ends_out(function);
  find_uniform(function);
}

void ControlFlow::find_blocks(const ptx::Function& function) {
  const auto count = static_cast<std::uint32_t>(function.instructions.size());
  std::vector<bool> starts(count + 1, false);
  starts[0] = true;
  for (std::uint32_t i = 0; i < count; ++i) {
    if (!ends_block(function.instructions[i])) continue;
    starts[i + 1] = true;
    for (const std::uint32_t target : branch_targets(function, i)) {
      starts[std::min(target, count)] = true;
    }
  }
  for (std::uint32_t i = 0; i < count; ++i) {
    if (starts[i]) {
      blocks_.emplace_back();
      blocks_.back().first = i;
    }
    block_of_.push_back(static_cast<std::uint32_t>(blocks_.size() - 1));
    blocks_.back().end = i + 1;
  }
  for (std::uint32_t b = 0; b < blocks_.size(); ++b) {
    const std::uint32_t last = blocks_[b].end - 1;
    const auto add = [&](std::uint32_t instruction) {
      if (instruction >= count) return;
      std::vector<std::uint32_t>& next = blocks_[b].next;
      const std::uint32_t to = block_of_[instruction];
      if (std::find(next.begin(), next.end(), to) == next.end()) next.push_back(to);
    };
    for (const std::uint32_t target : branch_targets(function, last)) add(target);
    if (falls_through(function.instructions[last])) add(last + 1);
  }
  for (std::uint32_t b = 0; b < blocks_.size(); ++b) {
    for (const std::uint32_t to : blocks_[b].next) blocks_[to].previous.push_back(b);
  }
}

bool ControlFlow::reaches_end(std::uint32_t from) const {
  std::vector<bool> seen(blocks_.size(), false);
  std::vector<std::uint32_t> open = {from};
  while (!open.empty()) {
    const std::uint32_t at = open.back();
    open.pop_back();
    if (seen[at]) continue;
    seen[at] = true;
    if (blocks_[at].next.empty()) return true;
    open.insert(open.end(), blocks_[at].next.begin(), blocks_[at].next.end());
  }
  return false;
}

void ControlFlow::leave_ends_out(const ptx::Function& function) {
  for (std::uint32_t b = 0; b < blocks_.size(); ++b) {
    std::vector<std::uint32_t>& next = blocks_[b].next;
    for (std::size_t i = 0; i < next.size() && next.size() > 1; ++i) {
      const std::uint32_t to = next[i];
      const Block& end = blocks_[to];
      const Control control = control_of(function.instructions[end.first]);
      if (end.end - end.first != 1 || control != Control::leave) continue;
      next.erase(next.begin() + static_cast<std::ptrdiff_t>(i));
      if (reaches_end(b)) {
        std::erase(blocks_[to].previous, b);
        break;
      }
      // It is how a loop ends.
      next.insert(next.begin() + static_cast<std::ptrdiff_t>(i), to);
    }
  }
}

void ControlFlow::find_uniform(const ptx::Function& function) {
  const auto count = static_cast<std::uint32_t>(blocks_.size());
  uniform_.assign(count, true);
  if (count == 0) return;
  // A node more is the end.
  Edges next(count + 1), previous(count + 1);
  for (std::uint32_t b = 0; b < count; ++b) {
    next[b] = blocks_[b].next;
    const ptx::Instruction& last = function.instructions[blocks_[b].end - 1];
    const Control control = control_of(last);
    const bool leaves = control == Control::leave || control == Control::trap;
    if (next[b].empty() || leaves) next[b].push_back(count);
    for (const std::uint32_t to : next[b]) previous[to].push_back(b);
  }
  before_ = dominators(next, previous, 0);
  behind_ = dominators(previous, next, count);
  for (std::uint32_t& block : behind_) block = block == count ? kNone : block;

  const std::vector<bool> divergent = divergent_registers(function);
  for (std::uint32_t b = 0; b < count; ++b) {
    const ptx::Instruction& last = function.instructions[blocks_[b].end - 1];
    const RegisterUse use = register_use(last);
    const bool decides =
        next[b].size() > 1 && std::any_of(use.reads.begin(), use.reads.end(),
                                          [&](std::uint32_t reg) { return divergent[reg]; });
    if (!decides) continue;
    std::vector<bool> seen(count, false);
    std::vector<std::uint32_t> open(blocks_[b].next);
    while (!open.empty()) {
      const std::uint32_t at = open.back();
      open.pop_back();
      if (at == behind_[b] || seen[at]) continue;
      seen[at] = true;
      uniform_[at] = false;
      open.insert(open.end(), blocks_[at].next.begin(), blocks_[at].next.end());
    }
  }
}

std::uint32_t ControlFlow::uniform_before(std::uint32_t block) const {
  while (block != kNone && !uniform_[block]) block = before_[block];
  return block;
}

std::uint32_t ControlFlow::uniform_behind(std::uint32_t block) const {
  while (block != kNone && !uniform_[block]) block = behind_[block];
  return block;
}

}  // namespace warpsim
