#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "emulator/checkers/races/block.h"
#include "emulator/checkers/races/found.h"
#include "emulator/checkers/races/races.h"
#include "emulator/checkers/races/strong_conflict.h"
#include "emulator/checkers/races/updates.h"
#include "emulator/findings/plural.h"
#include "emulator/isa/description.h"
#include "emulator/machine/faults.h"
#include "emulator/machine/linker.h"
#include "emulator/machine/paths.h"

// What the race checker found, as findings. Which of two accesses the emulator happened to make
// first is not a fact about the program, so no text depends on it.

namespace warpsim {
namespace {

/// One side of a race.
struct Party {
  Epoch epoch;
  std::uint64_t block = 0;
  const RaceSite* site = nullptr;

  [[nodiscard]] std::string verb() const {
    if (!epoch.write()) return "reads";
    return atomic() ? "updates" : "writes";
  }
  [[nodiscard]] bool of_block() const { return epoch.narrow_scope() && !epoch.cluster_scope(); }
  [[nodiscard]] bool atomic() const { return is_atomic(*site); }
};

/// The side that a finding is about, in this order: one that the memory model gives no guarantee
/// before one that it does, an access before an update, a read (which sees a wrong value) before a
/// write, then the text's order and the threads'.
bool comes_first(const Party& a, const Party& b) {
  const auto key = [](const Party& p) {
    return std::tuple(p.epoch.strong(), p.epoch.strong() && p.atomic(), p.epoch.write(),
                      p.site->program->id, p.site->inst->index, p.block, p.epoch.warp(),
                      p.epoch.lane());
  };
  return key(a) < key(b);
}

std::string describe_party(const LaunchState& launch, const Party& party) {
  return describe_thread(launch, party.block, party.epoch.warp(),
                         static_cast<int>(party.epoch.lane()));
}

/// Where a conflict is, in words, and the allocation it is in.
struct Memory {
  std::string name;  // "shared array `tile`"
  std::string place;  // where in it
  const GlobalMemory::Allocation* allocation = nullptr;  // of global memory
};

Memory describe_memory(const LaunchState& launch, const Conflict& conflict, std::uint32_t width) {
  std::string name = conflict.shared ? "shared memory" : "global memory";
  std::uint64_t base = 0;
  const GlobalMemory::Allocation* allocation = nullptr;
  if (conflict.shared) {
    for (const SharedArray& array : launch.shared_arrays) {
      if (array.offset > conflict.address) continue;
      base = array.offset;
      name = fmt::format("shared array `{}`", array.name);
    }
    if (races_of(launch).cluster_blocks > 1) {
      name += " of " + describe_block(launch, conflict.owner_block);
    }
  } else if (const Extent* extent = launch.find(conflict.address)) {
    base = extent->base;
    allocation = extent->allocation;
    name = allocation->in_words();
  }
  // Copies and texels have no element of a fixed size.
  const ArrayAccess access{.offset = static_cast<std::int64_t>(conflict.address - base),
                           .width = width};
  std::string place = fmt::format("byte offset {} of {}", access.offset, name);
  if (access.known()) place += fmt::format(" ({})", access.element_in_words());
  return {name, place, allocation};
}

/// Of a read and a write in one block: the barrier between the write and the read is there, and the
/// one that keeps the next round's write away from the read is not. Follows from the program's
/// text.
bool is_overwritten_too_early(const Party& read, const Party& write) {
  if (read.epoch.write() || read.site->program != write.site->program) return false;
  const ptx::Function& function = *read.site->program->function;
  const std::uint32_t from = text_index(*write.site->program, write.site->inst->index);
  const std::uint32_t to = text_index(*read.site->program, read.site->inst->index);
  return !reaches_without_barrier(function, from, to) &&
         reaches_without_barrier(function, to, from);
}

/// Both threads load and then store one place: both sides belong to such a store of the same source
/// line. How what they load bears on what they store; `none` for other races.
UpdateForm common_update(const Party& a, const Party& b) {
  if (a.epoch.strong() && b.epoch.strong()) return UpdateForm::none;
  const auto form_of = [](const Party& party) {
    const bool plain_write = party.epoch.write() && !party.atomic();
    return plain_write ? update_form(*party.site) : UpdateForm::none;
  };
  if (a.site->program != b.site->program) return UpdateForm::none;
  const UpdateForm form = form_of(b);
  if (form == UpdateForm::none) return form;
  if (a.epoch.write()) {
    const UpdateForm other = form_of(a);
    return other == UpdateForm::none ? other : std::max(form, other);
  }
  const ptx::Operand* from = access_address(*a.site->program, a.site->inst->index);
  const ptx::Operand* to = access_address(*b.site->program, b.site->inst->index);
  const bool one_place =
      from != nullptr && to != nullptr && from->reg == to->reg && from->offset == to->offset;
  return one_place ? form : UpdateForm::none;
}

/// The program tries to take a lock: it compares and exchanges before the access.
bool tries_a_lock_before(const Party& party) {
  const Program& program = *party.site->program;
  for (std::uint32_t i = 0; i < party.site->inst->index; ++i) {
    const ptx::Instruction* other = program.source[i];
    if (other == nullptr) continue;
    if (describe(*other).atomic == AtomicOperation::compare_and_swap) return true;
  }
  return false;
}

struct Words {
  FindingKind kind;
  std::string message, want, next;
  std::string pitfall;  // what this form of a race implies; empty for the kind's own
  FindingDetail detail = FindingDetail::none;
};

/// Of accesses that the memory model lets meet.
Words words_for_doubt(const Conflict& conflict, const Party& a, const Party& b,
                      const std::string& memory) {
  const bool same_block = a.block == b.block;
  Words w{.kind = FindingKind::fence_scope,
          .message = {},
          .want = {},
          .next = {},
          .pitfall = same_block ? "P22" : "P33"};
  if (conflict.meeting == Meeting::narrow) {
    w.message = fmt::format(
        "{} {} only by a fence or an atomic that does not reach the other block",
        a.epoch.write() && b.epoch.write() ? "writes of two blocks are ordered in"
                                           : "a read is ordered with another block's write in",
        memory);
    w.want = "a fence, and an atomic or a volatile flag, whose scope includes both blocks";
    w.next =
        "__threadfence_block(), cuda::thread_scope_block and the suffix `_block` say nothing to "
        "other blocks, and `volatile` orders nothing: use __threadfence() and the scope of the "
        "device.";
    return w;
  }
  const std::string between =
      same_block ? "a __syncthreads()" : "a __threadfence() and a flag, or the kernel's end,";
  if (a.epoch.write()) {
    w.message = fmt::format(
        "a volatile write meets another thread's atomic in {}, and nothing orders them", memory);
    w.want = between + " between the two, or an atomic operation on both sides";
    w.next =
        "Whether the update comes before the write and is lost, or after it, is chance: "
        "`volatile` orders nothing between threads.";
    return w;
  }
  w.message = fmt::format(
      "a volatile read meets another thread's atomic in {}, and nothing orders them", memory);
  w.want = between + " between the two, or the value that an atomic returns";
  w.next =
      "How many of the updates the read sees is chance: `volatile` makes it look at memory, and "
      "does not make it wait.";
  return w;
}

/// A fence that all blocks would see stands between the one's write and the other's read, which it
/// does not make wait; and nothing comes after it that could be meant for a flag.
bool takes_fence_for_barrier(const Party& read, const Party& write) {
  if (read.epoch.write() || read.site->program != write.site->program) return false;
  const std::vector<const ptx::Instruction*>& source = read.site->program->source;
  bool has_fence = false;
  for (std::uint32_t i = write.site->inst->index + 1; i < read.site->inst->index; ++i) {
    if (source[i] == nullptr) continue;
    const Description does = describe(*source[i]);
    if (does.effect == Effect::harmless) {
      has_fence = has_fence || does.scope >= Scope::device;
    } else if (has_fence && does.strong()) {
      return false;
    }
  }
  return has_fence;
}

/// Whether two blocks write one element of an array of several: of a single one, such as a flag,
/// that is meant.
bool blocks_overlap(const Conflict& conflict, const Party& a, const Party& b, const Memory& where) {
  const bool plain = a.epoch.write() && b.epoch.write() && !a.atomic() && !b.atomic();
  return plain && !conflict.shared && a.block != b.block && where.allocation != nullptr &&
         where.allocation->size > a.site->inst->width;
}

/// An output of a function that a harness calls, with more than one element: each has one thread.
bool is_output_array(const GlobalMemory::Allocation* allocation, std::uint32_t width) {
  return allocation != nullptr && allocation->is_output && allocation->size > width;
}

constexpr const char* kSameIndex =
    "Two threads compute the same index. If each has an element of its own, a bounds check is "
    "missing, or the index leaves out a part of the thread's position.";

void tell_same_index(Words& words, bool rows) {
  words.pitfall = rows ? "P4" : "P39";
  words.want = "one thread for each element";
  words.next = kSameIndex;
}

/// Within a block of one warp a forgotten __syncthreads() and reliance on lockstep are the same
/// program, so the advice is the one that stays right when the block grows.
void tell_one_warp_block(Words& words, std::uint64_t threads) {
  words.want = "a __syncthreads() (or __syncwarp()) between the two accesses";
  words.next = fmt::format(
      "The block is one warp of {}, and lanes need not run in lock-step; put __syncthreads() "
      "between the write and the read, and between a read and the next write. In a block of "
      "several warps this is a race.",
      plural(threads, "thread"));
}

/// Of threads that load a place and then store to it.
void tell_update(Words& words, UpdateForm form, const std::string& memory) {
  words.want = "an atomic operation, or one thread for each element";
  words.pitfall = "P30";
  switch (form) {
    case UpdateForm::none:
      return;
    case UpdateForm::computed:
      words.message = fmt::format(
          "race: threads load, change and store one place in {}, so that updates are lost", memory);
      words.next =
          "Between one thread's load and its store another one's store is lost; if they count or "
          "sum something, use atomicAdd.";
      return;
    case UpdateForm::limit:
      words.message = fmt::format(
          "race: threads compare one place in {} with the value that they then store, so that a "
          "minimum or maximum is lost",
          memory);
      words.next =
          "Between one thread's comparison and its store another thread may store a value that is "
          "nearer to the limit, which is then overwritten; use atomicMin or atomicMax, or "
          "atomicCAS in a loop.";
      return;
    case UpdateForm::tested:
      words.pitfall = "P39";
      words.message = fmt::format(
          "race: threads test one place in {} and then write it, and nothing orders them", memory);
      words.want =
          "an atomic operation that tests and writes in one step, or one thread for each element";
      words.next =
          "Several threads may see the old value, and then all of them write. If one alone may, "
          "use atomicCAS; if all write the same value, the last one changes nothing.";
      return;
  }
}

Words words_for(const LaunchState& launch, const Conflict& conflict, const Party& a, const Party& b,
                const Memory& where) {
  // With threads along y an index can reach the next row.
  const bool rows = launch.grid.y > 1 || launch.block.y > 1;
  const std::string& memory = where.name;
  if (conflict.meeting != Meeting::race) return words_for_doubt(conflict, a, b, memory);
  const bool same_block = a.block == b.block;
  const bool same_warp = same_block && a.epoch.warp() == b.epoch.warp();
  const bool both_write = a.epoch.write() && b.epoch.write();
  const bool both_own = both_write && is_output_array(where.allocation, a.site->inst->width);
  const bool overlap = blocks_overlap(conflict, a, b, where);
  const std::string writers = overlap ? "threads of two blocks write" : "two threads write";
  const std::string pair = both_write ? writers : "one thread reads what another writes in";
  Words w{.kind = conflict.shared ? FindingKind::race_shared : FindingKind::race_global,
          .message = {},
          .want = {},
          .next = {},
          .pitfall = {},
          .detail = overlap ? FindingDetail::blocks_overlap : FindingDetail::none};
  if (conflict.one_instruction) {
    w.message =
        fmt::format("race: lanes of a warp write one place in {} with one instruction", memory);
    w.want = "one writer for each element, or an atomic operation";
    w.next =
        "Only one of the lanes' values remains, and which is not defined; if they count or sum "
        "something, use atomicAdd.";
    w.pitfall = "P30";
    return w;
  }
  if (conflict.same_value) {
    w.kind = FindingKind::race_same_value;
    w.message = fmt::format("{} the same value to one place in {}, and nothing orders them",
                            writers, memory);
    w.want = "one thread that writes, or an atomic operation";
    w.next = both_own ? kSameIndex
                      : "It works as long as the values are equal; let one thread write, for "
                        "example with `if (threadIdx.x == 0)`.";
    return w;
  }
  const UpdateForm update = common_update(a, b);
  if (update != UpdateForm::none && !same_block && tries_a_lock_before(b)) {
    w.message = fmt::format("race: {} {}, and nothing orders them", pair, memory);
    w.want = "a lock with fences, or an atomic operation";
    w.next =
        "A lock orders what it guards with a __threadfence() after taking it and one before "
        "giving "
        "it back by an atomic (atomicExch). To count or sum something, atomicAdd needs no lock.";
    w.pitfall = "P33";
    return w;
  }
  if (update != UpdateForm::none) {
    tell_update(w, update, memory);
    return w;
  }
  if (same_warp) {
    w.kind = FindingKind::warp_synchronous;
    w.message =
        fmt::format("lanes of a warp exchange data in {} with no __syncwarp() in between", memory);
    w.want = "a __syncwarp() (or __syncthreads()) between the two accesses";
    w.next =
        "The lanes of a warp need not run in lock-step; put __syncwarp() between the write and "
        "the read, and between a read and the next write.";
    const std::uint64_t threads = std::uint64_t{launch.block.x} * launch.block.y * launch.block.z;
    if (conflict.shared && threads <= kWarpSize) tell_one_warp_block(w, threads);
    return w;
  }
  w.message = fmt::format("race: {} {}, and nothing orders them", pair, memory);
  const bool atomic_side = a.atomic() || b.atomic();
  if (a.epoch.strong() && b.epoch.strong()) {
    const bool of_blocks = a.of_block() || b.of_block();
    const char* scope = of_blocks ? "block" : "cluster";
    w.message = fmt::format("race: atomics on {} whose scope is the {} are used by two {}s", memory,
                            scope, scope);
    w.want = "an atomic operation whose scope includes both threads";
    w.next = of_blocks ? "Use atomicAdd and its relatives without the suffix `_block`."
                       : "Use the scope of the device (`.gpu`).";
    w.pitfall = "P39";
    return w;
  }
  if (!same_block && conflict.shared) {
    w.want = "a cluster.sync() between the two accesses, or atomics on both sides";
    w.next = both_write ? "Let each block write elements of its own, or put a cluster.sync() "
                          "between the writes."
                        : "Put a cluster.sync() between the write and the read, and between the "
                          "read and the next write to that place; an arrival at a barrier of "
                          "another block releases to it with `.release.cluster` only.";
    if (atomic_side) {
      w.next =
          "A plain access is not ordered with other threads' atomics: put a cluster.sync() "
          "between them.";
    }
    return w;
  }
  if (!same_block) {
    w.pitfall = both_write ? "P39" : "P33";
    w.want =
        "accesses of different blocks to one place to be atomic, or ordered by a fence and an "
        "atomic flag";
    w.next = atomic_side ? "A plain access is not ordered with other threads' atomics: make it "
                           "atomic, or move it to a kernel of its own."
                         : "Blocks run in any order, and at the same time: let each block write "
                           "places of its own, use atomics, or split the kernel in two.";
    if (both_own && !atomic_side) tell_same_index(w, rows);
    if (takes_fence_for_barrier(a, b)) {
      w.want = "all blocks to have written before one of them reads";
      w.next =
          "__threadfence() says in which order others see a thread's own writes, and waits for "
          "nobody: move what reads to a second kernel, or let all blocks of a cooperative launch "
          "meet at grid.sync().";
      return w;
    }
    if (!a.epoch.write() && b.epoch.strong() && !b.atomic()) {
      w.next =
          "A plain read may see an old value for ever: read a flag that others write with "
          "volatile or an atomic, and put __threadfence() before its write and after its read.";
    }
    return w;
  }
  const bool too_early = is_overwritten_too_early(a, b);
  w.pitfall = too_early ? "P23" : "P22";
  w.want = "a __syncthreads() between the two accesses, or atomics on both sides";
  w.next = both_write ? "Let each thread write an element of its own, or put a __syncthreads() "
                        "between the writes."
           : too_early
               ? "Put a __syncthreads() between the read and the next write to that place: some "
                 "threads already write while others still read."
               : "Put a __syncthreads() between the write and the read; in a loop, also "
                 "between the read and the next round's write.";
  if (both_own && !atomic_side) tell_same_index(w, rows);
  if (atomic_side) {
    w.next =
        "A plain access is not ordered with other threads' atomics: put a __syncthreads() "
        "between them.";
  }
  return w;
}

/// Accesses to shared memory of a block that may have ended.
void report_late_accesses(LaunchState& launch) {
  for (const auto& [number, late] : races_of(launch).late) {
    if (launch.stopped(late.block) && late.block != launch.stop_at) continue;
    const Party party{late.epoch, late.block, &races_of(launch).sites[number]};
    Finding f = finding_at(launch, *party.site->program, *party.site->inst,
                           FindingKind::cluster_shared_after_exit);
    f.message = "shared memory of another block is used, and that block may have ended before";
    f.who = fmt::format("{}, in shared memory of {}", describe_party(launch, party),
                        describe_block(launch, late.owner_block));
    f.got = fmt::format("{} ends, and nothing orders that after this access",
                        describe_block(launch, late.owner_block));
    f.want = "a block that stays until the others have done with its shared memory";
    f.next = "Put a cluster.sync() after the last access to another block's shared memory.";
    f.count = late.count;
    f.order = {launch.launch_number, late.block, (std::uint64_t{1} << 61) + f.line};
    launch.findings->add(std::move(f));
  }
}

/// A conflict with its sides in the order of a finding.
struct Report {
  Conflict conflict;
  std::uint64_t count = 0;
  Party a, b;
};

/// @returns nothing for a conflict that is not worth a finding
std::optional<Report> report_of(const LaunchState& launch, const ConflictLog::Entry& entry,
                                const std::vector<std::uint32_t>& trusted) {
  const Conflict& conflict = entry.conflict;
  Report report{conflict, entry.count, {}, {}};
  const auto& sites = races_of(launch).sites;
  report.a = {conflict.first, conflict.first_block, &sites[conflict.first.site()]};
  report.b = {conflict.second, conflict.second_block, &sites[conflict.second.site()]};
  if (conflict.meeting != Meeting::race &&
      !worth_a_warning(conflict, *report.a.site, *report.b.site)) {
    return std::nullopt;
  }
  if (conflict.after_read && !loses_own_updates(*report.a.site, sites[conflict.read_site])) {
    return std::nullopt;
  }
  if (comes_first(report.b, report.a)) std::swap(report.a, report.b);
  const bool trusts = std::ranges::find(trusted, report.a.epoch.site()) != trusted.end();
  if (trusts && !report.a.epoch.write() && report.b.atomic()) return std::nullopt;
  return report;
}

Finding finding_of(const LaunchState& launch, const Report& report) {
  const auto& [conflict, count, a, b] = report;
  const Memory memory = describe_memory(launch, conflict, a.site->inst->width);
  const Words words = words_for(launch, conflict, a, b, memory);
  Finding f = finding_at(launch, *a.site->program, *a.site->inst, words.kind);
  if (!words.pitfall.empty()) f.pitfall = words.pitfall;
  f.message = words.message;
  f.detail = words.detail;
  const SourcePlace other = source_place(*b.site->program, b.site->inst->index);
  f.other_file = other.file;
  f.other_line = other.line;
  f.who = fmt::format("{} {}; {} {}", describe_party(launch, a), a.verb(),
                      describe_party(launch, b), b.verb());
  f.got = fmt::format("{}; the other access: {}", memory.place,
                      describe_place(*b.site->program, *b.site->inst));
  f.want = words.want;
  f.next = words.next;
  f.count = count;
  return f;
}

/// Whether one of the accesses at the race's lines is out of bounds of another array, so that it
/// met the other thread's by chance.
bool is_met_by_chance(const LaunchState& launch, const Report& report, const Finding& race) {
  const Conflict& conflict = report.conflict;
  const Extent* extent = conflict.shared ? nullptr : launch.find(conflict.address);
  if (extent == nullptr) return false;
  Finding other = race;
  other.file = race.other_file;
  other.line = race.other_line;
  const std::uint64_t id = extent->allocation->id;
  return launch.findings->follows_from_out_of_bounds(race, report.a.epoch.write(), id) ||
         launch.findings->follows_from_out_of_bounds(other, report.b.epoch.write(), id);
}

/// Whether the blocks race at the same lines as the threads of one do here: a barrier of the block,
/// which would end the one race, leaves the other.
bool is_also_of_blocks(const std::vector<Report>& reports, const std::vector<Finding>& findings,
                       std::size_t number) {
  const auto among_blocks = [](const Report& report) { return report.a.block != report.b.block; };
  const Conflict& conflict = reports[number].conflict;
  const Finding& own = findings[number];
  if (among_blocks(reports[number]) || conflict.one_instruction ||
      own.kind != FindingKind::race_global) {
    return false;
  }
  for (std::size_t i = 0; i < reports.size(); ++i) {
    const Finding& other = findings[i];
    if (among_blocks(reports[i]) && other.kind == FindingKind::race_global &&
        other.line == own.line && other.file == own.file && other.other_line == own.other_line &&
        other.other_file == own.other_file && (own.line != 0 || other.where == own.where)) {
      return true;
    }
  }
  return false;
}

/// What a debugger is told of a conflict; nothing where the launch's end reports nothing.
std::optional<RaceFound> found_race(const LaunchState& launch, const ConflictLog::Entry& entry,
                                    const std::vector<std::uint32_t>& trusted) {
  const auto report = report_of(launch, entry, trusted);
  if (!report) return std::nullopt;
  const Conflict& conflict = entry.conflict;
  const RaceSite& second = races_of(launch).sites[conflict.second.site()];
  return RaceFound{.finding = finding_of(launch, *report),
                   .shared = conflict.shared,
                   .address = conflict.address,
                   .first_block = conflict.first_block,
                   .second_block = conflict.second_block,
                   .first_warp = conflict.first.warp(),
                   .second_warp = conflict.second.warp(),
                   .first_lane = conflict.first.lane(),
                   .second_lane = conflict.second.lane(),
                   .second_instruction = second.inst->index};
}

}  // namespace

std::vector<RaceFound> races_found(const LaunchState& launch) {
  std::vector<RaceFound> races;
  const auto* const found = launch.slots.get<LaunchRaces>(kRaceSlot);
  if (found == nullptr) return races;
  const auto add = [&](const ConflictLog::Entry& entry) {
    auto race = found_race(launch, entry, found->conflicts.trusted());
    if (race) races.push_back(std::move(*race));
  };
  for (const ConflictLog* log : {&found->among_blocks, &found->conflicts}) {
    std::ranges::for_each(log->entries(), add);
  }
  // The kernel's end decides of what kind they are.
  ConflictLog open;
  for (const OpenConflict& one : found->among_blocks.open()) open.add(one.conflict);
  std::ranges::for_each(open.entries(), add);
  return races;
}

std::optional<RaceFound> race_found_since(const BlockContext& block, std::size_t& known) {
  const auto* const races = block.slots.get<BlockRaces>(kRaceSlot);
  if (races == nullptr) return std::nullopt;
  const ConflictLog& conflicts = races->conflicts;
  if (conflicts.size() == known) return std::nullopt;
  known = conflicts.size();
  if (known == 0) return std::nullopt;
  return found_race(*block.launch, conflicts.latest(), conflicts.trusted());
}

void report_conflicts(LaunchState& launch) {
  report_late_accesses(launch);
  std::vector<Report> reports;
  const std::vector<std::uint32_t> trusted = races_of(launch).conflicts.trusted();
  for (const ConflictLog::Entry& entry : races_of(launch).conflicts.take()) {
    const Conflict& conflict = entry.conflict;
    // Whether blocks after a fatal fault have run depends on the host.
    if (launch.stopped(conflict.second_block) && conflict.second_block != launch.stop_at) continue;
    if (auto report = report_of(launch, entry, trusted)) reports.push_back(*report);
  }
  const auto key = [](const Report& report) {
    const auto place = [](const Party& party) {
      return std::tuple(party.site->program->id, party.site->inst->index, party.epoch.warp(),
                        party.epoch.lane());
    };
    return std::tuple(report.conflict.second_block, place(report.a), place(report.b),
                      report.conflict.address);
  };
  std::ranges::sort(reports, [&](const Report& x, const Report& y) { return key(x) < key(y); });
  std::vector<Finding> findings;
  for (const Report& report : reports) findings.push_back(finding_of(launch, report));
  for (std::size_t i = 0; i < reports.size(); ++i) {
    Finding f = findings[i];
    if (is_met_by_chance(launch, reports[i], f) || is_also_of_blocks(reports, findings, i)) {
      continue;
    }
    // Behind what the block's instructions reported while they ran.
    f.order = {launch.launch_number, reports[i].conflict.second_block,
               (std::uint64_t{1} << 60) + i};
    launch.findings->add(std::move(f));
  }
}

}  // namespace warpsim
