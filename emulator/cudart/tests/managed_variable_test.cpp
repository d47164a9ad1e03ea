#include <catch2/catch_test_macros.hpp>

#include "emulator/cudart/tests/kernels.h"

TEST_CASE("a managed variable is the same on both sides", "[cudart][symbol]") {
  CHECK(managed_value_on_host() == 7);
  managed_value_on_host() = 100;
  launch_add_to_managed(35);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(managed_value_on_host() == 135);
}
