#include <algorithm>
#include <cstring>
#include <map>
#include <thread>
#include <utility>

#include "emulator/counters/cost.h"
#include "emulator/machine/budget.h"
#include "emulator/machine/context.h"
#include "emulator/machine/debugger.h"
#include "emulator/machine/faults.h"
#include "emulator/machine/float_environment.h"
#include "emulator/machine/grid.h"
#include "emulator/machine/linker.h"
#include "emulator/machine/observer.h"
#include "emulator/machine/pointer_origins.h"
#include "emulator/machine/ptxas.h"
#include "emulator/machine/tally.h"

namespace warpsim {
namespace {

/// The least that calls have of a thread's local memory, beyond the entry's own variables; more
/// where the program asks for it (cudaLimitStackSize).
constexpr std::uint32_t kStackBytes = 64 * 1024;

constexpr CheckOptions kNothingObserved = {.bounds = true,
                                           .unwritten = false,
                                           .races = false,
                                           .read_only = false,
                                           .barriers = false,
                                           .leaks = false,
                                           .counters = false,
                                           .cache = false};

/// The order of blocks may show in the result; one host thread makes it always the same.
bool runs_in_order(const LaunchState& launch) {
  return launch.program->order_sensitive || launch.program->kernel->has_calls;
}

/// Of this host. Asked once: the answer comes from a file, which takes longer than a small kernel.
unsigned processors() {
  static const unsigned count = std::max(1u, std::thread::hardware_concurrency());
  return count;
}

}  // namespace

namespace {

/// What belongs to one device of the machine.
struct OneDevice {
  OneDevice(GlobalMemory& memory, const DecodeOptions& decoding,
            const std::shared_ptr<Changes>& changes, int device, Linker* first)
      : linker(memory, decoding, changes, device, first) {}

  Linker linker;
  GlobalMemory::Allocation* workspace = nullptr;  // of cooperative launches
};

/// What only one launch can use at a time. A second one runs beside the first where that waits for
/// memory to change (LaunchRequest::on_stall).
struct Equipment {
  std::vector<std::unique_ptr<Observer>> checkers;  // that are on, in the order of the list
  std::vector<std::unique_ptr<SecondLevel>> second_levels;  // by device; none: no cache model
  bool in_use = false;
};

/// A launch's, until it has ended.
struct UsedEquipment {
  explicit UsedEquipment(Equipment& taken) : equipment(taken) { equipment.in_use = true; }
  ~UsedEquipment() { equipment.in_use = false; }
  UsedEquipment(const UsedEquipment&) = delete;
  UsedEquipment& operator=(const UsedEquipment&) = delete;

  Equipment& equipment;
};

}  // namespace

struct Machine::State {
  State(const Card& c, GlobalMemory& m, FindingLog& f, MachineOptions o,
        std::span<const CheckerEntry> checkers)
      : card(c), memory(m), findings(f), options(o), list(checkers), tally(o.by_instruction) {
    // A seed's interruptions count the instructions of the code, and come between any two.
    const DecodeOptions decoding = {.computes_ahead = o.seed == 0,
                                    .shares_registers = o.shares_registers,
                                    .native = o.seed == 0 ? o.native.get() : nullptr};
    for (int device = 0; device < m.devices(); ++device) {
      Linker* const first = device == 0 ? nullptr : &devices.front()->linker;
      devices.push_back(std::make_unique<OneDevice>(m, decoding, o.changes, device, first));
    }
    equip();
  }

  const Card& card;
  GlobalMemory& memory;
  FindingLog& findings;
  MachineOptions options;
  const std::span<const CheckerEntry> list;
  std::vector<std::unique_ptr<OneDevice>> devices;  // by device
  ImageTable images;
  std::uint64_t launches = 0;
  Tally tally;
  /// What ptxas said, by module.
  std::map<const LoadedModule*, std::map<std::string, std::uint32_t>> ptxas_answers;
  std::vector<std::unique_ptr<Equipment>> all_equipment;  // the first one is always there
  Debugger* debugger = nullptr;

