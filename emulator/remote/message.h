#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace warpsim::remote {

/// The other side's bytes violate the protocol; the text says what it did, as after "the program".
class ProtocolError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Writes a message.
class Writer {
 public:
  template <class T>
  void value(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    bytes({reinterpret_cast<const std::byte*>(&value), sizeof value});
  }
  void bytes(std::span<const std::byte> more);
  void text(std::string_view text) {
    value(static_cast<std::uint32_t>(text.size()));
    bytes(std::as_bytes(std::span(text)));
  }
  [[nodiscard]] std::span<const std::byte> data() const { return data_; }
  void clear() { data_.clear(); }

 private:
  std::vector<std::byte> data_;
};

/// Reads a message; throws ProtocolError if it is too short.
class Reader {
 public:
  explicit Reader(std::span<const std::byte> data) : rest_(data) {}

  template <class T>
  T value() {
    static_assert(std::is_trivially_copyable_v<T>);
    std::array<std::byte, sizeof(T)> raw;
    std::memcpy(raw.data(), bytes(sizeof raw).data(), sizeof raw);
    return std::bit_cast<T>(raw);
  }
  [[nodiscard]] std::span<const std::byte> bytes(std::size_t count) {
    if (count > rest_.size()) throw ProtocolError("sent a message that ends too early");
    const auto part = rest_.first(count);
    rest_ = rest_.subspan(count);
    return part;
  }
  [[nodiscard]] std::string text() {
    const auto part = bytes(value<std::uint32_t>());
    return {reinterpret_cast<const char*>(part.data()), part.size()};
  }
  [[nodiscard]] std::size_t left() const { return rest_.size(); }

 private:
  std::span<const std::byte> rest_;
};

}  // namespace warpsim::remote
