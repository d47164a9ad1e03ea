#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "grader/build/toolchain/compiler.h"

namespace warpgrade {

// The beginnings of clang's command lines, as scripts/clang_cuda has them, too: both read the
// options from files beside the headers (<headers>/warpgrade/clang). The source, -o and what else a
// program needs come after them.

/// What a program is compiled for.
struct ClangTarget {
  int architecture = 75;
  std::string standard = "c++20";  // -std=
};

/// What clang assumes of arguments of functions and of their results.
///
/// A variable that only one lane sets, before a function that shuffles it, is undefined in the
/// others: clang would conclude that every lane is that one. The assumption saves instructions, so
/// it is given up only where clang finds such a variable, whose use is an error while it is made.
enum class Variables : std::uint8_t { defined, maybe_undefined };

/// CUDA C++ to PTX, as text.
/// @param parsed  our headers as clang_device_headers() has written them; empty: to be parsed
[[nodiscard]] std::vector<std::string> clang_device_command(
    const Compiler& clang, const ClangTarget& target, const std::filesystem::path& parsed = {},
    Variables variables = Variables::defined);
/// Whether the command failed with Variables::defined because of an undefined variable.
[[nodiscard]] bool has_undefined_variables(const Compiler& clang, const std::string& output);
/// The host's half of it, without what to produce (-c, -S).
/// @param parsed  as clang_host_headers() has written them
[[nodiscard]] std::vector<std::string> clang_host_command(const Compiler& clang,
                                                          const ClangTarget& target,
                                                          const std::filesystem::path& parsed = {});

/// Parses the headers that both include, into a file for later compilations with the same options.
/// It is bound to this version of clang and to size and time of every header.
[[nodiscard]] std::vector<std::string> clang_device_headers(const Compiler& clang,
                                                            const ClangTarget& target);
[[nodiscard]] std::vector<std::string> clang_host_headers(const Compiler& clang,
                                                          const ClangTarget& target);

/// What is wrong with this clang, from what it wrote; empty if it is the program's fault.
[[nodiscard]] std::string clang_problem(const Compiler& clang, int architecture,
                                        const std::string& output);

}  // namespace warpgrade
