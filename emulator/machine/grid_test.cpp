#include "emulator/machine/grid.h"

#include <catch2/catch_test_macros.hpp>

using namespace warpsim;

TEST_CASE("blocks of a cluster follow each other, and each is where its rank says",
          "[emulator][machine][grid]") {
  LaunchState launch;
  launch.grid = {4, 4, 2};
  launch.cluster = {2, 2, 1};
  CHECK(block_index(launch, 0) == Dim3{0, 0, 0});
  CHECK(block_index(launch, 1) == Dim3{1, 0, 0});
  CHECK(block_index(launch, 2) == Dim3{0, 1, 0});
  CHECK(block_index(launch, 4) == Dim3{2, 0, 0});
  CHECK(block_index(launch, 4 * 3 + 3) == Dim3{3, 3, 0});
  CHECK(block_index(launch, 16) == Dim3{0, 0, 1});
}

TEST_CASE("without clusters the order of blocks is that of their indices",
          "[emulator][machine][grid]") {
  LaunchState launch;
  launch.grid = {3, 2, 2};
  launch.cluster = {1, 1, 1};
  CHECK(block_index(launch, 4) == Dim3{1, 1, 0});
  CHECK(block_index(launch, 11) == Dim3{2, 1, 1});
}
