#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>

#include "emulator/cudart/tests/run.h"

// Programs whose device code is damaged, too new or missing: the message must say why kernels do
// not run, without a crash or a wrong kernel.

namespace {

namespace fs = std::filesystem;
using warpsim::testing::Run;
using warpsim::testing::run;
using warpsim::testing::slurp;

/// A copy of the scenario program, changed at its fat binary.
class DamagedProgram {
 public:
  DamagedProgram()
      : path_(fs::temp_directory_path() / ("warpsim_damaged." + std::to_string(::getpid()))),
        bytes_(slurp(WARPSIM_SCENARIOS)) {
    // Magic, version 1, header of 16 bytes.
    container_ = bytes_.find(std::string("\x50\xed\x55\xba\x01\x00\x10\x00", 8));
    REQUIRE(container_ != std::string::npos);
  }
  DamagedProgram(const DamagedProgram&) = delete;
  DamagedProgram& operator=(const DamagedProgram&) = delete;
  ~DamagedProgram() { fs::remove(path_); }

  template <class T>
  void put(std::size_t offset, T value) {
    std::memcpy(bytes_.data() + container_ + offset, &value, sizeof value);
  }
  template <class T>
  [[nodiscard]] T get(std::size_t offset) const {
    T value;
    std::memcpy(&value, bytes_.data() + container_ + offset, sizeof value);
    return value;
  }

  /// Runs it; its own check of the launch fails.
  [[nodiscard]] Run launch() const {
    std::ofstream(path_, std::ios::binary) << bytes_;
    fs::permissions(path_, fs::perms::owner_all);
    return run({WARPSIM_LAUNCHER, "--json", "REPORT", "--", path_, "clean"});
  }

 private:
  fs::path path_;
  std::string bytes_;
  std::size_t container_ = 0;
};

std::string message_of(const Run& run) {
  return run.finding("unloadable-module").at("message");
}

constexpr std::size_t kBodySize = 8;  // offsets in the container
constexpr std::size_t kEntry = 16;
constexpr std::size_t kEntryHeaderSize = kEntry + 4;

}  // namespace

TEST_CASE("a fat binary of an unknown version is reported", "[cudart][damaged]") {
  DamagedProgram program;
  program.put<std::uint16_t>(4, 7);
  CHECK(message_of(program.launch()).find("unknown fat binary version 7") != std::string::npos);
}

TEST_CASE("a fat binary that claims to be larger than the program is cut off",
          "[cudart][damaged]") {
  DamagedProgram program;
  program.put<std::uint64_t>(kBodySize, std::uint64_t{1} << 40);
  CHECK(message_of(program.launch()).find("the fat binary is truncated") != std::string::npos);
}

TEST_CASE("damaged compressed PTX is a problem of the module", "[cudart][damaged]") {
  DamagedProgram program;
  const auto payload = kEntry + program.get<std::uint32_t>(kEntryHeaderSize);
  // Enough of it that no decompressor can take it for data: a few bytes may still make sense.
  for (std::size_t at = 16; at < 144; at += 8) {
    program.put<std::uint64_t>(payload + at, 0xffff'ffff'ffff'ffff);
  }
  CHECK(message_of(program.launch()).find("cannot be decompressed") != std::string::npos);
}

TEST_CASE("for a program with machine code alone, the error says how to compile",
          "[cudart][damaged]") {
  DamagedProgram program;
  program.put<std::uint16_t>(kEntry, 2);  // what was PTX is now said to be machine code
  CHECK(message_of(program.launch())
            .find("the program contains machine code (sm_75) but no PTX, which the emulator "
                  "requires; compile with -arch=compute_75") != std::string::npos);
}
