#include "harness/data/npy.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <stdexcept>

#include "harness/testing/temporary_folder.h"

namespace warpgrade {

TEST_CASE("an array is read back from .npy unchanged", "[data][npy]") {
  const TemporaryFolder folder;
  Array array(ElementType::f64, {2, 3});
  for (std::size_t i = 0; i < 6; ++i) array.as<double>()[i] = 0.5 * static_cast<double>(i);
  write_npy(folder.path() / "x.npy", array);
  const Array back = read_npy(folder.path() / "x.npy");
  CHECK(back.type == ElementType::f64);
  CHECK(back.shape == std::vector<std::uint64_t>{2, 3});
  CHECK(back.bytes == array.bytes);
}

TEST_CASE("a .npy file has NumPy's header, padded so that the data are aligned", "[data][npy]") {
  const TemporaryFolder folder;
  write_npy(folder.path() / "x.npy", Array(ElementType::f32, {5}));
  const std::string text = folder.read("x.npy");
  CHECK(text.starts_with(std::string("\x93NUMPY\x01\x00\x76\x00", 10)));
  CHECK(text.substr(10, 57) == "{'descr': '<f4', 'fortran_order': False, 'shape': (5, ), ");
  CHECK(text.size() == 128 + 20);
  CHECK(text[127] == '\n');
}

TEST_CASE("a truncated .npy file is rejected before memory is allocated for it", "[data][npy]") {
  const TemporaryFolder folder;
  write_npy(folder.path() / "x.npy", Array(ElementType::f32, {5}));
  std::string text = folder.read("x.npy");
  folder.write("short.npy", text.substr(0, text.size() - 1));
  const std::string file = (folder.path() / "short.npy").string();
  CHECK_THROWS_MATCHES(read_npy(file), std::runtime_error,
                       Catch::Matchers::Message(file + ": ends before its last element"));
}

TEST_CASE("files that are not .npy, in Fortran order or of another type are rejected",
          "[data][npy]") {
  const TemporaryFolder folder;
  write_npy(folder.path() / "x.npy", Array(ElementType::f32, {5}));
  const std::string good = folder.read("x.npy");
  const auto message_for = [&](const std::string& text) {
    folder.write("bad.npy", text);
    try {
      (void)read_npy(folder.path() / "bad.npy");
    } catch (const std::runtime_error& error) {
      return std::string(error.what()).substr((folder.path() / "bad.npy").string().size());
    }
    return std::string("accepted");
  };
  std::string fortran = good;
  fortran.replace(fortran.find("False"), 5, "True,");
  std::string complex = good;
  complex.replace(complex.find("<f4"), 3, "<c8");
  std::string huge = good;
  huge.replace(huge.find("(5, )"), 5, "(999999999999999999999, )");
  CHECK(message_for("hello, this is text") == ": not a .npy file");
  CHECK(message_for(fortran) == ": is not in C order; save it with numpy.ascontiguousarray");
  CHECK(message_for(complex) == ": has an unsupported element type");
  CHECK(message_for(huge) == ": has an invalid shape");
}

TEST_CASE("half precision, bool and text have NumPy's types, bfloat16 becomes float",
          "[data][npy]") {
  const TemporaryFolder folder;
  const auto back = [&](ElementType type) {
    Array array(type, {3});
    if (type == ElementType::bf16) array.as<BFloat16>()[1] = BFloat16(1.5);
    write_npy(folder.path() / "x.npy", array);
    return read_npy(folder.path() / "x.npy");
  };
  CHECK(back(ElementType::f16).type == ElementType::f16);
  CHECK(folder.read("x.npy").find("'<f2'") != std::string::npos);
  CHECK(back(ElementType::boolean).type == ElementType::boolean);
  CHECK(back(ElementType::character).type == ElementType::character);
  const Array wide = back(ElementType::bf16);
  CHECK(wide.type == ElementType::f32);
  CHECK(wide.as<float>()[1] == 1.5F);
}

}  // namespace warpgrade