  [[nodiscard]] OneDevice& of(int device) { return *devices[static_cast<std::size_t>(device)]; }
  Equipment& equip();
  [[nodiscard]] Equipment& free_equipment();
  [[nodiscard]] bool runs_beside_another() const {
    return std::ranges::count_if(all_equipment, [](const auto& one) { return one->in_use; }) > 1;
  }
  void prepare(LaunchState& launch, const LaunchRequest& request);
  void find_workspace(LaunchState& launch, bool of_its_own);
  void run(LaunchState& launch, bool unobserved, std::vector<std::unique_ptr<Worker>>& workers);
  [[nodiscard]] LaunchResult finish(LaunchState& launch,
                                    const std::vector<std::unique_ptr<Worker>>& workers,
                                    const LaunchRequest& request, std::uint64_t root);
  [[nodiscard]] LaunchResult launch_debugged(const LaunchRequest& request, std::uint64_t root,
                                             const Equipment& equipment);
  void fit_on_card(LaunchState& launch, const Equipment& equipment);
  void begin_checkers(LaunchState& launch);
  void ask_ptxas(Kernel& kernel);
  void settle_written();
  LaunchResult launch_one(const LaunchRequest& request, std::uint64_t root);
  LaunchResult launch(const LaunchRequest& request, int depth, std::uint64_t root);
  void run_device_work(const DeviceWork& work, const LaunchRequest& request, int depth,
                       LaunchResult& result);
};

Machine::Machine(const Card& card, GlobalMemory& memory, FindingLog& findings,
                 MachineOptions options, std::span<const CheckerEntry> checkers)
    : state_(std::make_unique<State>(card, memory, findings, options, checkers)) {}

Machine::~Machine() = default;

void Machine::attach(Debugger& debugger) {
  state_->debugger = &debugger;
  // It wants to see each instruction, and registers after their last use.
  for (const auto& device : state_->devices) {
    device->linker.decode_with(
        {.computes_ahead = false, .shares_registers = false, .skips_copies = false});
  }
}

void Machine::load(ModuleSource source) {
  source.source_folder = state_->options.source_folder;
  for (const auto& device : state_->devices) device->linker.load(source);
}

void Machine::load_lazily(ModuleSource source) {
  source.source_folder = state_->options.source_folder;
  for (const auto& device : state_->devices) device->linker.load_lazily(source);
}

const Kernel* Machine::find_kernel(std::string_view mangled_name, std::uint32_t unit, int device) {
  Kernel* kernel = state_->of(device).linker.find_kernel(mangled_name, unit);
  if (kernel != nullptr && state_->options.ask_ptxas) {
    state_->ask_ptxas(*kernel);
    KernelInfo& info = kernel->info;
    info.registers_from_ptxas = info.allocated_registers != 0;
    if (info.registers_from_ptxas) info.registers = info.allocated_registers;
  }
  return kernel;
}

void Machine::find_allocated_registers(const Kernel& kernel) {
  // The runtime hands the kernel back as it got it from find_kernel: const for its users only.
  state_->ask_ptxas(const_cast<Kernel&>(kernel));
}

const KernelInfo& Machine::info(const Kernel& kernel) const {
  return kernel.info;
}

Symbol* Machine::find_symbol(std::string_view name, std::uint32_t unit, int device) {
  return state_->of(device).linker.find_symbol(name, unit);
}

ImageTable& Machine::images() {
  return state_->images;
}

const std::vector<KernelCounters>& Machine::counters() const {
  return state_->tally.kernels();
}

const MachineOptions& Machine::options() const {
  return state_->options;
}

Equipment& Machine::State::equip() {
  Equipment& made = *all_equipment.emplace_back(std::make_unique<Equipment>());
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (is_on(options.checks, list, i)) made.checkers.push_back(list[i].make());
  }
  if (!options.checks.counters || !options.checks.cache) return made;
  for (std::size_t i = 0; i < devices.size(); ++i) {
    made.second_levels.push_back(std::make_unique<SecondLevel>(card.l2_bytes));
  }
  return made;
}

/// One that no launch uses.
Equipment& Machine::State::free_equipment() {
  const auto free =
      std::ranges::find_if(all_equipment, [](const auto& one) { return !one->in_use; });
  return free == all_equipment.end() ? equip() : **free;
}

