#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "emulator/cudart/announced_call.h"

namespace warpsim::cudart {

/// The bytes that the device sends to the host during an announced call with outputs in host
/// memory: copies from device memory, and what kernels and fills write to pinned and managed
/// memory. Host code may move them to the outputs, but values that were never sent are its own.
class SentToHost {
 public:
  explicit SentToHost(std::span<const AnnouncedArray> arrays);

  /// The device has put these bytes where host code can read them.
  void add(std::uint64_t address, std::span<const std::byte> bytes);
  [[nodiscard]] std::uint64_t bytes() const { return sent_; }

  struct Foreign {
    std::uint64_t bytes = 0;
    std::uint64_t first = 0;  // offset
  };
  /// The bytes of an output that the device did not send. Sent are bytes that it put there itself;
  /// pieces of 16 bytes that it sent anywhere; and single words of 4 bytes of larger elements,
  /// unless it sent so much more than the outputs that any value may be among it. Zeros need no
  /// sender.
  ///
  /// @param output   one of the arrays
  /// @param content  its bytes at the end of the call
  [[nodiscard]] Foreign foreign_in(const AnnouncedArray& output,
                                   std::span<const std::byte> content) const;

 private:
  /// An output in host memory, as the device has filled it.
  struct Image {
    std::uint64_t address = 0;
    std::vector<std::byte> bytes;
    std::map<std::uint64_t, std::uint64_t> sent;  // offsets, begin to end; they do not touch
  };
  struct Row {
    std::size_t at = 0, bytes = 0;  // in kept_
  };
  void keep(std::span<const std::byte> bytes);
  /// Offsets of units of an output that the device did not put there itself, and are not zero.
  [[nodiscard]] std::vector<std::size_t> not_put_there(const AnnouncedArray& output,
                                                       std::span<const std::byte> content) const;
  [[nodiscard]] bool any_value_may_be_sent() const;
  template <class Use>
  void for_sent_rows(Use use) const;

  std::vector<Image> images_;
  std::uint64_t output_bytes_ = 0;
  std::vector<std::byte> kept_;  // what was sent elsewhere
  std::vector<Row> rows_;
  std::uint64_t sent_ = 0;
};

}  // namespace warpsim::cudart
