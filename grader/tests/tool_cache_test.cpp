#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "grader/core/files.h"
#include "grader/tests/program.h"

// What commands remember of the compilers between one run and the next.

namespace warpgrade {
namespace {
namespace fs = std::filesystem;
using testing::contains;
using testing::shell;
using testing::warpgrade;

std::size_t entries(const fs::path& cache, const std::string& kind) {
  std::error_code error;
  std::size_t count = 0;
  for (const auto& entry : fs::directory_iterator(cache / "warpgrade" / kind, error)) {
    count += entry.is_regular_file() ? 1 : 0;
  }
  return count;
}

bool has_clang() {
  return shell("command -v clang++ >/dev/null && clang++ --print-targets | grep -q nvptx", ".")
      .ok();
}

TEST_CASE("a compiler that broke since it was tried is named, and no submission is blamed",
          "[program][toolchain]") {
  testing::need_sandbox();
  if (!fs::exists("/usr/local/cuda/nvvm/bin/cicc")) {
    SKIP("nvcc is not where this test can break it");
  }
  const ScratchFolder folder;
  write_file_atomically(folder.path() / "right.cu", testing::right_source());
  write_file_atomically(folder.path() / "wrong.cu", "void vecadd( {}\n");
  const std::string check =
      "XDG_CACHE_HOME=" + folder.path().string() + " $W check vecadd --compiler nvcc ";
  REQUIRE(shell(check + "right.cu", folder.path()).code == 0);
  CHECK(entries(folder.path(), "nvcc") == 1);
  CHECK(entries(folder.path(), "sandbox") == 1);
  CHECK(entries(folder.path(), "glue") == 1);

  const std::string broken =
      "bwrap --dev-bind / / --ro-bind /bin/false "
      "$(readlink -f /usr/local/cuda/nvvm/bin/cicc) env ";
  const ProcessResult result = shell(broken + check + "right.cu", folder.path());
  INFO(result.out);
  CHECK(result.code == 3);
  CHECK(contains(result.err, "nvcc no longer works: "));
  CHECK(contains(result.err, "warpgrade doctor"));
  CHECK(entries(folder.path(), "sandbox") == 0);

  // The toolkit works again, and an error in a submission stays one.
  const ProcessResult wrong = shell(check + "wrong.cu", folder.path());
  CHECK(wrong.code == 1);
  CHECK(contains(wrong.out, "wrong.cu:1"));
}

TEST_CASE("clang's parsed headers are used until one of them changes", "[program][clang]") {
  testing::need_sandbox();
  if (!has_clang()) {
    SKIP("clang is not installed");
  }
  const ScratchFolder folder;
  write_file_atomically(folder.path() / "vecadd.cu", testing::right_source());
  const fs::path headers = folder.path() / "include";
  fs::copy(testing::source_folder() / "emulator" / "include", headers, fs::copy_options::recursive);
  const fs::path cache = folder.path() / "cache";
  const std::vector<std::pair<std::string, std::string>> environment = {
      {"WARPGRADE_CUDA_INCLUDE", headers.string()}, {"XDG_CACHE_HOME", cache.string()}};
  const auto check = [&] {
    return warpgrade(
               {"check", "vecadd", (folder.path() / "vecadd.cu").string(), "--compiler", "clang"},
               environment)
        .code;
  };
  const auto kept = [&] {
    std::vector<std::pair<fs::path, fs::file_time_type>> files;
    for (const auto& entry : fs::directory_iterator(cache / "warpgrade" / "headers")) {
      files.emplace_back(entry.path(), entry.last_write_time());
    }
    std::sort(files.begin(), files.end());
    return files;
  };
  REQUIRE(check() == 0);
  const auto first = kept();
  CHECK(first.size() == 4);  // for kernels and for the host: the headers, and their stamps
  REQUIRE(check() == 0);
  CHECK(kept() == first);

  const fs::path header = headers / "cuda_runtime.h";
  write_file_atomically(header, read_file(header) + "// changed\n");
  CHECK(check() == 0);
  const auto second = kept();
  CHECK(second.size() == 4);
  CHECK(second != first);
}

TEST_CASE("without a folder for a cache, submissions are graded as with one", "[program][clang]") {
  testing::need_sandbox();
  if (!has_clang()) {
    SKIP("clang is not installed");
  }
  const ScratchFolder folder;
  write_file_atomically(folder.path() / "vecadd.cu", testing::right_source());
  CHECK(
      warpgrade({"check", "vecadd", (folder.path() / "vecadd.cu").string(), "--compiler", "clang"},
                {{"XDG_CACHE_HOME", "/dev/null/cache"}})
          .code == 0);
}

}  // namespace
}  // namespace warpgrade
