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
    INFO(slug(format));
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

TEST_CASE("elements of every type read back from text as they were", "[formats][unit]") {
  Array halves(ElementType::f16, {3});
  halves.as<Float16>()[0] = Float16(0.1);
  halves.as<Float16>()[1] = Float16(-65504.0);
  halves.as<Float16>()[2] = Float16(0x1p-24);
  Array wide(ElementType::u64, {2});
  wide.as<std::uint64_t>()[0] = ~std::uint64_t{0};
  wide.as<std::uint64_t>()[1] = std::uint64_t{1} << 63U;
  Array flags(ElementType::boolean, {2});
  flags.bytes = {std::byte{1}, std::byte{0}};
  for (const Array* array : {&halves, &wide, &flags}) {
    const std::string text = write_format(FileFormat::raw, *array);
    INFO(text);
    CHECK(read_format(FileFormat::raw, array->type, array->shape, text).array.bytes ==
          array->bytes);
  }
  // Halfway between two numbers of the type, and a little more: rounded once.
  const ReadArray once = read_format(FileFormat::numbers, ElementType::f16, {1}, "1.0004882812501");
  CHECK(static_cast<float>(once.array.as<Float16>()[0]) == 1.0009765625F);
}

TEST_CASE("text may end with one newline more, and nothing else", "[formats][unit]") {
  const auto problem = [](const std::string& text) {
    return read_format(FileFormat::text, ElementType::character, {3}, text).problem;
  };
  CHECK(problem("abc").empty());
  CHECK(problem("abc\n").empty());
  CHECK(problem("ab") == "has 2 characters; 3 are expected");
  CHECK(problem("abcd") == "has 4 characters; 3 are expected");
  CHECK(format_problem(FileFormat::numbers, ElementType::character, 1) ==
        "characters are not numbers; write format = \"text\", or type = \"u8\"");
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
  CHECK(read("P6 2 1 255\n12345") == "ends before its last pixel: 2 by 1 was announced");
  CHECK(read("P3 2 1 255\n1 2 3 4 5 6").empty());  // as text
  CHECK(read("P3 2 1 15\n1 2 3 4 5 6") == "has 15 as its largest value; 255 is expected");
  CHECK(read("P5 2 1 255\n12") == "is 2 x 1 with 1 channel; 2 x 1 with 3 channels are expected");
  CHECK(read("GIF89a") == "is not an image in PGM or PPM format (P2, P3, P5 or P6)");
}

TEST_CASE("a file's own extents are read for imports", "[formats][unit]") {
  using Extents = std::vector<std::uint64_t>;
  CHECK(extents_in(FileFormat::raw, "3 4\n1 2") == Extents{3, 4});
  CHECK(extents_in(FileFormat::csv, "1,2\n3,4\n5,6\n") == Extents{3, 2});
  CHECK(extents_in(FileFormat::image, "P6 1 2 255\n123456") == Extents{2, 1, 3});
  CHECK_FALSE(extents_in(FileFormat::raw, "x\n").has_value());
}

}  // namespace
}  // namespace warpgrade
