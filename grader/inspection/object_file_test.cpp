#include "grader/inspection/object_file.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <string>

#include "grader/core/files.h"

namespace warpgrade {
namespace {

/// This very program: an ELF file with sections and symbols as any other.
const std::string& own_program() {
  static const std::string bytes = read_file("/proc/self/exe", std::uint64_t{1} << 30);
  return bytes;
}

TEST_CASE("an object's symbols say what is defined and what is needed", "[grader][integrity]") {
  const auto object = read_object(own_program());
  REQUIRE(object);
  const auto has = [&](std::string_view name, bool defined) {
    return std::any_of(object->symbols.begin(), object->symbols.end(), [&](const auto& symbol) {
      return symbol.name.starts_with(name) && symbol.defined == defined;
    });
  };
  CHECK(has("main", true));
  CHECK(has("memcpy", false));
  CHECK_FALSE(has("main", false));
  CHECK(std::any_of(object->sections.begin(), object->sections.end(), [](const auto& section) {
    return section.name == ".text" && section.executable && !section.writable;
  }));
}

TEST_CASE("an invalid object file is not read past its end", "[grader][integrity]") {
  CHECK_FALSE(read_object(""));
  CHECK_FALSE(read_object(std::string(64, '\x7f')));
  const std::string& good = own_program();
  for (const std::size_t size :
       {std::size_t{4}, std::size_t{63}, std::size_t{64}, good.size() / 2, good.size() - 1}) {
    CHECK_FALSE(read_object(std::string_view(good).substr(0, size)));
  }
}

}  // namespace
}  // namespace warpgrade
