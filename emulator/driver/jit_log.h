#pragma once

#include <cuda.h>

#include <string>
#include <string_view>

namespace warpsim::driver {

/// The options of a call that compiles or links which have an effect here: the buffer for error
/// messages, and a limit of registers. The buffer for information stays empty.
class JitOptions {
 public:
  JitOptions() = default;
  /// @param values  as the caller passed them; must stay valid as long as messages are added
  JitOptions(unsigned count, const CUjit_option* options, void** values);

  /// Adds a message to the error buffer, cut to its size, and writes how much of it is used.
  void add_error(std::string_view message);
  /// Per thread; 0: no limit.
  [[nodiscard]] unsigned max_registers() const { return max_registers_; }

 private:
  char* errors_ = nullptr;
  std::size_t capacity_ = 0;  // bytes of the buffer, with the zero at the end
  std::size_t used_ = 0;
  void** used_value_ = nullptr;  // where the caller reads how much is used
  unsigned max_registers_ = 0;
};

/// Why a program's device code (PTX, a fat binary, a linked image) cannot be loaded: messages of
/// the parser with line and column; empty if there is nothing wrong with the text.
/// @param target  architecture of the device, 90 for compute capability 9.0
[[nodiscard]] std::string problems_of(const void* image, unsigned target);

/// The architecture of the current device.
[[nodiscard]] unsigned current_target();

}  // namespace warpsim::driver
