#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

#include "harness/golden/golden_variant.h"
#include "harness/lab/lab.h"

namespace warpgrade {

/// The compiled variants of a lab's golden function.
class GoldenVariantLibrary {
 public:
  /// @param file  a library, or a text that says why there is none; empty for a lab without
  ///   golden.cpp
  explicit GoldenVariantLibrary(const std::filesystem::path& file);
  /// Of this program: for tests.
  explicit GoldenVariantLibrary(const GoldenVariantTable& table) : table_(&table) {}

  /// Valid as long as this, or a copy, exists.
  [[nodiscard]] std::span<const GoldenVariant> all() const;
  /// Why there are none; else empty.
  [[nodiscard]] const std::string& problem() const { return problem_; }

  /// Computes by one variant or two, from 1; 0 is the golden function. As GoldenVariantTable::run;
  /// with an index out of an array that has no size it may crash.
  /// @returns the steps of its loops
  std::uint64_t run(const GoldenCall& call, std::uint32_t number, std::uint32_t other,
                    std::uint64_t most_steps) const;

 private:
  std::shared_ptr<void> handle_;
  const GoldenVariantTable* table_ = nullptr;
  std::string problem_;
};

/// <library>/golden/variants/<lab>.so, as golden_file().
[[nodiscard]] std::filesystem::path golden_variants_file(const std::filesystem::path& library,
                                                         const Lab& lab);

}  // namespace warpgrade
