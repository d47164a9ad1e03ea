#include "harness/data/dataset.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <stdexcept>

#include "harness/core/closest.h"
#include "harness/core/lab_error.h"
#include "harness/core/toml_table.h"
#include "harness/data/categories.h"

namespace warpgrade {
namespace fs = std::filesystem;

namespace {

// In the order of the enumeration.
const std::vector<std::string> kDistributions = {
    "uniform", "normal", "integers", "constant", "ramp",   "signs",      "extremes",
    "nans",    "skewed", "runs",     "words",    "sorted", "descending", "nearly-sorted"};

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

/// The content, if it is given; at most one of these keys.
std::shared_ptr<const GivenData> read_given(TomlTable& table, const fs::path& folder) {
  const std::vector<std::string> kinds = {"file", "image", "text", "values"};
  std::string key;
  for (const std::string& kind : kinds) {
    if (!table.has(kind)) continue;
    if (!key.empty()) {
      table.fail(kind, fmt::format("'{}' and '{}' both give the content; keep one", key, kind));
    }
    key = kind;
  }
  if (key.empty()) return nullptr;
  try {
    if (key == "file") {
      const std::string name = table.string("file");
      return std::make_shared<GivenData>(
          read_given_data(dataset_file(table, folder, name),
                          fmt::format("datasets/{}/{}", folder.filename().string(), name)));
    }
    if (key == "image") return std::make_shared<GivenData>(given_image(table.string("image")));
    if (key == "text") return std::make_shared<GivenData>(given_text(table.string("text")));
  } catch (const LabError&) {
    throw;  // it has its line
  } catch (const std::runtime_error& error) {
    table.fail(key, error.what());
  }
  const std::vector<double> numbers = table.numbers("values");
  GivenData given{.kind = GivenData::Kind::numbers,
                  .source = "`values`",
                  .array = Array(ElementType::f64, {numbers.size()}),
                  .white = 1};
  std::copy(numbers.begin(), numbers.end(), given.array.as<double>().begin());
  return std::make_shared<GivenData>(std::move(given));
}

Fill read_fill(TomlTable table, const fs::path& folder) {
  Fill fill;
  fill.given = read_given(table, folder);
  if (fill.given != nullptr) {
    fill.offset = read_offset(table, "offset");
    table.finish();
    return fill;
  }
  if (table.has("row_lengths")) {
    fill.row_lengths = static_cast<RowLengths>(table.choice("row_lengths", row_length_names()));
  }
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

/// A number, or the name of one if the lab has named the setting's values.
std::int64_t read_setting(TomlTable& table, const std::string& name, const NamedSettings& named) {
  const auto values = named.find(name);
  if (values == named.end()) return table.integer(name);
  return static_cast<std::int64_t>(table.choice(name, values->second));
}

/// Numbers that select what is computed, not how much.
void read_settings(TomlTable table, Dataset& dataset, const NamedSettings& named) {
  for (const std::string& name : table.keys()) {
    if (!dataset.dims.emplace(name, read_setting(table, name, named)).second) {
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

/// A fill, or one for each field of a record: inputs.points.x = { ... }.
void read_input(TomlTable& inputs, const std::string& name, const fs::path& folder,
                Dataset& dataset) {
  TomlTable table = inputs.table(name);
  const std::vector<std::string> fields = table.keys();
  const bool has_fields =
      !fields.empty() && std::all_of(fields.begin(), fields.end(), [&](const std::string& field) {
        return table.is_table(field);
      });
  if (!has_fields) {
    dataset.fills.emplace(name, read_fill(std::move(table), folder));
    return;
  }
  for (const std::string& field : fields) {
    dataset.fills.emplace(name + "." + field, read_fill(table.table(field), folder));
  }
}

Dataset read_dataset(TomlTable table, const fs::path& folder, const NamedSettings& named) {
  Dataset dataset;
  dataset.name = table.string("name");
  table.set_title(fmt::format("[[dataset]] \"{}\"", dataset.name));
  dataset.dims = read_dims(table.table("dims"));
  if (table.has("settings")) read_settings(table.table("settings"), dataset, named);
  dataset.categories = table.strings_or_none("categories");
  dataset.output_offset = read_offset(table, "output_offset");
  if (table.has("inputs")) {
    TomlTable inputs = table.table("inputs");
    for (const std::string& name : inputs.keys()) read_input(inputs, name, folder, dataset);
  }
  if (table.has("given")) dataset.given = read_given_files(table.table("given"), folder);
  table.finish();
  check_categories(dataset, table);
  return dataset;
}

}  // namespace

std::vector<Dataset> load_datasets(const std::filesystem::path& file,
                                   const std::filesystem::path& root, const NamedSettings& named) {
  TomlTable document = TomlTable::parse(file, root);
  if (const auto schema = document.integer("schema"); schema != 1) {
    document.fail("schema", fmt::format("schema {} is not known; write schema = 1", schema));
  }
  const fs::path folder = file.parent_path() / file.stem();
  std::vector<Dataset> datasets;
  std::set<std::string> names;
  for (TomlTable& table : document.tables("dataset")) {
    datasets.push_back(read_dataset(table, folder, named));
    const std::string& name = datasets.back().name;
    if (!names.insert(name).second) {
      table.fail("name", fmt::format("dataset '{}' occurs twice; rename one", name));
    }
  }
  document.finish();
  return datasets;
}

}  // namespace warpgrade
