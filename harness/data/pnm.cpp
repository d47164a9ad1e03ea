#include "harness/data/pnm.h"

#include <fmt/format.h>

#include <charconv>
#include <cstring>
#include <stdexcept>

namespace warpgrade {

namespace {

constexpr std::uint64_t kLargestImage = 1 << 20;
constexpr std::uint64_t kMostPixels = std::uint64_t{1} << 30U;

class Reader {
 public:
  explicit Reader(std::string_view bytes) : left_(bytes) {}

  std::string_view take(std::size_t count) {
    const std::string_view taken = left_.substr(0, count);
    left_.remove_prefix(taken.size());
    return taken;
  }

  /// A number in decimal after white space and comments.
  std::uint64_t number(std::string_view what) {
    skip_space();
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(left_.data(), left_.data() + left_.size(), value);
    if (error != std::errc{}) {
      throw std::runtime_error(left_.empty() ? fmt::format("ends before {}", what)
                                             : fmt::format("{} is not a number", what));
    }
    left_.remove_prefix(static_cast<std::size_t>(end - left_.data()));
    return value;
  }

  std::uint64_t number_up_to(std::uint64_t most, std::string_view what) {
    const std::uint64_t value = number(what);
    if (value > most) {
      throw std::runtime_error(fmt::format("{} is {}, above {}", what, value, most));
    }
    return value;
  }

  [[nodiscard]] std::string_view left() const { return left_; }

 private:
  void skip_space() {
    while (!left_.empty()) {
      if (left_[0] == '#') {
        left_.remove_prefix(std::min(left_.find('\n'), left_.size()));
      } else if (std::strchr(" \t\n\v\f\r", left_[0]) != nullptr && left_[0] != '\0') {
        left_.remove_prefix(1);
      } else {
        return;
      }
    }
  }

  std::string_view left_;
};

void set(Array& pixels, std::size_t i, std::uint64_t value) {
  if (pixels.type == ElementType::u8) {
    pixels.as<std::uint8_t>()[i] = static_cast<std::uint8_t>(value);
  } else {
    pixels.as<std::uint16_t>()[i] = static_cast<std::uint16_t>(value);
  }
}

}  // namespace

Image read_pnm(std::string_view bytes) {
  Reader reader(bytes);
  const std::string_view magic = reader.take(2);
  const bool is_text = magic == "P2" || magic == "P3";
  const bool is_colour = magic == "P3" || magic == "P6";
  if (!is_text && magic != "P5" && magic != "P6") {
    throw std::runtime_error("is not an image in PGM or PPM format (P2, P3, P5 or P6)");
  }
  const std::uint64_t width = reader.number_up_to(kLargestImage, "the width");
  const std::uint64_t height = reader.number_up_to(kLargestImage, "the height");
  const std::uint64_t largest = reader.number_up_to(65535, "the largest value");
  if (largest == 0) throw std::runtime_error("the largest value is 0");
  if (width * height > kMostPixels) throw std::runtime_error("has too many pixels");
  Image image{.pixels = {}, .largest = static_cast<unsigned>(largest)};
  const std::size_t size = largest > 255 ? 2 : 1;
  const std::uint64_t count = width * height * (is_colour ? 3 : 1);
  if (!is_text) reader.take(1);  // one white space
  // Of text at least a digit and a space each; before memory is allocated for them.
  if (reader.left().size() < (is_text ? (count == 0 ? 0 : 2 * count - 1) : count * size)) {
    throw std::runtime_error(
        fmt::format("ends before its last pixel: {} by {} was announced", width, height));
  }
  image.pixels = Array(size == 2 ? ElementType::u16 : ElementType::u8, {height, width});
  if (is_colour) image.pixels = Array(image.pixels.type, {height, width, 3});
  for (std::size_t i = 0; i < count; ++i) {
    std::uint64_t value = 0;
    if (is_text) {
      value = reader.number("the last pixel");
    } else {
      for (const char byte : reader.take(size)) {
        value = value << 8U | static_cast<unsigned char>(byte);
      }
    }
    if (value > largest) {
      throw std::runtime_error(
          fmt::format("pixel {} is {}, above the largest value {}", i, value, largest));
    }
    set(image.pixels, i, value);
  }
  return image;
}

}  // namespace warpgrade