/// The memory of a cooperative launch's barrier.
void Machine::State::find_workspace(LaunchState& launch, bool of_its_own) {
  GlobalMemory::Allocation* of_launch = nullptr;
  GlobalMemory::Allocation*& workspace = of_its_own ? of_launch : of(launch.device).workspace;
  if (workspace == nullptr) {
    workspace = memory.allocate(64, GlobalMemory::Kind::symbol, "grid barrier", launch.device);
    if (workspace == nullptr) return;
    workspace->module_owned = true;
  }
  std::memset(workspace->host, 0, workspace->size);
  const std::uint32_t size = 64;
  std::memcpy(workspace->host, &size, sizeof size);
  workspace->all_written = true;
  launch.workspace = workspace->base;
}

void Machine::State::prepare(LaunchState& launch, const LaunchRequest& request) {
  Linker& linker = of(request.device).linker;
  // The runtime hands the kernel back as it got it from find_kernel: const for its users only.
  auto& kernel = *const_cast<Kernel*>(request.kernel);
  if (kernel.entry == nullptr) kernel.entry = &linker.program(kernel, *kernel.ref);
  launch.device = request.device;
  launch.linker = &linker;
  launch.card = &card;
  launch.memory = &memory;
  launch.findings = &findings;
  launch.images = &images;
  launch.options = options;
  if (request.unobserved) launch.options.checks = kNothingObserved;
  launch.program = kernel.entry;
  launch.kernel_name = kernel.info.demangled;
  launch.grid = request.grid;
  launch.block = request.block;
  launch.blocks_begun = request.blocks_begun;
  launch.on_stall = request.on_stall;
  const std::uint32_t* declared = kernel.info.limits.cluster;
  launch.cluster = request.cluster;
  if (declared[0] != 0) {
    launch.cluster = {declared[0], std::max(declared[1], 1u), std::max(declared[2], 1u)};
  }
  launch.explicit_cluster = declared[0] != 0 || request.cluster.count() > 1;
  launch.threads_per_block = static_cast<std::uint32_t>(request.block.count());
  launch.warps_per_block = (launch.threads_per_block + kWarpSize - 1) / kWarpSize;
  launch.dynamic_shared_bytes = request.dynamic_shared_bytes;
  if (kernel.has_calls) launch.stack_bytes = std::max(kStackBytes, request.stack_bytes);
  launch.shared_arrays = kernel.shared.arrays;
  launch.shared_bytes = kernel.shared.bytes + request.dynamic_shared_bytes;
  const bool has_dynamic = !launch.shared_arrays.empty() && launch.shared_arrays.back().bytes == 0;
  if (has_dynamic) launch.shared_arrays.back().bytes = request.dynamic_shared_bytes;
  launch.launch_number = ++launches;
  launch.budget = options.instruction_budget == 0 ? kDefaultBudget : options.instruction_budget;

  const KernelInfo& info = kernel.info;
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < info.parameter_sizes.size(); ++i) {
    bytes = std::max<std::size_t>(bytes, info.parameter_offsets[i] + info.parameter_sizes[i]);
  }
  launch.parameters.resize(bytes);
  for (std::size_t i = 0; i < info.parameter_sizes.size(); ++i) {
    std::memcpy(launch.parameters.data() + info.parameter_offsets[i], request.arguments[i],
                info.parameter_sizes[i]);
  }
  // A replay, for which memory is set aside, has one for each launch, and so have launches that run
  // beside each other.
  if (request.cooperative) find_workspace(launch, request.unobserved || runs_beside_another());
  for (GlobalMemory::Allocation* allocation : memory.live()) {
    // What the device may not use is not there, so that no access has to ask.
    if (!memory.reaches(request.device, *allocation)) continue;
    launch.extents.push_back({allocation->base, allocation->base + allocation->size, allocation});
  }
}

/// Notes what ptxas allocates for a thread of a kernel on this card.
void Machine::State::ask_ptxas(Kernel& kernel) {
  const LoadedModule* module = kernel.ref->module;
  auto it = ptxas_answers.find(module);
  if (it == ptxas_answers.end()) {
    const int card_architecture = card.major * 10 + card.minor;
    const int architecture = std::max(card_architecture, static_cast<int>(module->ptx.target));
    it = ptxas_answers.emplace(module, ptxas_registers(*module->ptx.text, architecture)).first;
  }
  const auto answer = it->second.find(kernel.info.name);
  if (answer == it->second.end()) return;
  kernel.info.allocated_registers = answer->second;
  // The option was for the ptxas of whoever built the program.
  const std::uint32_t most = kernel.info.limits.max_registers;
  if (most != 0) kernel.info.allocated_registers = std::min(answer->second, most);
}

