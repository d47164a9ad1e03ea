#include "emulator/fatbin/container.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "emulator/fatbin/container_layout.h"

namespace warpsim::fatbin {
namespace {

/// Reads a structure that may be unaligned. The caller has checked that it is inside.
template <class T>
T read(std::span<const std::byte> bytes) {
  T value;
  std::memcpy(&value, bytes.data(), sizeof(T));
  return value;
}

Entry::Kind kind_of(std::uint16_t kind) {
  if (kind == kKindPtx) return Entry::Kind::ptx;
  if (kind == kKindLinkedPtx) return Entry::Kind::linked_ptx;
  if (kind == kKindMachineCode) return Entry::Kind::machine_code;
  return Entry::Kind::other;
}

std::string_view name_of(const EntryHeader& header, std::span<const std::byte> bytes) {
  if (header.name_offset > header.header_bytes ||
      header.name_bytes > header.header_bytes - header.name_offset) {
    return {};  // only informative: not worth an error
  }
  const std::string_view name(reinterpret_cast<const char*>(bytes.data()) + header.name_offset,
                              header.name_bytes);
  return name.substr(0, name.find('\0'));
}

/// The options that a driver would pass to ptxas: an offset and a length, then the text, all within
/// the header.
std::string_view options_of(const EntryHeader& header, std::span<const std::byte> bytes) {
  struct Place {
    std::uint32_t offset = 0;  // from the start of this header
    std::uint32_t bytes = 0;
  };
  const std::uint32_t at = header.options_offset;
  if (at < sizeof(EntryHeader) || at > header.header_bytes ||
      header.header_bytes - at < sizeof(Place)) {
    return {};
  }
  const auto place = read<Place>(bytes.subspan(at));
  if (place.offset > header.header_bytes || place.bytes > header.header_bytes - place.offset) {
    return {};
  }
  const std::string_view options(reinterpret_cast<const char*>(bytes.data()) + place.offset,
                                 place.bytes);
  return options.substr(0, options.find('\0'));
}

/// `bytes` begins at the entry; `header` was read from it. Sets `error` instead if the entry is
/// inconsistent.
Entry make_entry(const EntryHeader& header, std::span<const std::byte> bytes, std::string& error) {
  Entry entry;
  entry.kind = kind_of(header.kind);
  entry.architecture = header.architecture;
  entry.version = std::uint32_t{header.major} * 10 + header.minor;
  entry.name = name_of(header, bytes);
  entry.options = options_of(header, bytes);
  entry.payload = bytes.subspan(header.header_bytes, header.payload_bytes);
  entry.size_bytes = header.payload_bytes;
  if ((header.flags & (kFlagLz4 | kFlagZstd)) == 0) return entry;

  entry.compression =
      (header.flags & kFlagZstd) != 0 ? Entry::Compression::zstd : Entry::Compression::lz4;
  entry.size_bytes = header.uncompressed_bytes;
  if (header.compressed_bytes > header.payload_bytes) {
    error = fmt::format("has {} compressed bytes in a payload of {}", header.compressed_bytes,
                        header.payload_bytes);
    return entry;
  }
  if (header.compressed_bytes != 0) entry.payload = entry.payload.first(header.compressed_bytes);
  return entry;
}

}  // namespace

std::optional<std::uint64_t> container_size(std::span<const std::byte> bytes) {
  if (bytes.size() < sizeof(Header)) return std::nullopt;
  const auto header = read<Header>(bytes);
  if (header.magic != kContainerMagic) return std::nullopt;
  if (header.body_bytes > ~std::uint64_t{0} - header.header_bytes) return std::nullopt;
  return header.header_bytes + header.body_bytes;
}

Container parse_container(std::span<const std::byte> bytes) {
  Container container;
  const auto fail = [&](std::string message) {
    container.entries.clear();
    container.error = std::move(message);
    return container;
  };
  const auto size = container_size(bytes);
  if (!size) return fail("the embedded device code does not start with a fat binary header");
  const auto header = read<Header>(bytes);
  if (header.version != kContainerVersion || header.header_bytes < sizeof(Header)) {
    return fail(fmt::format("unknown fat binary version {}; supported: {}", header.version,
                            kContainerVersion));
  }
  if (*size > bytes.size()) {
    return fail(fmt::format("the fat binary is truncated: expected {} bytes, found {}", *size,
                            bytes.size()));
  }
  bytes = bytes.subspan(header.header_bytes, header.body_bytes);
  for (std::size_t number = 1; !bytes.empty(); ++number) {
    // Padding after the last entry.
    if (bytes.size() < sizeof(EntryHeader)) break;
    const auto entry = read<EntryHeader>(bytes);
    if (entry.header_bytes < sizeof(EntryHeader) || entry.header_bytes > bytes.size() ||
        entry.payload_bytes > bytes.size() - entry.header_bytes) {
      return fail(fmt::format("entry {} of the fat binary extends past its end", number));
    }
    std::string error;
    container.entries.push_back(make_entry(entry, bytes, error));
    if (!error.empty()) return fail(fmt::format("entry {} of the fat binary {}", number, error));
    bytes = bytes.subspan(entry.header_bytes + entry.payload_bytes);
  }
  return container;
}

bool looks_like_ptx(std::span<const std::byte> bytes) {
  constexpr std::size_t kShown = 16;  // no module is shorter: `.version 9.0 .target sm_75`
  if (bytes.size() < kShown) return false;
  const auto start = bytes.first(kShown);
  return std::all_of(start.begin(), start.end(), [](std::byte b) {
    const char c = static_cast<char>(b);
    return (c >= ' ' && c <= '~') || c == '\n' || c == '\r' || c == '\t';
  });
}

}  // namespace warpsim::fatbin
