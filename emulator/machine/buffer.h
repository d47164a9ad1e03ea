#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

namespace warpsim {

struct Unmap {
  std::size_t bytes = 0;
  void operator()(std::byte* p) const;
};

/// Zeroed, 64-byte aligned memory; untouched pages of a large one cost nothing.
class Buffer {
 public:
  /// Makes room for at least `bytes`; the contents are zero when it has to grow.
  void reserve(std::size_t bytes);
  [[nodiscard]] std::byte* data() const { return data_.get(); }
  [[nodiscard]] std::uint8_t* bytes() const { return reinterpret_cast<std::uint8_t*>(data_.get()); }
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  std::unique_ptr<std::byte, Unmap> data_;
  std::size_t size_ = 0;
};

}  // namespace warpsim
