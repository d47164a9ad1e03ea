#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

// The file named by WARPSIM_CALL_OUTPUTS: what an announced call produced. The device process
// writes it into a folder of its own when the call ends; the starter of the device process reads
// it. The program never sees it.

namespace warpsim::cudart {

/// An announced array, and the bytes of an output when the call ended.
struct DeliveredArray {
  std::string name;  // of the announced array
  std::uint64_t bytes = 0;
  std::uint32_t element_bytes = 1;
  bool is_input = false;
  bool is_output = false;
  bool on_host = false;
  bool lost = false;  // an output whose memory the call released
  /// Of an output in host memory: bytes that the device did not send to the host during the call,
  /// and the offset of the first.
  std::uint64_t foreign_bytes = 0;
  std::uint64_t first_foreign = 0;
  std::vector<std::byte> content;  // of an output that is not lost
};

struct DeliveredCall {
  /// Why the session ended before the program did; such a call has no arrays.
  std::string violation;
  /// Bytes that the device sent to the host during the call; 0 without outputs in host memory.
  std::uint64_t sent_bytes = 0;
  std::vector<DeliveredArray> arrays;  // as they were announced
};

namespace outputs_file {

constexpr std::uint64_t kMagic = 0x3174757074756f77;  // "woutput1"
constexpr std::uint32_t kMostArrays = 64;
constexpr std::uint32_t kLongestViolation = 300;

struct Header {
  std::uint64_t magic = kMagic;
  std::uint64_t sent_bytes = 0;
  std::uint32_t arrays = 0;
  std::uint32_t violation_bytes = 0;
};

struct ArrayHeader {
  char name[64] = {};  // ends with a zero
  std::uint64_t bytes = 0;
  std::uint64_t content_bytes = 0;
  std::uint64_t foreign_bytes = 0;
  std::uint64_t first_foreign = 0;
  std::uint32_t element_bytes = 1;
  std::uint8_t is_input = 0;
  std::uint8_t is_output = 0;
  std::uint8_t on_host = 0;
  std::uint8_t lost = 0;
};

}  // namespace outputs_file

/// @returns false when it cannot be written, or a name is too long
inline bool write_outputs(const std::filesystem::path& file, const DeliveredCall& call) {
  const std::string violation = call.violation.substr(0, outputs_file::kLongestViolation);
  const outputs_file::Header header = {
      .sent_bytes = call.sent_bytes,
      .arrays = static_cast<std::uint32_t>(call.arrays.size()),
      .violation_bytes = static_cast<std::uint32_t>(violation.size())};
  std::ofstream out(file, std::ios::binary | std::ios::trunc);
  const auto put = [&](const void* bytes, std::size_t count) {
    out.write(static_cast<const char*>(bytes), static_cast<std::streamsize>(count));
  };
  put(&header, sizeof header);
  put(violation.data(), violation.size());
  for (const DeliveredArray& array : call.arrays) {
    outputs_file::ArrayHeader head = {.bytes = array.bytes,
                                      .content_bytes = array.content.size(),
                                      .foreign_bytes = array.foreign_bytes,
                                      .first_foreign = array.first_foreign,
                                      .element_bytes = array.element_bytes,
                                      .is_input = array.is_input,
                                      .is_output = array.is_output,
                                      .on_host = array.on_host,
                                      .lost = array.lost};
    if (array.name.size() >= sizeof head.name) return false;
    array.name.copy(head.name, array.name.size());
    put(&head, sizeof head);
    put(array.content.data(), array.content.size());
  }
  out.close();
  return static_cast<bool>(out);
}

/// @returns nothing when the file is missing or not as write_outputs() makes it
inline std::optional<DeliveredCall> read_outputs(const std::filesystem::path& file) {
  std::error_code error;
  std::uint64_t left = std::filesystem::file_size(file, error);
  std::ifstream in(file, std::ios::binary);
  if (error || !in) return std::nullopt;
  const auto take = [&](void* bytes, std::uint64_t count) {
    if (count > left) return false;
    left -= count;
    return static_cast<bool>(
        in.read(static_cast<char*>(bytes), static_cast<std::streamsize>(count)));
  };
  outputs_file::Header header;
  if (!take(&header, sizeof header) || header.magic != outputs_file::kMagic ||
      header.arrays > outputs_file::kMostArrays ||
      header.violation_bytes > outputs_file::kLongestViolation) {
    return std::nullopt;
  }
  DeliveredCall call{.violation = std::string(header.violation_bytes, '\0'),
                     .sent_bytes = header.sent_bytes,
                     .arrays = {}};
  if (!take(call.violation.data(), call.violation.size())) return std::nullopt;
  for (std::uint32_t i = 0; i < header.arrays; ++i) {
    outputs_file::ArrayHeader head;
    if (!take(&head, sizeof head) || head.name[sizeof head.name - 1] != '\0' ||
        head.content_bytes > left) {
      return std::nullopt;
    }
    DeliveredArray& array = call.arrays.emplace_back();
    array.name = head.name;
    array.bytes = head.bytes;
    array.element_bytes = head.element_bytes;
    array.is_input = head.is_input != 0;
    array.is_output = head.is_output != 0;
    array.on_host = head.on_host != 0;
    array.lost = head.lost != 0;
    array.foreign_bytes = head.foreign_bytes;
    array.first_foreign = head.first_foreign;
    array.content.resize(head.content_bytes);
    if (!take(array.content.data(), head.content_bytes)) return std::nullopt;
  }
  return left == 0 ? std::optional(std::move(call)) : std::nullopt;
}

}  // namespace warpsim::cudart
