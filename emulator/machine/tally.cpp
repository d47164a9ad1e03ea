#include "emulator/machine/tally.h"

#include <algorithm>
#include <map>
#include <string_view>

#include "emulator/machine/faults.h"
#include "emulator/machine/linker.h"

namespace warpsim {
namespace {

/// Floating-point operations a lane does in an instruction: a fused multiply-add is two.
int flops_of(const ptx::Instruction* instruction) {
  if (instruction == nullptr) return 0;
  const std::string_view opcode = instruction->opcode;
  if (opcode == "fma" || opcode == "mad") return 2;
  const bool one = opcode == "add" || opcode == "sub" || opcode == "mul" || opcode == "div" ||
                   opcode == "sqrt" || opcode == "rcp" || opcode == "rsqrt" || opcode == "min" ||
                   opcode == "max" || opcode == "sin" || opcode == "cos" || opcode == "ex2" ||
                   opcode == "lg2" || opcode == "tanh";
  return one ? 1 : 0;
}

bool has_modifier(const ptx::Instruction& instruction, std::string_view modifier) {
  return std::find(instruction.modifiers.begin(), instruction.modifiers.end(), modifier) !=
         instruction.modifiers.end();
}

using Lines = std::map<std::pair<std::string, std::uint32_t>, LineCounters>;

void tally_program(const Program& program, const ProgramTables& tables, KernelCounters& total,
                   Lines& lines) {
  RunCount running;
  for (std::size_t i = 0; i < program.source.size(); ++i) {
    running.executed += tables.runs[i].executed;
    running.threads += tables.runs[i].threads;
    if (running.executed == 0 && tables.counts[i].requests == 0) continue;
    const auto executed = static_cast<std::uint64_t>(running.executed);
    const auto threads = static_cast<std::uint64_t>(running.threads);
    Counts counts = tables.counts[i];
    counts.executed = executed;
    counts.threads = threads;
    const auto kind = static_cast<std::size_t>(program.access[i]);
    const ptx::Instruction* source = program.source[i];

    total.executed += executed;
    total.thread_instructions += threads;
    total.divergent_branches += counts.divergent;
    if (kind != 0) total.by_kind[kind] += counts;
    if (source != nullptr && flops_of(source) > 0) {
      const auto flops = static_cast<std::uint64_t>(flops_of(source)) * threads;
      if (has_modifier(*source, "f32")) total.flops_f32 += flops;
      if (has_modifier(*source, "f64")) total.flops_f64 += flops;
    }
    const SourcePlace place = source_place(program, i);
    LineCounters& line = lines[{place.file, place.line}];
    line.executed += executed;
    line.threads += threads;
    line.divergent += counts.divergent;
    if (kind != 0) line.by_kind[kind] += counts;
  }
}

void add_lines(std::vector<LineCounters>& into, const std::vector<LineCounters>& from) {
  for (const LineCounters& line : from) {
    const auto it = std::find_if(into.begin(), into.end(), [&](const LineCounters& other) {
      return other.line == line.line && other.file == line.file;
    });
    if (it == into.end()) {
      into.push_back(line);
      continue;
    }
    it->executed += line.executed;
    it->threads += line.threads;
    it->divergent += line.divergent;
    for (std::size_t k = 0; k < std::size(line.by_kind); ++k) it->by_kind[k] += line.by_kind[k];
  }
  std::sort(into.begin(), into.end(), [](const LineCounters& a, const LineCounters& b) {
    return std::pair(a.file, a.line) < std::pair(b.file, b.line);
  });
}

}  // namespace

KernelCounters tally(const LaunchState& launch,
                     const std::vector<std::unique_ptr<Worker>>& workers) {
  const Kernel& kernel = *launch.program->kernel;
  KernelCounters total;
  total.name = launch.kernel_name;
  total.launches = 1;
  total.grid[0] = launch.grid.x;
  total.grid[1] = launch.grid.y;
  total.grid[2] = launch.grid.z;
  total.block[0] = launch.block.x;
  total.block[1] = launch.block.y;
  total.block[2] = launch.block.z;
  total.blocks = launch.grid.count();
  total.threads = total.blocks * launch.threads_per_block;
  total.static_shared_bytes = kernel.shared.hardware_bytes;
  total.dynamic_shared_bytes = launch.dynamic_shared_bytes;
  total.registers = kernel.info.registers;
  const Occupancy fit = occupancy(*launch.card, static_cast<int>(launch.threads_per_block),
                                  static_cast<int>(total.registers),
                                  total.static_shared_bytes + total.dynamic_shared_bytes);
  total.theoretical_occupancy = fit.fraction;
  total.occupancy_limiter = fit.limiter;
  Lines lines;
  for (const auto& worker : workers) {
    total.barriers += worker->barriers;
    for (const auto& [ref, program] : kernel.programs) {
      if (program->id < worker->tables.size() && worker->tables[program->id]) {
        tally_program(*program, *worker->tables[program->id], total, lines);
      }
    }
  }
  for (auto& [place, line] : lines) {
    line.file = place.first;
    line.line = place.second;
    total.lines.push_back(std::move(line));
  }
  return total;
}

void add_launch(std::vector<KernelCounters>& kernels, KernelCounters launch) {
  const auto it = std::find_if(kernels.begin(), kernels.end(), [&](const KernelCounters& kernel) {
    return kernel.name == launch.name;
  });
  if (it == kernels.end()) {
    kernels.push_back(std::move(launch));
    return;
  }
  KernelCounters& total = *it;
  total.launches += 1;
  std::copy(std::begin(launch.grid), std::end(launch.grid), std::begin(total.grid));
  std::copy(std::begin(launch.block), std::end(launch.block), std::begin(total.block));
  total.blocks += launch.blocks;
  total.threads += launch.threads;
  total.barriers += launch.barriers;
  total.executed += launch.executed;
  total.thread_instructions += launch.thread_instructions;
  total.divergent_branches += launch.divergent_branches;
  total.flops_f32 += launch.flops_f32;
  total.flops_f64 += launch.flops_f64;
  total.modelled_ms += launch.modelled_ms;
  total.dynamic_shared_bytes = launch.dynamic_shared_bytes;
  total.theoretical_occupancy = launch.theoretical_occupancy;
  total.occupancy_limiter = launch.occupancy_limiter;
  for (std::size_t k = 0; k < std::size(launch.by_kind); ++k) total.by_kind[k] += launch.by_kind[k];
  add_lines(total.lines, launch.lines);
}

}  // namespace warpsim
