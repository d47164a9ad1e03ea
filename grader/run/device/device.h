#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "grader/build/toolchain/toolchain.h"
#include "grader/core/installation.h"
#include "grader/process/sandbox/sandbox.h"

namespace warpgrade {

enum class DeviceKind : std::uint8_t { emulator, cuda };
enum class DeviceRequest : std::uint8_t { automatic, emulator, cuda };

/// What a worker's kernels run on; selected by the folder where the loader finds libcudart.
struct Device {
  DeviceKind kind = DeviceKind::emulator;
  std::string name;  // the GPU's; empty for the emulator, which names its card itself
  std::filesystem::path library_folder;
  std::string uuid = {};  // the GPU's, "GPU-1b2c..."; empty for the emulator
  int devices = 1;  // that the emulator has
  std::string card = {};  // that the emulator emulates ("h200"); empty: its default
  std::uint64_t schedule_seed = 0;  // another order of the same threads: `warpsim --seed`
  std::string checks = "all";  // of the emulator: `warpsim --check`
  std::string changes = {};  // an experiment's: `warpsim --change`; empty: none
  /// Instructions per warp on the emulator: ends an endless kernel with the same verdict on every
  /// machine and well before the time limit. The slowest correct program, one thread for a million
  /// elements, needs a third of it.
  std::uint64_t instruction_budget = std::uint64_t{1} << 25;
  bool idle = false;  // emulator: kernels are launched but not executed
  Sandbox sandbox = {};  // that workers run in
};

struct Gpu {
  std::string name;
  std::string uuid;  // "GPU-1b2c...", as nvidia-smi -L and CUDA_VISIBLE_DEVICES write it
  int capability = 0;  // 90 for compute capability 9.0
};

/// The first GPU that this process may use, if NVIDIA's driver is here and has one.
[[nodiscard]] std::optional<Gpu> find_gpu();

/// @throws EnvironmentError if the requested device is not available
[[nodiscard]] Device choose_device(DeviceRequest request, const Installation& installation,
                                   const Toolchain& toolchain);

/// Whether the emulator's library was built.
[[nodiscard]] bool has_emulator(const Installation& installation);

/// @throws EnvironmentError  if the emulator's library was not built
[[nodiscard]] Device emulator_device(const Installation& installation);

/// Whether times are measured on this device. On the emulator only if WARPGRADE_MEASURE_ON_EMULATOR
/// is set: the same code with modelled event times, for tests.
[[nodiscard]] bool measures_time(const Device& device);

}  // namespace warpgrade
