#include "emulator/fatbin/linked_image.h"

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

using namespace warpsim::fatbin;

namespace {

const std::string kFirst = ".version 9.0\n.target sm_75\n.address_size 64\n// first\n";
const std::string kSecond = ".version 9.0\n.target sm_86\n.address_size 64\n// the second one\n";

std::string image_of_two(std::uint32_t max_registers = 0) {
  const std::vector<Image> units = {
      {.ptx = kFirst, .architecture = 75, .name = "a.ptx"},
      {.ptx = kSecond, .architecture = 86, .name = "second.ptx", .max_registers = 40}};
  return write_linked_image(units, max_registers);
}

}  // namespace

TEST_CASE("a linked image gives back all of its units", "[emulator][fatbin]") {
  const std::string image = image_of_two();
  // Whatever the device: the units belong together.
  for (const std::uint32_t target : {75u, 90u}) {
    const Images read = read_fatbin(std::as_bytes(std::span(image)), target);
    REQUIRE(read.problems.empty());
    REQUIRE(read.images.size() == 2);
    CHECK(read.images[0].ptx == kFirst);
    CHECK(read.images[0].name == "a.ptx");
    CHECK(read.images[0].architecture == 75);
    CHECK(read.images[0].max_registers == 0);
    CHECK(read.images[1].ptx == kSecond);
    CHECK(read.images[1].name == "second.ptx");
    CHECK(read.images[1].max_registers == 40);
  }
}

TEST_CASE("a limit of registers of a link replaces those of its units", "[emulator][fatbin]") {
  const std::string image = image_of_two(64);
  for (const Image& unit : read_fatbin(std::as_bytes(std::span(image)), 90).images) {
    CHECK(unit.max_registers == 64);
  }
}

TEST_CASE("a linked image states its size, and a part of one is an error", "[emulator][fatbin]") {
  const std::string image = image_of_two();
  CHECK(container_size(std::as_bytes(std::span(image))) == image.size());
  for (std::size_t bytes = 16; bytes < image.size(); ++bytes) {
    const std::string part = image.substr(0, bytes);
    const Images read = read_fatbin(std::as_bytes(std::span(part)), 90);
    CHECK(read.images.empty());
    CHECK(read.problems.size() == 1);
  }
}
