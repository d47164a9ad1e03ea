#include <fmt/format.h>
#include <link.h>

#include <algorithm>
#include <cstring>

#include "emulator/fatbin/fatbin.h"

// Device code in the memory of this process.

namespace warpsim::fatbin {
namespace {

constexpr std::uint32_t kWrapperMagic = 0x466243b1;
constexpr std::uint32_t kVersionSingle = 1;
constexpr std::uint32_t kVersionLinked = 2;  // nvcc -rdc=true
constexpr std::size_t kContainerHeaderBytes = 16;

struct Wrapper {
  std::uint32_t magic = 0;
  std::uint32_t version = 0;
  const std::byte* data = nullptr;
  const std::byte* const* linked = nullptr;  // version 2: containers of the units, null-terminated
};
static_assert(sizeof(Wrapper) == 24);

/// Bytes from `data` to the end of the loaded program or library that holds it; the maximum for
/// data outside of any.
std::uint64_t loaded_bytes(const std::byte* data) {
  struct Search {
    std::uint64_t address;
    std::uint64_t bytes = ~std::uint64_t{0};
  } search{reinterpret_cast<std::uint64_t>(data)};
  ::dl_iterate_phdr(
      [](dl_phdr_info* file, std::size_t, void* context) {
        auto& wanted = *static_cast<Search*>(context);
        for (const Elf64_Phdr& part : std::span(file->dlpi_phdr, file->dlpi_phnum)) {
          const std::uint64_t offset = wanted.address - file->dlpi_addr - part.p_vaddr;
          if (part.p_type != PT_LOAD || offset >= part.p_memsz) continue;
          wanted.bytes = part.p_memsz - offset;
          return 1;
        }
        return 0;
      },
      &search);
  return search.bytes;
}

/// A container or text in the program's own memory, whose size is only known from its contents.
std::span<const std::byte> bytes_at(const std::byte* data) {
  const std::uint64_t most = loaded_bytes(data);
  const std::span<const std::byte> header(data,
                                          std::min<std::uint64_t>(kContainerHeaderBytes, most));
  if (const auto size = container_size(header)) return {data, std::min(*size, most)};
  if (!looks_like_ptx(header)) return header;
  return {data, ::strnlen(reinterpret_cast<const char*>(data),
                          std::min<std::uint64_t>(kMaxPtxBytes, most))};
}

}  // namespace

Code find_code(const void* wrapper) {
  Wrapper w;
  std::memcpy(&w, wrapper, sizeof(w));
  if (w.magic != kWrapperMagic || (w.version != kVersionSingle && w.version != kVersionLinked)) {
    return {.units = {},
            .problem =
                fmt::format("device code is registered in an unknown format (magic {:08x}, version "
                            "{}); compile with nvcc 12 or 13, or clang",
                            w.magic, w.version)};
  }
  Code code;
  code.linked = w.version == kVersionLinked && w.linked != nullptr && *w.linked != nullptr;
  if (!code.linked) {
    code.units.push_back(bytes_at(w.data));
    return code;
  }
  for (const std::byte* const* unit = w.linked; *unit != nullptr; ++unit) {
    code.units.push_back(bytes_at(*unit));
  }
  return code;
}

Code find_library_code(const void* code) {
  std::uint32_t magic = 0;
  std::memcpy(&magic, code, 1);
  if (magic != 0) std::memcpy(&magic, code, sizeof magic);
  if (magic == kWrapperMagic) return find_code(code);
  const auto* bytes = static_cast<const std::byte*>(code);
  if (magic == kContainerMagic) return {.units = {bytes_at(bytes)}, .problem = {}};
  return {.units = {{bytes, std::strlen(static_cast<const char*>(code))}}, .problem = {}};
}

}  // namespace warpsim::fatbin
