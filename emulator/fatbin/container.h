#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// The container in which nvcc embeds device code: one header, then one entry for each architecture
// and form. Nothing in it is trusted.

namespace warpsim::fatbin {

constexpr std::uint32_t kContainerMagic = 0xba55ed50;
constexpr std::uint64_t kMaxPtxBytes = std::uint64_t{64} << 20;  // of one module, decompressed

struct Entry {
  /// linked_ptx: one unit of several that belong together (linked_image.h); other: intermediate
  /// code for LTO
  enum class Kind : std::uint8_t { ptx, linked_ptx, machine_code, other };
  enum class Compression : std::uint8_t { none, lz4, zstd };

  Kind kind = Kind::other;
  Compression compression = Compression::none;
  std::uint32_t architecture = 0;  // 75 for sm_75
  std::uint32_t version = 0;  // of the PTX ISA: 90 for 9.0
  std::uint64_t size_bytes = 0;  // decompressed
  std::string_view name = {};  // of the source file, if the compiler recorded it
  std::string_view options = {};  // for ptxas, as passed to nvcc: " -maxrregcount=64 "
  std::span<const std::byte> payload = {};  // as stored; points into the container's bytes
};

/// Entries or an error, never both.
struct Container {
  std::vector<Entry> entries;
  std::string error;  // one sentence, empty when the container is well-formed
};

/// Lists what a container holds without decompressing anything.
/// @param bytes  the container, possibly followed by other bytes
[[nodiscard]] Container parse_container(std::span<const std::byte> bytes);

/// The size in a container's header, including headers; nothing if `bytes` does not begin with such
/// a header.
[[nodiscard]] std::optional<std::uint64_t> container_size(std::span<const std::byte> bytes);

/// True for bytes that are PTX as text instead of a container, as clang embeds it.
[[nodiscard]] bool looks_like_ptx(std::span<const std::byte> bytes);

/// Decompresses an entry's text; trailing zero bytes are removed.
/// @returns the text, or nothing with `error` filled
[[nodiscard]] std::optional<std::string> unpack(const Entry& entry, std::string& error);

}  // namespace warpsim::fatbin
