#pragma once

// The interface of libwb, the support library of many GPU courses, written anew: programs that
// include <wb.h> compile unmodified with nvcc, clang and, if they have no kernels, any C++11
// compiler. Nothing has to be linked. docs/programs.md lists what there is and where it differs.

#include "wb/arg.h"
#include "wb/base.h"
#include "wb/data.h"
#include "wb/image.h"
#include "wb/log.h"
#include "wb/paths.h"
#include "wb/solution.h"
#include "wb/sparse.h"
