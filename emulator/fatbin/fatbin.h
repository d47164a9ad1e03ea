#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "emulator/fatbin/container.h"

namespace warpsim::fatbin {

/// The PTX of one translation unit.
struct Image {
  std::string ptx;
  std::uint32_t architecture = 0;  // 75 for compute_75; 0 if unknown
  std::string name;  // source file or "", for messages
  std::uint32_t max_registers = 0;  // per thread, from -maxrregcount; 0: no such option
};

struct Images {
  std::vector<Image> images;  // in the order of the program; nothing for units without PTX
  /// Why a program may not run: damaged containers, or machine code without PTX. One sentence each;
  /// empty if every unit has PTX or no code at all.
  std::vector<std::string> problems;
};

/// The value of `-maxrregcount` among options; 0 if it is missing.
[[nodiscard]] std::uint32_t max_registers(std::string_view options);

/// The entry to execute on a device of `target` architecture: the PTX for the highest architecture
/// not above it, else the lowest. Null if the container has no PTX.
[[nodiscard]] const Entry* choose_ptx(const Container& container, std::uint32_t target);

/// Device code in memory: one container or text, or, after separate compilation, one per unit.
struct Code {
  std::vector<std::span<const std::byte>> units;
  bool linked = false;  // units of separate compilation
  std::string problem;  // why there is nothing to read, one sentence; otherwise empty
};

/// Finds the code passed to `__cudaRegisterFatBinary`: a wrapper that points to one container, or,
/// for separate compilation, to a list of them; or, from clang, to PTX text.
/// @param wrapper  data of this process; containers are limited to the program's or library's
///   segment
[[nodiscard]] Code find_code(const void* wrapper);
/// The same for code loaded by a program: such a wrapper, a container, or PTX as a C string.
[[nodiscard]] Code find_library_code(const void* code);

/// True for a prebuilt library such as the device runtime, which nvcc links to every separately
/// compiled program: machine code for this device, and PTX for newer ones only.
[[nodiscard]] bool is_prebuilt_for(std::span<const std::byte> container, std::uint32_t target);

/// @param target  architecture of the device, 90 for compute capability 9.0
[[nodiscard]] Images read_fatbin(const Code& code, std::uint32_t target);
/// The same, of a wrapper in this process.
[[nodiscard]] Images read_fatbin(const void* wrapper, std::uint32_t target);

/// Reads one container, or PTX text, from a bounded range.
[[nodiscard]] Images read_fatbin(std::span<const std::byte> bytes, std::uint32_t target);

}  // namespace warpsim::fatbin
