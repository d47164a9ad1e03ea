#include "emulator/machine/block_waits.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <string_view>
#include <vector>

#include "emulator/device/card.h"
#include "emulator/machine/builtins.h"
#include "emulator/machine/linker.h"
#include "emulator/machine/paths.h"
#include "emulator/machine/races.h"

namespace warpsim {
namespace {

using ptx::Operand;

bool has(const ptx::Instruction& instruction, std::string_view modifier) {
  return std::ranges::find(instruction.modifiers, modifier) != instruction.modifiers.end();
}

/// Calls `visit` with each register that an operand names.
template <class F>
void for_each_register(const Operand& operand, F visit) {
  if (operand.reg != ptx::kNoIndex) visit(operand.reg);
  for (const Operand& element : operand.elements) for_each_register(element, visit);
}

bool writes_register(const ptx::Instruction& instruction) {
  return !instruction.operands.empty() && instruction.opcode != "st" &&
         instruction.opcode != "red" && instruction.opcode != "bra" &&
         instruction.operands.front().kind != Operand::Kind::address;
}

bool writes(const ptx::Instruction& instruction, std::uint32_t reg) {
  bool found = false;
  if (writes_register(instruction)) {
    for_each_register(instruction.operands.front(),
                      [&](std::uint32_t other) { found = found || other == reg; });
  }
  return found;
}

/// Calls `visit` with each register that an instruction reads.
template <class F>
void for_each_source(const ptx::Instruction& instruction, F visit) {
  if (instruction.guard.reg != ptx::kNoIndex) visit(instruction.guard.reg);
  for (std::size_t i = writes_register(instruction) ? 1 : 0; i < instruction.operands.size(); ++i) {
    for_each_register(instruction.operands[i], visit);
  }
}

/// An atomic that leaves the word as it is: atomicAdd(p, 0), atomicCAS(p, 0, 0).
bool only_reads(const ptx::Instruction& instruction) {
  if (instruction.opcode != "atom" || instruction.operands.size() < 3) return false;
  const Operand& value = instruction.operands[2];
  if (value.kind != Operand::Kind::immediate) return false;
  if (has(instruction, "cas")) {
    const Operand& other = instruction.operands.back();
    return other.kind == Operand::Kind::immediate && other.bits == value.bits;
  }
  return value.bits == 0 &&
         (has(instruction, "add") || has(instruction, "or") || has(instruction, "xor"));
}

struct Range {
  std::uint32_t first = 0, last = 0;
};

/// The smallest range of instructions around `index` at whose end a branch leads to its beginning.
/// @returns false when there is none
bool find_loop(const ptx::Function& function, std::uint32_t index, Range& loop) {
  bool found = false;
  for (std::uint32_t last = index; last < function.instructions.size(); ++last) {
    if (function.instructions[last].opcode != "bra") continue;
    for (const std::uint32_t first : branch_targets(function, last)) {
      if (first > index || (found && last - first >= loop.last - loop.first)) continue;
      loop = {first, last};
      found = true;
    }
  }
  return found;
}

/// Blocks of the toolkit's own algorithms wait for the block before them, and NVIDIA answers for
/// the order in which its cards start them.
bool is_of_toolkit(std::string_view kernel) {
  if (kernel.starts_with("void ")) kernel.remove_prefix(5);
  return kernel.starts_with("cub::") || kernel.starts_with("thrust::");
}

std::uint64_t value_at(const WarpContext& context, int lane, std::uint64_t address,
                       std::uint32_t width) {
  std::uint64_t value = 0;
  read_device_bytes(context, lane, address, &value, std::min<std::uint32_t>(width, sizeof value));
  return value;
}

}  // namespace

bool polls(const ptx::Function& function, std::uint32_t index) {
  const ptx::Instruction& read = function.instructions[index];
  const bool strong_load = read.opcode == "ld" && (has(read, "volatile") || has(read, "relaxed") ||
                                                   has(read, "acquire") || has(read, "mmio"));
  if ((!strong_load && !only_reads(read)) || read.operands.size() < 2) return false;
  const Operand& address = read.operands[1];
  Range loop;
  if (!find_loop(function, index, loop)) return false;
  // What the loop's branches depend on. In two rounds, as a value may come round the loop.
  std::vector<bool> tainted(function.registers.size(), false);
  for_each_register(read.operands.front(), [&](std::uint32_t reg) { tainted[reg] = true; });
  bool decides = false;
  for (int round = 0; round < 2; ++round) {
    for (std::uint32_t i = loop.first; i <= loop.last; ++i) {
      const ptx::Instruction& other = function.instructions[i];
      if (other.opcode == "st" || other.opcode == "red" || other.opcode == "call") return false;
      if (other.opcode == "atom" && i != index) return false;
      if (address.reg != ptx::kNoIndex && writes(other, address.reg)) return false;
      bool depends = false;
      for_each_source(other, [&](std::uint32_t reg) { depends = depends || tainted[reg]; });
      if (!depends) continue;
      if (other.opcode == "bra") decides = true;
      if (writes_register(other)) {
        for_each_register(other.operands.front(), [&](std::uint32_t reg) { tainted[reg] = true; });
      }
    }
  }
  return decides;
}

bool draws(const ptx::Function& function, std::uint32_t index) {
  const ptx::Instruction& update = function.instructions[index];
  if (update.opcode != "atom" || only_reads(update)) return false;
  bool used = false;
  for_each_register(update.operands.front(), [&](std::uint32_t result) {
    for (const ptx::Instruction& other : function.instructions) {
      for_each_source(other, [&](std::uint32_t reg) { used = used || reg == result; });
    }
  });
  return used;
}

std::unique_ptr<BlockWaits> BlockWaits::watch(const LaunchState& launch) {
  const std::uint64_t resident =
      launch.blocks_per_multiprocessor * static_cast<std::uint64_t>(launch.card->multiprocessors);
  if (launch.grid.count() <= resident || is_of_toolkit(launch.kernel_name)) return nullptr;
  const ptx::Function& function = *launch.program->function;
  bool waits = false;
  for (std::uint32_t i = 0; i < function.instructions.size() && !waits; ++i) {
    waits = polls(function, i);
  }
  if (!waits) return nullptr;
  auto watcher = std::make_unique<BlockWaits>();
  watcher->resident_ = resident;
  return watcher;
}

void BlockWaits::access(WarpContext& context, const RaceSite& site, const std::uint64_t* address,
                        std::uint32_t lanes, AccessType type) {
  BlockRaces& races = *context.block->races;
  for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    if (site.polls) {
      if (!races.draws && !races.waits) wait(context, site, lane, address[lane]);
    } else if (type != AccessType::load) {
      races.draws = races.draws || site.draws;
      const auto [word, is_new] = words_.try_emplace(address[lane]);
      if (is_new) word->second.before = value_at(context, lane, address[lane], site.inst->width);
      word->second.writer = context.block->linear;
    }
  }
}

