#include "grader/core/encoding.h"

#include <iconv.h>
#include <utf8proc.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>

namespace warpgrade {
namespace {

constexpr std::string_view kUtf8Mark = "\xEF\xBB\xBF";

bool is_utf8(std::string_view text) {
  const auto* at = reinterpret_cast<const utf8proc_uint8_t*>(text.data());
  auto rest = static_cast<utf8proc_ssize_t>(text.size());
  while (rest > 0) {
    utf8proc_int32_t letter = 0;
    const utf8proc_ssize_t length = utf8proc_iterate(at, rest, &letter);
    if (length <= 0) return false;
    at += length;
    rest -= length;
  }
  return true;
}

/// The encoding and byte order of UTF-16, or of UTF-32 with its mark; null if it does not look like
/// either. Without a mark, the letters of programs and tables have a zero in one half.
const char* byte_order(std::string_view bytes) {
  if (bytes.size() % 4 == 0 && bytes.starts_with(std::string_view("\xFF\xFE\0\0", 4))) {
    return "UTF-32LE";
  }
  if (bytes.size() % 4 == 0 && bytes.starts_with(std::string_view("\0\0\xFE\xFF", 4))) {
    return "UTF-32BE";
  }
  if (bytes.size() % 2 != 0 || bytes.size() < 4) return nullptr;
  if (bytes.starts_with("\xFF\xFE")) return "UTF-16LE";
  if (bytes.starts_with("\xFE\xFF")) return "UTF-16BE";
  constexpr std::size_t kSample = 512;
  const std::size_t size = std::min(bytes.size(), kSample);
  std::array<std::size_t, 2> zeros{};
  for (std::size_t i = 0; i < size; ++i) zeros[i % 2] += bytes[i] == '\0' ? 1 : 0;
  // Most letters in one half, none in the other.
  if (zeros[0] == 0 && 4 * zeros[1] > size) return "UTF-16LE";
  if (zeros[1] == 0 && 4 * zeros[0] > size) return "UTF-16BE";
  return nullptr;
}

std::optional<std::string> converted(std::string_view bytes, const char* from) {
  const iconv_t converter = ::iconv_open("UTF-8", from);
  if (converter == reinterpret_cast<iconv_t>(-1)) return std::nullopt;
  const std::unique_ptr<void, decltype(&::iconv_close)> closer(converter, &::iconv_close);
  std::string input(bytes);  // iconv's interface takes writable memory
  std::string text(3 * bytes.size() + 4, '\0');  // at most three bytes for each unit of UTF-16
  char* in = input.data();
  char* out = text.data();
  std::size_t in_left = input.size();
  std::size_t out_left = text.size();
  if (::iconv(converter, &in, &in_left, &out, &out_left) == static_cast<std::size_t>(-1)) {
    return std::nullopt;
  }
  text.resize(text.size() - out_left);
  return text;
}

/// @param options  of utf8proc
std::string mapped(std::string_view name, int options) {
  utf8proc_uint8_t* text = nullptr;
  const utf8proc_ssize_t size = utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(name.data()),
                                             static_cast<utf8proc_ssize_t>(name.size()), &text,
                                             static_cast<utf8proc_option_t>(options));
  const std::unique_ptr<utf8proc_uint8_t, decltype(&std::free)> owner(text, &std::free);
  if (size < 0) return std::string(name);
  return {reinterpret_cast<const char*>(text), static_cast<std::size_t>(size)};
}

}  // namespace

std::optional<DecodedText> decode_text(std::string_view bytes) {
  if (const char* order = byte_order(bytes)) {
    std::optional<std::string> text = converted(bytes, order);
    if (!text) return std::nullopt;
    if (text->starts_with(kUtf8Mark)) text->erase(0, kUtf8Mark.size());
    return DecodedText{.text = *std::move(text), .from = std::string(order).substr(0, 6)};
  }
  if (bytes.find('\0') != std::string_view::npos) return std::nullopt;
  if (is_utf8(bytes)) {
    if (bytes.starts_with(kUtf8Mark)) bytes.remove_prefix(kUtf8Mark.size());
    return DecodedText{.text = std::string(bytes), .from = {}};
  }
  std::optional<std::string> text = converted(bytes, "WINDOWS-1252");
  if (!text) return std::nullopt;
  return DecodedText{.text = *std::move(text), .from = "Windows-1252"};
}

std::string composed_name(std::string_view name) {
  return mapped(name, UTF8PROC_STABLE | UTF8PROC_COMPOSE);
}

std::string folded_name(std::string_view name) {
  return mapped(name, UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_CASEFOLD);
}

std::string as_utf8(std::string_view bytes) {
  std::string text;
  text.reserve(bytes.size());
  while (!bytes.empty()) {
    utf8proc_int32_t letter = 0;
    const utf8proc_ssize_t length =
        utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(bytes.data()),
                         static_cast<utf8proc_ssize_t>(bytes.size()), &letter);
    if (length <= 0 || letter == 0) {
      text += "\xEF\xBF\xBD";
      bytes.remove_prefix(1);
    } else {
      text += bytes.substr(0, static_cast<std::size_t>(length));
      bytes.remove_prefix(static_cast<std::size_t>(length));
    }
  }
  return text;
}

}  // namespace warpgrade
