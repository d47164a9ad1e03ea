#include "emulator/machine/tally.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "emulator/counters/traits.h"
#include "emulator/machine/faults.h"
#include "emulator/machine/linker.h"
#include "emulator/machine/path_costs.h"

namespace warpsim {
namespace {

/// Shapes of a kernel's launches that are kept apart: more than a tree over 2^31 elements has.
constexpr std::size_t kMostShapes = 40;

AccessKind shared_kind(AccessKind kind) {
  switch (kind) {
    case AccessKind::global_load:
    case AccessKind::shared_load:
      return AccessKind::shared_load;
    case AccessKind::global_store:
    case AccessKind::shared_store:
      return AccessKind::shared_store;
    default:
      return AccessKind::shared_atomic;
  }
}

/// Adds what a generic instruction did outside global memory, under the space's own kind.
void add_generic(Totals& totals, AccessKind kind, const GenericCounts& generic) {
  const auto add = [&](AccessKind as, const Counts& counts) {
    totals.by_kind[static_cast<std::size_t>(as)] += counts;
  };
  if (generic.shared.requests + generic.shared.remote != 0) add(shared_kind(kind), generic.shared);
  if (generic.local.requests != 0) {
    add(kind == AccessKind::global_load ? AccessKind::local_load : AccessKind::local_store,
        generic.local);
  }
  if (generic.loads.requests != 0) add(AccessKind::shared_load, generic.loads);
}

double hottest_cycles(const std::vector<std::unique_ptr<Worker>>& workers) {
  AtomicHeat all;
  for (const auto& worker : workers) all += worker->heat;
  return all.hottest_cycles();
}

std::uint64_t sum_of(const std::vector<std::unique_ptr<Worker>>& workers,
                     std::uint64_t Worker::*member) {
  std::uint64_t all = 0;
  for (const auto& worker : workers) all += *worker.*member;
  return all;
}

/// Updates of the array with most of them.
std::uint64_t atomics_of_one_array(const std::vector<std::unique_ptr<Worker>>& workers) {
  std::map<const GlobalMemory::Allocation*, std::uint64_t> updates;
  for (const auto& worker : workers) {
    for (const auto& [array, count] : worker->atomics_by_array) updates[array] += count;
  }
  std::uint64_t most = 0;
  for (const auto& [array, count] : updates) most = std::max(most, count);
  return most;
}

std::uint64_t threads_of_shape(const KernelCounters& kernel) {
  std::uint64_t threads = 1;
  for (const std::uint32_t extent : kernel.grid) threads *= extent;
  for (const std::uint32_t extent : kernel.block) threads *= extent;
  return threads;
}

void copy_shape(const KernelCounters& from, KernelCounters& to) {
  std::copy(std::begin(from.grid), std::end(from.grid), std::begin(to.grid));
  std::copy(std::begin(from.block), std::end(from.block), std::begin(to.block));
  to.dynamic_shared_bytes = from.dynamic_shared_bytes;
  to.registers = from.registers;
  to.registers_source = from.registers_source;
  to.blocks_per_multiprocessor = from.blocks_per_multiprocessor;
  to.theoretical_occupancy = from.theoretical_occupancy;
  to.occupancy_limiter = from.occupancy_limiter;
}

/// The functions of a kernel that a launch ran, in order of decoding, which is the same in every
/// run, unlike that of the map's pointers.
std::vector<const Program*> programs_that_ran(const Kernel& kernel,
                                              const std::vector<std::unique_ptr<Worker>>& workers) {
  std::vector<const Program*> programs;
  for (const auto& [ref, program] : kernel.programs) {
    const bool ran = std::ranges::any_of(workers, [id = program->id](const auto& worker) {
      return id < worker->tables.size() && worker->tables[id] != nullptr;
    });
    if (ran) programs.push_back(program.get());
  }
  std::ranges::sort(programs, {}, &Program::id);
  return programs;
}

/// What the workers counted of a function, by instruction.
std::vector<Counts> sum_counts(const Program& program,
                               const std::vector<std::unique_ptr<Worker>>& workers) {
  std::vector<Counts> sums(program.source.size());
  for (const auto& worker : workers) {
    if (program.id >= worker->tables.size() || !worker->tables[program.id]) continue;
    const ProgramTables& tables = *worker->tables[program.id];
    RunCount running;
    for (std::size_t i = 0; i < sums.size(); ++i) {
      running.executed += tables.runs[i].executed;
      running.threads += tables.runs[i].threads;
      sums[i] += tables.counts[i];
      sums[i].executed += static_cast<std::uint64_t>(running.executed);
      sums[i].threads += static_cast<std::uint64_t>(running.threads);
    }
  }
  return sums;
}

/// Calls `use` with what generic instructions of a function did outside global memory.
template <class Use>
void for_generic(const Program& program, const std::vector<std::unique_ptr<Worker>>& workers,
                 Use use) {
  for (const auto& worker : workers) {
    if (program.id >= worker->tables.size() || !worker->tables[program.id]) continue;
    for (const auto& [index, generic] : worker->tables[program.id]->generic) use(index, generic);
  }
}

bool same_shape(const KernelCounters& a, const KernelCounters& b) {
  return std::ranges::equal(a.grid, b.grid) && std::ranges::equal(a.block, b.block) &&
         a.dynamic_shared_bytes == b.dynamic_shared_bytes;
}

void add_launch(KernelCounters& total, const KernelCounters& launch) {
  total.launches += 1;
  // A tree of launches ends with a single block, which says little about it.
  if (threads_of_shape(launch) >= threads_of_shape(total)) copy_shape(launch, total);
  total.blocks += launch.blocks;
  total.threads += launch.threads;
  total.warps += launch.warps;
  total.totals += launch.totals;
  total.caches += launch.caches;
  total.hottest_atomics += launch.hottest_atomics;
  total.contended_shared += launch.contended_shared;
  total.copy_waits += launch.copy_waits;
  total.atomics_of_one_array += launch.atomics_of_one_array;
  total.modelled_ms += launch.modelled_ms;
}

/// Keeps launches of different shapes apart; `total` is without this launch.
void add_shape(KernelCounters& total, const KernelCounters& launch) {
  if (total.shapes.empty()) {
    if (same_shape(total, launch)) return;
    total.shapes.push_back(total);
  }
  auto it = std::ranges::find_if(
      total.shapes, [&](const KernelCounters& shape) { return same_shape(shape, launch); });
  if (it == total.shapes.end() && total.shapes.size() < kMostShapes) {
    total.shapes.push_back(launch);
    return;
  }
  add_launch(it == total.shapes.end() ? total.shapes.back() : *it, launch);
}

/// Adds a launch to its kernel's sums.
void add_to(std::vector<KernelCounters>& kernels, const KernelCounters& launch) {
  const auto it = std::ranges::find(kernels, launch.name, &KernelCounters::name);
  if (it == kernels.end()) {
    kernels.push_back(launch);
  } else {
    add_launch(*it, launch);
  }
}

}  // namespace

Tally::FunctionSites& Tally::sites_of(const std::string& kernel, const Program& program,
                                      const Card& card) {
  KernelSites& all = sites_[kernel];
  const auto [it, added] = all.functions.try_emplace(&program);
  FunctionSites& function = it->second;
  if (!added) return function;
  all.order.push_back(&function);
  function.name = demangle(program.function->name);
  function.sites.resize(program.source.size());
  std::map<std::pair<std::string, std::uint32_t>, std::uint32_t> known;
  for (std::uint32_t i = 0; i < all.places.size(); ++i) {
    known[{all.places[i].file, all.places[i].line}] = i;
  }
  const std::vector<PathCost> paths = path_costs(program);
  for (std::uint32_t i = 0; i < program.source.size(); ++i) {
    Site& site = function.sites[i];
    site.index = i;
    if (program.source[i] != nullptr) {
      site.traits = traits_of(*program.source[i], program.access[i], card);
      site.traits.path_cycles = paths[i].cycles;
      site.traits.load_waits = paths[i].load_waits;
      site.traits.paths_by_requests = paths[i].by_requests;
    }
    const SourcePlace place = source_place(program, i);
    const auto [at, fresh] =
        known.try_emplace({place.file, place.line}, static_cast<std::uint32_t>(all.places.size()));
    if (fresh) all.places.push_back({place.file, place.line});
    site.place = at->second;
    if (by_instruction_) site.text = instruction_text(program, i);
  }
  return function;
}

void Tally::sum_program(const Program& program, FunctionSites& function,
                        const std::vector<std::unique_ptr<Worker>>& workers, Totals& totals) {
  const std::vector<Counts> sums = sum_counts(program, workers);
  for_generic(program, workers, [&](std::uint32_t index, const GenericCounts& generic) {
    Site& site = function.sites[index];
    site.generic.shared += generic.shared;
    site.generic.local += generic.local;
    site.generic.loads += generic.loads;
    add_generic(totals, site.traits.access, generic);
  });
  for (std::size_t i = 0; i < sums.size(); ++i) {
    if (sums[i].executed == 0 && sums[i].requests == 0) continue;
    totals.add(function.sites[i].traits, sums[i]);
    function.sites[i].counts += sums[i];
  }
}

KernelCounters Tally::count(const LaunchState& launch,
                            const std::vector<std::unique_ptr<Worker>>& workers) {
  const Kernel& kernel = *launch.program->kernel;
  KernelCounters total;
  total.name = launch.kernel_name;
  total.file = source_place(*launch.program, 0).file;
  total.launches = 1;
  total.grid[0] = launch.grid.x;
  total.grid[1] = launch.grid.y;
  total.grid[2] = launch.grid.z;
  total.block[0] = launch.block.x;
  total.block[1] = launch.block.y;
  total.block[2] = launch.block.z;
  total.blocks = launch.grid.count();
  total.threads = total.blocks * launch.threads_per_block;
  total.warps = total.blocks * launch.warps_per_block;
  total.static_shared_bytes = kernel.shared.hardware_bytes;
  total.dynamic_shared_bytes = launch.dynamic_shared_bytes;
  total.registers = kernel.info.registers;
  total.registers_source = kernel.info.registers_from_ptxas ? "ptxas" : "estimate";
  const Occupancy fit = occupancy(*launch.card, static_cast<int>(launch.threads_per_block),
                                  static_cast<int>(total.registers),
                                  total.static_shared_bytes + total.dynamic_shared_bytes);
  total.blocks_per_multiprocessor = fit.blocks_per_sm;
  total.theoretical_occupancy = fit.fraction;
  total.occupancy_limiter = fit.limiter;
  total.hottest_atomics = hottest_cycles(workers);
  total.contended_shared = sum_of(workers, &Worker::contended_shared);
  total.copy_waits = sum_of(workers, &Worker::copy_waits);
  total.atomics_of_one_array = atomics_of_one_array(workers);
  for (const Program* program : programs_that_ran(kernel, workers)) {
    sum_program(*program, sites_of(total.name, *program, *launch.card), workers, total.totals);
  }
  stale_ = true;
  return total;
}

void Tally::add(const KernelCounters& launch) {
  const auto it = std::ranges::find(kernels_, launch.name, &KernelCounters::name);
  if (it == kernels_.end()) {
    kernels_.push_back(launch);
    return;
  }
  add_shape(*it, launch);
  add_launch(*it, launch);
}

void Tally::keep(std::uint64_t launch, const KernelCounters& counted, const Kernel& kernel,
                 const Card& card, const std::vector<std::unique_ptr<Worker>>& workers) {
  std::vector<ExecutedProgram> ran;
  for (const Program* program : programs_that_ran(kernel, workers)) {
    ran.push_back({program, sum_counts(*program, workers)});
  }
  WorkSlices& slices = slices_.try_emplace(&kernel, kernel).first->second;
  const std::vector<std::vector<bool>>& useful = slices.useful(ran);
  KernelCounters reaching = counted;
  reaching.totals = {};
  for (std::size_t p = 0; p < ran.size(); ++p) {
    const Program& program = *ran[p].program;
    const FunctionSites& function = sites_of(counted.name, program, card);
    for (std::size_t i = 0; i < useful[p].size(); ++i) {
      const Counts& counts = ran[p].counts[i];
      if (counts.executed == 0 && counts.requests == 0) continue;
      // How many lanes are at work in an instruction says nothing of what it is good for.
      const InstructionTraits& traits = function.sites[i].traits;
      const InstructionTraits bare = {.branch = traits.branch};
      reaching.totals.add(useful[p][i] ? traits : bare, counts);
    }
    for_generic(program, workers, [&](std::uint32_t index, const GenericCounts& generic) {
      if (!useful[p][index]) return;
      add_generic(reaching.totals, function.sites[index].traits.access, generic);
    });
  }
  if (kept_.size() < kMostKept) {
    kept_.push_back({launch, std::move(reaching)});
  } else {
    add_to(beyond_, reaching);
  }
}

void Tally::count_reaching(const std::function<bool(std::uint64_t)>& reaches) {
  std::vector<KernelCounters> sums = beyond_;
  for (const KeptLaunch& launch : kept_) {
    if (reaches(launch.number)) add_to(sums, launch.counters);
  }
  for (KernelCounters& kernel : kernels_) {
    const auto it = std::ranges::find(sums, kernel.name, &KernelCounters::name);
    kernel.reaching.assign(1, it == sums.end() ? KernelCounters{} : *it);
  }
}

void Tally::fill_lines(const KernelSites& sites, KernelCounters& kernel) {
  std::vector<Totals> sums(sites.places.size());
  std::set<std::uint32_t> used;
  for (const FunctionSites* function : sites.order) {
    for (const Site& site : function->sites) {
      if (site.counts.executed == 0 && site.counts.requests == 0) continue;
      used.insert(site.place);
      sums[site.place].add(site.traits, site.counts);
      add_generic(sums[site.place], site.traits.access, site.generic);
    }
  }
  kernel.lines.clear();
  for (const std::uint32_t place : used) {
    kernel.lines.push_back({sites.places[place].file, sites.places[place].line, sums[place]});
  }
  std::ranges::sort(kernel.lines, {}, [](const LineCounters& line) {
    return std::pair<const std::string&, std::uint32_t>(line.file, line.line);
  });
}

void Tally::fill_instructions(const KernelSites& sites, KernelCounters& kernel) {
  kernel.instructions.clear();
  for (const FunctionSites* function : sites.order) {
    for (const Site& site : function->sites) {
      if (site.counts.executed == 0 && site.counts.requests == 0) continue;
      const Place& place = sites.places[site.place];
      kernel.instructions.push_back(
          {function->name, site.index, site.text, place.file, place.line, {}});
      kernel.instructions.back().totals.add(site.traits, site.counts);
      add_generic(kernel.instructions.back().totals, site.traits.access, site.generic);
    }
  }
}

const std::vector<KernelCounters>& Tally::kernels() {
  if (std::exchange(stale_, false)) {
    for (KernelCounters& kernel : kernels_) {
      const auto it = sites_.find(kernel.name);
      if (it == sites_.end()) continue;
      fill_lines(it->second, kernel);
      if (by_instruction_) fill_instructions(it->second, kernel);
    }
  }
  return kernels_;
}

}  // namespace warpsim
