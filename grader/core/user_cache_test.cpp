#include "grader/core/user_cache.h"

#include <catch2/catch_test_macros.hpp>
#include <chrono>
#include <filesystem>

#include "grader/core/files.h"

namespace warpgrade {
namespace {
namespace fs = std::filesystem;

TEST_CASE("an entry of the user's cache is read as it was written", "[core][unit]") {
  const ScratchFolder folder;
  const fs::path entry = folder.path() / "kind" / "a.json";
  CHECK(!read_cached(entry));
  CHECK(write_cached(entry, "text"));
  CHECK(read_cached(entry) == "text");
}

TEST_CASE("a cache that cannot be written to is not an error", "[core][unit]") {
  CHECK(!write_cached("/dev/null/kind/a.json", "text"));
  CHECK(!read_cached("/dev/null/kind/a.json"));
  CHECK(!write_cached({}, "text"));
  CHECK(!read_cached({}));
}

TEST_CASE("a file's stamp changes with its size, its time and its removal", "[core][unit]") {
  const ScratchFolder folder;
  const fs::path file = folder.path() / "program";
  write_file_atomically(file, "1");
  const std::string first = file_stamp(file);
  CHECK(file_stamp(file) == first);
  fs::last_write_time(file, fs::last_write_time(file) + std::chrono::seconds(1));
  const std::string later = file_stamp(file);
  CHECK(later != first);
  const auto time = fs::last_write_time(file);
  write_file_atomically(file, "12");
  fs::last_write_time(file, time);
  CHECK(file_stamp(file) != later);
  fs::remove(file);
  CHECK(file_stamp(file) != first);
}

}  // namespace
}  // namespace warpgrade
