#include "emulator/machine/linker.h"

#include <catch2/catch_test_macros.hpp>

namespace warpsim {
namespace {

TEST_CASE("a kernel of Numba has the name that its program gives it", "[machine][linker]") {
  CHECK(demangle("_ZN6cudapy6vecadd3addB2v1B8cw51cXTLE5ArrayIfLi1E1C7mutable7alignedE") ==
        "vecadd::add(Array<float, 1, C, mutable, aligned>)");
  CHECK(demangle("_ZN6vecadd4plusB2v1B8cw51cXTLEff") == "vecadd::plus(float, float)");
}

TEST_CASE("names of C++ keep their tags and namespaces", "[machine][linker]") {
  CHECK(demangle("_Z3addPKfS0_Pfi") == "add(float const*, float const*, float*, int)");
  CHECK(demangle("_ZN6cudapy3addEv") == "cudapy::add()");
  CHECK(demangle("_Z4nameB5cxx11v") == "name[abi:cxx11]()");
  CHECK(demangle("add") == "add");
}

}  // namespace
}  // namespace warpsim
