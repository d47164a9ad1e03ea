#include "emulator/warpsim/numba.h"

#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

using namespace warpsim;

namespace {
namespace fs = std::filesystem;

class Scratch {
 public:
  Scratch() : path_(fs::temp_directory_path() / ("numba_test." + std::to_string(::getpid()))) {
    fs::remove_all(path_);
  }
  ~Scratch() { fs::remove_all(path_); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  [[nodiscard]] fs::path file(const fs::path& name, const std::string& contents) const {
    const fs::path file = path_ / name;
    fs::create_directories(file.parent_path());
    std::ofstream(file) << contents;
    return file;
  }
  fs::path operator/(const fs::path& name) const { return path_ / name; }

 private:
  fs::path path_;
};

std::string text_of(const fs::path& file) {
  std::ifstream stream(file);
  std::string text;
  std::getline(stream, text);
  return text;
}

}  // namespace

TEST_CASE("a toolkit with libNVVM in lib gets a folder where Numba finds it", "[warpsim][numba]") {
  const Scratch scratch;
  (void)scratch.file("cuda/lib/libnvvm.so.4", "nvvm");
  (void)scratch.file("cuda/bin/nvcc", "nvcc");
  (void)scratch.file("cuda/nvvm/libdevice/libdevice.10.bc", "device");
  const fs::path made = toolkit_for_numba(scratch / "cuda", scratch / "cache");
  REQUIRE(!made.empty());
  CHECK(text_of(made / "nvvm/lib64/libnvvm.so.4") == "nvvm");
  CHECK(text_of(made / "nvvm/libdevice/libdevice.10.bc") == "device");
  CHECK(text_of(made / "bin/nvcc") == "nvcc");
  CHECK(toolkit_for_numba(scratch / "cuda", scratch / "cache") == made);
  // A toolkit that has changed gets another one.
  (void)scratch.file("cuda/include/cuda.h", "header");
  const fs::path second = toolkit_for_numba(scratch / "cuda", scratch / "cache");
  CHECK(second != made);
  CHECK(text_of(second / "include/cuda.h") == "header");
}

TEST_CASE("a toolkit that Numba finds, and one without libNVVM, are left as they are",
          "[warpsim][numba]") {
  const Scratch scratch;
  CHECK(toolkit_for_numba(scratch / "nothing", scratch / "cache").empty());
  (void)scratch.file("cuda/bin/nvcc", "nvcc");
  CHECK(toolkit_for_numba(scratch / "cuda", scratch / "cache").empty());
  (void)scratch.file("cuda/lib/libnvvm.so.4", "nvvm");
  (void)scratch.file("cuda/nvvm/lib64/libnvvm.so.4", "nvvm");
  CHECK(toolkit_for_numba(scratch / "cuda", scratch / "cache").empty());
  CHECK(!fs::exists(scratch / "cache"));
}

TEST_CASE("a cache that cannot be written leaves the toolkit as it is", "[warpsim][numba]") {
  const Scratch scratch;
  (void)scratch.file("cuda/lib/libnvvm.so.4", "nvvm");
  const fs::path file = scratch.file("no_folder", "");
  CHECK(toolkit_for_numba(scratch / "cuda", file / "cache").empty());
  CHECK(toolkit_for_numba(scratch / "cuda", {}).empty());
}

TEST_CASE("Numba gets the emulator's driver, and what the user has set stays", "[warpsim][numba]") {
  const auto value_of = [](const std::string& name) -> std::string {
    for (const auto& [variable, value] : numba_environment("/libraries")) {
      if (variable == name) return value;
    }
    return {};
  };
  ::unsetenv("NVVM_IR_VER_CHK");
  CHECK(value_of("NUMBA_CUDA_DRIVER") == "/libraries/libcuda.so.1");
  CHECK(value_of("NVVM_IR_VER_CHK") == "0");
  ::setenv("NVVM_IR_VER_CHK", "1", 1);
  CHECK(value_of("NVVM_IR_VER_CHK").empty());
  ::unsetenv("NVVM_IR_VER_CHK");
}
