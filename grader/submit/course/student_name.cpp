#include "grader/submit/course/student_name.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>

#include "grader/core/sha256.h"
#include "grader/core/text.h"

namespace warpgrade {
namespace {

constexpr std::size_t kLongest = 120;  // bytes
constexpr std::size_t kKept = 90;  // of a name that is longer
constexpr std::size_t kChecksum = 16;  // digits
constexpr std::string_view kCut = "%~";  // before the checksum

/// Files of a results folder, in any case, because some file systems ignore case. Names with a
/// leading dot (".warpgrade") are rejected anyway.
constexpr std::array<std::string_view, 4> kReserved = {"grades.json", "grades.csv", "index.html",
                                                       "submissions.json"};

bool is_reserved(std::string_view name) {
  return std::find(kReserved.begin(), kReserved.end(), lower(name)) != kReserved.end();
}

/// Whether the text at a percent sign looks like an escape of safe_student_name().
bool reads_as_escape(std::string_view text) {
  const auto is_hex = [](char c) { return std::isxdigit(static_cast<unsigned char>(c)) != 0; };
  return text.starts_with(kCut) || (text.size() > 2 && is_hex(text[1]) && is_hex(text[2]));
}

bool has_escape(std::string_view name) {
  for (std::size_t at = name.find('%'); at != std::string_view::npos; at = name.find('%', at + 1)) {
    if (reads_as_escape(name.substr(at))) return true;
  }
  return false;
}

/// The length of the first character in bytes; 1 for an invalid byte.
std::size_t length_of_first(std::string_view text) {
  const auto follows = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; };
  std::size_t length = 1;
  while (length < text.size() && length < 4 && follows(text[length])) ++length;
  return is_one_line(text.substr(0, length)) ? length : 1;
}

std::string escaped(std::string_view bytes) {
  std::string text;
  for (const char c : bytes) text += fmt::format("%{:02X}", static_cast<unsigned char>(c));
  return text;
}

/// At most kKept bytes of an escaped name, without splitting a character or an escape.
std::string shortened(const std::string& name) {
  std::size_t size = 0;
  while (true) {
    const std::string_view rest = std::string_view(name).substr(size);
    const std::size_t step = reads_as_escape(rest) && rest[0] == '%' ? 3 : length_of_first(rest);
    if (size + step > kKept) return name.substr(0, size);
    size += step;
  }
}

}  // namespace

std::string student_name_problem(std::string_view name) {
  if (name.empty()) {
    return "is empty";
  }
  if (name.front() == '.') {
    return "begins with a dot";
  }
  if (name.front() == '-') {
    return "begins with a dash";
  }
  if (name.size() > kLongest) {
    return fmt::format("is longer than {} bytes", kLongest);
  }
  if (name.find_first_of("/\\") != std::string_view::npos) {
    return "contains a slash";
  }
  if (!is_one_line(name)) {
    return "contains unprintable characters";
  }
  if (name.front() == ' ' || name.back() == ' ' || name.find("  ") != std::string_view::npos) {
    return "has leading, trailing or repeated spaces";
  }
  if (is_reserved(name)) {
    return "is the name of a result file";
  }
  if (has_escape(name)) {
    return "contains a percent sign followed by two digits, like an encoded name";
  }
  return {};
}

std::string safe_student_name(std::string_view name) {
  if (student_name_problem(name).empty()) {
    return std::string(name);
  }
  const bool reserved = is_reserved(name);
  std::string safe;
  for (std::string_view rest = name; !rest.empty();) {
    const std::size_t length = length_of_first(rest);
    const char c = rest.front();
    const bool first = rest.size() == name.size();
    const bool last = rest.size() == length;
    const bool stands = is_one_line(rest.substr(0, length)) && c != '/' && c != '\\' &&
                        !(c == '%' && reads_as_escape(rest)) &&
                        !(c == '.' && (first || reserved)) && !(c == '-' && first) &&
                        !(c == ' ' && (first || last || rest[1] == ' '));
    safe += stands ? std::string(rest.substr(0, length)) : escaped(rest.substr(0, length));
    rest.remove_prefix(length);
  }
  if (safe.empty()) {
    return "%00";
  }
  if (safe.size() <= kLongest) {
    return safe;
  }
  Sha256 sha;
  sha.add(name);
  return shortened(safe) + std::string(kCut) + sha.hex().substr(0, kChecksum);
}

}  // namespace warpgrade
