#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace warpgrade {

/// One token of a normalised program.
struct Token {
  std::uint64_t hash = 0;
  std::uint32_t line = 0;  // from 1
};

/// A CUDA C++ program without everything that could disguise a copy: comments, white space,
/// includes and the names of its own functions and variables are removed, all numbers are equal,
/// and so are all strings. Keywords and names of the CUDA API stay, because they determine what the
/// program does. Accepts invalid C++, too.
[[nodiscard]] std::vector<Token> normalised_tokens(std::string_view source);

}  // namespace warpgrade
