#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace warpgrade {

/// A kit's description as the handout of a lab.
struct LibwbHandout {
  std::string title;  // of the front matter; empty: it has none
  std::string text;  // without front matter; empty: there is no description
  std::vector<std::filesystem::path> linked;  // files of the kit that it links to, relative to it
  std::vector<std::string> decisions;  // what a person has to add, a sentence each
};

/// Takes the front matter of pandoc off. Links to what the kit does not have, such as the
/// placeholders LINKTOLAB and LINKTOREADME, become their words.
///
/// @param kit  the folder in which linked files are
[[nodiscard]] LibwbHandout handout_of(const std::string& description,
                                      const std::filesystem::path& kit);

/// Text as words in one line: each run of white space is one space.
[[nodiscard]] std::string in_one_line(std::string_view text);

}  // namespace warpgrade
