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

/// A CUDA C++ program without what a copy is disguised with: comments, white space, includes and
/// the names of its own functions and variables are gone, every number is like every other, every
/// string too. Keywords and the names of the CUDA API stay, for they say what the program does.
/// Reads anything: invalid C++ is tokenized as well.
[[nodiscard]] std::vector<Token> normalised_tokens(std::string_view source);

}  // namespace warpgrade
