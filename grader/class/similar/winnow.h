#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "grader/class/similar/tokens.h"

namespace warpgrade {

/// Tokens of one fingerprint: shorter equal passages are not found.
inline constexpr std::size_t kGram = 12;
/// One of this many consecutive fingerprints is kept: equal passages of kGram + kWindow - 1 = 19
/// tokens, about two lines, are always found.
inline constexpr std::size_t kWindow = 8;

/// A hash of kGram tokens, and their position.
struct Fingerprint {
  std::uint64_t hash = 0;
  std::size_t token = 0;
};

/// The hash of every kGram tokens, in order; none if there are fewer tokens.
[[nodiscard]] std::vector<std::uint64_t> gram_hashes(const std::vector<Token>& tokens);

/// Chooses fingerprints so that two texts with an equal passage of kGram + kWindow - 1 tokens have
/// one in common: of each kWindow hashes the smallest, the rightmost of equals.
/// @source Schleimer, Wilkerson, Aiken: Winnowing, SIGMOD 2003, section 4
[[nodiscard]] std::vector<Fingerprint> winnow(const std::vector<Token>& tokens);

}  // namespace warpgrade
