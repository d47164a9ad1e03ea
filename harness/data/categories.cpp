#include "harness/data/categories.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

namespace warpgrade {

namespace {

bool is_prime(std::int64_t n) {
  if (n < 2) return false;
  for (std::int64_t d = 2; d * d <= n; ++d) {
    if (n % d == 0) return false;
  }
  return true;
}

bool is_power_of_two(std::int64_t n) {
  return n > 0 && (n & (n - 1)) == 0;
}

/// Usual block sizes, in one dimension or along a tile's edge.
constexpr std::array<std::int64_t, 7> kBlocks = {16, 32, 64, 128, 256, 512, 1024};

/// The dims without the settings.
Dims extents_of(const Dataset& dataset) {
  Dims extents = dataset.dims;
  for (const std::string& setting : dataset.settings) extents.erase(setting);
  return extents;
}

template <class Test>
bool any_extent(const Dataset& dataset, Test test) {
  const Dims extents = extents_of(dataset);
  return std::any_of(extents.begin(), extents.end(),
                     [&](const auto& dim) { return test(dim.second); });
}

template <class Test>
bool all_extents(const Dataset& dataset, Test test) {
  const Dims extents = extents_of(dataset);
  return std::all_of(extents.begin(), extents.end(),
                     [&](const auto& dim) { return test(dim.second); });
}

bool has_rows(const Dataset& dataset, RowLengths lengths) {
  return std::any_of(dataset.fills.begin(), dataset.fills.end(),
                     [=](const auto& fill) { return fill.second.row_lengths == lengths; });
}

/// Of a sparse matrix the stored ones.
std::int64_t elements_of(const Dataset& dataset) {
  const auto nonzeros = dataset.dims.find("nonzeros");
  if (nonzeros != dataset.dims.end()) return nonzeros->second;
  std::int64_t elements = 1;
  for (const auto& [name, extent] : extents_of(dataset)) elements *= extent;
  return elements;
}

/// Whether a mask's extent, "mask_width", exceeds that of its image, "width".
bool mask_is_wider(const Dataset& dataset) {
  constexpr std::string_view kMask = "mask_";
  return std::any_of(dataset.dims.begin(), dataset.dims.end(), [&](const auto& dim) {
    if (!dim.first.starts_with(kMask)) return false;
    const auto under = dataset.dims.find(dim.first.substr(kMask.size()));
    return under != dataset.dims.end() && dim.second > under->second;
  });
}

bool next_to_block(const Dataset& dataset, std::int64_t difference) {
  return any_extent(dataset, [=](std::int64_t n) {
    return std::find(kBlocks.begin(), kBlocks.end(), n - difference) != kBlocks.end();
  });
}

bool has_fill(const Dataset& dataset, Distribution distribution) {
  return std::any_of(dataset.fills.begin(), dataset.fills.end(),
                     [=](const auto& fill) { return fill.second.distribution == distribution; });
}

constexpr std::array kCategories = {
    EdgeCategory{
        .name = "size-zero",
        .meaning = "an extent of 0",
        .holds =
            [](const Dataset& d) { return any_extent(d, [](std::int64_t n) { return n == 0; }); }},
    EdgeCategory{
        .name = "size-one",
        .mandatory = true,
        .meaning = "all extents 1",
        .holds =
            [](const Dataset& d) { return all_extents(d, [](std::int64_t n) { return n == 1; }); }},
    EdgeCategory{.name = "below-warp",
                 .mandatory = true,
                 .meaning = "all extents from 2 to 31",
                 .holds =
                     [](const Dataset& d) {
                       return all_extents(d, [](std::int64_t n) { return n >= 2 && n < 32; });
                     }},
    EdgeCategory{.name = "block-minus-one",
                 .mandatory = true,
                 .meaning = "an extent one less than a usual block (16 to 1024)",
                 .holds = [](const Dataset& d) { return next_to_block(d, -1); }},
    EdgeCategory{.name = "whole-block",
                 .meaning = "an extent equal to a usual block (16 to 1024)",
                 .holds = [](const Dataset& d) { return next_to_block(d, 0); }},
    EdgeCategory{.name = "block-plus-one",
                 .mandatory = true,
                 .meaning = "an extent one more than a usual block (16 to 1024)",
                 .holds = [](const Dataset& d) { return next_to_block(d, 1); }},
    EdgeCategory{.name = "prime",
                 .mandatory = true,
                 .meaning = "a prime extent above 32",
                 .holds =
                     [](const Dataset& d) {
                       return any_extent(d, [](std::int64_t n) { return n > 32 && is_prime(n); });
                     }},
    EdgeCategory{.name = "large-ragged",
                 .mandatory = true,
                 .meaning = "at least 100000 elements, an extent not divisible by 16",
                 .holds =
                     [](const Dataset& d) {
                       return elements_of(d) >= 100000 &&
                              any_extent(d, [](std::int64_t n) { return n % 16 != 0; });
                     }},
    EdgeCategory{.name = "power-of-two",
                 .meaning = "all extents powers of two, one of at least 1024",
                 .holds =
                     [](const Dataset& d) {
                       return all_extents(d, is_power_of_two) &&
                              any_extent(d, [](std::int64_t n) { return n >= 1024; });
                     }},
    EdgeCategory{.name = "misaligned",
                 .mandatory = true,
                 .meaning = "an array with an `offset`",
                 .holds =
                     [](const Dataset& d) {
                       return d.output_offset != 0 ||
                              std::any_of(d.fills.begin(), d.fills.end(),
                                          [](const auto& fill) { return fill.second.offset != 0; });
                     }},
    EdgeCategory{.name = "all-equal",
                 .mandatory = true,
                 .meaning = "an input with the distribution \"constant\"",
                 .holds = [](const Dataset& d) { return has_fill(d, Distribution::constant); }},
    EdgeCategory{.name = "extremes",
                 .mandatory = true,
                 .meaning = "an input with the distribution \"extremes\"",
                 .holds = [](const Dataset& d) { return has_fill(d, Distribution::extremes); }},
    EdgeCategory{.name = "nan",
                 .meaning = "an input with the distribution \"nans\"",
                 .holds = [](const Dataset& d) { return has_fill(d, Distribution::nans); }},
    EdgeCategory{.name = "non-square",
                 .meaning = "two extents that differ",
                 .holds =
                     [](const Dataset& d) {
                       const Dims extents = extents_of(d);
                       return any_extent(
                           d, [&](std::int64_t n) { return n != extents.begin()->second; });
                     }},
    EdgeCategory{.name = "mask-wider",
                 .meaning = "an extent mask_X above the extent X",
                 .holds = mask_is_wider},
    EdgeCategory{
        .name = "high-contention",
        .meaning = "at least 10000 elements, and an input that is \"constant\" or \"skewed\"",
        .holds =
            [](const Dataset& d) {
              return elements_of(d) >= 10000 &&
                     (has_fill(d, Distribution::constant) || has_fill(d, Distribution::skewed));
            }},
    EdgeCategory{
        .name = "beyond-block-sums",
        .meaning = "an extent above 1024 * 1024: the sums of its blocks do not fit in a block",
        .holds =
            [](const Dataset& d) {
              return any_extent(d, [](std::int64_t n) { return n > 1024 * 1024; });
            }},
    EdgeCategory{.name = "empty-rows",
                 .meaning = "a sparse matrix with row_lengths = \"empty-rows\"",
                 .holds = [](const Dataset& d) { return has_rows(d, RowLengths::empty_rows); }},
    EdgeCategory{.name = "long-row",
                 .meaning = "a sparse matrix with row_lengths = \"one-long\"",
                 .holds = [](const Dataset& d) { return has_rows(d, RowLengths::one_long); }},
    EdgeCategory{.name = "exact-sums",
                 .meaning = "an input with the distribution \"integers\"",
                 .holds = [](const Dataset& d) { return has_fill(d, Distribution::integers); }},
};

}  // namespace

std::span<const EdgeCategory> categories() {
  return kCategories;
}

const EdgeCategory* find_category(std::string_view name) {
  const auto* found = std::find_if(kCategories.begin(), kCategories.end(),
                                   [&](const EdgeCategory& c) { return c.name == name; });
  return found == kCategories.end() ? nullptr : found;
}

}  // namespace warpgrade
