#include "grader/build/inspection/object_file.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <string>

#include "grader/core/files.h"

namespace warpgrade {
namespace {

/// This test program itself: an ELF file with sections and symbols.
const std::string& own_program() {
  static const std::string bytes = read_file("/proc/self/exe", std::uint64_t{1} << 30);
  return bytes;
}

TEST_CASE("an object's symbols are defined or undefined", "[grader][integrity]") {
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

TEST_CASE("a section gets other contents, and the others keep theirs", "[grader][integrity]") {
  std::string bytes = own_program();
  const std::string before(read_object(bytes)->sections[1].content);
  const std::string name(read_object(bytes)->sections[1].name);
  REQUIRE(replace_section(bytes, ".comment", "another comment"));
  const auto object = read_object(bytes);
  REQUIRE(object);
  for (const ObjectSection& section : object->sections) {
    if (section.name == ".comment") CHECK(section.content == "another comment");
  }
  CHECK(object->sections[1].content == before);
  CHECK(object->sections[1].name == name);
}

TEST_CASE("a section that is not there is not replaced", "[grader][integrity]") {
  std::string bytes = own_program();
  CHECK_FALSE(replace_section(bytes, ".nothing", "x"));
  CHECK(bytes == own_program());
  std::string none = "no object";
  CHECK_FALSE(replace_section(none, ".comment", "x"));
}

}  // namespace
}  // namespace warpgrade
