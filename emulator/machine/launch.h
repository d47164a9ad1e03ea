#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/counters/counters.h"
#include "emulator/device/card.h"
#include "emulator/findings/finding.h"
#include "emulator/machine/memory.h"
#include "emulator/machine/texture.h"
#include "emulator/ptx/module.h"

// What the runtime library (emulator/cudart) and the tests use of the machine.

namespace warpsim {

struct Dim3 {
  std::uint32_t x = 1, y = 1, z = 1;
  [[nodiscard]] std::uint64_t count() const { return std::uint64_t{x} * y * z; }
  bool operator==(const Dim3&) const = default;
};

struct Kernel;  // a decoded entry; opaque here
class Changes;  // changes/changes.h
class NativeCode;  // native_code.h
struct CheckerEntry;  // observer.h
class Debugger;  // debugger.h

/// Facts about an entry that the runtime API reports.
struct KernelInfo {
  std::string name;  // mangled
  std::string demangled;  // "vecadd(float const*, float const*, float*, int)"
  std::vector<std::uint32_t> parameter_sizes;  // bytes, in order
  std::vector<std::uint32_t> parameter_offsets;  // in the parameter buffer
  std::uint64_t static_shared_bytes = 0;
  std::uint64_t local_bytes = 0;  // per thread
  std::uint64_t constant_bytes = 0;
  std::uint32_t registers = 0;  // estimate from liveness, unless ptxas was asked
  bool registers_from_ptxas = false;
  /// What ptxas gives a thread on this card; 0 until ptxas was asked, and where there is no
  /// toolkit.
  std::uint32_t allocated_registers = 0;
  std::uint32_t ptx_version = 0;  // 75 for sm_75
  ptx::EntryLimits limits;
};

/// A device variable of a loaded module.
struct Symbol {
  std::string name;
  GlobalMemory::Allocation* allocation = nullptr;
  bool constant = false;
  bool managed = false;
};

/// A module to load.
struct ModuleSource {
  std::string ptx;
  std::string origin;  // what to call the module in messages
  /// Modules of one unit see each other's names, as those of an -rdc program do; a translation unit
  /// that was compiled alone is a unit of its own, since another one may have kernels and variables
  /// of the same names.
  std::uint32_t unit = 0;
  std::uint32_t max_registers = 0;  // of kernels without launch bounds: -maxrregcount; 0: no limit
  std::string source_folder = {};  // MachineOptions
};

/// Thrown when a module cannot be loaded: parse error, unknown instruction, unresolved symbol.
/// what() is the full message for a person.
class LoadError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Which checks run. All on by default.
struct CheckOptions {
  bool bounds = true;  // bounds, alignment, use after free: on whatever this says
  bool unwritten = true;  // reads of uninitialized memory
  bool races = true;  // accesses that nothing orders
  bool read_only = true;  // read-only loads of what the kernel writes
  bool barriers = true;
  bool leaks = true;
  bool counters = true;
  bool cache = true;  // the cache model, a part of the counters
  /// Checkers that run only where `--check` names them: bit i for the i-th of the list.
  std::uint32_t requested = 0;
};

struct MachineOptions {
  CheckOptions checks;
  unsigned host_threads = 0;  // 0: one per core, where the kernel allows it
  std::uint64_t instruction_budget = 0;  // warp instructions per launch; 0: the default
  std::uint64_t seed = 0;  // schedule seed; 0: the default schedule
  bool ask_ptxas = false;  // for the registers of kernels, where there is a toolkit
  bool by_instruction = false;  // counters of every instruction, with its text
  bool shares_registers = true;  // whether registers may share a place; results are the same
  /// The folder of the program's own sources, with a '/' at its end: what is inlined from a file
  /// with an absolute name elsewhere is the doing of the line that calls it. Empty: only what is
  /// inlined from the compiler's headers is.
  std::string source_folder = {};
  std::shared_ptr<Changes> changes;  // an experiment; null: the program runs as it is
  std::shared_ptr<NativeCode> native;  // compiles what is hot; null: everything is interpreted
};

struct LaunchRequest {
  const Kernel* kernel = nullptr;  // as found for this device
  int device = 0;
  Dim3 grid, block;
  Dim3 cluster;  // blocks of a cluster, a divisor of the grid; (1,1,1): what the kernel declares
  std::uint32_t dynamic_shared_bytes = 0;
  const void* const* arguments = nullptr;  // one host pointer per parameter
  bool cooperative = false;
  /// Local memory of a thread that calls have; less than the machine's own least counts as that.
  std::uint32_t stack_bytes = 0;
  /// Whether the result says what was done to device memory, too.
  bool wants_all_uses = false;
  /// Whether the result says which bytes were read and written, and the counters of the launch are
  /// kept until Machine::count_reaching.
  bool traces_data = false;
  /// Only what the kernel does to memory matters: no checks beyond those of addresses, no counters,
  /// no time. The launch is in no report.
  bool unobserved = false;
  /// How many blocks have begun, kept up to date while the kernel runs, for progress notes; may be
  /// null.
  std::atomic<std::uint64_t>* blocks_begun = nullptr;
  /// Called when all threads wait for memory to change that no kernel will change. Host code may:
  /// true lets them look again, false ends the kernel as a deadlock. Null: it cannot.
  std::function<bool()> on_stall;
};

/// How a launch ended; the runtime maps it to its sticky cudaError_t.
enum class LaunchStatus {
  ok,
  illegal_address,  // 700
  misaligned,  // 716
  assertion,  // 710
  trap,  // 719 launch failure
  barrier_error,  // 719
  out_of_budget,  // 702 launch timeout
  deadlock,  // 702
  unsupported,  // 801: an instruction that the table does not know was reached
  internal,  // our bug
};

/// Bytes of memory that a launch or a copy used, in one way.
struct MemoryUse {
  enum How : std::uint8_t {
    kRead = 1,
    kWritten = 2,
    // By accesses of the system's scope, which may be meant for host code that runs meanwhile.
    kLook = 4,
    kSignal = 8,
    kPlain = 16,  // by an access that is not strong, which may meet no other, or strong in a block
  };
  std::uint64_t begin = 0, end = 0;
  std::uint8_t how = 0;

