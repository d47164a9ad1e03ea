#include "grader/build/compile/object_cache.h"

#include <catch2/catch_test_macros.hpp>
#include <chrono>
#include <cstdlib>
#include <filesystem>

#include "grader/core/files.h"
#include "grader/core/user_cache.h"

namespace warpgrade {
namespace {
namespace fs = std::filesystem;

/// The user's cache in a folder of its own.
class OwnCache {
 public:
  OwnCache() {
    if (const char* old = std::getenv("XDG_CACHE_HOME")) old_ = old;
    ::setenv("XDG_CACHE_HOME", folder_.path().c_str(), 1);
  }
  ~OwnCache() {
    if (old_.empty()) {
      ::unsetenv("XDG_CACHE_HOME");
    } else {
      ::setenv("XDG_CACHE_HOME", old_.c_str(), 1);
    }
  }
  OwnCache(const OwnCache&) = delete;
  OwnCache& operator=(const OwnCache&) = delete;

  [[nodiscard]] fs::path file(const std::string& name) const { return folder_.path() / name; }

 private:
  ScratchFolder folder_;
  std::string old_;
};

TEST_CASE("an object comes back with its flags and messages", "[build][unit]") {
  const OwnCache cache;
  write_file_atomically(cache.file("a.o"), "object");
  CHECK(!load_object("key", cache.file("b.o")));
  store_object("key", cache.file("a.o"),
               {.flags = {{.kind = "library", .message = "It uses CUB.", .evidence = "a.cu"}},
                .log = "a warning",
                .source_folder = "/tmp/first/src"});
  const auto build = load_object("key", cache.file("b.o"));
  REQUIRE(build);
  CHECK(read_file(cache.file("b.o")) == "object");
  CHECK(build->log == "a warning");
  CHECK(build->source_folder == "/tmp/first/src");
  REQUIRE(build->flags.size() == 1);
  CHECK(build->flags[0].evidence == "a.cu");
  CHECK(!load_object("other", cache.file("b.o")));
}

TEST_CASE("a damaged entry is built again", "[build][unit]") {
  const OwnCache cache;
  write_file_atomically(cache.file("a.o"), "object");
  store_object("key", cache.file("a.o"), {});
  write_file_atomically(cache_file("objects", "key.json"), "{\"log\":");
  CHECK(!load_object("key", cache.file("b.o")));
  store_object("key", cache.file("a.o"), {});
  CHECK(load_object("key", cache.file("b.o")));
  fs::remove(cache_file("objects", "key.o"));
  CHECK(!load_object("key", cache.file("b.o")));
}

}  // namespace
}  // namespace warpgrade
