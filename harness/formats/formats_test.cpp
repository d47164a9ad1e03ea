#include "harness/formats/formats.h"

#include <catch2/catch_test_macros.hpp>
#include <limits>
#include <string>

namespace warpgrade {
namespace {

ReadArray floats(FileFormat format, const std::vector<std::uint64_t>& shape,
                 const std::string& text, const std::string& line = "") {
  return read_format(format, ElementType::f32, shape, text, line);
}

TEST_CASE("an array reads back as it was written, in every format", "[formats][unit]") {
  Array array(ElementType::f32, {2, 3});
  const float values[] = {0.1F, -3e30F, 1e-40F, 255, 7, std::numeric_limits<float>::infinity()};
  std::copy(std::begin(values), std::end(values), array.as<float>().begin());
  for (const FileFormat format :
       {FileFormat::numbers, FileFormat::raw, FileFormat::csv, FileFormat::binary}) {
    const ReadArray read = floats(format, {2, 3}, write_format(format, array));
    INFO(file_format_names()[static_cast<std::size_t>(format)]);
    CHECK(read.problem.empty());
    CHECK(read.array.bytes == array.bytes);
  }
  Array image(ElementType::u8, {1, 2, 3});
  image.bytes = {std::byte{0},  std::byte{10}, std::byte{255},
                 std::byte{35}, std::byte{13}, std::byte{32}};
  const std::string text = write_format(FileFormat::image, image);
  CHECK(text.starts_with("P6\n2 1\n255\n"));
  CHECK(read_format(FileFormat::image, ElementType::u8, {1, 2, 3}, text).array.bytes ==
        image.bytes);
}

TEST_CASE("libwb's raw files state their extents, a vector also as a matrix of one row or column",
          "[formats][unit]") {
  CHECK(floats(FileFormat::raw, {3}, "3\n1\n2\n3").problem.empty());
  CHECK(floats(FileFormat::raw, {3}, "3 1\n1\n2\n3\n").problem.empty());
  CHECK(floats(FileFormat::raw, {3}, "1 3\n1 2 3\n").problem.empty());
  CHECK(floats(FileFormat::raw, {2, 2}, "2 2\n1 2\n3 4\n").problem.empty());
  CHECK(floats(FileFormat::raw, {3}, "3\n1\n2\n").problem == "has 2 numbers; 3 are expected");
  CHECK(floats(FileFormat::raw, {3}, "4\n1\n2\n3\n4\n").problem ==
        "states 4 in its first line; 3 are expected");
  CHECK(floats(FileFormat::raw, {3}, "hello\n1\n").problem ==
        "begins with 'hello'; its first line must be the number of elements, or of rows and "
        "columns");
}

TEST_CASE("what is missing in an output is left as it was never written", "[formats][unit]") {
  const ReadArray read = floats(FileFormat::numbers, {4}, "1 2");
  CHECK(read.found == 2);
  CHECK(read.problem == "has 2 numbers; 4 are expected");
  CHECK(read.array.as<float>()[1] == 2);
  CHECK(read.array.as<float>()[3] != read.array.as<float>()[3]);
}

TEST_CASE("words among numbers are named with their line", "[formats][unit]") {
  CHECK(floats(FileFormat::numbers, {2}, "1\nResult: 2").problem ==
        "has 'Result:' in line 2 where a number is expected");
  CHECK(floats(FileFormat::numbers, {2}, "1,+2.5e0\n").problem.empty());
  CHECK(read_format(FileFormat::numbers, ElementType::i32, {2}, "3.00 4.5").problem ==
        "has '4.5' in line 1 where an integer of its type is expected");
  CHECK(read_format(FileFormat::numbers, ElementType::u8, {1}, "256").found == 0);
}

TEST_CASE("numbers can be picked from the lines that a regular expression matches",
          "[formats][unit]") {
  const ReadArray read =
      floats(FileFormat::numbers, {2}, "log 7\nsum = 1.5\nsum = 2.5 s\n", R"(sum = (\S+))");
  CHECK(read.problem.empty());
  CHECK(read.array.as<float>()[1] == 2.5F);
  CHECK(floats(FileFormat::numbers, {1}, "none\n", "sum = (.*)").problem ==
        "has 0 lines like /sum = (.*)/; 1 is expected");
}

TEST_CASE("a line of a million characters is matched in its beginning only", "[formats][unit]") {
  const std::string text = std::string(1000000, 'x') + "PASSED\nok\n";
  CHECK_FALSE(matches_line(text, "PASSED"));
  CHECK(matches_line(text, "^ok$"));
}

TEST_CASE("images of another size or format are told apart", "[formats][unit]") {
  const auto read = [](const std::string& text) {
    return read_format(FileFormat::image, ElementType::u8, {1, 2, 3}, text).problem;
  };
  CHECK(read("P6 2 1 255\n123456").empty());
  CHECK(read("P6\n# a comment\n2 1\n255\n123456").empty());
  CHECK(read("P6 2 1 255\n12345") == "has 5 bytes of pixels; 6 are expected");
  CHECK(read("P5 2 1 255\n12") == "is 2 x 1 with 1 channel; 2 x 1 with 3 channels are expected");
  CHECK(read("P3 2 1 255\n1 2 3 4 5 6") ==
        "is not a binary PGM or PPM image (P5 or P6) with 255 as its largest value");
}

TEST_CASE("a file's own extents are read for imports", "[formats][unit]") {
  using Extents = std::vector<std::uint64_t>;
  CHECK(extents_in(FileFormat::raw, "3 4\n1 2") == Extents{3, 4});
  CHECK(extents_in(FileFormat::csv, "1,2\n3,4\n5,6\n") == Extents{3, 2});
  CHECK(extents_in(FileFormat::image, "P6 5 4 255\n") == Extents{4, 5, 3});
  CHECK_FALSE(extents_in(FileFormat::raw, "x\n").has_value());
}

}  // namespace
}  // namespace warpgrade
