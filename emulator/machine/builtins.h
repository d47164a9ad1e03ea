#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "emulator/machine/context.h"

// Functions that PTX calls but no module defines: the device's side of printf, assert and malloc.

namespace warpsim {

[[nodiscard]] const Inst* call_builtin(Warp& warp, const Inst& in, FunctionRef& callee,
                                       const CallOperands& site);

/// The i-th argument of a call for one lane, zero-extended; 0 if there is none.
[[nodiscard]] std::uint64_t call_argument(const WarpContext& context, const CallOperands& site,
                                          std::size_t i, int lane);
void set_call_result(WarpContext& context, const CallOperands& site, int lane, std::uint64_t value);

struct Printed {
  std::string text;
  std::uint32_t arguments = 0;  // that the format used: what device printf returns
  std::size_t bytes = 0;  // of the packed arguments that it used
};

/// Formats device printf's arguments as the host's printf would.
/// @param format     the format string
/// @param arguments  packed as the compiler packs them: each at its natural alignment, floats as
///                   double
/// @param read_text  reads the NUL-terminated string at a device address, for %s
[[nodiscard]] Printed format_device_printf(
    const std::string& format, const std::string& arguments,
    const std::function<std::string(std::uint64_t)>& read_text);

/// Reads a NUL-terminated string (at most `limit` bytes) from a generic address of one lane.
[[nodiscard]] std::string read_device_string(const WarpContext& context, int lane,
                                             std::uint64_t address, std::size_t limit = 4096);
/// Copies bytes from a generic address of one lane; what is not readable comes as zeros.
void read_device_bytes(const WarpContext& context, int lane, std::uint64_t address, void* to,
                       std::size_t bytes);

}  // namespace warpsim
