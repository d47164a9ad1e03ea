#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/cudart/box.h"
#include "emulator/cudart/call_site.h"
#include "emulator/fatbin/fatbin.h"
#include "emulator/machine/memory.h"

namespace warpsim::cudart {

/// Pages of the program whose protection changes.
struct PageProtection {
  std::uint64_t begin = 0, end = 0;  // addresses in the program
  int protection = 0;  // PROT_NONE, PROT_READ, PROT_READ | PROT_WRITE
};

/// The program that uses the runtime: its memory, code and signals. The runtime accesses them only
/// through this interface, because the program may be in another process (emulator/remote). All
/// addresses are the program's.
class HostProgram {
 public:
  HostProgram() = default;
  virtual ~HostProgram() = default;
  HostProgram(const HostProgram&) = delete;
  HostProgram& operator=(const HostProgram&) = delete;

  /// The one that was set.
  [[nodiscard]] static HostProgram& get();
  /// @param program  never destroyed; set before the first call of the API
  static void set(HostProgram& program);

  /// Copies a box of the program's memory to memory of this process.
  virtual void read_box(const Side& to, const Side& from, const Box& box) = 0;
  /// Copies a box of this process's memory to the program's.
  virtual void write_box(const Side& to, const Side& from, const Box& box) = 0;
  void read(void* to, std::uint64_t address, std::size_t bytes) {
    read_box(Side::linear(to), {.address = address}, {.width = bytes});
  }
  void write(std::uint64_t address, const void* from, std::size_t bytes) {
    write_box({.address = address}, Side::linear(from), {.width = bytes});
  }
  /// The device code passed to `__cudaRegisterFatBinary`.
  [[nodiscard]] virtual fatbin::Images device_code(const void* wrapper, std::uint32_t target) = 0;
  /// The device code passed to cudaLibraryLoadData: a fat binary, its wrapper, or PTX text.
  [[nodiscard]] virtual fatbin::Images library_code(const void* code, std::uint32_t target) = 0;
  /// Memory shared by the program and the device.
  [[nodiscard]] virtual SharedPages& pages() = 0;

  /// Whether accesses of host code to protected pages are detected.
  [[nodiscard]] virtual bool catches_faults() = 0;
  virtual void protect(std::span<const PageProtection> pages) = 0;
  /// Whether these pages normally allow reads and writes.
  [[nodiscard]] virtual bool is_ordinary(std::uint64_t begin, std::uint64_t end) = 0;

  /// The frames of the call that runs, from `return_address` outwards.
  [[nodiscard]] virtual Frames frames(const void* return_address) = 0;
  /// The program or library that contains an address.
  [[nodiscard]] virtual std::optional<LoadedObject> object_of(const void* address) = 0;
  /// File names of loaded libraries.
  [[nodiscard]] virtual std::set<std::string> libraries() = 0;

  virtual void call(cudaHostFn_t function, void* user_data) = 0;
  virtual void call(cudaStreamCallback_t function, cudaStream_t stream, void* user_data) = 0;
  /// Runs work of the device, and holds the runtime's lock for it. If its kernel waits, this may
  /// return before the work is done, so that the program can continue.
  virtual void run_beside(std::function<void()> work) { work(); }
  /// Whether kernels of several such works can wait at the same time.
  [[nodiscard]] virtual bool several_can_wait() { return false; }
  /// For a kernel that waits for a change of memory: lets the program briefly continue after the
  /// call that launched the kernel.
  /// @param for_host  there is memory that host code can change
  /// @param state  what the kernel's threads do, equal while they only repeat it
  /// @returns false if it cannot, or waits for the device itself
  [[nodiscard]] virtual bool goes_on_meanwhile(bool /*for_host*/, std::uint64_t /*state*/) {
    return false;
  }
  /// The program's thread can do nothing before a kernel that waits has ended: waits until one has.
  /// @returns false if it cannot; whoever passes on the program's calls then repeats the call
  [[nodiscard]] virtual bool wait_for_kernel() { return false; }
  /// True in a forked child of a process that had used the device before: every call of such a
  /// child fails, as it does with the real runtime.
  [[nodiscard]] virtual bool is_forked_from_user() { return false; }
  /// Writes to the program's standard output.
  virtual void print(std::string_view text) = 0;
};

/// The program is in this process.
[[nodiscard]] HostProgram& local_program();

}  // namespace warpsim::cudart
