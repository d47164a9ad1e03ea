#include "emulator/symbols/source_line.h"

#include <gelf.h>
#include <unistd.h>

#include <array>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <utility>

using namespace warpsim;

namespace {

namespace fs = std::filesystem;

constexpr const char* kSource = R"(
int first(int x) {
  return x + 1;
}
int second(int x) {
  int y = first(x);
  return y * 2;
}
int main(int argc, char**) { return second(argc); }
)";

// The compiler inlines both functions of headers.
constexpr const char* kWrapper = R"(
int called(int);
template <class T>
[[gnu::always_inline]] inline int NAME(T x) {
  return called(x + 3);
}
)";
constexpr const char* kCaller = R"(
#define NAME of_runtime
#include "cuda_runtime.h"
#undef NAME
#define NAME of_program
#include "helper.h"
int through_runtime(int x) {
  return of_runtime(x) + 1;
}
int through_helper(int x) {
  return of_program(x) + 1;
}
int called(int x) { return x; }
int main(int argc, char**) { return through_runtime(argc) + through_helper(argc); }
)";

/// A program compiled for a test, in a folder of its own.
class Compiled {
 public:
  explicit Compiled(const std::string& flags, const char* source = kSource) {
    fs::create_directories(folder_);
    std::ofstream(folder_ / "sample.cpp") << source;
    for (const char* header : {"cuda_runtime.h", "helper.h"}) {
      std::ofstream(folder_ / header) << kWrapper;
    }
    const std::string command =
        "cd '" + folder_.string() + "' && c++ -O0 " + flags + " sample.cpp -o sample";
    built_ = std::system(command.c_str()) == 0;
  }
  ~Compiled() { fs::remove_all(folder_); }
  Compiled(const Compiled&) = delete;
  Compiled& operator=(const Compiled&) = delete;
  [[nodiscard]] bool built() const { return built_; }
  [[nodiscard]] std::string path() const { return folder_ / "sample"; }

 private:
  fs::path folder_ =
      fs::temp_directory_path() / ("warpsim_source_line_test." + std::to_string(::getpid()));
  bool built_ = false;
};

/// Line of the first byte behind a function's first instruction.
std::optional<HostLine> line_in(const ElfFile& image, std::string_view function) {
  for (std::uint64_t address = 0x1000; address < 0x800000; ++address) {
    const auto found = image.function_at(address);
    if (found && found->name == function) return find_source_line(image, address);
  }
  return std::nullopt;
}

/// The files and lines of all of a function's code.
std::set<std::string> all_lines_in(const ElfFile& image, std::string_view function) {
  std::set<std::string> lines;
  for (std::uint64_t address = 0x1000; address < 0x800000; ++address) {
    const auto found = image.function_at(address);
    if (!found || found->name != function) {
      if (!lines.empty()) break;
      continue;
    }
    if (const auto line = find_source_line(image, address)) {
      lines.insert(line->file + ":" + std::to_string(line->line));
    }
  }
  return lines;
}

/// Offset and size of a section in its file.
std::pair<std::size_t, std::size_t> section(const std::string& path, std::string_view name) {
  const auto file = ElfFile::open(path);
  REQUIRE(file);
  std::size_t names = 0;
  REQUIRE(elf_getshdrstrndx(file->handle(), &names) == 0);
  Elf_Scn* at = nullptr;
  while ((at = elf_nextscn(file->handle(), at)) != nullptr) {
    GElf_Shdr header;
    REQUIRE(gelf_getshdr(at, &header) != nullptr);
    if (elf_strptr(file->handle(), names, header.sh_name) == name) {
      return {header.sh_offset, header.sh_size};
    }
  }
  return {};
}

}  // namespace

TEST_CASE("addresses lead to their source lines in every version of DWARF",
          "[symbols][lines][unit]") {
  const std::string flags = GENERATE("-gdwarf-5 -g1", "-gdwarf-4 -g", "-gdwarf-3 -g",
                                     "-gdwarf-2 -g", "-gdwarf-5 -g -no-pie");
  INFO(flags);
  const Compiled program(flags);
  REQUIRE(program.built());
  const auto image = ElfFile::open(program.path());
  REQUIRE(image);
  const auto first = line_in(*image, "_Z5firsti");
  REQUIRE(first);
  CHECK(first->file == "sample.cpp");
  CHECK(first->line == 2);
  const auto second = line_in(*image, "_Z6secondi");
  REQUIRE(second);
  CHECK(second->line == 5);
}

TEST_CASE("the code of an inlined wrapper of the CUDA runtime belongs to the line that calls it",
          "[symbols][lines][unit]") {
  const std::string flags = GENERATE("-gdwarf-5 -g1", "-gdwarf-4 -g");
  INFO(flags);
  const Compiled program(flags, kCaller);
  REQUIRE(program.built());
  const auto image = ElfFile::open(program.path());
  REQUIRE(image);
  CHECK(all_lines_in(*image, "_Z15through_runtimei") ==
        std::set<std::string>{"sample.cpp:7", "sample.cpp:8", "sample.cpp:9"});
  CHECK(all_lines_in(*image, "_Z14through_helperi").contains("helper.h:5"));
}

TEST_CASE("a program without debug information has no lines", "[symbols][lines][unit]") {
  const Compiled program("-g0");
  REQUIRE(program.built());
  const auto image = ElfFile::open(program.path());
  REQUIRE(image);
  CHECK_FALSE(line_in(*image, "_Z5firsti"));
}

TEST_CASE("an address of no code has no line", "[symbols][lines][unit]") {
  const Compiled program("-g1");
  REQUIRE(program.built());
  const auto image = ElfFile::open(program.path());
  REQUIRE(image);
  CHECK_FALSE(find_source_line(*image, 0));
  CHECK_FALSE(find_source_line(*image, ~std::uint64_t{0}));
}

TEST_CASE("a damaged line table gives answers without a crash", "[symbols][lines][unit]") {
  const Compiled program("-g -gdwarf-5");
  REQUIRE(program.built());
  std::ifstream file(program.path(), std::ios::binary);
  const std::string whole{std::istreambuf_iterator<char>(file), {}};
  const auto [at, size] = section(program.path(), ".debug_line");
  REQUIRE(size > 16);
  std::mt19937 random(1);
  for (int round = 0; round < 300; ++round) {
    std::string damaged = whole;
    for (unsigned i = 0; i < 1 + random() % 8; ++i) {
      damaged[at + random() % size] = static_cast<char>(random());
    }
    const std::string path = program.path() + ".damaged";
    std::ofstream(path, std::ios::binary) << damaged;
    if (const auto broken = ElfFile::open(path)) {
      (void)find_source_line(*broken, 0x1000 + random() % 0x1000);
    }
  }
  SUCCEED();
}
