#include <fmt/format.h>
#include <lz4.h>
#include <zstd.h>

#include "emulator/fatbin/container.h"

namespace warpsim::fatbin {
namespace {

std::string describe(const Entry& entry) {
  return fmt::format("the PTX for compute_{}{}", entry.architecture,
                     entry.name.empty() ? "" : fmt::format(" of {}", entry.name));
}

/// Fills `text`, which has the size stated in the entry. Returns an error, or nothing.
std::string decompress(const Entry& entry, std::string& text) {
  if (entry.compression == Entry::Compression::zstd) {
    const std::size_t size =
        ZSTD_decompress(text.data(), text.size(), entry.payload.data(), entry.payload.size());
    if (ZSTD_isError(size)) return fmt::format("zstd: {}", ZSTD_getErrorName(size));
    if (size != text.size()) return fmt::format("{} bytes came out, not {}", size, text.size());
    return {};
  }
  if (entry.payload.size() > LZ4_MAX_INPUT_SIZE) return "lz4: too many bytes";
  const int size =
      LZ4_decompress_safe(reinterpret_cast<const char*>(entry.payload.data()), text.data(),
                          static_cast<int>(entry.payload.size()), static_cast<int>(text.size()));
  if (size < 0) return "lz4: malformed block";
  if (static_cast<std::size_t>(size) != text.size()) {
    return fmt::format("{} bytes came out, not {}", size, text.size());
  }
  return {};
}

}  // namespace

std::optional<std::string> unpack(const Entry& entry, std::string& error) {
  if (entry.size_bytes > kMaxPtxBytes) {
    error = fmt::format("{} has {} bytes; the limit is {}", describe(entry), entry.size_bytes,
                        kMaxPtxBytes);
    return std::nullopt;
  }
  std::string text;
  if (entry.compression == Entry::Compression::none) {
    text.assign(reinterpret_cast<const char*>(entry.payload.data()), entry.payload.size());
  } else {
    text.resize(entry.size_bytes);
    const std::string reason = decompress(entry, text);
    if (!reason.empty()) {
      error = fmt::format("{} cannot be decompressed: {}", describe(entry), reason);
      return std::nullopt;
    }
  }
  text.resize(text.find_last_not_of('\0') + 1);
  return text;
}

}  // namespace warpsim::fatbin
