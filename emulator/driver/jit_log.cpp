#include "emulator/driver/jit_log.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "emulator/driver/driver.h"
#include "emulator/fatbin/fatbin.h"
#include "emulator/ptx/module.h"

namespace warpsim::driver {

JitOptions::JitOptions(unsigned count, const CUjit_option* options, void** values) {
  if (options == nullptr || values == nullptr) return;
  for (unsigned i = 0; i < count; ++i) {
    const auto number = reinterpret_cast<std::uintptr_t>(values[i]);
    switch (options[i]) {
      case CU_JIT_ERROR_LOG_BUFFER:
        errors_ = static_cast<char*>(values[i]);
        break;
      case CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES:
        capacity_ = static_cast<std::uint32_t>(number);
        used_value_ = &values[i];
        break;
      case CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES:
        values[i] = nullptr;
        break;
      case CU_JIT_MAX_REGISTERS:
        max_registers_ = static_cast<unsigned>(number);
        break;
      default:
        break;
    }
  }
  if (used_value_ != nullptr) *used_value_ = nullptr;
  if (capacity_ == 0) errors_ = nullptr;
  if (errors_ != nullptr) *errors_ = '\0';
}

void JitOptions::add_error(std::string_view message) {
  if (errors_ == nullptr) return;
  message = message.substr(0, capacity_ - 1 - used_);
  std::memcpy(errors_ + used_, message.data(), message.size());
  used_ += message.size();
  errors_[used_] = '\0';
  *used_value_ = reinterpret_cast<void*>(used_);
}

std::string problems_of(const void* image, unsigned target) {
  const fatbin::Images images = fatbin::read_fatbin(fatbin::find_library_code(image), target);
  std::string all;
  for (const std::string& problem : images.problems) all += "error: " + problem + "\n";
  for (const fatbin::Image& unit : images.images) {
    ptx::ParseError error;
    if (ptx::parse(unit.ptx, error)) continue;
    all += error.render(unit.name.empty() ? "PTX" : unit.name, unit.ptx);
  }
  return all;
}

unsigned current_target() {
  int major = 0;
  int minor = 0;
  (void)cuDeviceComputeCapability(&major, &minor, device_of(current_context()));
  return static_cast<unsigned>(10 * major + minor);
}

}  // namespace warpsim::driver
