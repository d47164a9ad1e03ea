#pragma once

#include <cstddef>
#include <cstdint>

// Limits for hostile modules. Each limit is far above what compilers emit.

namespace warpsim::ptx {

constexpr std::size_t kMaxTextBytes = std::size_t{64} << 20;
constexpr std::size_t kMaxNameBytes = 64 * 1024;  // mangled template names reach a few KiB
constexpr std::size_t kMaxNesting = 64;  // of { } in a function body
constexpr std::size_t kMaxDimensions = 8;  // of an array
constexpr std::size_t kMaxModifiers = 32;  // of an instruction; the decoder keeps a bit for each
constexpr std::size_t kMaxOperands = 4096;  // of an instruction or a vector
constexpr std::size_t kMaxParameters = 8192;  // 32 KiB of 4-byte kernel parameters
constexpr std::size_t kMaxFunctionRegisters = std::size_t{1} << 18;
constexpr std::size_t kMaxModuleNames = std::size_t{1} << 21;  // that ranges expand to
constexpr std::uint64_t kMaxVariableBytes = std::uint64_t{1} << 40;
constexpr std::uint64_t kMaxInitialBytes = std::uint64_t{64} << 20;  // of all variables together
constexpr std::uint64_t kMaxAlignment = std::uint64_t{1} << 20;

}  // namespace warpsim::ptx
