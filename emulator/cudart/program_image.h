#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "emulator/machine/sparse_pages.h"

namespace warpsim::cudart {

/// What somebody wrote to memory, byte by byte, by address.
class ProgramImage {
 public:
  void write(std::uint64_t address, std::span<const std::byte> bytes) {
    for_each_part(address, bytes.size(),
                  [&](std::uint64_t page, std::size_t at, std::size_t done, std::size_t count) {
                    Page& to = pages_.make(page);
                    std::memcpy(to.bytes.data() + at, bytes.data() + done, count);
                    std::memset(to.known.data() + at, 1, count);
                  });
  }

  void forget(std::uint64_t address, std::uint64_t bytes) {
    for_each_part(address, bytes,
                  [&](std::uint64_t page, std::size_t at, std::size_t, std::size_t count) {
                    Page* const to = pages_.find(page);
                    if (to != nullptr) std::memset(to->known.data() + at, 0, count);
                  });
  }

  /// False if nothing was ever written to the pages of the range.
  [[nodiscard]] bool knows_any(std::uint64_t address, std::uint64_t bytes) const {
    bool any = false;
    if (pages_.empty()) return any;
    for_each_part(address, bytes, [&](std::uint64_t page, std::size_t, std::size_t, std::size_t) {
      any = any || pages_.find(page) != nullptr;
    });
    return any;
  }

  /// Reads what is known.
  /// @param known  one per byte of `bytes`: set to 1 where it was, and to 0 elsewhere
  void read(std::uint64_t address, std::span<std::byte> bytes,
            std::span<std::uint8_t> known) const {
    for_each_part(address, bytes.size(),
                  [&](std::uint64_t page, std::size_t at, std::size_t done, std::size_t count) {
                    const Page* const from = pages_.find(page);
                    if (from == nullptr) {
                      std::memset(known.data() + done, 0, count);
                      return;
                    }
                    std::memcpy(known.data() + done, from->known.data() + at, count);
                    for (std::size_t i = 0; i < count; ++i) {
                      if (from->known[at + i] != 0) bytes[done + i] = from->bytes[at + i];
                    }
                  });
  }

 private:
  static constexpr std::uint64_t kPage = 4096;
  struct Page {
    std::array<std::byte, kPage> bytes;
    std::array<std::uint8_t, kPage> known = {};
  };

  /// Calls `part(page, offset in it, bytes before this part, its bytes)`.
  template <class Part>
  static void for_each_part(std::uint64_t address, std::uint64_t bytes, Part part) {
    for (std::uint64_t done = 0; done < bytes;) {
      const std::uint64_t at = (address + done) % kPage;
      const std::uint64_t count = std::min(bytes - done, kPage - at);
      part((address + done) / kPage, at, done, count);
      done += count;
    }
  }

  SparsePages<Page> pages_;
};

}  // namespace warpsim::cudart
