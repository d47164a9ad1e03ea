#include "grader/judge/diagnose/sizes.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <bit>
#include <functional>
#include <string>
#include <vector>

#include "harness/lab/axes.h"

namespace warpgrade {
namespace {

/// Fewer wrong cases than this can share a property by chance.
constexpr std::size_t kFewestWrong = 2;

constexpr std::array<std::int64_t, 7> kBlockSizes = {1024, 512, 256, 128, 64, 32, 16};

using Sizes = std::vector<std::int64_t>;

/// The extents and results of the cases that have elements.
struct Table {
  std::vector<std::string> names;
  std::vector<Sizes> wrong;
  std::vector<Sizes> right;
  bool complete = true;  // every case ended as right or wrong

  [[nodiscard]] bool is_enough() const {
    return complete && !right.empty() && wrong.size() >= kFewestWrong;
  }
};

Table table_of(const Evidence& evidence) {
  Table table;
  for (const CaseOutcome& c : evidence.cases) {
    if (c.spec == nullptr) {
      continue;
    }
    const auto& settings = c.spec->data.settings;
    Sizes sizes;
    std::vector<std::string> names;
    for (const auto& [name, value] : c.spec->data.dims) {
      if (std::find(settings.begin(), settings.end(), name) == settings.end()) {
        names.push_back(name);
        sizes.push_back(value);
      }
    }
    if (table.names.empty()) {
      table.names = names;
    }
    const CaseVerdict verdict = c.report.verdict;
    const bool known = verdict == CaseVerdict::passed || verdict == CaseVerdict::wrong;
    table.complete = table.complete && known && names == table.names;
    // An extent of 0 is a multiple of everything, and needs no work.
    const bool something = std::find(sizes.begin(), sizes.end(), 0) == sizes.end();
    if (c.report.elements > 0 && something) {
      (verdict == CaseVerdict::passed ? table.right : table.wrong).push_back(std::move(sizes));
    }
  }
  return table;
}

using Property = std::function<bool(const Sizes&)>;

/// Every right case has the property, and no wrong case has it.
bool explains(const Table& table, const Property& property) {
  return std::all_of(table.right.begin(), table.right.end(), property) &&
         std::none_of(table.wrong.begin(), table.wrong.end(), property);
}

/// Whether a right case has more than one element along each axis: with one, many mistakes are of
/// no consequence.
bool has_telling_shape(const Table& table) {
  return std::ranges::any_of(table.right, [](const Sizes& sizes) {
    return std::ranges::none_of(sizes, [](std::int64_t extent) { return extent == 1; });
  });
}

std::optional<Diagnosis> multiples(const Table& table) {
  if (!has_telling_shape(table)) return std::nullopt;
  for (const std::int64_t block : kBlockSizes) {
    for (std::size_t d = 0; d < table.names.size(); ++d) {
      if (explains(table, [&](const Sizes& s) { return s.at(d) % block == 0; })) {
        return Diagnosis{fmt::format("Correct if {} is a multiple of {}, wrong otherwise: the last "
                                     "partial block is skipped or handled incorrectly.",
                                     table.names[d], block),
                         "P13"};
      }
    }
    const auto all = [&](const Sizes& s) {
      return std::all_of(s.begin(), s.end(), [&](std::int64_t x) { return x % block == 0; });
    };
    if (table.names.size() > 1 && explains(table, all)) {
      return Diagnosis{fmt::format("Correct if all extents are multiples of {}, wrong otherwise: "
                                   "the last partial block is skipped or handled incorrectly.",
                                   block),
                       "P13"};
    }
  }
  return std::nullopt;
}

std::optional<Diagnosis> powers_of_two(const Table& table) {
  for (std::size_t d = 0; d < table.names.size(); ++d) {
    const auto is_power = [&](const Sizes& s) {
      return s.at(d) > 0 && std::has_single_bit(static_cast<std::uint64_t>(s.at(d)));
    };
    const bool large = std::any_of(table.right.begin(), table.right.end(),
                                   [&](const Sizes& s) { return s.at(d) >= 4; });
    if (large && explains(table, is_power)) {
      return Diagnosis{fmt::format("Correct if {} is a power of two, wrong otherwise: halving an "
                                   "odd number leaves one element over.",
                                   table.names[d]),
                       "P14"};
    }
  }
  return std::nullopt;
}

/// Extents that have nothing to do with each other are equal in the simplest cases, such as those
/// with one element per row, which are right whatever the mistake is.
std::optional<Diagnosis> squares(const Table& table, const Clues& clues) {
  for (std::size_t a = 0; a < table.names.size(); ++a) {
    for (std::size_t b = a + 1; b < table.names.size(); ++b) {
      if (!are_axes_of_one_array(*clues.evidence().lab, table.names[a], table.names[b])) {
        continue;
      }
      const auto is_square = [&](const Sizes& s) { return s.at(a) == s.at(b); };
      const bool large = std::any_of(table.right.begin(), table.right.end(),
                                     [&](const Sizes& s) { return s.at(a) > 1; });
      if (!large || !explains(table, is_square)) {
        continue;
      }
      const std::string seen = fmt::format("Correct if {} and {} are equal, wrong if they differ",
                                           table.names[a], table.names[b]);
      // A guard with the other axis's extent excludes threads; a swapped index reads elsewhere.
      const bool left_out = clues.first_pattern("last-row") != nullptr ||
                            clues.first_pattern("last-column") != nullptr;
      return left_out ? Diagnosis{seen +
                                      ", with remaining rows or columns: is each index compared "
                                      "with the extent of its own axis?",
                                  "P4"}
                      : Diagnosis{seen + ": one is used in place of the other.", "P5"};
    }
  }
  return std::nullopt;
}

/// Of outputs of one axis: whether all elements after the last whole block are wrong, and no
/// others.
bool lacks_rest(const CaseReport& report, std::uint64_t block) {
  const std::uint64_t whole = report.elements / block * block;
  return whole < report.elements && report.wrong_elements == report.elements - whole &&
         !report.first_mismatches.empty() && report.first_mismatches.front().index == whole;
}

/// A block that is left out as a whole if it is not full, or a thread with several elements. The
/// size is known where the first wrong element is.
std::optional<Diagnosis> partial_blocks(const Evidence& evidence, const Table& table) {
  if (table.names.size() != 1 || !table.complete || table.wrong.size() < kFewestWrong) {
    return std::nullopt;
  }
  for (const std::uint64_t block : {16u, 32u, 64u, 128u, 256u, 512u, 1024u, 2048u, 4096u, 8192u}) {
    bool fits = true;
    bool any_whole = false;  // block, in a failing case
    for (const CaseOutcome& c : evidence.cases) {
      const CaseReport& report = c.report;
      if (c.spec == nullptr || report.elements == 0) continue;
      const auto extent = c.spec->data.dims.find(table.names.front());
      const bool of_axis = extent != c.spec->data.dims.end() &&
                           static_cast<std::uint64_t>(extent->second) == report.elements;
      fits = fits && of_axis &&
             (report.verdict == CaseVerdict::passed ? report.elements % block == 0
                                                    : lacks_rest(report, block));
      any_whole = any_whole || (report.wrong_elements > 0 && report.elements > block);
    }
    if (!fits || !any_whole) continue;
    return Diagnosis{
        fmt::format(
            "In each case, whole blocks of {} elements are right and all elements after them "
            "wrong, as if a block that is not full were left out.",
            block),
        "P13"};
  }
  return std::nullopt;
}

/// The product of a case's extents.
double size_of(const Case& spec) {
  const auto& settings = spec.data.settings;
  double size = 1;
  for (const auto& [name, value] : spec.data.dims) {
    const bool is_setting = std::find(settings.begin(), settings.end(), name) != settings.end();
    if (!is_setting) size *= static_cast<double>(value);
  }
  return size;
}

}  // namespace

std::optional<Diagnosis> sizes_that_fail(const Clues& clues) {
  const Table table = table_of(clues.evidence());
  if (auto partial = partial_blocks(clues.evidence(), table)) return partial;
  if (!table.is_enough()) return std::nullopt;
  const std::optional<Diagnosis> block = multiples(table);
  const std::optional<Diagnosis> square = squares(table, clues);
  if (block && square) {
    return std::nullopt;  // the cases cannot distinguish them
  }
  // A power of two is also a multiple of smaller ones, so the multiple is reported only if not all
  // are powers of two.
  if (block || square) {
    return block ? block : square;
  }
  return powers_of_two(table);
}

std::optional<Diagnosis> shapes_that_fail(const Clues& clues) {
  const Table table = table_of(clues.evidence());
  return table.is_enough() ? squares(table, clues) : std::nullopt;
}

std::string setting_that_fails(const Clues& clues) {
  constexpr std::size_t kFewestRight = 3;
  const Evidence& evidence = clues.evidence();
  std::vector<const CaseOutcome*> wrong;
  std::vector<const CaseOutcome*> right;
  for (const CaseOutcome& c : evidence.cases) {
    if (c.spec == nullptr || has_nothing_to_do(c)) continue;
    const CaseVerdict verdict = c.report.verdict;
    if (verdict == CaseVerdict::not_run) continue;
    (verdict == CaseVerdict::passed ? right : wrong).push_back(&c);
  }
  if (wrong.empty()) return {};
  const NamedSettings named = named_settings(*evidence.lab);
  for (const std::string& setting : wrong.front()->spec->data.settings) {
    const auto value_of = [&](const CaseOutcome* c) {
      const auto it = c->spec->data.dims.find(setting);
      return it == c->spec->data.dims.end() ? std::optional<std::int64_t>() : it->second;
    };
    const auto names = named.find(setting);
    const std::optional<std::int64_t> value = value_of(wrong.front());
    if (names == named.end() || !value ||
        !std::ranges::all_of(wrong, [&](const auto* c) { return value_of(c) == value; })) {
      continue;
    }
    std::size_t others = 0;
    double largest = 0;  // of the right cases with another value
    for (const CaseOutcome* c : right) {
      if (value_of(c) == value) continue;
      ++others;
      largest = std::max(largest, size_of(*c->spec));
    }
    const bool every_other_is_right = std::ranges::all_of(
        wrong, [&](const CaseOutcome* c) { return size_of(*c->spec) <= largest; });
    if (others < kFewestRight || !every_other_is_right) continue;
    return fmt::format("All {} cases with another `{}` than `{}` are right.", others, setting,
                       names->second.at(static_cast<std::size_t>(*value)));
  }
  return {};
}

}  // namespace warpgrade
