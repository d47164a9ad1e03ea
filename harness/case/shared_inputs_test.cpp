#include "harness/case/shared_inputs.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <map>
#include <string>
#include <vector>

namespace warpgrade {

TEST_CASE("inputs are shared in a file that cannot be changed", "[case][shared]") {
  Lab lab;
  for (const char* name : {"none", "small", "large"}) {
    Parameter parameter;
    parameter.name = name;
    parameter.role = Role::input;
    parameter.type = ElementType::u8;
    parameter.shape = {Expression("n")};
    lab.parameters.push_back(parameter);
  }
  std::map<std::string, Array> inputs;
  inputs.emplace("none", Array(ElementType::u8, {0}));
  inputs.emplace("small", Array(ElementType::u8, {100}));
  inputs.emplace("large", Array(ElementType::u8, {1 << 20}));
  inputs.at("small").bytes[99] = std::byte{5};
  inputs.at("large").bytes[12345] = std::byte{7};
  const SharedInputs shared(lab, inputs);
  const int file = shared.descriptor();
  REQUIRE(file >= 512);
  REQUIRE(shared.offsets().size() == 3);
  struct stat info {};
  REQUIRE(::fstat(file, &info) == 0);
  CHECK(info.st_size == (1 << 20) + 100);
  for (const auto& [name, array] : inputs) {
    std::vector<std::byte> read(array.bytes.size());
    const auto at = static_cast<off_t>(shared.offsets().at(name));
    REQUIRE(::pread(file, read.data(), read.size(), at) == static_cast<ssize_t>(read.size()));
    CHECK(read == array.bytes);
  }
  CHECK(::pwrite(file, "x", 1, 0) < 0);
  CHECK(::ftruncate(file, 0) < 0);
  CHECK(::ftruncate(file, 1 << 21) < 0);
  CHECK(::mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0) == MAP_FAILED);
  CHECK(::fcntl(file, F_ADD_SEALS, 0) < 0);
  // Nor by one that is opened again.
  const int again = ::open(("/proc/self/fd/" + std::to_string(file)).c_str(), O_RDWR | O_CLOEXEC);
  if (again >= 0) {
    CHECK(::pwrite(again, "x", 1, 0) < 0);
    ::close(again);
  }
}

}  // namespace warpgrade