  [[nodiscard]] bool is(std::uint8_t any_of) const { return (how & any_of) != 0; }
  /// `next` goes on where this one ends, in the same way.
  [[nodiscard]] bool continues_as(const MemoryUse& next) const {
    return end == next.begin && how == next.how;
  }
  bool operator==(const MemoryUse&) const = default;
};

/// Bytes of memory, [begin, end).
struct MemoryRange {
  std::uint64_t begin = 0, end = 0;
};

/// What a launch read and wrote in global memory, each by address; of its own results it read
/// nothing that a later launch would miss. Where there were very many pieces, near ones are joined.
struct TouchedMemory {
  std::vector<MemoryRange> reads, writes;
  bool joined = false;  // ranges hold bytes that were not touched
  bool incomplete = false;  // bulk copies touched more
};

struct LaunchResult {
  LaunchStatus status = LaunchStatus::ok;
  std::uint64_t number = 0;  // of the launch, from 1
  TouchedMemory touched;  // where it was asked for, and races are checked
  double modelled_ms = 0;  // deterministic time from the counters
  /// Of the blocks that the card holds at once, those that this launch has: 1 where it fills it.
  double share_of_card = 1;
  /// Of memory that host code can reach, or of all; by address. Known when races are checked.
  std::vector<MemoryUse> uses;
  std::string printed;  // by the device's printf, block after block
};

/// The processors of the emulated devices, one for each that the memory has: loaded code plus
/// execution. Counters and checks are common to all. Not thread-safe: the runtime library
/// serialises calls.
class Machine {
 public:
  /// @param checkers  the list of them, of which the options say which are on; lives as long as the
  /// program
  Machine(const Card& card, GlobalMemory& memory, FindingLog& findings, MachineOptions options,
          std::span<const CheckerEntry> checkers);
  ~Machine();

  /// Has a debugger stop warps and look at them, before anything is loaded: launches run on one
  /// host thread, and registers keep their values. @param debugger  outlives the machine
  void attach(Debugger& debugger);

  /// Parses and links a module, for each device: a variable has a copy on each, a managed one
  /// is common to all. Kernels and variables get addresses here; unknown instructions are only an
  /// error when a launch reaches them (libraries carry code that is never run).
  /// @throws LoadError
  void load(ModuleSource source);
  /// Same as load, but parsing waits until a name of the unit is asked for. Errors are thrown then.
  void load_lazily(ModuleSource source);

  [[nodiscard]] const Kernel* find_kernel(std::string_view mangled_name, std::uint32_t unit = 0,
                                          int device = 0);
  [[nodiscard]] const KernelInfo& info(const Kernel& kernel) const;
  /// Asks the toolkit's ptxas for `allocated_registers`, once per module; it takes about a second.
  void find_allocated_registers(const Kernel& kernel);
  [[nodiscard]] Symbol* find_symbol(std::string_view name, std::uint32_t unit = 0, int device = 0);

  /// The texture and surface objects that kernels may use.
  [[nodiscard]] ImageTable& images();

  /// Runs a grid to its end. The caller has validated the configuration against the card.
  LaunchResult launch(const LaunchRequest& request);

  /// Counters of every kernel launched so far, in order of first launch.
  [[nodiscard]] const std::vector<KernelCounters>& counters() const;
  [[nodiscard]] const MachineOptions& options() const;

  /// A copy is about to read device memory, [begin, end).
  void read_by_copy(std::uint64_t begin, std::uint64_t end);
  /// The program ends: logs what is known only then.
  void finish();

  /// Sums what the launches that traced data did towards their stores, as KernelCounters::reaching.
  /// @param reaches  whether what the launch of this number wrote was of use
  void count_reaching(const std::function<bool(std::uint64_t)>& reaches);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace warpsim
