#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/core/names.h"
#include "harness/data/array.h"

namespace warpgrade {

/// How an array is written in a file.
enum class FileFormat : std::uint8_t {
  numbers,  // text: numbers separated by white space or commas
  raw,  // libwb's: a line of extents, and numbers
  csv,  // text: one line per row, numbers separated by commas
  image,  // PPM (three channels) or PGM (one channel), 8 bits per channel; written as binary
  binary,  // the elements' bytes, little endian
  text,  // characters; one newline more at the end does not count
};
/// In lab.toml.
constexpr auto names_of(FileFormat) {
  return names_up_to<FileFormat::text>("numbers", "raw", "csv", "image", "binary", "text");
}

/// The format that a file's extension stands for; nothing for others.
[[nodiscard]] std::optional<FileFormat> format_of_name(std::string_view file);

/// Why an array of this type and number of extents cannot be written in the format, and what to
/// write instead; empty if it can.
[[nodiscard]] std::string format_problem(FileFormat format, ElementType type, std::size_t extents);

/// The array as a file's contents. Floats have as many digits as it takes to read them back
/// exactly.
[[nodiscard]] std::string write_format(FileFormat format, const Array& array);

/// What was read.
struct ReadArray {
  Array array;  // of the shape that is asked for; elements that are missing hold the poison
  std::uint64_t found = 0;  // elements in the file
  std::string problem;  // one clause for an error: "has 90 numbers; 100 are expected"; empty: none
};

/// Reads what write_format() or a program wrote. The text may be hostile: the time is linear in its
/// length and in the elements of `shape`.
///
/// @param line  as ProgramFile::line; for `numbers` only
[[nodiscard]] ReadArray read_format(FileFormat format, ElementType type,
                                    const std::vector<std::uint64_t>& shape, std::string_view text,
                                    const std::string& line = {});

/// The extents that a file itself states or has: of raw and image files, and of text the number of
/// its numbers. Nothing if it is none of the format.
[[nodiscard]] std::optional<std::vector<std::uint64_t>> extents_in(FileFormat format,
                                                                   std::string_view text);

/// A line without what comes after `most` characters, for regular expressions, whose
/// implementation is recursive.
inline constexpr std::size_t kLongestMatchedLine = 2000;

/// Whether a regular expression (ECMAScript) matches a part of a line of the text.
[[nodiscard]] bool matches_line(std::string_view text, const std::string& pattern);

}  // namespace warpgrade