/// How many blocks share a multiprocessor, and what each has of its first-level cache.
void Machine::State::fit_on_card(LaunchState& launch, const Equipment& equipment) {
  const Kernel& kernel = *launch.program->kernel;
  const std::uint64_t shared = kernel.shared.hardware_bytes + launch.dynamic_shared_bytes;
  const Occupancy fit = occupancy(card, static_cast<int>(launch.threads_per_block),
                                  static_cast<int>(kernel.info.registers), shared);
  launch.blocks_per_multiprocessor = static_cast<std::uint64_t>(std::max(fit.blocks_per_sm, 1));
  // The order of blocks may show in the result; one host thread makes it always the same.
  launch.serial = runs_in_order(launch);
  if (!launch.options.checks.cache || equipment.second_levels.empty()) return;
  launch.second_level = equipment.second_levels[static_cast<std::size_t>(launch.device)].get();
  launch.first_level_bytes =
      first_level_share(card.l1_bytes, card.shared_carve_outs,
                        shared + card.reserved_shared_per_block, launch.blocks_per_multiprocessor);
  launch.second_level->begin_launch(
      launch.grid.count(),
      launch.blocks_per_multiprocessor * static_cast<std::uint64_t>(card.multiprocessors));
}

/// Decides what watches the launch.
void Machine::State::begin_checkers(LaunchState& launch) {
  for (const auto& checker : launch.checkers) {
    const Follows follows = checker->begin_launch(launch);
    if (follows == Follows::nothing) continue;
    launch.observers.push_back(checker.get());
    if (follows == Follows::accesses) launch.access_observers.push_back(checker.get());
  }
  if (options.checks.counters) launch.watch |= kCounts;
  if (launch.second_level != nullptr) launch.watch |= kCaches;
  if (!launch.observers.empty()) launch.watch |= kEvents;
  if (!launch.access_observers.empty()) launch.watch |= kAccesses;
  if (options.checks.unwritten) launch.watch |= kInitialization;
}

void Machine::State::run(LaunchState& launch, bool unobserved,
                         std::vector<std::unique_ptr<Worker>>& workers) {
  const std::uint64_t blocks = launch.grid.count();
  unsigned threads = options.host_threads;
  if (threads == 0) threads = processors();
  const bool one_thread =
      !unobserved && std::ranges::any_of(launch.checkers, [&](const auto& checker) {
        return checker->needs_one_thread(launch);
      });
  if (launch.serial || one_thread || launch.debugger != nullptr) threads = 1;
  threads =
      static_cast<unsigned>(std::min<std::uint64_t>(threads, blocks / launch.cluster.count()));
  launch.host_threads = threads;
  for (unsigned i = 0; i < threads; ++i) {
    workers.push_back(std::make_unique<Worker>());
    workers.back()->launch = &launch;
    workers.back()->warp_numbers.resize(launch.warps_per_block);
  }
  if (threads == 1) {
    launch.only_worker = workers.front().get();
    if (launch.debugger != nullptr) {
      run_debugged_worker(*workers.front());
    } else {
      run_worker(*workers.front());
    }
    return;
  }
  std::vector<std::jthread> pool;
  for (unsigned i = 1; i < threads; ++i) {
    pool.emplace_back([worker = workers[i].get()] { run_worker(*worker); });
  }
  run_worker(*workers.front());
}

void Machine::State::settle_written() {
  for (GlobalMemory::Allocation* allocation : memory.live()) {
    if (allocation->all_written || allocation->written == nullptr) continue;
    if (!memory.first_unwritten(*allocation, allocation->base, allocation->size)) {
      allocation->all_written = true;
    }
  }
}

