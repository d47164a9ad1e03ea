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
#include "emulator/cudart/decoy_image.h"
#include "emulator/cudart/decoy_inputs.h"
#include "emulator/machine/launch.h"
#include "emulator/machine/memory.h"

namespace warpsim::cudart {

/// During the announced call, host code sees the inputs that it was given, and kernels see others.
/// Input data are replaced when copied to the device, and restored when copied back if no kernel
/// has overwritten them; data written by kernels are never replaced. Outputs that match the host's
/// inputs were therefore computed by the host.
///
/// Protected by the runtime's lock, like everything in the API.
class Decoy {
 public:
  /// Reads the file WARPSIM_DECOY and writes the device's inputs into the call's arrays in device
  /// memory. An unreadable file ends the process, because otherwise a normal run would be taken for
  /// a decoy run.
  Decoy(const std::string& file, const AnnouncedCall& call, GlobalMemory& memory);

  /// Replaces the bytes of a copy by those for its target.
  /// @param target, source  the addresses
  void exchange(std::span<std::byte> bytes, const PointerView& to, std::uint64_t target,
                const PointerView& from, std::uint64_t source);

  /// While a kernel runs, pages shared by the program and kernels, and structures among the
  /// kernel's arguments, hold the device's inputs.
  class Launch {
   public:
    /// @param decoy    null: nothing happens
    /// @param request  its arguments are exchanged
    /// @param sizes    of the kernel's parameters, in bytes
    Launch(Decoy* decoy, LaunchRequest& request, std::span<const std::uint32_t> sizes);
    ~Launch() { let_host_see(); }
    Launch(const Launch&) = delete;
    Launch& operator=(const Launch&) = delete;

    /// The program continues while the kernel waits.
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
  /// Shared memory, as each side last saw it.
  struct Shared {
    std::uint64_t id = 0;  // of the allocation
    std::vector<std::byte> host, device;
    std::vector<std::uint8_t> sizes;  // of differing elements, at their first bytes
  };

  /// Replaces input data among bytes at an address of the program.
  /// @param sizes  one per byte, set as by DecoyValues::replace
  void to_device(std::span<std::byte> bytes, std::uint64_t address, std::span<std::uint8_t> sizes);
  void to_host(std::span<std::byte> bytes, std::uint64_t device_address,
               std::uint64_t host_address);
  void along_device(std::span<const std::byte> bytes, std::uint64_t from, std::uint64_t to);
  /// Marks data as results of kernels, which are not inputs, whatever their values.
  void note_results(std::span<const std::byte> bytes, std::uint64_t host_address);
  /// Marks data as no inputs, whatever their values.
  void keep_as_is(std::span<const std::byte> bytes, std::uint64_t host_address);
  [[nodiscard]] bool is_output_after_call(std::uint64_t address) const;
  [[nodiscard]] bool may_share(const LaunchRequest& request,
                               std::span<const std::uint32_t> sizes) const;
  void share(GlobalMemory::Allocation& allocation);
  void unshare(const GlobalMemory::Allocation& allocation);

  const AnnouncedCall& call_;
  GlobalMemory& memory_;
  DecoyInputs inputs_;
  /// What the host copied to device memory; without differing versions where it was no input.
  DecoyImage on_device_;
  DecoyImage results_;  // in the program's memory: results of kernels, and what is not an input
  bool host_has_results_ = false;
  std::map<std::uint64_t, Shared> shared_;  // by address
};

}  // namespace warpsim::cudart
