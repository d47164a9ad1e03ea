#include <fmt/format.h>

#include <cstdlib>
#include <cstring>

#include "emulator/checkers/list.h"
#include "emulator/machine/launch.h"
#include "emulator/native/native.h"
#include "emulator/tests/golden_runner/backend.h"

namespace warpsim::golden {
namespace {

std::string_view status_name(LaunchStatus status) {
  switch (status) {
    case LaunchStatus::ok:
      return "ok";
    case LaunchStatus::illegal_address:
      return "illegal address";
    case LaunchStatus::misaligned:
      return "misaligned address";
    case LaunchStatus::assertion:
      return "assertion";
    case LaunchStatus::trap:
      return "trap";
    case LaunchStatus::barrier_error:
      return "barrier error";
    case LaunchStatus::out_of_budget:
      return "out of budget";
    case LaunchStatus::deadlock:
      return "deadlock";
    case LaunchStatus::unsupported:
      return "unsupported instruction";
    case LaunchStatus::internal:
      return "internal error";
  }
  return "unknown status";
}

class EmulatorBackend : public Backend {
 public:
  [[nodiscard]] bool supports(const Target&) const override { return true; }

  void load(const std::string& ptx, const std::string& origin) override {
    device_.reset();  // a process has one range of device addresses
    device_ = std::make_unique<Device>();
    try {
      device_->machine.load({.ptx = ptx, .origin = origin});
    } catch (const LoadError& error) {
      throw BackendError(error.what());
    }
  }

  std::uint64_t upload(std::span<const std::byte> bytes) override {
    GlobalMemory& memory = device_->memory;
    GlobalMemory::Allocation* const allocation =
        memory.allocate(bytes.size(), GlobalMemory::Kind::device, "golden buffer");
    if (allocation == nullptr) throw BackendError("out of device memory");
    std::memcpy(allocation->host, bytes.data(), bytes.size());
    memory.mark_written(*allocation, allocation->base, bytes.size());
    return allocation->base;
  }

  void download(std::uint64_t address, std::span<std::byte> bytes) override {
    const GlobalMemory::Allocation* const allocation = device_->memory.find(address);
    std::memcpy(bytes.data(), allocation->host, bytes.size());
  }

  void launch(const std::string& entry, const LaunchShape& shape,
              std::span<const std::vector<std::byte>> arguments) override {
    try {
      launch_entry(entry, shape, arguments);
    } catch (const LoadError& error) {
      throw BackendError(error.what());
    }
  }

 private:
  /// With WARPSIM_GOLDEN_NATIVE, what has an emitter is compiled before its first execution, for
  /// vectors of so many bytes. Where the host has none of that size, the program ends as a skipped
  /// test.
  static MachineOptions options() {
    MachineOptions options;
    if (const char* const bytes = std::getenv("WARPSIM_GOLDEN_NATIVE")) {
      options.native =
          make_native_code({.threshold = 1, .patience = 0, .vector_bytes = std::atoi(bytes)});
      if (options.native == nullptr) {
        fmt::print("skipped: no native code with vectors of {} bytes here\n", bytes);
        std::exit(77);
      }
    }
    return options;
  }

  /// Everything that a module's lifetime spans.
  struct Device {
    GlobalMemory memory{std::uint64_t{1} << 30};
    FindingLog findings;
    Machine machine{*find_card("h200"), memory, findings, options(), all_checkers()};
  };

  void launch_entry(const std::string& entry, const LaunchShape& shape,
                    std::span<const std::vector<std::byte>> arguments) {
    const Kernel* const kernel = device_->machine.find_kernel(entry);
    if (kernel == nullptr) throw BackendError(fmt::format("no entry '{}'", entry));
    std::vector<const void*> pointers;
    for (const auto& argument : arguments) pointers.push_back(argument.data());
    LaunchRequest request;
    request.kernel = kernel;
    request.grid = {shape.grid[0], shape.grid[1], shape.grid[2]};
    request.block = {shape.block[0], shape.block[1], shape.block[2]};
    request.dynamic_shared_bytes = shape.shared_bytes;
    request.arguments = pointers.data();
    request.cooperative = shape.cooperative;
    const std::size_t known = device_->findings.sorted().size();
    const LaunchResult result = device_->machine.launch(request);
    std::string problems;
    const std::vector<Finding> findings = device_->findings.sorted();  // this launch's are the last
    for (std::size_t i = known; i < findings.size(); ++i) {
      // What a shuffle takes from lanes that are not there is what the card gives, and compared.
      if (findings[i].kind != FindingKind::shuffle_inactive_lane) problems += render(findings[i]);
    }
    if (result.status != LaunchStatus::ok || !problems.empty()) {
      throw BackendError(
          fmt::format("the launch ended with: {}\n{}", status_name(result.status), problems));
    }
  }

  std::unique_ptr<Device> device_;
};

}  // namespace

std::unique_ptr<Backend> make_emulator_backend() {
  return std::make_unique<EmulatorBackend>();
}

}  // namespace warpsim::golden
