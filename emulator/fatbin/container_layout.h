#pragma once

#include <cstdint>

// The bytes of a container, for those who read and write them.

namespace warpsim::fatbin {

// Layout as nvcc 12 and 13 write it (little-endian, as is every host that CUDA supports).
struct Header {
  std::uint32_t magic = 0;
  std::uint16_t version = 0;
  std::uint16_t header_bytes = 0;
  std::uint64_t body_bytes = 0;
};
static_assert(sizeof(Header) == 16);

struct EntryHeader {
  std::uint16_t kind = 0;
  std::uint16_t attributes = 0;
  std::uint32_t header_bytes = 0;
  std::uint64_t payload_bytes = 0;  // padded to 8
  std::uint32_t compressed_bytes = 0;  // without the padding; 0: not compressed
  std::uint32_t options_offset = 0;
  std::uint16_t minor = 0;
  std::uint16_t major = 0;
  std::uint32_t architecture = 0;
  std::uint32_t name_offset = 0;  // from the start of this header
  std::uint32_t name_bytes = 0;
  std::uint64_t flags = 0;
  std::uint64_t reserved = 0;
  std::uint64_t uncompressed_bytes = 0;
};
static_assert(sizeof(EntryHeader) == 64);

constexpr std::uint16_t kContainerVersion = 1;
constexpr std::uint16_t kKindPtx = 1;
constexpr std::uint16_t kKindMachineCode = 2;
/// Our own: PTX of one unit of a link (linked_image.h). No number of nvcc's is near it.
constexpr std::uint16_t kKindLinkedPtx = 0x5747;
constexpr std::uint64_t kFlagLz4 = 0x2000;
constexpr std::uint64_t kFlagZstd = 0x8000;

}  // namespace warpsim::fatbin
