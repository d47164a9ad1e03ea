#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "emulator/tests/golden_runner/form_file.h"

namespace warpsim::golden {

/// Thrown by backends: what went wrong, for a person.
class BackendError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct LaunchShape {
  std::uint32_t grid[3] = {1, 1, 1};
  std::uint32_t block[3] = {1, 1, 1};
  std::uint32_t shared_bytes = 0;
  bool cooperative = false;
};

/// A device that goldens run on. Loading a module forgets the one before, with all buffers.
class Backend {
 public:
  virtual ~Backend() = default;
  Backend() = default;
  Backend(const Backend&) = delete;
  Backend& operator=(const Backend&) = delete;

  /// Whether the device can run code for the target ("sm_90", "8.6").
  [[nodiscard]] virtual bool supports(const Target& target) const = 0;
  /// @throws BackendError  with the compiler's or loader's message
  virtual void load(const std::string& ptx, const std::string& origin) = 0;
  /// A device buffer with these bytes. @returns its device address
  virtual std::uint64_t upload(std::span<const std::byte> bytes) = 0;
  virtual void download(std::uint64_t address, std::span<std::byte> bytes) = 0;
  /// Runs an entry to its end. Each argument has the size of its parameter.
  /// @throws BackendError  when there is no such entry, or the launch failed
  virtual void launch(const std::string& entry, const LaunchShape& shape,
                      std::span<const std::vector<std::byte>> arguments) = 0;
};

/// The emulator itself (warpsim::Machine).
[[nodiscard]] std::unique_ptr<Backend> make_emulator_backend();
/// The first GPU, through the CUDA driver's library, or null (and why) when there is none.
[[nodiscard]] std::unique_ptr<Backend> make_cuda_backend(std::string& why_not);

}  // namespace warpsim::golden
