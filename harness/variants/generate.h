#pragma once

#include <cstddef>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace warpgrade {

/// A golden function's source as one with many variants: a library compiled from it has
/// `warpgrade_golden_variants` (harness/golden/golden_variant.h).
struct GoldenVariantSource {
  std::string text;
  std::size_t variants = 0;
  /// Why there are none; else empty.
  std::string problem;
};

/// @param golden    the text of golden.cpp
/// @param without   changes that do not compile, by their place in the list of all
[[nodiscard]] GoldenVariantSource golden_variant_source(std::string_view golden,
                                                        const std::set<std::size_t>& without = {});

/// What a compiler does with a source.
struct GoldenCompilation {
  bool done = false;
  std::string log;  // with places as "variants.cpp:12:3: error: ..."
};

/// Compiles the variants of a golden function; leaves out those that do not compile.
/// @param compile  a text as the file variants.cpp
/// @returns with a problem, if nothing was compiled
[[nodiscard]] GoldenVariantSource compile_golden_variants(
    std::string_view golden, const std::function<GoldenCompilation(const std::string&)>& compile);

}  // namespace warpgrade
