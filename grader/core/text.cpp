#include "grader/core/text.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>

#include "grader/core/code_points.h"
#include "harness/core/plural.h"

namespace warpgrade {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

struct Decoded {
  char32_t code = 0;
  std::size_t length = 0;  // 0: the bytes are not UTF-8
};

/// Decodes one code point as Unicode 15, table 3-7 allows it: no overlong form, no surrogate.
Decoded decode(std::string_view s) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(s[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) {
    return {first, 1};
  }
  std::size_t length = 0;
  char32_t code = 0;
  char32_t smallest = 0;
  if ((first & 0xE0) == 0xC0) {
    length = 2, code = first & 0x1Fu, smallest = 0x80;
  } else if ((first & 0xF0) == 0xE0) {
    length = 3, code = first & 0x0Fu, smallest = 0x800;
  } else if ((first & 0xF8) == 0xF0) {
    length = 4, code = first & 0x07u, smallest = 0x10000;
  } else {
    return {};
  }
  if (s.size() < length) {
    return {};
  }
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) {
      return {};
    }
    code = (code << 6) | (byte(i) & 0x3Fu);
  }
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  return code < smallest || code > 0x10FFFF || surrogate ? Decoded{} : Decoded{code, length};
}

bool reorders_text(char32_t code) {
  return code == 0x061C || code == 0x200E || code == 0x200F || (code >= 0x202A && code <= 0x202E) ||
         (code >= 0x2066 && code <= 0x2069);
}

bool is_control(char32_t code) {
  return (code < 0x20 && code != '\n' && code != '\t') || (code >= 0x7F && code < 0xA0);
}

/// Line breaks and invisible characters.
bool breaks_or_hides(char32_t code) {
  return code == '\n' || code == '\t' || code == 0xAD || code == 0x180E ||
         (code >= 0x200B && code <= 0x200D) || code == 0x2028 || code == 0x2029 ||
         (code >= 0x2060 && code <= 0x2064) || (code >= 0xFE00 && code <= 0xFE0F) ||
         code == 0xFEFF || (code >= 0xE0000 && code <= 0xE0FFF);
}

std::string escape(char32_t code) {
  return code < 0x100 ? fmt::format("\\x{:02x}", static_cast<unsigned>(code))
                      : fmt::format("\\u{:04x}", static_cast<unsigned>(code));
}

}  // namespace

std::string printable(std::string_view bytes) {
  std::string out;
  out.reserve(bytes.size());
  while (!bytes.empty()) {
    const Decoded d = decode(bytes);
    if (d.length == 0) {
      out += kReplacement;
      bytes.remove_prefix(1);
      continue;
    }
    if (d.code == '\r' && bytes.size() > 1 && bytes[1] == '\n') {
      // Part of "\r\n": the newline follows.
    } else if (is_control(d.code) || reorders_text(d.code)) {
      out += escape(d.code);
    } else {
      out += bytes.substr(0, d.length);
    }
    bytes.remove_prefix(d.length);
  }
  return out;
}

std::string as_sentence(std::string phrase) {
  if (!phrase.empty() && phrase.front() >= 'a' && phrase.front() <= 'z') {
    phrase.front() = static_cast<char>(phrase.front() - 'a' + 'A');
  }
  return phrase + ".";
}

std::string one_line(std::string_view bytes) {
  const std::string text = printable(bytes);
  std::string out;
  for (std::string_view rest = text; !rest.empty();) {
    const Decoded d = decode(rest);
    out += breaks_or_hides(d.code) ? escape(d.code) : std::string(rest.substr(0, d.length));
    rest.remove_prefix(d.length);
  }
  return out;
}

bool is_one_line(std::string_view bytes) {
  return one_line(bytes) == bytes;
}

std::string escaped_html(std::string_view text) {
  std::string safe;
  safe.reserve(text.size());
  for (const char c : text) {
    switch (c) {
      case '&':
        safe += "&amp;";
        break;
      case '<':
        safe += "&lt;";
        break;
      case '>':
        safe += "&gt;";
        break;
      case '"':
        safe += "&quot;";
        break;
      default:
        safe += c;
    }
  }
  return safe;
}

std::string_view trimmed(std::string_view text, std::string_view spaces) {
  const std::size_t first = text.find_first_not_of(spaces);
  return first == std::string_view::npos
             ? std::string_view()
             : text.substr(first, text.find_last_not_of(spaces) - first + 1);
}

std::string lower(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return result;
}

std::vector<std::string_view> split_lines(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    if (!line.empty() && line.back() == '\r') {
      line.remove_suffix(1);
    }
    lines.push_back(line);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return lines;
}

std::vector<std::string> wrap(std::string_view text, std::size_t columns) {
  std::vector<std::string> lines;
  for (std::string_view paragraph : split_lines(text)) {
    std::string line;
    while (true) {
      paragraph.remove_prefix(std::min(paragraph.find_first_not_of(' '), paragraph.size()));
      if (paragraph.empty()) {
        break;
      }
      const std::string_view word = paragraph.substr(0, paragraph.find(' '));
      paragraph.remove_prefix(word.size());
      if (!line.empty() && code_points(line) + 1 + code_points(word) > columns) {
        lines.push_back(std::move(line));
        line.clear();
      }
      line += line.empty() ? "" : " ";
      line += word;
    }
    lines.push_back(std::move(line));
  }
  return lines;
}

std::string human_bytes(std::uint64_t bytes) {
  if (bytes < 1024) {
    return plural(bytes, "byte");
  }
  static constexpr const char* kUnits[] = {"KiB", "MiB", "GiB", "TiB"};
  double value = static_cast<double>(bytes) / 1024;
  std::size_t unit = 0;
  while (value >= 1024 && unit + 1 < std::size(kUnits)) {
    value /= 1024;
    ++unit;
  }
  return fmt::format("{:.1f} {}", value, kUnits[unit]);
}

std::string human_points(double points) {
  std::string text = fmt::format("{:.2f}", points);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') {
    text.pop_back();
  }
  return text == "-0" ? "0" : text;
}

std::string replace_all(std::string_view text, std::string_view from, std::string_view to) {
  std::string out;
  while (true) {
    const std::size_t at = text.find(from);
    out += text.substr(0, at);
    if (at == std::string_view::npos) {
      return out;
    }
    out += to;
    text.remove_prefix(at + from.size());
  }
}

std::string join_and(const std::vector<std::string>& words) {
  std::string out;
  for (std::size_t i = 0; i < words.size(); ++i) {
    out += i == 0 ? "" : i + 1 == words.size() ? " and " : ", ";
    out += words[i];
  }
  return out;
}

}  // namespace warpgrade
