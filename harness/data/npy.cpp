#include "harness/data/npy.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstring>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>

namespace warpgrade {

namespace {

static_assert(std::endian::native == std::endian::little);

constexpr std::string_view kMagic("\x93NUMPY\x01\x00", 8);
constexpr std::size_t kAlignment = 64;  // of the data, as NumPy writes it
constexpr std::uint64_t kLargest = std::uint64_t{1} << 40U;

/// bf16 is not a type of NumPy: `write_npy` writes it as f32, which holds every value.
std::string descriptor(ElementType type) {
  if (type == ElementType::boolean) return "|b1";
  if (type == ElementType::character) return "|S1";
  const char order = size_of(type) == 1 ? '|' : '<';
  const std::string_view name = name_of(type);
  return fmt::format("{}{}{}", order, name[0], size_of(type));
}

std::optional<ElementType> type_of(std::string_view text) {
  for (const ElementType type :
       {ElementType::i8, ElementType::u8, ElementType::i16, ElementType::u16, ElementType::i32,
        ElementType::u32, ElementType::i64, ElementType::u64, ElementType::f32, ElementType::f64,
        ElementType::f16, ElementType::boolean, ElementType::character}) {
    if (descriptor(type) == text) return type;
  }
  return std::nullopt;
}

/// What follows `'key':` in the header's dictionary.
std::string_view value_of(std::string_view header, std::string_view key) {
  const std::size_t at = header.find(fmt::format("'{}':", key));
  if (at == std::string_view::npos) return {};
  header.remove_prefix(at + key.size() + 3);
  header.remove_prefix(std::min(header.find_first_not_of(' '), header.size()));
  return header;
}

std::optional<std::vector<std::uint64_t>> parse_shape(std::string_view text) {
  std::vector<std::uint64_t> shape;
  std::uint64_t elements = 1;
  if (text.empty() || text[0] != '(') return std::nullopt;
  for (text.remove_prefix(1); !text.empty() && text[0] != ')';) {
    if (text[0] == ',' || text[0] == ' ') {
      text.remove_prefix(1);
      continue;
    }
    std::uint64_t extent = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), extent);
    if (error != std::errc{} || extent > kLargest) return std::nullopt;
    if (extent != 0 && elements > kLargest / extent) return std::nullopt;
    elements *= extent;
    shape.push_back(extent);
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  }
  if (text.empty()) return std::nullopt;
  return shape;
}

}  // namespace

void write_npy(const std::filesystem::path& file, const Array& array) {
  if (array.type == ElementType::bf16) {
    Array wide(ElementType::f32, array.shape);
    const auto values = array.as<BFloat16>();
    std::copy(values.begin(), values.end(), wide.as<float>().begin());
    write_npy(file, wide);
    return;
  }
  std::string shape;
  for (const std::uint64_t extent : array.shape) shape += fmt::format("{}, ", extent);
  std::string header = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}",
                                   descriptor(array.type), shape);
  const std::size_t used = kMagic.size() + 2 + header.size() + 1;
  header.append((kAlignment - used % kAlignment) % kAlignment, ' ');
  header.push_back('\n');
  std::ofstream out(file, std::ios::binary);
  out.write(kMagic.data(), kMagic.size());
  out.put(static_cast<char>(header.size() & 0xffU));
  out.put(static_cast<char>(header.size() >> 8U));
  out.write(header.data(), static_cast<std::streamsize>(header.size()));
  out.write(reinterpret_cast<const char*>(array.bytes.data()),
            static_cast<std::streamsize>(array.bytes.size()));
  out.close();
  if (!out) {
    throw std::filesystem::filesystem_error("cannot write", file,
                                            std::make_error_code(std::errc::io_error));
  }
}

Array read_npy(const std::filesystem::path& file) {
  const auto complain = [&](std::string_view what) -> std::runtime_error {
    return std::runtime_error(fmt::format("{}: {}", file.string(), what));
  };
  std::ifstream in(file, std::ios::binary);
  if (!in) throw complain("cannot be opened");
  std::array<char, kMagic.size() + 2> start{};
  in.read(start.data(), start.size());
  if (!in || std::string_view(start.data(), 6) != kMagic.substr(0, 6)) {
    throw complain("not a .npy file");
  }
  if (start[6] != 1) throw complain("a .npy file of another version than 1");
  const std::size_t length = static_cast<unsigned char>(start[8]) +
                             (std::size_t{static_cast<unsigned char>(start[9])} << 8U);
  std::string header(length, '\0');
  in.read(header.data(), static_cast<std::streamsize>(length));
  if (!in) throw complain("ends inside its header");
  if (!value_of(header, "fortran_order").starts_with("False")) {
    throw complain("is not in C order; save it with numpy.ascontiguousarray");
  }
  std::string_view described = value_of(header, "descr");
  if (described.starts_with('\'')) described.remove_prefix(1);
  const auto type = type_of(described.substr(0, described.find('\'')));
  if (!type) throw complain("has an unsupported element type");
  const auto shape = parse_shape(value_of(header, "shape"));
  if (!shape) throw complain("has an invalid shape");
  std::uint64_t needed = size_of(*type);
  for (const std::uint64_t extent : *shape) needed *= extent;
  const auto start_of_data = static_cast<std::uint64_t>(in.tellg());
  if (std::filesystem::file_size(file) < start_of_data + needed) {
    throw complain("ends before its last element");
  }
  Array array(*type, *shape);
  in.read(reinterpret_cast<char*>(array.bytes.data()),
          static_cast<std::streamsize>(array.bytes.size()));
  if (!in) throw complain("cannot be read completely");
  return array;
}

}  // namespace warpgrade
