#include "harness/data/given_data.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>
#include <limits>
#include <stdexcept>

#include "harness/data/npy.h"
#include "harness/data/pnm.h"

namespace warpgrade {
namespace fs = std::filesystem;

namespace {

constexpr std::uintmax_t kMostBytes = std::uintmax_t{1} << 30U;

void require_file(const fs::path& file, const std::string& shown) {
  std::error_code error;
  if (!fs::is_regular_file(file, error)) {
    throw std::runtime_error(fmt::format("{}: no such file; add it or correct the name", shown));
  }
  if (fs::file_size(file) > kMostBytes) {
    throw std::runtime_error(fmt::format("{}: has more than 1 GiB; use a smaller one", shown));
  }
}

std::string contents(const fs::path& file, const std::string& shown) {
  require_file(file, shown);
  std::ifstream in(file, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(in), {}};
  if (in.bad()) throw std::runtime_error(fmt::format("{}: cannot be read", shown));
  return text;
}

std::string shape_words(const std::vector<std::uint64_t>& shape) {
  return shape.empty() ? "one element" : fmt::format("{}", fmt::join(shape, " x "));
}

/// Without extents of 1.
std::vector<std::uint64_t> squeezed(const std::vector<std::uint64_t>& shape) {
  std::vector<std::uint64_t> extents;
  std::copy_if(shape.begin(), shape.end(), std::back_inserter(extents),
               [](std::uint64_t extent) { return extent != 1; });
  return extents;
}

void check_shape(const GivenData& given, const std::vector<std::uint64_t>& shape) {
  const std::vector<std::uint64_t> have = squeezed(given.array.shape);
  const std::vector<std::uint64_t> want = squeezed(shape);
  const bool flat = (want.size() <= 1 || have.size() <= 1) && given.kind != GivenData::Kind::npy;
  if (have == want || (flat && given.array.count() == Array::count_of(shape))) return;
  throw std::runtime_error(
      fmt::format("{} has {} elements ({}), the parameter {} ({}); make them equal", given.source,
                  given.array.count(), shape_words(given.array.shape), Array::count_of(shape),
                  shape_words(shape)));
}

bool is_byte(ElementType type) {
  return type == ElementType::character || type == ElementType::u8 || type == ElementType::i8;
}

template <class T>
T to_element(const GivenData& given, double value) {
  if constexpr (is_float_like<T>) {
    return static_cast<T>(given.kind == GivenData::Kind::image ? value / given.white : value);
  } else {
    using Limits = std::numeric_limits<T>;
    const bool fits = value == std::floor(value) && value >= static_cast<double>(Limits::min()) &&
                      value < static_cast<double>(Limits::max()) + 1;
    if (!fits) {
      throw std::runtime_error(
          fmt::format("{} has {}, which the parameter's type cannot hold; "
                      "change the value or the type",
                      given.source, value));
    }
    return static_cast<T>(value);
  }
}

}  // namespace

GivenData read_given_data(const fs::path& file, const std::string& shown) {
  const std::string extension = file.extension().string();
  try {
    if (extension == ".npy") {
      require_file(file, shown);
      return {.kind = GivenData::Kind::npy, .source = shown, .array = read_npy(file), .white = 1};
    }
    if (extension == ".pgm" || extension == ".ppm") {
      GivenData image = given_image(contents(file, shown));
      image.source = shown;
      return image;
    }
  } catch (const std::runtime_error& error) {
    // The readers begin with their own name of the file, or with none.
    std::string_view what = error.what();
    for (const std::string& name : {file.string() + ": ", shown + ": ", std::string("`image` ")}) {
      if (what.starts_with(name)) what.remove_prefix(name.size());
    }
    throw std::runtime_error(
        fmt::format("{}: {}{}", shown, what, what.find(';') == what.npos ? "; save it again" : ""));
  }
  if (extension == ".txt") {
    GivenData text = given_text(contents(file, shown));
    text.source = shown;
    return text;
  }
  throw std::runtime_error(
      fmt::format("{}: unknown kind of file; use .npy, .pgm, .ppm or .txt", shown));
}

GivenData given_image(std::string_view text) {
  try {
    Image image = read_pnm(text);
    return {.kind = GivenData::Kind::image,
            .source = "`image`",
            .array = std::move(image.pixels),
            .white = static_cast<double>(image.largest)};
  } catch (const std::runtime_error& error) {
    throw std::runtime_error(fmt::format("`image` {}", error.what()));
  }
}

GivenData given_text(std::string_view text) {
  GivenData given{.kind = GivenData::Kind::text,
                  .source = "`text`",
                  .array = Array(ElementType::character, {text.size()}),
                  .white = 1};
  if (!text.empty()) std::memcpy(given.array.bytes.data(), text.data(), text.size());
  return given;
}

Array as_array(const GivenData& given, ElementType type, const std::vector<std::uint64_t>& shape) {
  check_shape(given, shape);
  Array array(type, shape);
  if (given.kind == GivenData::Kind::npy || given.kind == GivenData::Kind::text) {
    if (given.array.type != type && !(is_byte(given.array.type) && is_byte(type))) {
      throw std::runtime_error(fmt::format("{} has elements of {}, the parameter of {}; {}",
                                           given.source, name_of(given.array.type), name_of(type),
                                           given.kind == GivenData::Kind::npy
                                               ? "convert it with numpy's astype"
                                               : "give text to a parameter of type char or u8"));
    }
    array.bytes = given.array.bytes;
    return array;
  }
  with_type(given.array.type, [&](auto from) {
    const auto values = given.array.as<decltype(from)>();
    if (type == ElementType::boolean) {
      std::transform(values.begin(), values.end(), array.as<bool>().begin(),
                     [](auto value) { return value != 0; });
      return;
    }
    with_type(type, [&](auto to) {
      using To = decltype(to);
      std::transform(values.begin(), values.end(), array.as<To>().begin(),
                     [&](auto value) { return to_element<To>(given, static_cast<double>(value)); });
    });
  });
  return array;
}

}  // namespace warpgrade
