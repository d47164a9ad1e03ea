#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "harness/data/array.h"

namespace warpgrade {

/// An input's content that is not generated: from a file, or written in the dataset.
struct GivenData {
  enum class Kind : std::uint8_t { image, text, npy, numbers };
  Kind kind = Kind::numbers;
  std::string source;  // for messages: the file's name, or "`text`"
  Array array;  // image: u8 or u16; text: characters; numbers: f64
  double white = 1;  // image: the largest value
};

/// By the file's extension: .pgm and .ppm images, .npy, and .txt as text.
/// @param shown  the file's name in messages
/// @throws std::runtime_error  one sentence: which file, what is wrong, what to do
[[nodiscard]] GivenData read_given_data(const std::filesystem::path& file,
                                        const std::string& shown);

/// A PGM or PPM image, or text, as written in a dataset.
/// @throws std::runtime_error  as read_given_data()
[[nodiscard]] GivenData given_image(std::string_view text);
[[nodiscard]] GivenData given_text(std::string_view text);

/// As an array of this type and shape. Pixels become numbers from 0 to 1 in an array of floats and
/// stay as they are in one of integers; arrays of .npy files keep their type; an extent of 1 does
/// not count, and one extent may stand for all.
/// @throws std::runtime_error  if the shape or the type does not fit: what is there, what to write
[[nodiscard]] Array as_array(const GivenData& given, ElementType type,
                             const std::vector<std::uint64_t>& shape);

}  // namespace warpgrade
