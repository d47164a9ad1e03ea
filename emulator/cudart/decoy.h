#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "emulator/checkers/host_findings.h"
#include "emulator/cudart/announced_call.h"
#include "emulator/cudart/decoy_file.h"
#include "emulator/cudart/decoy_image.h"
#include "emulator/cudart/decoy_values.h"
#include "emulator/machine/launch.h"
#include "emulator/machine/memory.h"

namespace warpsim::cudart {

/// Keeps two worlds apart during the announced call: host code sees the inputs that it was given,
/// kernels see others. Input data change on their way to the device, and back on their way from it
/// where no kernel has written since; what kernels wrote never changes. An answer that fits the
/// host's inputs was then computed by the host, whatever the kernels did.
///
/// Under the runtime's lock, like everything behind the API.
class Decoy {
 public:
  /// Reads the file of WARPSIM_DECOY and puts the device's inputs into the arrays that the call
  /// passes in device memory. A file that cannot be read ends the process: a run that is no decoy
  /// would be taken for one.
  Decoy(const std::string& file, const AnnouncedCall& call, GlobalMemory& memory);

  /// Changes bytes that a copy moves from one place to another into what is to arrive there.
  /// @param target, source  the addresses
  void exchange(std::span<std::byte> bytes, const PointerView& to, std::uint64_t target,
                const PointerView& from, std::uint64_t source);

  /// For the time in which a kernel runs: pages that the program and kernels share hold the
  /// device's inputs, and so do structures among the kernel's arguments.
  class Launch {
   public:
    /// @param decoy    null: nothing happens
    /// @param request  its arguments are exchanged
    /// @param sizes    of the kernel's parameters, in bytes
    Launch(Decoy* decoy, LaunchRequest& request, std::span<const std::uint32_t> sizes);
    ~Launch() { let_host_see(); }
    Launch(const Launch&) = delete;
    Launch& operator=(const Launch&) = delete;

    /// The program goes on while the kernel waits.
    void let_host_see();
    void let_kernel_see();

   private:
    void exchange_arguments(LaunchRequest& request, std::span<const std::uint32_t> sizes);

    Decoy* const decoy_;
    std::vector<const void*> pointers_;
    std::vector<std::vector<std::byte>> arguments_;
    bool shares_ = false;  // the kernel may reach memory that host code uses
    bool kernel_sees_ = false;
  };

 private:
  /// Memory of both sides, as each of them last saw it.
  struct Shared {
    std::uint64_t id = 0;  // of the allocation
    std::vector<std::byte> host, device;
    std::vector<std::uint8_t> sizes;  // of the elements that differ, at their first bytes
  };

  /// Replaces input data among bytes that the program has at an address of its own.
  /// @param sizes  one a byte: set as DecoyValues::replace does
  void to_device(std::span<std::byte> bytes, std::uint64_t address, std::span<std::uint8_t> sizes);
  void to_host(std::span<std::byte> bytes, std::uint64_t device_address,
               std::uint64_t host_address);
  void along_device(std::span<const std::byte> bytes, std::uint64_t from, std::uint64_t to);
  /// Kernels made what is there now: it is no input, whatever its values are.
  void note_results(std::span<const std::byte> bytes, std::uint64_t host_address);
  [[nodiscard]] const DecoyArray* find(const std::string& name) const;
  [[nodiscard]] bool is_output_after_call(std::uint64_t address) const;
  [[nodiscard]] const DecoyValues& values();
  [[nodiscard]] bool may_share(const LaunchRequest& request,
                               std::span<const std::uint32_t> sizes) const;
  void share(GlobalMemory::Allocation& allocation);
  void unshare(const GlobalMemory::Allocation& allocation);

  const AnnouncedCall& call_;
  GlobalMemory& memory_;
  std::vector<DecoyArray> arrays_;
  std::unique_ptr<DecoyValues> values_;  // made when it is first asked for
  DecoyImage on_device_;  // inputs in device memory
  DecoyImage results_;  // what kernels made, in the program's memory
  bool host_has_results_ = false;
  std::map<std::uint64_t, Shared> shared_;  // by address
};

}  // namespace warpsim::cudart
