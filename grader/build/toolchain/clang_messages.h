#pragma once

#include <filesystem>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace warpgrade {

/// A row of <headers>/warpgrade/clang/messages.tsv: what a message of clang's means where it does
/// not say it itself. scripts/clang_cuda reads the same table.
struct ClangMeaning {
  std::string kind;  // "compiler", "nvcc", "note", "shadow"; empty: no row
  std::string text;

  [[nodiscard]] bool found() const { return !kind.empty(); }
};

/// What the table says about clang's output: of its rows of these kinds, the first whose expression
/// is found in a line.
///
/// @param facts  what stands for {clang}, {version} and {architecture} in the text
/// @throws EnvironmentError  if the table is missing or damaged
[[nodiscard]] ClangMeaning clang_meaning(
    const std::filesystem::path& headers, std::initializer_list<std::string_view> kinds,
    std::string_view output, const std::vector<std::pair<std::string, std::string>>& facts);

/// What the table says about a file of a submission that is named as one of the headers: its text,
/// or nothing for another name.
[[nodiscard]] std::string shadowing_problem(const std::filesystem::path& headers,
                                            const std::string& file);

}  // namespace warpgrade
