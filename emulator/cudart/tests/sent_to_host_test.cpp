#include "emulator/cudart/sent_to_host.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "emulator/cudart/outputs_file.h"

#include <unistd.h>

namespace warpsim::cudart {
namespace {

constexpr std::uint64_t kOutput = 0x10000;
constexpr std::uint64_t kElsewhere = 0x90000;

AnnouncedArray output_of(std::size_t count, std::uint32_t element_bytes = 4) {
  return {.name = "c",
          .address = kOutput,
          .bytes = count * element_bytes,
          .element_bytes = element_bytes,
          .is_output = true,
          .on_host = true};
}

/// Values that do not occur twice.
std::vector<float> values(std::size_t count, unsigned seed = 1) {
  std::mt19937 random(seed);
  std::vector<float> result(count);
  for (float& value : result) value = std::uniform_real_distribution<float>(1, 2)(random);
  return result;
}

template <class T>
std::span<const std::byte> bytes(const std::vector<T>& of) {
  return std::as_bytes(std::span(of));
}

struct Sent {
  explicit Sent(const AnnouncedArray& array) : output(array), sent({&output, 1}) {}
  template <class T>
  std::uint64_t foreign(const std::vector<T>& content) {
    return sent.foreign_in(output, bytes(content)).bytes;
  }
  AnnouncedArray output;
  SentToHost sent;
};

TEST_CASE("an output that the device has copied there is the device's", "[cudart][sent]") {
  const std::vector<float> c = values(1000);
  Sent whole(output_of(1000));
  whole.sent.add(kOutput, bytes(c));
  CHECK(whole.foreign(c) == 0);
  CHECK(whole.sent.bytes() == 4000);

  Sent chunks(output_of(1000));
  for (std::size_t at : {500, 0, 250, 750}) {
    chunks.sent.add(kOutput + at * 4, bytes(c).subspan(at * 4, 1000));
  }
  CHECK(chunks.foreign(c) == 0);
}

TEST_CASE("one element that host code has changed since is foreign", "[cudart][sent]") {
  std::vector<float> c = values(1000);
  Sent sent(output_of(1000));
  sent.sent.add(kOutput, bytes(c));
  c[321] += 0.5f;
  const SentToHost::Foreign foreign = sent.sent.foreign_in(sent.output, bytes(c));
  CHECK(foreign.bytes == 4);
  CHECK(foreign.first == 321 * 4);
}

TEST_CASE("an output that the device has not touched is foreign, but for its zeros",
          "[cudart][sent]") {
  std::vector<float> c = values(100);
  Sent sent(output_of(100));
  CHECK(sent.foreign(c) == 400);
  std::fill(c.begin(), c.begin() + 60, 0.0f);
  CHECK(sent.foreign(c) == 160);
}

TEST_CASE("staged results are the device's, in whatever order host code puts them",
          "[cudart][sent]") {
  const std::vector<float> c = values(4096);
  Sent staged(output_of(4096));
  staged.sent.add(kElsewhere, bytes(c));
  CHECK(staged.foreign(c) == 0);

  // Rows with padding, moved together.
  Sent padded(output_of(4096));
  for (std::size_t row = 0; row < 64; ++row) {
    padded.sent.add(kElsewhere + row * 512, bytes(c).subspan(row * 256, 256));
  }
  CHECK(padded.foreign(c) == 0);

  // A transposition: each element on its own.
  std::vector<float> turned(4096);
  for (std::size_t i = 0; i < 4096; ++i) turned[i] = c[i % 64 * 64 + i / 64];
  Sent transposed(output_of(4096));
  transposed.sent.add(kElsewhere, bytes(turned));
  CHECK(transposed.foreign(c) == 0);
  std::vector<float> wrong = c;
  wrong[77] += 0.25f;
  CHECK(transposed.foreign(wrong) == 4);
}

TEST_CASE("where the device sends far more than the outputs, single values prove nothing",
          "[cudart][sent]") {
  std::vector<float> all(1 << 20);  // every float of a range, among which any result is
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto bits = static_cast<std::uint32_t>(0x3f800000 + i);
    std::memcpy(&all[i], &bits, sizeof bits);
  }
  std::vector<float> c(1024);
  for (std::size_t i = 0; i < c.size(); ++i) c[i] = all[(i * 7919) % all.size()];
  Sent sent(output_of(1024));
  sent.sent.add(kElsewhere, bytes(all));
  CHECK(sent.foreign(c) == 4096);
  // A honest program beside it: whole pieces are there.
  sent.sent.add(kElsewhere, bytes(c));
  CHECK(sent.foreign(c) == 0);
}

TEST_CASE("small elements are looked for in pieces of 16 bytes", "[cudart][sent]") {
  std::vector<std::uint8_t> c(4096);
  std::mt19937 random(3);
  for (std::uint8_t& value : c) value = static_cast<std::uint8_t>(1 + random() % 255);
  Sent sent(output_of(4096, 1));
  for (std::size_t row = 0; row < 64; ++row) {  // rows with padding
    sent.sent.add(kElsewhere + row * 128, bytes(c).subspan(row * 64, 64));
  }
  CHECK(sent.foreign(c) == 0);
  std::vector<std::uint8_t> mixed = c;
  std::shuffle(mixed.begin(), mixed.end(), random);
  CHECK(sent.foreign(mixed) > 4000);  // the same bytes, in other places
}

TEST_CASE("a file of outputs is read as it was written, and not when it is damaged",
          "[cudart][sent]") {
  const auto file =
      std::filesystem::temp_directory_path() / ("outputs-" + std::to_string(::getpid()));
  DeliveredCall call{.violation = {}, .sent_bytes = 12, .arrays = {}};
  call.arrays.push_back(
      {.name = "a", .bytes = 8, .element_bytes = 4, .is_input = true, .content = {}});
  call.arrays.push_back({.name = "c",
                         .bytes = 3,
                         .is_output = true,
                         .on_host = true,
                         .foreign_bytes = 2,
                         .first_foreign = 1,
                         .content = std::vector<std::byte>(3, std::byte{7})});
  REQUIRE(write_outputs(file, call));
  const auto read = read_outputs(file);
  REQUIRE(read);
  CHECK(read->sent_bytes == 12);
  REQUIRE(read->arrays.size() == 2);
  CHECK(read->arrays[0].name == "a");
  CHECK(read->arrays[0].is_input);
  CHECK(read->arrays[1].content == call.arrays[1].content);
  CHECK(read->arrays[1].foreign_bytes == 2);
  CHECK(read->arrays[1].on_host);

  const auto size = std::filesystem::file_size(file);
  for (const std::uintmax_t cut : {size - 1, size - 3, std::uintmax_t{30}, std::uintmax_t{0}}) {
    std::filesystem::resize_file(file, cut);
    CHECK_FALSE(read_outputs(file));
  }
  REQUIRE(write_outputs(file, {.violation = std::string(1000, 'x'), .arrays = {}}));
  CHECK(read_outputs(file)->violation.size() == 300);
  std::ofstream(file, std::ios::app) << "more";
  CHECK_FALSE(read_outputs(file));
  std::filesystem::remove(file);
  CHECK_FALSE(read_outputs(file));
}

}  // namespace
}  // namespace warpsim::cudart
