#pragma once

// cuda::std is the host's standard library, whose constexpr functions clang compiles for the device
// as well. Anything that is not a constant expression (containers that allocate, exceptions) works
// in host code only; cuda/std/mdspan and cuda/std/atomic are our own.

#include "../cuda_runtime.h"

namespace cuda::std {
using namespace ::std;
}
