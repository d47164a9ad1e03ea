#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "emulator/machine/sparse_pages.h"

namespace warpsim::cudart {

/// Elements of memory that have two versions, by address; a sparse table of pages.
class DecoyImage {
 public:
  /// An element: `size` bytes of each version; `host` is what host code sees as the content of that
  /// memory and `device` is the actual content.
  struct Element {
    std::uint64_t address = 0;
    std::uint32_t size = 0;
    const std::byte* host = nullptr;
    const std::byte* device = nullptr;
  };

  [[nodiscard]] bool empty() const { return pages_.empty(); }

  /// Adds an element within one page; others are ignored.
  void set(const Element& element) {
    const std::uint64_t at = element.address % kPage;
    if (at + element.size > kPage) return;
    Page* page = &pages_.make(element.address / kPage);
    std::memcpy(page->host.data() + at, element.host, element.size);
    std::memcpy(page->device.data() + at, element.device, element.size);
    page->size[at] = static_cast<std::uint8_t>(element.size);
  }

  /// Removes elements that begin in a range.
  void clear(std::uint64_t address, std::uint64_t bytes) {
    for_each_page(address, bytes, [](Page& page, std::uint64_t, std::size_t at, std::size_t count) {
      std::fill_n(page.size.begin() + static_cast<std::ptrdiff_t>(at), count, std::uint8_t{0});
    });
  }

  /// Calls `visit(element)` for each element in a range.
  template <class Visit>
  void visit(std::uint64_t address, std::uint64_t bytes, Visit visit) {
    for_each_page(address, bytes,
                  [&](Page& page, std::uint64_t base, std::size_t at, std::size_t count) {
                    for (std::size_t i = at; i < at + count; ++i) {
                      const std::size_t size = page.size[i];
                      if (size == 0 || base + i + size > address + bytes) continue;
                      visit(Element{.address = base + i,
                                    .size = page.size[i],
                                    .host = page.host.data() + i,
                                    .device = page.device.data() + i});
                    }
                  });
  }

 private:
  static constexpr std::uint64_t kPage = 4096;
  struct Page {
    std::array<std::byte, kPage> host, device;
    std::array<std::uint8_t, kPage> size = {};  // of the element that begins there; 0: none does
  };

  template <class Body>
  void for_each_page(std::uint64_t address, std::uint64_t bytes, Body body) {
    const std::uint64_t end = address + bytes;
    while (address < end) {
      const std::uint64_t base = address / kPage * kPage;
      const std::uint64_t count = std::min(end, base + kPage) - address;
      if (Page* const page = pages_.find(base / kPage)) {
        body(*page, base, address - base, count);
      }
      address += count;
    }
  }

  SparsePages<Page> pages_;
};

}  // namespace warpsim::cudart
