#include "emulator/report/names.h"

#include <catch2/catch_test_macros.hpp>

using warpsim::readable_name;

TEST_CASE("functions lose their parameters and return types", "[report][names][unit]") {
  CHECK(readable_name("_Z6vecaddPKfS0_Pfi") == "vecadd");
  CHECK(readable_name("_ZN4demo5scaleIfEEvPT_i") == "demo::scale<float>");
  CHECK(readable_name("_Z10cudaMallocIfE9cudaErrorPPT_m") == "cudaMalloc<float>");
  CHECK(readable_name("_ZNKSt6vectorIiSaIiEE4sizeEv") ==
        "std::vector<int, std::allocator<int> >::size");
  CHECK(readable_name("_Z3runPFviE") == "run");
}

TEST_CASE("anonymous namespaces are left out", "[report][names][unit]") {
  CHECK(readable_name("_ZN12_GLOBAL__N_13runEPfi") == "run");
  CHECK(readable_name("_ZN12_GLOBAL__N_17weightsE") == "weights");
  CHECK(readable_name("_ZN42_INTERNAL_79be55c8_12_scenarios_cu_main_xy12_GLOBAL__N_17weightsE") ==
        "weights");
}

TEST_CASE("what is not mangled stays as it is", "[report][names][unit]") {
  CHECK(readable_name("main") == "main");
  CHECK(readable_name("") == "");
  CHECK(readable_name("_Zbad") == "_Zbad");
}
