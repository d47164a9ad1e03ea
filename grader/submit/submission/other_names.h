#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "grader/submit/submission/submission.h"

namespace warpgrade {

/// The name under which a file is a CUDA program, if only its ending is unusual: "VECADD.CU",
/// "vecadd.cu.txt", "vecadd.cpp", "vecadd.cuda", "vecadd.txt", "vecadd" and "vecadd.cu.bak" are
/// vecadd.cu, "vecadd.cu (1)" is "vecadd (1).cu". Empty for every other file.
[[nodiscard]] std::string usual_name(std::string_view path);

/// Whether a file's name says no more than that it may be a text: "vecadd.txt", "vecadd", and
/// "vecadd.cu.bak", which is a former version where there is another.
[[nodiscard]] bool is_plain_text(std::string_view path);

/// Whether a file is a program by its name alone: vecadd.cu, "VECADD.CU" and "vecadd.cu.txt".
[[nodiscard]] bool is_named_like_program(std::string_view path);

/// Whether a path is in a folder of a build system, an editor or an archiver, or a hidden one,
/// whose programs no student wrote.
[[nodiscard]] bool is_in_build_folder(std::string_view path);

/// Whether a file is in a folder that programs are often built in, but sources may be in, too, such
/// as x64/Debug.
[[nodiscard]] bool is_in_output_folder(std::string_view path);

/// Leaves only the newest of the versions that Microsoft Teams keeps of a student's work, in
/// folders "Version 1", "Version 2", ...
/// @param notes  gets a line if there are several
void take_newest_version(StudentEntry& entry, std::vector<std::string>& notes);

/// Gives files with unusual endings their usual names, unless there is a file of that name; one
/// that ends like a C++ file only if it contains CUDA, and one that is_plain_text() only if
/// there is no program, too.
/// @param notes  gets one line for each
void take_usual_names(StudentEntry& entry, std::vector<std::string>& notes);

}  // namespace warpgrade
