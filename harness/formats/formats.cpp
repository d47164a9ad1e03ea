#include "harness/formats/formats.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <regex>
#include <span>
#include <stdexcept>

#include "harness/core/plural.h"
#include "harness/data/pnm.h"
#include "harness/data/poison.h"

namespace warpgrade {

namespace {

constexpr unsigned kWhite = 255;  // of images
constexpr std::size_t kShown = 20;  // characters of a word in a message

bool is_space(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

bool separates(char c) {
  return is_space(c) || c == ',';
}

/// Printable, and short enough for a message.
std::string shown(std::string_view word) {
  std::string text(word.substr(0, kShown));
  for (char& c : text) {
    if (c < ' ' || c > '~') c = '?';
  }
  return word.size() > kShown ? text + "..." : text;
}

/// One number that fills the word; false if it is none.
template <class T>
bool parse(std::string_view word, T& value) {
  if (word.starts_with('+')) word.remove_prefix(1);
  const char* end = word.data() + word.size();
  if constexpr (is_float_like<T> && !std::is_floating_point_v<T>) {
    double wide = 0;  // rounded once, as by __float2half
    if (!parse(word, wide)) return false;
    value = T(wide);
    return true;
  } else if constexpr (std::is_floating_point_v<T>) {
    // from_chars leaves the value alone where strtof gives infinity or zero.
    const auto [at, error] = std::from_chars(word.data(), end, value);
    if (error == std::errc::result_out_of_range && at == end) {
      double wide = 0;
      const auto [wide_at, wide_error] = std::from_chars(word.data(), end, wide);
      if (wide_error == std::errc()) {
        value = static_cast<T>(wide);
        return wide_at == end;
      }
      const bool small = word.find("e-") != word.npos || word.find("E-") != word.npos;
      value = small ? T{0} : std::numeric_limits<T>::infinity();
      if (word.starts_with('-')) value = -value;
      return true;
    }
    return error == std::errc() && at == end;
  } else {
    const auto [at, error] = std::from_chars(word.data(), end, value);
    if (error == std::errc() && at == end) return true;
    double wide = 0;  // 3.00, as a program may print a count
    const auto [wide_at, wide_error] = std::from_chars(word.data(), end, wide);
    constexpr double kExact = 9007199254740992.0;  // 2^53
    if (wide_error != std::errc() || wide_at != end || wide != std::floor(wide) ||
        !(std::abs(wide) <= kExact) || wide < static_cast<double>(std::numeric_limits<T>::min()) ||
        wide > static_cast<double>(std::numeric_limits<T>::max())) {
      return false;
    }
    value = static_cast<T>(wide);
    return true;
  }
}

bool store(std::string_view word, Array& array, std::uint64_t index) {
  return with_type(array.type, [&](auto value) {
    using T = decltype(value);
    if (!parse(word, value)) return false;
    std::memcpy(array.bytes.data() + index * sizeof(T), &value, sizeof(T));
    return true;
  });
}

/// Words of a text, with their line numbers.
class Words {
 public:
  explicit Words(std::string_view text) : text_(text) {}

  /// Empty at the end.
  std::string_view next() {
    while (at_ < text_.size() && separates(text_[at_])) {
      line_ += text_[at_] == '\n' ? 1 : 0;
      ++at_;
    }
    const std::size_t start = at_;
    while (at_ < text_.size() && !separates(text_[at_])) ++at_;
    return text_.substr(start, at_ - start);
  }
  [[nodiscard]] std::uint64_t line() const { return line_; }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
  std::uint64_t line_ = 1;
};

Array poisoned(ElementType type, const std::vector<std::uint64_t>& shape) {
  Array array(type, shape);
  poison(array.bytes, type, size_of(type));
  return array;
}

std::string wrong_count(std::uint64_t found, std::uint64_t wanted) {
  return fmt::format("has {}; {} {} expected", plural(found, "number"), wanted,
                     wanted == 1 ? "is" : "are");
}

/// The rest of the words as elements.
void read_words(Words& words, ReadArray& result) {
  const std::uint64_t wanted = result.array.count();
  for (std::string_view word = words.next(); !word.empty(); word = words.next()) {
    if (result.found < wanted && !store(word, result.array, result.found)) {
      result.problem =
          fmt::format("has '{}' in line {} where {} is expected", shown(word), words.line(),
                      is_float(result.array.type) ? "a number" : "an integer of its type");
      return;
    }
    ++result.found;
  }
  if (result.found != wanted) result.problem = wrong_count(result.found, wanted);
}

void read_matches(std::string_view text, const std::string& pattern, ReadArray& result) {
  const std::regex regex(pattern);
  const std::uint64_t wanted = result.array.count();
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string line(text.substr(0, std::min(end, kLongestMatchedLine)));
    text.remove_prefix(std::min(end + 1, text.size()));
    std::smatch match;
    if (!std::regex_search(line, match, regex)) continue;
    const std::string word = match.size() > 1 ? match[1].str() : match[0].str();
    if (result.found < wanted && !store(word, result.array, result.found)) {
      result.problem = fmt::format("has '{}' where a number is expected, in the line '{}'",
                                   shown(word), shown(line));
      return;
    }
    ++result.found;
  }
  if (result.found != wanted) {
    result.problem = fmt::format("has {} like /{}/; {} {} expected", plural(result.found, "line"),
                                 pattern, wanted, wanted == 1 ? "is" : "are");
  }
}

std::string joined(const std::vector<std::uint64_t>& extents) {
  std::string text;
  for (const std::uint64_t extent : extents) {
    text += fmt::format("{}{}", text.empty() ? "" : " x ", extent);
  }
  return text.empty() ? "one" : text;
}

std::string_view first_line(std::string_view text) {
  return text.substr(0, text.find('\n'));
}

/// Extents as libwb writes them: no row vectors, a column of one is none.
std::vector<std::uint64_t> without_ones(std::vector<std::uint64_t> extents) {
  std::erase(extents, 1U);
  return extents;
}

void read_raw(std::string_view text, ReadArray& result) {
  const auto extents = extents_in(FileFormat::raw, text);
  if (!extents) {
    result.problem = fmt::format(
        "begins with '{}'; its first line must be the number of elements, or of rows and columns",
        shown(first_line(text)));
    return;
  }
  Words words(text);
  for (std::size_t i = 0; i < extents->size(); ++i) (void)words.next();
  // A vector may be written as a matrix of one row, and a volume as a vector.
  const std::vector<std::uint64_t> stated = without_ones(*extents);
  const std::vector<std::uint64_t> wanted = without_ones(result.array.shape);
  if (stated != wanted && Array::count_of(*extents) != result.array.count()) {
    result.problem = fmt::format("states {} in its first line; {} are expected", joined(*extents),
                                 joined(result.array.shape));
  }
  const std::string problem = std::move(result.problem);
  read_words(words, result);
  if (!problem.empty()) result.problem = problem;
}

void read_image(std::string_view text, ReadArray& result) {
  Image image;
  try {
    image = read_pnm(text);
  } catch (const std::runtime_error& error) {
    result.problem = error.what();
    return;
  }
  if (image.largest != kWhite) {
    result.problem =
        fmt::format("has {} as its largest value; {} is expected", image.largest, kWhite);
    return;
  }
  const auto sizes = [](const std::vector<std::uint64_t>& shape) {
    const std::uint64_t channels = shape.size() > 2 ? shape[2] : 1;
    return fmt::format("{} x {} with {}", shape[1], shape[0], plural(channels, "channel"));
  };
  if (image.pixels.count() != result.array.count() ||
      sizes(image.pixels.shape) != sizes(result.array.shape)) {
    result.problem =
        fmt::format("is {}; {} are expected", sizes(image.pixels.shape), sizes(result.array.shape));
    return;
  }
  result.found = image.pixels.count();
  with_type(result.array.type, [&](auto zero) {
    using T = decltype(zero);
    const auto from = image.pixels.as<std::uint8_t>();
    std::transform(from.begin(), from.end(), result.array.as<T>().begin(),
                   [](std::uint8_t pixel) { return static_cast<T>(pixel); });
  });
}

/// A program that prints a line ends it with a newline, whether the lab counts it or not.
void read_text(std::string_view text, ReadArray& result) {
  if (text.size() == result.array.count() + 1 && text.ends_with('\n')) text.remove_suffix(1);
  result.found = text.size();
  if (!text.empty() && result.array.count() > 0) {
    std::memcpy(result.array.bytes.data(), text.data(),
                std::min<std::size_t>(text.size(), result.array.count()));
  }
  if (result.found != result.array.count()) {
    result.problem = fmt::format("has {}; {} {} expected", plural(text.size(), "character"),
                                 result.array.count(), result.array.count() == 1 ? "is" : "are");
  }
}

void read_binary(std::string_view text, ReadArray& result) {
  std::memcpy(result.array.bytes.data(), text.data(),
              std::min(text.size(), result.array.bytes.size()));
  result.found = text.size() / size_of(result.array.type);
  if (text.size() != result.array.bytes.size()) {
    result.problem = fmt::format("has {}; {} are expected", plural(text.size(), "byte"),
                                 result.array.bytes.size());
  }
}

template <class T>
void append_number(std::string& text, T value) {
  if constexpr (is_float_like<T> && !std::is_floating_point_v<T>) {
    append_number(text, static_cast<float>(value));
  } else {
    std::array<char, 64> buffer;
    const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
    text.append(buffer.data(), end);
  }
}

/// @param separator  between the elements of a row
void append_rows(std::string& text, const Array& array, char separator) {
  const std::uint64_t row =
      array.shape.size() > 1 ? std::max<std::uint64_t>(array.shape.back(), 1) : 1;
  with_type(array.type, [&](auto zero) {
    using T = decltype(zero);
    const std::span<const T> from = array.as<T>();
    for (std::size_t i = 0; i < from.size(); ++i) {
      append_number(text, from[i]);
      text += (i + 1) % row == 0 ? '\n' : separator;
    }
  });
}

}  // namespace

std::optional<FileFormat> format_of_name(std::string_view file) {
  const std::size_t dot = file.rfind('.');
  if (dot == file.npos) return std::nullopt;
  const std::string_view ending = file.substr(dot + 1);
  if (ending == "raw" || ending == "dat") return FileFormat::raw;
  if (ending == "csv") return FileFormat::csv;
  if (ending == "ppm" || ending == "pgm" || ending == "pbm") return FileFormat::image;
  if (ending == "bin") return FileFormat::binary;
  if (ending == "txt" || ending == "out") return FileFormat::numbers;
  return std::nullopt;
}

std::string format_problem(FileFormat format, ElementType type, std::size_t extents) {
  const auto is_of_numbers = [](FileFormat one) {
    return one == FileFormat::numbers || one == FileFormat::raw || one == FileFormat::csv;
  };
  if (is_of_numbers(format) && type == ElementType::character) {
    return "characters are not numbers; write format = \"text\", or type = \"u8\"";
  }
  if (format == FileFormat::text && type != ElementType::character && type != ElementType::u8) {
    return "a text's elements are characters; write type = \"char\", or \"u8\"";
  }
  if (format == FileFormat::image && extents != 2 && extents != 3) {
    return "an image has the shape [height, width], or [height, width, 3]; correct the shape";
  }
  if (format == FileFormat::image && type != ElementType::u8 && type != ElementType::f32) {
    return "an image's elements are u8, or f32 with the same values; correct the type";
  }
  return {};
}

std::string write_format(FileFormat format, const Array& array) {
  std::string text;
  switch (format) {
    case FileFormat::numbers:
      append_rows(text, array, ' ');
      break;
    case FileFormat::csv:
      append_rows(text, array, ',');
      break;
    case FileFormat::raw: {
      // Two numbers at most, or programs that read the format take the third for an element.
      const bool is_matrix = array.shape.size() == 2;
      text = is_matrix ? fmt::format("{} {}\n", array.shape[0], array.shape[1])
                       : fmt::format("{}\n", array.count());
      append_rows(text, array, is_matrix ? ' ' : '\n');
      break;
    }
    case FileFormat::image: {
      const bool has_colour = array.shape.size() > 2 && array.shape[2] == 3;
      text =
          fmt::format("{}\n{} {}\n255\n", has_colour ? "P6" : "P5", array.shape[1], array.shape[0]);
      with_type(array.type, [&](auto zero) {
        using T = decltype(zero);
        for (const T value : array.as<T>()) {
          text += static_cast<char>(static_cast<unsigned char>(
              std::clamp(static_cast<double>(value), 0.0, static_cast<double>(kWhite))));
        }
      });
      break;
    }
    case FileFormat::binary:
    case FileFormat::text:
      text.assign(reinterpret_cast<const char*>(array.bytes.data()), array.bytes.size());
      break;
  }
  return text;
}

ReadArray read_format(FileFormat format, ElementType type, const std::vector<std::uint64_t>& shape,
                      std::string_view text, const std::string& line) {
  ReadArray result{.array = poisoned(type, shape), .found = 0, .problem = {}};
  switch (format) {
    case FileFormat::numbers:
    case FileFormat::csv:
      if (line.empty()) {
        Words words(text);
        read_words(words, result);
      } else {
        read_matches(text, line, result);
      }
      break;
    case FileFormat::raw:
      read_raw(text, result);
      break;
    case FileFormat::image:
      read_image(text, result);
      break;
    case FileFormat::binary:
      read_binary(text, result);
      break;
    case FileFormat::text:
      read_text(text, result);
      break;
  }
  return result;
}

std::optional<std::vector<std::uint64_t>> extents_in(FileFormat format, std::string_view text) {
  if (format == FileFormat::image) {
    try {
      return read_pnm(text).pixels.shape;
    } catch (const std::runtime_error&) {
      return std::nullopt;
    }
  }
  if (format == FileFormat::text) return std::vector<std::uint64_t>{text.size()};
  if (format == FileFormat::binary) return std::vector<std::uint64_t>{text.size()};
  std::vector<std::uint64_t> extents;
  Words words(format == FileFormat::raw ? first_line(text) : text);
  if (format == FileFormat::raw) {
    for (std::string_view word = words.next(); !word.empty(); word = words.next()) {
      std::uint64_t extent = 0;
      constexpr std::uint64_t kLargest = std::uint64_t{1} << 31U;
      if (extents.size() == 2 || !parse(word, extent) || extent > kLargest) return std::nullopt;
      extents.push_back(extent);
    }
    if (extents.empty()) return std::nullopt;
    return extents;
  }
  std::uint64_t count = 0;
  for (std::string_view word = words.next(); !word.empty(); word = words.next()) {
    double value = 0;
    if (!parse(word, value)) return std::nullopt;
    ++count;
  }
  if (format == FileFormat::csv) {
    std::uint64_t columns = 0;
    Words row(first_line(text));
    while (!row.next().empty()) ++columns;
    if (columns > 1 && count % columns == 0) {
      return std::vector<std::uint64_t>{count / columns, columns};
    }
  }
  return std::vector<std::uint64_t>{count};
}

bool matches_line(std::string_view text, const std::string& pattern) {
  const std::regex regex(pattern);
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string line(text.substr(0, std::min(end, kLongestMatchedLine)));
    if (std::regex_search(line, regex)) return true;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return false;
}

}  // namespace warpgrade
