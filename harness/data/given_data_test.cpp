#include "harness/data/given_data.h"

#include <catch2/catch_test_macros.hpp>
#include <stdexcept>

#include "harness/data/npy.h"
#include "harness/data/pnm.h"
#include "harness/testing/temporary_folder.h"

namespace warpgrade {

namespace {

template <class Call>
std::string complaint(Call call) {
  try {
    (void)call();
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "accepted";
}

std::string file_complaint(const std::string& name, const std::string& text) {
  const TemporaryFolder folder;
  folder.write(name, text);
  return complaint([&] { return read_given_data(folder.path() / name, name); });
}

}  // namespace

TEST_CASE("images are read in all four formats, with comments", "[data][pnm]") {
  const Image text = read_pnm("P2 # gray\n3 2\n# white:\n9\n0 1 2 3 4 9");
  CHECK(text.pixels.shape == std::vector<std::uint64_t>{2, 3});
  CHECK(text.largest == 9);
  CHECK(text.pixels.as<std::uint8_t>()[5] == 9);
  const Image binary = read_pnm(std::string("P5 3 1 255\n\x01\x00\xff", 14));
  CHECK(binary.pixels.as<std::uint8_t>()[2] == 255);
  const Image colour = read_pnm("P3 1 2 255 1 2 3 4 5 6");
  CHECK(colour.pixels.shape == std::vector<std::uint64_t>{2, 1, 3});
  const Image wide = read_pnm(std::string("P6 1 1 1000\n\x01\x02\x00\x03\x03\xe8", 18));
  CHECK(wide.pixels.as<std::uint16_t>()[0] == 258);  // the more significant byte first
  CHECK(wide.pixels.as<std::uint16_t>()[2] == 1000);
}

TEST_CASE("an image that is cut or is none is refused in one sentence", "[data][pnm]") {
  CHECK(file_complaint("a.pgm", "P5 3 2 255\n12345") ==
        "a.pgm: ends before its last pixel: 3 by 2 was announced; save it again");
  CHECK(file_complaint("a.pgm", "P2 3 1 255 1 2") ==
        "a.pgm: ends before its last pixel: 3 by 1 was announced; save it again");
  CHECK(file_complaint("a.pgm", "P2 3 1 255 1 2 x") ==
        "a.pgm: the last pixel is not a number; save it again");
  CHECK(file_complaint("a.ppm", "hello") ==
        "a.ppm: is not an image in PGM or PPM format (P2, P3, P5 or P6); save it again");
  CHECK(file_complaint("a.pgm", "P2 1 1 7 8") ==
        "a.pgm: pixel 0 is 8, above the largest value 7; save it again");
  CHECK(file_complaint("a.pgm", "P5 99999999 2 255\n") ==
        "a.pgm: the width is 99999999, above 1048576; save it again");
  CHECK(file_complaint("a.pgm", "P5") == "a.pgm: ends before the width; save it again");
}

TEST_CASE("a .npy file that is cut or of another type is refused in one sentence",
          "[data][given]") {
  const TemporaryFolder folder;
  write_npy(folder.path() / "x.npy", Array(ElementType::f32, {5}));
  const std::string good = folder.read("x.npy");
  CHECK(file_complaint("x.npy", good.substr(0, good.size() - 1)) ==
        "x.npy: ends before its last element; save it again");
  CHECK(file_complaint("x.npy", "text") == "x.npy: not a .npy file; save it again");
  const GivenData given = read_given_data(folder.path() / "x.npy", "x.npy");
  CHECK(complaint([&] { return as_array(given, ElementType::f64, {5}); }) ==
        "x.npy has elements of f32, the parameter of f64; convert it with numpy's astype");
  CHECK(complaint([&] { return as_array(given, ElementType::f32, {6}); }) ==
        "x.npy has 5 elements (5), the parameter 6 (6); make them equal");
  CHECK(as_array(given, ElementType::f32, {1, 5}).count() == 5);
}

TEST_CASE("a file that is missing or of another kind is refused", "[data][given]") {
  CHECK(complaint([] { return read_given_data("/nowhere/x.npy", "x.npy"); }) ==
        "x.npy: no such file; add it or correct the name");
  CHECK(file_complaint("x.png", "") == "x.png: unknown kind of file; use .npy, .pgm, .ppm or .txt");
}

TEST_CASE("pixels become shares of white in floats and stay as they are in integers",
          "[data][given]") {
  const GivenData image = given_image("P2 2 1 4  1 4");
  CHECK(as_array(image, ElementType::f32, {1, 2}).as<float>()[0] == 0.25F);
  CHECK(as_array(image, ElementType::i32, {2}).as<std::int32_t>()[1] == 4);
  CHECK(complaint([&] {
          return as_array(image, ElementType::u8, {2, 2});
        }) == "`image` has 2 elements (1 x 2), the parameter 4 (2 x 2); make them equal");
}

TEST_CASE("text fills arrays of bytes only, and numbers have to fit", "[data][given]") {
  const GivenData text = given_text("ab\n");
  CHECK(as_array(text, ElementType::character, {3}).as<char>()[2] == '\n');
  CHECK(as_array(text, ElementType::u8, {3}).as<std::uint8_t>()[0] == 97);
  CHECK(complaint([&] { return as_array(text, ElementType::i32, {3}); }) ==
        "`text` has elements of char, the parameter of i32; give text to a parameter of type char "
        "or u8");
  GivenData numbers{.kind = GivenData::Kind::numbers,
                    .source = "`values`",
                    .array = Array(ElementType::f64, {2}),
                    .white = 1};
  numbers.array.as<double>()[0] = 300;
  CHECK(as_array(numbers, ElementType::f16, {2}).as<Float16>()[0] == 300);
  CHECK(as_array(numbers, ElementType::boolean, {2}).as<bool>()[0]);
  CHECK(complaint([&] { return as_array(numbers, ElementType::u8, {2}); }) ==
        "`values` has 300, which the parameter's type cannot hold; change the value or the type");
}

}  // namespace warpgrade