void BlockWaits::wait(WarpContext& context, const RaceSite& site, int lane, std::uint64_t address) {
  const BlockContext& block = *context.block;
  const std::uint64_t cluster = block.launch->cluster.count();
  const auto word = words_.find(address);
  if (word == words_.end() || word->second.writer / cluster == block.linear / cluster) return;
  // A value that was there before the launch, as of a lock that is free again, needs no other
  // block.
  if (value_at(context, lane, address, site.inst->width) == word->second.before) return;
  block.races->waits = true;
  if (waiting_++ == 0) {
    first_ = {&site, block.linear, word->second.writer, context.warp.warp_index, lane};
  }
}

void BlockWaits::report(const LaunchState& launch) const {
  if (waiting_ < resident_ || launch.status != LaunchStatus::ok) return;
  const Program& program = *first_.site->program;
  const SourcePlace place = source_place(program, first_.site->inst->index);
  Finding f;
  f.kind = "block-order";
  f.severity = Severity::warning;
  f.pitfall = "P31";
  f.kernel = launch.kernel_name;
  f.file = place.file;
  f.line = place.line;
  f.message = "blocks wait for blocks, and nothing says that those have started";
  f.where = describe_place(program, *first_.site->inst);
  f.who = fmt::format("{} waits for {}",
                      describe_thread(launch, first_.block, first_.warp, first_.lane),
                      describe_block(launch, first_.writer));
  f.got = fmt::format(
      "{} of {} blocks wait so; the card holds {} at once, and none of those that "
      "wait makes room for another",
      waiting_, launch.grid.count(), resident_);
  f.want = "a wait for blocks only that have started for certain";
  f.next =
      "It works where blocks start in the order of blockIdx, which CUDA does not promise: let each "
      "block draw its number from an atomic counter when it starts.";
  f.order = {launch.launch_number, first_.block, (std::uint64_t{1} << 61) + place.line};
  launch.findings->add(std::move(f));
}

}  // namespace warpsim
