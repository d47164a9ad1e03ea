#include "emulator/symbols/elf_file.h"

#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>

using namespace warpsim;

namespace {

[[gnu::noinline]] std::uint64_t here() {
  return reinterpret_cast<std::uint64_t>(__builtin_return_address(0));
}

std::string read_self() {
  std::ifstream file("/proc/self/exe", std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// A file of its own for each test process, gone at the end.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& content) {
    std::ofstream(path_, std::ios::binary) << content;
  }
  ~TemporaryFile() { std::filesystem::remove(path_); }
  [[nodiscard]] std::string path() const { return path_; }

 private:
  std::filesystem::path path_ = std::filesystem::temp_directory_path() /
                                ("warpsim_elf_file_test." + std::to_string(::getpid()));
};

}  // namespace

TEST_CASE("the function around an address of this program is found", "[symbols][elf][unit]") {
  const auto file = ElfFile::open("/proc/self/exe");
  REQUIRE(file);
  const auto* code = reinterpret_cast<const void*>(here());
  Dl_info info = {};
  REQUIRE(dladdr(code, &info) != 0);
  const auto base = reinterpret_cast<std::uint64_t>(info.dli_fbase);
  const auto address = reinterpret_cast<std::uint64_t>(code);
  const auto found = file->function_at(file->position_independent() ? address - base : address);
  REQUIRE(found);
  CHECK(found->name.find("CATCH2_INTERNAL_TEST") != found->name.npos);
}

TEST_CASE("an address outside every function has no name", "[symbols][elf][unit]") {
  const auto file = ElfFile::open("/proc/self/exe");
  REQUIRE(file);
  CHECK_FALSE(file->function_at(1));
  CHECK_FALSE(file->function_at(~std::uint64_t{0}));
}

TEST_CASE("dependencies and sections are listed", "[symbols][elf][unit]") {
  const auto file = ElfFile::open("/proc/self/exe");
  REQUIRE(file);
  CHECK(std::ranges::count(file->needed(), std::string_view("libc.so.6")) == 1);
  CHECK(file->has_section(".text"));
  CHECK_FALSE(file->has_section(".nv_fatbin"));
}

TEST_CASE("a file that is not ELF is refused", "[symbols][elf][unit]") {
  CHECK_FALSE(ElfFile::open("/nonexistent"));
  CHECK_FALSE(ElfFile::open("/"));
  CHECK_FALSE(ElfFile::open(TemporaryFile("").path()));
  CHECK_FALSE(ElfFile::open(TemporaryFile("#!/bin/sh\n").path()));
  CHECK_FALSE(ElfFile::open(TemporaryFile(std::string(100, 'x')).path()));
}

TEST_CASE("a damaged ELF file gives answers without a crash", "[symbols][elf][unit]") {
  const std::string whole = read_self();
  std::mt19937 random(1);
  for (int round = 0; round < 60; ++round) {
    std::string damaged = whole.substr(0, round % 3 == 0 ? 64 + random() % 4096 : whole.size());
    // Headers are where a wrong number does harm: at both ends of the file.
    for (int i = 0; i < 20; ++i) {
      const std::size_t head = 16 + random() % 1000;
      if (head < damaged.size()) damaged[head] = static_cast<char>(random());
      damaged[damaged.size() - 1 - random() % std::min<std::size_t>(damaged.size(), 2000)] =
          static_cast<char>(random());
    }
    const TemporaryFile temporary(damaged);
    if (const auto file = ElfFile::open(temporary.path())) {
      (void)file->function_at(random());
      (void)file->needed();
      (void)file->has_rpath();
      (void)file->has_section(".text");
    }
  }
  SUCCEED();
}
