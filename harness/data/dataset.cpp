#include "harness/data/dataset.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "harness/core/closest.h"
#include "harness/core/toml_table.h"
#include "harness/data/categories.h"

namespace warpgrade {

namespace {

// In the order of the enumeration.
const std::vector<std::string> kDistributions = {"uniform", "normal", "integers", "constant",
                                                 "ramp",    "signs",  "extremes", "nans",
                                                 "skewed",  "runs"};

constexpr std::int64_t kLargestExtent = std::int64_t{1} << 31U;
constexpr std::int64_t kLargestOffset = 255;  // stays inside the worker's guard zone

std::uint32_t read_offset(TomlTable& table, std::string_view key) {
  const std::int64_t offset = table.integer_or(key, 0);
  if (offset < 0 || offset > kLargestOffset) {
    table.fail(key,
               fmt::format("'{}' is {}; it must be 0 to {} elements", key, offset, kLargestOffset));
  }
  return static_cast<std::uint32_t>(offset);
}

Fill read_fill(TomlTable table) {
  Fill fill;
  fill.distribution = static_cast<Distribution>(table.choice_or("distribution", kDistributions, 0));
  const bool constant = fill.distribution == Distribution::constant;
  fill.low = constant && table.has("value") ? table.number("value") : table.number_or("low", -1.0);
  fill.high = table.number_or("high", std::max(fill.low, 1.0));
  if (fill.high < fill.low) {
    table.fail("high",
               fmt::format("'high' ({}) is below 'low' ({}); swap them", fill.high, fill.low));
  }
  fill.offset = read_offset(table, "offset");
  if (fill.distribution == Distribution::skewed) {
    fill.value = table.number("value");
    fill.share = table.number_or("share", fill.share);
    if (!(fill.share >= 0 && fill.share <= 1)) {
      table.fail("share", fmt::format("'share' is {}; it must be 0 to 1", fill.share));
    }
  }
  if (fill.distribution == Distribution::runs) {
    const std::int64_t length = table.integer_or("length", 64);
    if (length < 1)
      table.fail("length", fmt::format("'length' is {}; it must be 1 or more", length));
    fill.length = static_cast<std::uint64_t>(length);
  }
  table.finish();
  return fill;
}

Dims read_dims(TomlTable table) {
  Dims dims;
  for (const std::string& name : table.keys()) {
    const std::int64_t extent = table.integer(name);
    if (extent < 0 || extent > kLargestExtent) {
      table.fail(
          name, fmt::format("extent '{}' is {}; it must be 0 to {}", name, extent, kLargestExtent));
    }
    dims[name] = extent;
  }
  return dims;
}

/// Numbers that select what is computed, not how much.
void read_settings(TomlTable table, Dataset& dataset) {
  for (const std::string& name : table.keys()) {
    if (!dataset.dims.emplace(name, table.integer(name)).second) {
      table.fail(name, fmt::format("'{}' is in 'dims' too; keep one of them", name));
    }
    dataset.settings.push_back(name);
  }
}

/// A dataset may only claim its actual categories, because `missing_categories` relies on the
/// claims.
void check_categories(const Dataset& dataset, const TomlTable& table) {
  for (const std::string& name : dataset.categories) {
    const EdgeCategory* category = find_category(name);
    if (category == nullptr) {
      std::vector<std::string> known;
      for (const EdgeCategory& candidate : categories()) known.emplace_back(candidate.name);
      const std::string near = closest(name, known);
      table.fail("categories",
                 fmt::format("unknown category '{}' in [[dataset]] \"{}\"; {}", name, dataset.name,
                             near.empty() ? "see docs/adding-a-lab.md for the known ones"
                                          : fmt::format("did you mean '{}'?", near)));
    }
    if (!category->holds(dataset)) {
      table.fail("categories", fmt::format("[[dataset]] \"{}\" claims '{}' but does not have {}; "
                                           "change its data or drop the claim",
                                           dataset.name, name, category->meaning));
    }
  }
}

Dataset read_dataset(TomlTable table, const std::filesystem::path& folder) {
  Dataset dataset;
  dataset.name = table.string("name");
  table.set_title(fmt::format("[[dataset]] \"{}\"", dataset.name));
  dataset.dims = read_dims(table.table("dims"));
  if (table.has("settings")) read_settings(table.table("settings"), dataset);
  dataset.categories = table.strings_or_none("categories");
  dataset.output_offset = read_offset(table, "output_offset");
  if (table.has("inputs")) {
    TomlTable inputs = table.table("inputs");
    for (const std::string& name : inputs.keys()) {
      dataset.fills.emplace(name, read_fill(inputs.table(name)));
    }
  }
  if (table.has("given")) dataset.given = read_given(table.table("given"), folder);
  table.finish();
  check_categories(dataset, table);
  return dataset;
}

}  // namespace

std::vector<Dataset> load_datasets(const std::filesystem::path& file,
                                   const std::filesystem::path& root) {
  TomlTable document = TomlTable::parse(file, root);
  if (const auto schema = document.integer("schema"); schema != 1) {
    document.fail("schema", fmt::format("schema {} is not known; write schema = 1", schema));
  }
  std::vector<Dataset> datasets;
  std::set<std::string> names;
  for (TomlTable& table : document.tables("dataset")) {
    datasets.push_back(read_dataset(table, file.parent_path()));
    const std::string& name = datasets.back().name;
    if (!names.insert(name).second) {
      table.fail("name", fmt::format("dataset '{}' occurs twice; rename one", name));
    }
  }
  document.finish();
  return datasets;
}

}  // namespace warpgrade
