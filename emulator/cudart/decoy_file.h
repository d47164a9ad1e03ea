#pragma once

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <span>
#include <string>
#include <vector>

// The file named by WARPSIM_DECOY: the device's replacements of the announced call's inputs. The
// starter of the device process writes it; the program never sees it.

namespace warpsim::cudart {

/// One input array, with the bytes that host code sees and those that kernels see.
struct DecoyArray {
  std::string name;  // of the announced array
  std::uint32_t element_bytes = 4;  // 4 or 8
  bool is_float = false;
  std::vector<std::byte> host;
  std::vector<std::byte> device;  // of the same length
};

/// The same without a copy of the bytes, to be written.
struct DecoyView {
  std::string name;
  std::uint32_t element_bytes = 4;
  bool is_float = false;
  std::span<const std::byte> host;
  std::span<const std::byte> device;
};

namespace decoy_file {

struct Header {
  char name[64] = {};  // ends with a zero
  std::uint64_t bytes = 0;  // of either version
  std::uint32_t element_bytes = 4;
  std::uint32_t is_float = 0;
};

/// What stands before an array in the file.
/// @tparam Array  DecoyArray or DecoyView
/// @returns nothing when the name is too long, or the two versions differ in length
template <class Array>
std::optional<Header> header_of(const Array& array) {
  Header header = {.bytes = array.host.size(),
                   .element_bytes = array.element_bytes,
                   .is_float = array.is_float ? 1U : 0U};
  if (array.name.size() >= sizeof header.name || array.device.size() != array.host.size()) {
    return std::nullopt;
  }
  array.name.copy(header.name, array.name.size());
  return header;
}

}  // namespace decoy_file

/// Whether a value with these bits is too common to identify an input, so that it is the same on
/// both sides: 0, 1, -1, as an integer or a float, NaN and infinities.
[[nodiscard]] inline bool is_common_value(std::uint64_t bits, std::uint32_t element_bytes) {
  if (bits <= 1) return true;
  if (element_bytes == 4) {
    const auto word = static_cast<std::uint32_t>(bits);
    const auto number = std::bit_cast<float>(word);
    return word == ~0U || number == 0 || std::abs(number) == 1 || !std::isfinite(number);
  }
  const auto number = std::bit_cast<double>(bits);
  return bits == ~std::uint64_t{0} || number == 0 || std::abs(number) == 1 ||
         !std::isfinite(number);
}

/// @tparam Arrays  of DecoyArray or DecoyView
/// @returns false when it cannot be written, or a name is too long
template <class Arrays>
bool write_decoy(const std::filesystem::path& file, const Arrays& arrays) {
  std::ofstream out(file, std::ios::binary | std::ios::trunc);
  for (const auto& array : arrays) {
    const auto header = decoy_file::header_of(array);
    if (!header) return false;
    out.write(reinterpret_cast<const char*>(&*header), sizeof *header);
    for (const auto* bytes : {&array.host, &array.device}) {
      out.write(reinterpret_cast<const char*>(bytes->data()),
                static_cast<std::streamsize>(bytes->size()));
    }
  }
  out.close();
  return static_cast<bool>(out);
}

/// @returns nothing when the file is missing or not as write_decoy() makes it
inline std::optional<std::vector<DecoyArray>> read_decoy(const std::filesystem::path& file) {
  std::error_code error;
  std::uint64_t left = std::filesystem::file_size(file, error);
  std::ifstream in(file, std::ios::binary);
  if (error || !in) return std::nullopt;
  std::vector<DecoyArray> arrays;
  while (left > 0) {
    decoy_file::Header header;
    if (left < sizeof header || !in.read(reinterpret_cast<char*>(&header), sizeof header)) {
      return std::nullopt;
    }
    left -= sizeof header;
    const bool sized = header.element_bytes == 4 || header.element_bytes == 8;
    if (!sized || header.bytes > left / 2 || header.name[sizeof header.name - 1] != '\0') {
      return std::nullopt;
    }
    left -= 2 * header.bytes;
    DecoyArray& array = arrays.emplace_back();
    array.name = header.name;
    array.element_bytes = header.element_bytes;
    array.is_float = header.is_float != 0;
    for (auto* bytes : {&array.host, &array.device}) {
      bytes->resize(header.bytes);
      in.read(reinterpret_cast<char*>(bytes->data()), static_cast<std::streamsize>(header.bytes));
      if (!in) return std::nullopt;
    }
  }
  return arrays;
}

}  // namespace warpsim::cudart
