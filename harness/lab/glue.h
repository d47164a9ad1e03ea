#pragma once

#include <string>

#include "harness/lab/lab.h"

namespace warpgrade {

/// The function's declaration: "void vecadd(const float* a, const float* b, float* c, int n)".
[[nodiscard]] std::string declaration(const Lab& lab);

/// A C++ source without includes that declares the student's function and calls it from an array
/// of pointers to its arguments; compiled by g++ and linked between the student's object and the
/// worker. Defines warpgrade_call and warpgrade_parameter_count (C linkage).
[[nodiscard]] std::string make_glue(const Lab& lab);

/// The linker's name of the student's function (Itanium C++ ABI), to keep it global while the
/// object's other symbols are made local: "_Z6vecaddPKfS0_Pfi".
[[nodiscard]] std::string mangled_name(const Lab& lab);

}  // namespace warpgrade
