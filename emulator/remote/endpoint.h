#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "emulator/remote/protocol.h"

namespace warpsim::remote {

/// A message as the receiver has copied it.
struct Message {
  Kind kind = Kind::call;
  std::uint32_t number = 0;
  std::vector<std::byte> bytes;
};

/// One side of a channel.
class Endpoint {
 public:
  /// @param own   the turn in which this side acts
  /// @param gone  polled while waiting: whether the other side has ended
  Endpoint(Channel& channel, Turn own, std::function<bool()> gone);

  /// Sends a message and passes the turn. @returns false if the message is too long
  bool send(Kind kind, std::uint32_t number, std::span<const std::byte> bytes);
  /// Waits for the turn. @returns false if the other side has ended or closed the channel
  bool receive(Message& message);
  /// Waits for at most so long. @returns whether the turn has come
  bool wait(std::uint32_t milliseconds);
  [[nodiscard]] std::span<std::byte> window() { return {channel_.window, kWindowBytes}; }
  void close();

 private:
  bool wait_for_turn(std::uint32_t most_milliseconds);

  Channel& channel_;
  const Turn own_, other_;
  const std::function<bool()> gone_;
};

/// Shared memory in a file without a name that can neither shrink nor grow.
/// @returns the file's descriptor, or -1
[[nodiscard]] int make_shared_file(const char* name, std::uint64_t bytes);

/// Sends bytes and at most one descriptor (-1: none). @returns false when that failed
bool send_with_descriptor(int socket, std::span<const std::byte> bytes, int descriptor);
/// Receives exactly so many bytes. @returns false when the other side is gone
bool receive_with_descriptor(int socket, std::span<std::byte> bytes, int& descriptor);

}  // namespace warpsim::remote
