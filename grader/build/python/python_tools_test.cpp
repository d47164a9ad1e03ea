#include "grader/build/python/python_tools.h"

#include <catch2/catch_test_macros.hpp>

#include "grader/core/files.h"

namespace warpgrade {
namespace {

TEST_CASE("libNVVM is found where NVIDIA's installer and its packages have it", "[build][python]") {
  const ScratchFolder installed;
  write_file_atomically(installed.path() / "nvvm" / "lib64" / "libnvvm.so.4", "");
  write_file_atomically(installed.path() / "nvvm" / "lib64" / "libnvvm.so.4.0.0", "");
  CHECK(find_libnvvm(installed.path()) == installed.path() / "nvvm" / "lib64" / "libnvvm.so.4.0.0");
  const ScratchFolder packaged;
  write_file_atomically(packaged.path() / "lib" / "libnvvm.so.4", "");
  write_file_atomically(packaged.path() / "lib" / "libnvJitLink.so.13", "");
  CHECK(find_libnvvm(packaged.path()) == packaged.path() / "lib" / "libnvvm.so.4");
}

TEST_CASE("a toolkit without libNVVM has none", "[build][python]") {
  const ScratchFolder folder;
  write_file_atomically(folder.path() / "lib64" / "libcudart.so.13", "");
  CHECK(find_libnvvm(folder.path()).empty());
  CHECK(find_libnvvm(folder.path() / "missing").empty());
}

}  // namespace
}  // namespace warpgrade
