#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "emulator/recording/recording.h"

// Numbers and texts as bytes: LEB128, and zigzag where a number may be negative.

namespace warpsim::recording {

inline void put(std::string& to, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) to += static_cast<char>(value | 0x80);
  to += static_cast<char>(value);
}
constexpr std::uint64_t zigzag(std::uint64_t difference) {
  return (difference << 1) ^
         static_cast<std::uint64_t>(static_cast<std::int64_t>(difference) >> 63);
}
inline void put_signed(std::string& to, std::uint64_t difference) {
  put(to, zigzag(difference));
}
inline void put(std::string& to, std::string_view text) {
  put(to, text.size());
  to += text;
}
/// A mask of lanes: 4 bytes.
inline void put_lanes(std::string& to, std::uint32_t lanes) {
  for (int i = 0; i < 4; ++i) to += static_cast<char>(lanes >> (8 * i));
}

class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : bytes_(bytes) {}

  [[nodiscard]] bool at_end() const { return at_ == bytes_.size(); }
  [[nodiscard]] std::size_t left() const { return bytes_.size() - at_; }

  std::uint8_t byte() {
    if (at_end()) throw BadRecording("the recording is truncated");
    return static_cast<std::uint8_t>(bytes_[at_++]);
  }
  std::uint64_t number() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const std::uint8_t next = byte();
      if (shift == 63 && next > 1) break;
      value |= std::uint64_t{next & 0x7fu} << shift;
      if (next < 0x80) return value;
    }
    throw BadRecording("the recording has a number of more than 64 bits");
  }
  /// @param most  the largest value that is allowed
  std::uint64_t number(std::uint64_t most, const char* what) {
    const std::uint64_t value = number();
    if (value > most) throw BadRecording(std::string("the recording has an invalid ") + what);
    return value;
  }
  std::uint32_t number32(std::uint32_t most, const char* what) {
    return static_cast<std::uint32_t>(number(most, what));
  }
  /// A count of things that take at least `bytes` each.
  std::size_t count(const char* what, std::size_t bytes = 1) {
    return number(left() / bytes, what);
  }
  std::uint64_t difference() {
    const std::uint64_t value = number();
    return (value >> 1) ^ (~(value & 1) + 1);
  }
  std::uint32_t lanes() {
    std::uint32_t value = 0;
    for (unsigned i = 0; i < 4; ++i) value |= std::uint32_t{byte()} << (8 * i);
    return value;
  }
  std::string_view text() { return raw(count("text")); }
  std::string_view raw(std::size_t size) {
    if (size > left()) throw BadRecording("the recording is truncated");
    const std::string_view part = bytes_.substr(at_, size);
    at_ += size;
    return part;
  }

 private:
  std::string_view bytes_;
  std::size_t at_ = 0;
};

}  // namespace warpsim::recording
