#pragma once

#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

// Messages of the Debug Adapter Protocol: JSON after a header with its length in bytes
// (https://microsoft.github.io/debug-adapter-protocol/overview, "Base protocol").

namespace warpsim::debug {

/// The environment variable that names the file descriptor of a program's session.
inline constexpr const char* kSessionSocket = "WARPSIM_DEBUG_SOCKET";

/// What arrived is not a message of the protocol; what() is one sentence.
class BadMessage : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Takes a stream of bytes apart.
class MessageReader {
 public:
  static constexpr std::size_t kMaxHeaderBytes = 4096;
  static constexpr std::size_t kMaxContentBytes = std::size_t{64} << 20;

  void feed(std::string_view bytes) { pending_ += bytes; }
  /// The content of the next message, when all of it has arrived.
  /// @throws BadMessage  for a header without a usable length; the stream cannot be read further
  [[nodiscard]] std::optional<std::string> next();

 private:
  std::string pending_;
};

/// A message with its header.
[[nodiscard]] std::string framed(std::string_view content);

/// Writes all bytes to a file descriptor. @returns false when nobody reads them any more
[[nodiscard]] bool write_all(int fd, std::string_view bytes);

}  // namespace warpsim::debug
