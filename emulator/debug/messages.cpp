#include "emulator/debug/messages.h"

#include <fmt/format.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>

namespace warpsim::debug {
namespace {

constexpr std::string_view kEndOfHeader = "\r\n\r\n";
constexpr std::string_view kLength = "Content-Length:";

std::size_t content_length(std::string_view header) {
  while (!header.empty()) {
    std::string_view line = header.substr(0, header.find("\r\n"));
    header.remove_prefix(std::min(header.size(), line.size() + 2));
    if (!line.starts_with(kLength)) continue;
    line.remove_prefix(kLength.size());
    while (line.starts_with(' ')) line.remove_prefix(1);
    std::size_t length = 0;
    const char* const end = line.data() + line.size();
    const auto [stop, error] = std::from_chars(line.data(), end, length);
    if (error == std::errc{} && stop == end && length <= MessageReader::kMaxContentBytes) {
      return length;
    }
    throw BadMessage(fmt::format("the Content-Length '{}' is not a number up to {}", line,
                                 MessageReader::kMaxContentBytes));
  }
  throw BadMessage("a message without Content-Length");
}

}  // namespace

std::optional<std::string> MessageReader::next() {
  const std::size_t end = pending_.find(kEndOfHeader);
  if (end == pending_.npos || end > kMaxHeaderBytes) {
    if (pending_.size() <= kMaxHeaderBytes) return std::nullopt;
    throw BadMessage(fmt::format("no header of a message in the first {} bytes", kMaxHeaderBytes));
  }
  const std::size_t length = content_length(std::string_view(pending_).substr(0, end));
  const std::size_t start = end + kEndOfHeader.size();
  if (pending_.size() - start < length) return std::nullopt;
  std::string content = pending_.substr(start, length);
  pending_.erase(0, start + length);
  return content;
}

std::string framed(std::string_view content) {
  return fmt::format("{} {}{}{}", kLength, content.size(), kEndOfHeader, content);
}

bool write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    // A socket without a reader must not end the process by a signal; pipes have no such flag.
    ssize_t written = ::send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (written < 0 && errno == ENOTSOCK) written = ::write(fd, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

}  // namespace warpsim::debug
