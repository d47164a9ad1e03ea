#pragma once

#include <string>
#include <vector>

#include "harness/lab/lab.h"

namespace warpgrade {

/// The functions that a student writes: `lab.steps`, or the one with all parameters.
[[nodiscard]] std::vector<Function> functions_of(const Lab& lab);

/// The declaration: "void vecadd(const float* a, const float* b, float* c, int n)"; of several
/// functions the first one's.
[[nodiscard]] std::string declaration(const Lab& lab);
[[nodiscard]] std::string declaration(const Lab& lab, const Function& function);

/// A C++ source without includes that declares the student's functions and calls them in order from
/// an array of pointers to their arguments, after which come the numbers of calls of those that are
/// repeated; compiled by g++ and linked between the student's object and the
/// worker. Defines warpgrade_call and warpgrade_parameter_count (C linkage).
[[nodiscard]] std::string make_glue(const Lab& lab);

/// The linker's name of the student's function (Itanium C++ ABI), to keep it global while the
/// object's other symbols are made local: "_Z6vecaddPKfS0_Pfi".
[[nodiscard]] std::string mangled_name(const Lab& lab);
[[nodiscard]] std::string mangled_name(const Lab& lab, const Function& function);

}  // namespace warpgrade
