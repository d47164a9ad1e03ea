#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "emulator/debug_info/types.h"
#include "emulator/machine/context.h"

// Values of a thread: where they are, reading them, and how they are shown.

namespace warpsim::debug {

/// A lane of a warp in one of its frames: whose registers and memory an expression is about.
struct Thread {
  WarpContext* warp = nullptr;
  const Frame* frame = nullptr;
  const Inst* at = nullptr;  // what it is about to execute, in the frame's function
  int lane = 0;

  [[nodiscard]] BlockContext& block() const { return *warp->block; }
  [[nodiscard]] LaunchState& launch() const { return *warp->block->launch; }
};

/// A typed value in memory or computed.
struct Value {
  const Type* type = nullptr;
  bool in_memory = false;
  ptx::Space space = ptx::Space::global;  // global, shared or local
  std::uint64_t address = 0;  // device address, or an offset of the space
  std::vector<std::byte> bytes;  // of a value that is not in memory
  std::string problem;  // why there is no value: "optimized out", ...
};

/// Bytes of a thread's memory.
struct Bytes {
  std::vector<std::byte> data;
  bool initialized = true;  // all of them
  bool any_initialized = true;
  std::string problem;  // why they cannot be read
};

/// @param address  generic when `space` is generic
[[nodiscard]] Bytes read_memory(const Thread& thread, ptx::Space space, std::uint64_t address,
                                std::uint64_t bytes);
/// The bytes of a value, at most `limit` of them.
[[nodiscard]] Bytes read(const Thread& thread, const Value& value, std::uint64_t limit = 4096);
/// Elements from an address to the end of the array or allocation that has it; 0 when there is
/// none.
[[nodiscard]] std::uint64_t elements_from(const Thread& thread, std::uint64_t generic_address,
                                          std::uint64_t element_bytes);
/// The array, allocation or variable at a generic address: "tile + 12", "cudaMalloc #1"; or empty.
[[nodiscard]] std::string name_of(const Thread& thread, std::uint64_t generic_address);
/// The generic address of a value in memory.
[[nodiscard]] std::uint64_t generic_address(const Value& value);

/// One line: a number, "0x2000... (cudaMalloc #1)", "{x = 1, y = 2}", "uninitialized".
[[nodiscard]] std::string show(const Thread& thread, const Value& value);
/// A number as text, from its bytes.
[[nodiscard]] std::string show_number(const Type& type, const std::byte* bytes);

[[nodiscard]] Value member_of(const Value& whole, const Type::Member& member);
[[nodiscard]] Value element_of(const Value& array, std::uint64_t index);
/// What a pointer points to, `index` elements on. @returns a value with a problem when it cannot be
[[nodiscard]] Value target_of(const Thread& thread, const Value& pointer, std::int64_t index);

/// A register of a frame. @param reg  an index of ptx::Function::registers
[[nodiscard]] Value read_register(const Thread& thread, std::uint32_t reg, const Type* type);

}  // namespace warpsim::debug
