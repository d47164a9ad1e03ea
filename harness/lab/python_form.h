#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/lab/lab.h"

namespace warpgrade {

// A lab's form in Python: the same lab for submissions that are a Python module with Numba kernels.
// labs/<id>/python/lab.toml has what differs, reference/<id>/python the programs. It is a Lab whose
// `submit` is "<id>.py", whose `folder` and `reference` are these, and which has no header.

/// The folder in labs/<id> and in reference/<id> of what is written in Python.
inline constexpr const char* kPythonFolder = "python";

[[nodiscard]] bool has_python_form(const Lab& lab);

/// Reads the form of a lab that has one.
/// @throws LabError
[[nodiscard]] Lab read_python_form(const Lab& lab);

/// Whether a lab is such a form.
[[nodiscard]] bool is_in_python(const Lab& lab);

/// Whether submissions may be in this language: the lab has a form in it, and the course takes it.
[[nodiscard]] bool takes_language(const Lab& lab, Language language);

/// The function's parameters, in its order: all arrays of the lab, and those scalars that
/// labs/<id>/python/lab.toml names; arrays know their extents.
/// @param lab  in Python
[[nodiscard]] std::vector<std::string> python_parameters(const Lab& lab);

/// What students hand in in Python, "<id>.py"; empty: neither the lab nor its form is in Python.
[[nodiscard]] std::string python_file(const Lab& lab);

/// As commands name it: "vecadd", in Python "vecadd/python".
[[nodiscard]] std::string name_of(const Lab& lab);

/// Of programs: ".cu", in Python ".py".
[[nodiscard]] std::string program_ending(const Lab& lab);

/// Our own programs: what performance is compared with, and the stage of a rung.
[[nodiscard]] std::filesystem::path solution_of(const Lab& lab);
[[nodiscard]] std::filesystem::path stage_of(const Lab& lab, const std::string& stage);

/// The folder of what does not depend on the language: golden.cpp, misreadings.cpp, answers.toml.
[[nodiscard]] std::filesystem::path common_reference(const Lab& lab);

}  // namespace warpgrade