/// What has to be done when all blocks have ended.
/// @param root  the number of the launch from the host that led to this one; 0: it is that
LaunchResult Machine::State::finish(LaunchState& launch,
                                    const std::vector<std::unique_ptr<Worker>>& workers,
                                    const LaunchRequest& request, std::uint64_t root) {
  LaunchResult result;
  if (request.unobserved) {
    result.status = launch.status;
    result.number = launch.launch_number;
    return result;
  }
  settle_written();
  for (const auto& checker : launch.checkers) checker->end_launch(launch);
  result.number = launch.launch_number;
  result.touched.incomplete = request.traces_data;  // until an observer knows
  for (Observer* const observer : launch.observers) observer->add_results(launch, request, result);

  std::stable_sort(launch.printed.begin(), launch.printed.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  for (const auto& [block, text] : launch.printed) result.printed += text;

  result.status = launch.status;
  KernelCounters counted = tally.count(launch, workers);
  if (launch.second_level != nullptr) {
    counted.caches = launch.second_level->end_launch(launch.stop_at.load());
  }
  result.modelled_ms = counted.modelled_ms = modelled_milliseconds(counted, card);
  const double fit = static_cast<double>(launch.blocks_per_multiprocessor) *
                     static_cast<double>(card.multiprocessors);
  result.share_of_card = std::min(1.0, static_cast<double>(launch.grid.count()) / fit);
  tally.add(counted);
  if (request.traces_data) {
    const Counts& bulk = counted.totals[AccessKind::bulk_copy];
    if (bulk.executed != 0) result.touched.incomplete = true;
    tally.keep(root != 0 ? root : launch.launch_number, counted, *launch.program->kernel, card,
               workers);
  }
  return result;
}

/// A debugger may have a launch run again from its start, to come to an earlier instruction.
LaunchResult Machine::State::launch_debugged(const LaunchRequest& request, std::uint64_t root,
                                             const Equipment& equipment) {
  const std::uint64_t earlier = launches;
  for (;;) {
    LaunchState launch;
    std::vector<std::unique_ptr<Worker>> workers;
    launch.checkers = equipment.checkers;
    prepare(launch, request);
    forget_allowed_arrays();
    launch.debugger = debugger;
    fit_on_card(launch, equipment);
    begin_checkers(launch);
    debugger->begin(launch);
    run(launch, false, workers);
    if (!debugger->runs_again(launch)) return finish(launch, workers, request, root);
    launches = earlier;
    launch.linker->device_work.pending.clear();
    launch.linker->device_work.buffers.clear();
  }
}

/// One launch, without what its kernel launches. @param root  as for finish()
LaunchResult Machine::State::launch_one(const LaunchRequest& request, std::uint64_t root) {
  const UsedEquipment used(free_equipment());
  const Equipment& equipment = used.equipment;
  if (debugger != nullptr && !request.unobserved && !runs_beside_another() &&
      debugger->follows(launches + 1, request.kernel->info.demangled)) [[unlikely]] {
    return launch_debugged(request, root, equipment);
  }
  LaunchState launch;
  std::vector<std::unique_ptr<Worker>> workers;
  launch.checkers = equipment.checkers;
  prepare(launch, request);
  forget_allowed_arrays();
  fit_on_card(launch, equipment);
  if (!request.unobserved) begin_checkers(launch);
  run(launch, request.unobserved, workers);
  return finish(launch, workers, request, root);
}

namespace {

/// Adds ranges of a launch that came after, by address as the others.
/// @param join  adds a range to the one before it, if they are to be one
template <class Range, class Join>
void add_ranges(std::vector<Range>& ranges, const std::vector<Range>& more, const Join& join) {
  if (more.empty()) return;
  ranges.insert(ranges.end(), more.begin(), more.end());
  std::ranges::stable_sort(ranges, {}, &Range::begin);
  std::vector<Range> joined;
  for (const Range& range : ranges) {
    if (joined.empty() || !join(joined.back(), range)) joined.push_back(range);
  }
  ranges = std::move(joined);
}

bool join_uses(MemoryUse& before, const MemoryUse& use) {
  if (use.begin >= before.end) return false;
  before.end = std::max(before.end, use.end);
  before.how |= use.how;
  return true;
}

bool join_ranges(MemoryRange& before, const MemoryRange& range) {
  if (range.begin > before.end) return false;
  before.end = std::max(before.end, range.end);
  return true;
}

/// A copy or fill by the device. @returns false for a range outside of an allocation that it may
/// use
bool move_bytes(GlobalMemory& memory, const DeviceWork& work, int device) {
  const auto holds = [&](const GlobalMemory::Allocation* allocation, std::uint64_t address) {
    return allocation != nullptr && memory.reaches(device, *allocation) &&
           work.bytes <= allocation->base + allocation->size - address;
  };
  if (work.bytes == 0) return true;
  GlobalMemory::Allocation* to = memory.find(work.to);
  if (!holds(to, work.to)) return false;
  std::byte* target = to->host + (work.to - to->base);
  if (work.kind == DeviceWork::Kind::fill) {
    std::memset(target, work.value, work.bytes);
  } else {
    const GlobalMemory::Allocation* from = memory.find(work.from);
    if (!holds(from, work.from)) return false;
    std::memmove(target, from->host + (work.from - from->base), work.bytes);
  }
  memory.mark_written(*to, work.to, work.bytes);
  return true;
}

}  // namespace

/// Runs work that a kernel of `request` submitted, and adds what it did to the kernel's result.
void Machine::State::run_device_work(const DeviceWork& work, const LaunchRequest& request,
                                     int depth, LaunchResult& result) {
  if (work.kind != DeviceWork::Kind::kernel) {
    if (!move_bytes(memory, work, request.device)) result.status = LaunchStatus::illegal_address;
    return;
  }
  const KernelInfo& info = work.kernel->info;
  std::vector<const void*> arguments;
  for (const std::uint32_t offset : info.parameter_offsets) {
    arguments.push_back(work.parameters.data() + offset);
  }
  LaunchRequest child = request;
  child.kernel = work.kernel;
  child.grid = work.grid;
  child.block = work.block;
  child.cluster = {};
  child.dynamic_shared_bytes = work.shared_bytes;
  child.arguments = arguments.data();
  child.cooperative = false;
  const LaunchResult did = launch(child, depth + 1, result.number);
  result.status = did.status;
  result.printed += did.printed;
  result.modelled_ms += did.modelled_ms;
  result.share_of_card = std::max(result.share_of_card, did.share_of_card);
  add_ranges(result.uses, did.uses, join_uses);
  add_ranges(result.touched.reads, did.touched.reads, join_ranges);
  add_ranges(result.touched.writes, did.touched.writes, join_ranges);
  result.touched.joined |= did.touched.joined;
  result.touched.incomplete |= did.touched.incomplete;
}

/// A launch and all that its kernel launches, in an order that CUDA allows: one after another, each
/// before what was submitted after it.
LaunchResult Machine::State::launch(const LaunchRequest& request, int depth, std::uint64_t root) {
  DeviceWorkQueue& queue = of(request.device).linker.device_work;
  queue.depth = depth;
  // What is there belongs to a launch that this one runs beside.
  const std::size_t others = queue.pending.size();
  LaunchResult result = launch_one(request, root);
  if (root != 0) result.number = root;
  if (queue.pending.size() <= others) return result;
  const auto first = queue.pending.begin() + static_cast<std::ptrdiff_t>(others);
  const std::vector<DeviceWork> work(first, queue.pending.end());
  queue.pending.erase(first, queue.pending.end());
  queue.buffers.clear();
  queue.last_errors.clear();
  for (const bool at_end : {false, true}) {
    for (const DeviceWork& one : work) {
      if (result.status != LaunchStatus::ok) return result;
      if (one.tail_launch == at_end) run_device_work(one, request, depth, result);
    }
  }
  return result;
}

LaunchResult Machine::launch(const LaunchRequest& request) {
  const DefaultFloatEnvironment environment;
  return state_->launch(request, 0, 0);
}

void Machine::read_by_copy(std::uint64_t begin, std::uint64_t end) {
  for (const auto& equipment : state_->all_equipment) {
    for (const auto& checker : equipment->checkers) checker->read_by_copy(begin, end);
  }
}

void Machine::finish() {
  for (const auto& equipment : state_->all_equipment) {
    for (const auto& checker : equipment->checkers) checker->finish(state_->findings);
  }
}

void Machine::count_reaching(const std::function<bool(std::uint64_t)>& reaches) {
  state_->tally.count_reaching(reaches);
}

}  // namespace warpsim
