#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "emulator/checkers/faults/faults.h"
#include "emulator/findings/plural.h"
#include "emulator/isa/description.h"
#include "emulator/machine/address.h"
#include "emulator/machine/async.h"
#include "emulator/machine/budget.h"
#include "emulator/machine/builtins.h"

// Kernels that do not end: loops over the budget, and threads that all wait.

namespace warpsim {
namespace {

/// Finding::order in its block of what may follow from anything found before, races included.
constexpr std::uint64_t kAfterRaces = std::uint64_t{1} << 62;

/// The generic address that a memory instruction would access in a lane now.
std::uint64_t address_now(const WarpContext& context, const WarpSplit& split, const Inst& in,
                          int lane) {
  const ptx::Instruction& source = *split.frame->program->source[in.index];
  const std::byte* window = context.registers.data() + split.frame->window;
  const Description does = describe(source);
  const bool shared = does.space == ptx::Space::shared;
  const ptx::Operand& base = *address_of(source);
  std::size_t bytes = shared ? 4 : 8;
  if (base.reg != ptx::kNoIndex) {
    const auto type = split.frame->program->function->registers[base.reg].type;
    if (shared) bytes = ptx::size_bytes(type);
  } else if (does.effect == Effect::atomic) {
    bytes = 8;
  }
  std::uint64_t address = 0;
  std::memcpy(&address, window + in.a + static_cast<std::size_t>(lane) * bytes, bytes);
  address += static_cast<std::uint64_t>(in.offset);
  return shared ? kSharedWindow + (address & 0xffffffffu) : address;
}

/// "4 bytes at offset 8 of `x` (element 2), now 0"
std::string describe_variable(const WarpContext& context, const WarpSplit& split, const Inst& in) {
  const int lane = std::countr_zero(split.mask);
  const std::uint64_t address = address_now(context, split, in, lane);
  const std::uint32_t width = std::clamp<std::uint32_t>(in.width, 1, 8);
  std::uint64_t value = 0;
  read_device_bytes(context, lane, address, &value, width);
  const LaunchState& launch = *context.block->launch;
  std::string object = fmt::format("at address {:#x}", address);
  if (in_window(address, kSharedWindow)) {
    const std::uint64_t offset = address - kSharedWindow;
    object = "of shared memory";
    for (const SharedArray& array : launch.shared_arrays) {
      if (offset - array.offset < array.bytes) {
        object =
            fmt::format("at offset {} of shared array `{}`", offset - array.offset, array.name);
      }
    }
  } else if (const Extent* extent = launch.find(address)) {
    object = fmt::format("at offset {} of `{}`", address - extent->base, extent->allocation->name);
  }
  return fmt::format("{} {}, now {}", plural(width, "byte"), object, value);
}

/// What a loop that does not end looks at.
struct Spin {
  const Inst* read = nullptr;  // the load or atomic in it, preferably one that sees other threads
  bool strong = false;  // it is volatile, relaxed or atomic
  std::string what;  // "4 bytes at offset 0 of `cudaMalloc #1`, now 0"; empty without a read
};

/// The smallest loop around an instruction, from its head to its backward jump.
struct Loop {
  const Inst* head = nullptr;  // null: there is none
  const Inst* last = nullptr;
};
Loop loop_around(const Program& program, const Inst& in) {
  Loop loop;
  for (const Inst* last = &in; last < program.code.data() + program.code.size(); ++last) {
    const ptx::Instruction* source = program.source[last->index];
    if (source == nullptr || control_of(*source) != Control::branch) continue;
    if (last->target > &in) continue;
    const bool smaller = loop.head == nullptr || last - last->target < loop.last - loop.head;
    if (smaller) loop = {last->target, last};
  }
  return loop;
}

/// Looks at the instructions [first, last] of a loop as the lanes of `split` execute it.
Spin look_at_loop(const WarpContext& context, const WarpSplit& split, const Inst& first,
                  const Inst& last) {
  Spin spin;
  const Program& program = *split.frame->program;
  for (const Inst* in = &first; in <= &last; ++in) {
    const ptx::Instruction* source = program.source[in->index];
    if (source == nullptr) continue;
    const Description does = describe(*source);
    const bool atomic = does.effect == Effect::atomic && does.has_result;
    if (does.effect != Effect::load && !atomic) continue;
    // A helper before an instruction has no address, and no thread waits for a load of a
    // parameter or of memory of the thread's own.
    if (in->width == 0 || address_of(*source) == nullptr) continue;
    if (does.space != ptx::Space::generic && does.space != ptx::Space::global &&
        does.space != ptx::Space::shared) {
      continue;
    }
    const bool strong = (in->flags & kVolatile) != 0;
    if (spin.read != nullptr && (spin.strong || !strong)) continue;
    spin.read = in;
    spin.strong = strong;
  }
  if (spin.read != nullptr && split.mask != 0) {
    spin.what = describe_variable(context, split, *spin.read);
  }
  return spin;
}

/// What to say about a loop that waits for memory: the compiler may read a plain variable once.
std::string advice(const Spin& spin) {
  if (spin.read != nullptr && spin.strong) {
    return "Check who writes the value that the loop waits for, and whether that thread can run: "
           "it may wait itself, or its block may not have started.";
  }
  return fmt::format(
      "Check what makes this loop end, and whether every thread gets there. If it waits for "
      "another thread: {} plain variable, which the compiler may read once and keep in a "
      "register; make it volatile or atomic.",
      spin.read == nullptr ? "the loop reads no memory, as the condition is a"
                           : "the loop reads a");
}

/// Of the blocks after one that stops the launch nothing is reported, as some may not have started.
std::string what_was_not_checked(const BlockContext& block) {
  const std::uint64_t after = block.launch->grid.count() - block.linear - 1;
  return after == 0 ? ""
                    : fmt::format("; the {} after this one {} not checked", plural(after, "block"),
                                  after == 1 ? "was" : "were");
}

/// Threads that wait at one place for one thing.
struct Waiting {
  const WarpContext* warp = nullptr;  // of the first one
  const WarpSplit* split = nullptr;
  const Inst* inst = nullptr;
  std::uint64_t threads = 0;
  std::uint64_t blocks = 0;
  const BlockContext* last_block = nullptr;
};

const Inst& place_of(const WarpSplit& split) {
  return split.state == WarpSplit::State::at_barrier ? split.pc[-1] : *split.pc;
}

std::vector<Waiting> places(const std::vector<const BlockContext*>& blocks) {
  std::vector<Waiting> result;
  for (const BlockContext* block : blocks) {
    for (const auto& warp : block->warps) {
      for (const WarpSplit& split : warp->splits) {
        const Inst* inst = &place_of(split);
        auto it = std::find_if(result.begin(), result.end(), [&](const Waiting& waiting) {
          return waiting.inst == inst && waiting.split->state == split.state;
        });
        if (it == result.end()) {
          result.push_back({warp.get(), &split, inst, 0, 0, nullptr});
          it = result.end() - 1;
        }
        it->threads += static_cast<std::uint64_t>(std::popcount(split.mask));
        if (it->last_block != block) ++it->blocks;
        it->last_block = block;
      }
    }
  }
  return result;
}

Spin spin_of(const Waiting& waiting) {
  const Loop loop = loop_around(*waiting.split->frame->program, *waiting.inst);
  if (loop.head == nullptr) return {};
  return look_at_loop(*waiting.warp, *waiting.split, *loop.head, *loop.last);
}

std::string what_for(const Waiting& waiting) {
  const WarpSplit& split = *waiting.split;
  const WarpContext& warp = *waiting.warp;
  switch (split.state) {
    case WarpSplit::State::at_barrier: {
      const Barrier& barrier = warp.block->barriers[split.barrier];
      const std::uint32_t wanted =
          barrier.expected == 0 ? warp.block->live_threads : barrier.expected;
      return fmt::format("wait at barrier {} ({} of {} have arrived)", split.barrier,
                         barrier.arrived, plural(wanted, "thread"));
    }
    case WarpSplit::State::at_warp_sync:
      return fmt::format("wait for the lanes of mask {:#010x}, of which {:#010x} do not come",
                         split.members, split.members & warp.live & ~split.mask);
    case WarpSplit::State::at_mbarrier:
      return "wait for " + describe_mbarrier_wait(warp, split);
    case WarpSplit::State::at_cluster_barrier:
      return fmt::format("wait at the cluster barrier ({} have arrived)",
                         plural(warp.block->cluster->arrived, "thread"));
    case WarpSplit::State::ready:
      break;
  }
  const Spin spin = spin_of(waiting);
  if (spin.read == nullptr) return "run in a loop that reads nothing";
  return fmt::format("read {} again and again{}", spin.what,
                     spin.strong ? "" : " (a plain variable)");
}

/// Of a loop it is the read that counts, wherever in the loop the threads happened to be.
const Inst& place_to_show(const Waiting& waiting) {
  const bool spins = waiting.split->state == WarpSplit::State::ready;
  const Inst* const read = spins ? spin_of(waiting).read : nullptr;
  return read != nullptr ? *read : *waiting.inst;
}

std::string describe_waiting(const Waiting& waiting) {
  std::string text = plural(waiting.threads, "thread");
  if (waiting.blocks > 1) text += fmt::format(" of {} blocks", waiting.blocks);
  return fmt::format("{} {} at {}", text, what_for(waiting),
                     describe_place(*waiting.split->frame->program, place_to_show(waiting)));
}

/// Whether the lanes that a mask waits for are at an mbarrier: as lane 0 of a warp that loads for
/// the block, while the others are at the end of its branch.
bool waits_for_mbarrier(const Waiting& waiting) {
  const WarpContext& warp = *waiting.warp;
  const std::uint32_t missing = waiting.split->members & warp.live & ~waiting.split->mask;
  return std::any_of(warp.splits.begin(), warp.splits.end(), [&](const WarpSplit& split) {
    return split.state == WarpSplit::State::at_mbarrier && (split.mask & missing) != 0;
  });
}

/// The wait that is the cause of the others.
const Waiting& cause_of(const std::vector<Waiting>& all) {
  const auto first = [&](const auto& is) { return std::find_if(all.begin(), all.end(), is); };
  auto cause = first([](const Waiting& waiting) {
    return waiting.split->state == WarpSplit::State::ready;  // spins
  });
  if (cause != all.end()) return *cause;
  const auto has_mask = [](const Waiting& waiting) {
    return waiting.split->state == WarpSplit::State::at_warp_sync;
  };
  // A mask that never fills is the cause of what waits after it.
  cause = first(
      [&](const Waiting& waiting) { return has_mask(waiting) && !waits_for_mbarrier(waiting); });
  if (cause == all.end()) cause = std::find_if_not(all.begin(), all.end(), has_mask);
  return *cause;
}

FindingKind kind_of(WarpSplit::State waiting) {
  switch (waiting) {
    case WarpSplit::State::at_barrier:
    case WarpSplit::State::at_cluster_barrier:
      return FindingKind::barrier_divergence;
    case WarpSplit::State::at_warp_sync:
      return FindingKind::sync_mask;
    case WarpSplit::State::at_mbarrier:
      return FindingKind::mbarrier_deadlock;
    case WarpSplit::State::ready:
      break;
  }
  return FindingKind::deadlock;
}

}  // namespace

void report(const faults::Endless& fault) {
  const auto& [context, in, target] = fault;
  Finding f = finding_at(context, in, context.warp.active, FindingKind::instruction_budget);
  const std::uint64_t budget = context.block->launch->budget;
  const WarpSplit& split = context.splits[context.current];
  const Spin spin = look_at_loop(context, split, target, in);
  if (context.executed > budget) {
    f.message =
        fmt::format("the kernel does not end: a warp executed more than {} instructions", budget);
    f.got = fmt::format("{} instructions and still in this loop", context.executed);
    f.want = fmt::format("at most {} (change it with --budget or WARPSIM_BUDGET)", budget);
  } else {
    f.message = fmt::format(
        "the kernel does not end: warps that run together executed more than {} instructions",
        kSharedBudgets * budget);
    f.got = fmt::format("{} instructions of this warp and still in this loop", context.executed);
    f.want = fmt::format("at most {} of all, {} of one (change it with --budget or WARPSIM_BUDGET)",
                         kSharedBudgets * budget, budget);
  }
  if (!spin.what.empty()) f.got += fmt::format(", which reads {}", spin.what);
  f.got += what_was_not_checked(*context.block);
  f.next = advice(spin);
  // What was found before it may be why the loop does not end.
  f.order[2] = kAfterRaces;
  log(context, std::move(f));
}

void report(const faults::Deadlock& fault) {
  const std::vector<Waiting> all = places(fault.blocks);
  if (all.empty()) return;
  const Waiting& shown = cause_of(all);
  const WarpSplit& waiting = *shown.split;
  const Program& program = *waiting.frame->program;
  const LaunchState& launch = *shown.warp->block->launch;

  Finding f(kind_of(waiting.state));
  f.kernel = launch.kernel_name;
  const Inst& at = place_to_show(shown);
  const SourcePlace place = source_place(program, at.index);
  f.file = place.file;
  f.line = place.line;
  f.where = describe_place(program, at);
  f.who = describe_thread(*shown.warp, std::countr_zero(waiting.mask));
  if (shown.threads > 1)
    f.who += fmt::format("; first of {} threads that wait here", shown.threads);
  constexpr std::size_t kMost = 8;
  for (std::size_t i = 0; i < all.size() && i < kMost; ++i) {
    f.got += (i == 0 ? "" : "; ") + describe_waiting(all[i]);
  }
  if (all.size() > kMost)
    f.got += fmt::format("; and at {}", plural(all.size() - kMost, "other place"));
  f.order = {launch.launch_number, shown.warp->block->linear,
             shown.warp->warp.warp_index * (std::uint64_t{1} << 40) + shown.warp->executed};
  switch (waiting.state) {
    case WarpSplit::State::at_barrier:
      f.message = "deadlock: threads wait at a barrier that the others never reach";
      f.want = "every thread of the block at the same __syncthreads()";
      f.next = "Move the barrier out of the branch or loop that only some threads execute.";
      break;
    case WarpSplit::State::at_warp_sync:
      f.message = "deadlock: lanes wait for lanes of their mask that never arrive";
      f.want = fmt::format("all lanes of mask {:#010x} at this operation", waiting.members);
      f.next = "Name only lanes that reach this line in the mask.";
      break;
    case WarpSplit::State::at_mbarrier:
      f.message = "deadlock: threads wait for a phase of an mbarrier that never completes";
      f.want = describe_mbarrier_wait(*shown.warp, waiting);
      f.next =
          "Compare the count given to init() with the threads that arrive, the bytes expected with "
          "the bytes copied, and the phase or parity waited for.";
      break;
    case WarpSplit::State::at_cluster_barrier:
      f.message = "deadlock: threads wait at the cluster barrier, which others never reach";
      f.want = "every thread of every block of the cluster at cluster.sync()";
      f.next = "Move the barrier out of the branch that only some threads or blocks execute.";
      break;
    case WarpSplit::State::ready: {
      const std::uint64_t started = fault.blocks.back()->linear + 1;
      const std::uint64_t grid = launch.grid.count();
      f.message = "deadlock: all threads wait, and nothing that they wait for changes any more";
      f.want = "a thread that can still run and changes what the others wait for";
      if (started < grid) {
        f.got +=
            fmt::format("; {} of {} blocks have started, as many as the card holds", started, grid);
        f.next =
            "Blocks that wait for all other blocks must all be resident: launch no more than the "
            "card holds, e.g. with cudaLaunchCooperativeKernel.";
      } else {
        f.next = advice(spin_of(shown));
      }
      break;
    }
  }
  // A race may have lost what they wait for.
  if (waiting.state == WarpSplit::State::ready) f.order[2] = kAfterRaces;
  log(*shown.warp, std::move(f));
}

}  // namespace warpsim
