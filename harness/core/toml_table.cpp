#include "harness/core/toml_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <set>
#include <sstream>

#include "harness/core/closest.h"
#include "harness/core/lab_error.h"

#define TOML_ENABLE_FORMATTERS 0
#include <toml++/toml.h>

namespace warpgrade {

namespace {

/// "labs/x/lab.toml" for a file below root, otherwise the file as given.
std::string shown_path(const std::filesystem::path& file, const std::filesystem::path& root) {
  const auto relative = file.lexically_relative(root);
  const bool below = !relative.empty() && *relative.begin() != "..";
  return (below ? relative : file).generic_string();
}

template <class T>
std::string_view type_word() {
  if constexpr (std::is_same_v<T, std::string>) return "a string";
  if constexpr (std::is_same_v<T, double>) return "a number";
  if constexpr (std::is_same_v<T, std::int64_t>) return "an integer";
  if constexpr (std::is_same_v<T, bool>) return "true or false";
  return "a value";
}

template <class T>
std::string shown(const toml::value<T>& value) {
  if constexpr (toml::is_date_time<T> || toml::is_date<T> || toml::is_time<T>) {
    std::ostringstream text;
    text << value.get();
    return text.str();
  } else {
    return fmt::format("{}", value.get());
  }
}

class Walk {
 public:
  explicit Walk(const std::set<std::string, std::less<>>& left_out) : left_out_(left_out) {}

  void add(const std::string& path, const toml::node& node) {
    node.visit([&](const auto& value) {
      using Node = std::remove_cvref_t<decltype(value)>;
      if constexpr (toml::is_table<Node>) {
        for (const auto& [key, inner] : value) {
          if (!left_out_.contains(key.str())) add(fmt::format("{}.{}", path, key.str()), inner);
        }
      } else if constexpr (toml::is_array<Node>) {
        // An empty array is not a missing one.
        values.push_back(fmt::format("{} has {}", path, value.size()));
        for (const toml::node& inner : value) add(path + "[]", inner);
      } else {
        values.push_back(fmt::format("{} = {}", path, shown(value)));
      }
    });
  }

  std::vector<std::string> values;

 private:
  const std::set<std::string, std::less<>>& left_out_;
};

}  // namespace

struct TomlTable::Source {
  toml::table document;
  std::string name;
};

struct TomlTable::Impl {
  std::shared_ptr<Source> source;  // keeps the document alive
  const toml::table* table = nullptr;
  std::set<std::string, std::less<>> known;  // keys that were read
};

TomlTable::TomlTable(std::shared_ptr<Impl> impl, std::string title)
    : impl_(std::move(impl)), title_(std::move(title)) {}

TomlTable TomlTable::parse(const std::filesystem::path& file, const std::filesystem::path& root) {
  auto source = std::make_shared<Source>();
  source->name = shown_path(file, root);
  if (!std::filesystem::is_regular_file(file)) {
    throw LabError(fmt::format("{}: no such file; add it, see docs/adding-a-lab.md", source->name));
  }
  try {
    source->document = toml::parse_file(file.string());
  } catch (const toml::parse_error& error) {
    throw LabError(fmt::format("{}:{}: {}; correct the TOML", source->name,
                               error.source().begin.line, error.description()));
  }
  auto impl = std::make_shared<Impl>();
  impl->table = &source->document;
  impl->source = std::move(source);
  return TomlTable(std::move(impl), "the file");
}

std::vector<std::string> TomlTable::values(
    const std::set<std::string, std::less<>>& left_out) const {
  Walk walk(left_out);
  walk.add("", *impl_->table);
  return std::move(walk.values);
}

void TomlTable::fail(std::string_view key, const std::string& what) const {
  const toml::node* node = impl_->table->get(key);
  const auto line = (node != nullptr ? node->source() : impl_->table->source()).begin.line;
  throw LabError(
      fmt::format("{}:{}: {}", impl_->source->name, std::max<toml::source_index>(line, 1), what));
}

bool TomlTable::has(std::string_view key) const {
  impl_->known.emplace(key);  // read: so that a misspelled key gets the right suggestion
  return impl_->table->contains(key);
}

template <class T>
T TomlTable::get(std::string_view key, std::string_view example) {
  impl_->known.emplace(key);
  const toml::node* node = impl_->table->get(key);
  if (node == nullptr) {
    fail(key, fmt::format("key '{}' is missing in {}; add {} = {}", key, title_, key, example));
  }
  const auto value = node->value_exact<T>();
  if (value) return *value;
  if constexpr (std::is_same_v<T, double>) {
    if (const auto whole = node->value_exact<std::int64_t>()) return static_cast<double>(*whole);
  }
  fail(key, fmt::format("key '{}' in {} must be {}; write {} = {}", key, title_, type_word<T>(),
                        key, example));
}

std::string TomlTable::string(std::string_view key) {
  return get<std::string>(key, "\"...\"");
}

std::string TomlTable::string_or(std::string_view key, std::string_view fallback) {
  return has(key) ? string(key) : std::string(fallback);
}

double TomlTable::number(std::string_view key) {
  return get<double>(key, "N");
}

double TomlTable::number_or(std::string_view key, double fallback) {
  return has(key) ? number(key) : fallback;
}

std::int64_t TomlTable::integer(std::string_view key) {
  return get<std::int64_t>(key, "N");
}

std::int64_t TomlTable::integer_or(std::string_view key, std::int64_t fallback) {
  return has(key) ? integer(key) : fallback;
}

bool TomlTable::boolean_or(std::string_view key, bool fallback) {
  return has(key) ? get<bool>(key, "true") : fallback;
}

std::vector<std::string> TomlTable::strings_or_none(std::string_view key) {
  return has(key) ? strings(key) : std::vector<std::string>{};
}

std::vector<std::string> TomlTable::strings(std::string_view key) {
  impl_->known.emplace(key);
  const toml::node* node = impl_->table->get(key);
  if (node == nullptr) {
    fail(key, fmt::format("key '{}' is missing in {}; add {} = [\"...\"]", key, title_, key));
  }
  std::vector<std::string> values;
  bool good = node->is_array();
  if (good) {
    for (const toml::node& element : *node->as_array()) {
      const auto value = element.value_exact<std::string>();
      good = good && value.has_value();
      values.push_back(value.value_or(""));
    }
  }
  if (!good) {
    fail(key, fmt::format("key '{}' in {} must be a list of strings; write {} = [\"...\"]", key,
                          title_, key));
  }
  return values;
}

std::vector<double> TomlTable::numbers(std::string_view key) {
  impl_->known.emplace(key);
  const toml::node* node = impl_->table->get(key);
  if (node == nullptr) {
    fail(key, fmt::format("key '{}' is missing in {}; add {} = [1, 2]", key, title_, key));
  }
  std::vector<double> values;
  bool good = node->is_array();
  if (good) {
    for (const toml::node& element : *node->as_array()) {
      const auto value = element.is_number() ? element.value<double>() : std::nullopt;
      good = good && value.has_value();
      values.push_back(value.value_or(0));
    }
  }
  if (!good) {
    fail(key, fmt::format("key '{}' in {} must be a list of numbers; write {} = [1, 2]", key,
                          title_, key));
  }
  return values;
}

bool TomlTable::is_table(std::string_view key) const {
  const toml::node* node = impl_->table->get(key);
  return node != nullptr && node->is_table();
}

std::string TomlTable::date_time(std::string_view key) {
  constexpr std::string_view kExample = "2026-11-20T23:59:00+01:00";
  impl_->known.emplace(key);
  const toml::node* node = impl_->table->get(key);
  if (node == nullptr || node->is_string()) return get<std::string>(key, kExample);
  const auto date_text = [](const toml::date& d) {
    return fmt::format("{:04}-{:02}-{:02}", d.year, d.month, d.day);
  };
  if (const auto date = node->value_exact<toml::date>()) return date_text(*date);
  const auto value = node->value_exact<toml::date_time>();
  if (!value) {
    fail(key, fmt::format("key '{}' in {} must be a date and time; write {} = {}", key, title_, key,
                          kExample));
  }
  std::string text = fmt::format("{}T{:02}:{:02}:{:02}", date_text(value->date), value->time.hour,
                                 value->time.minute, value->time.second);
  if (value->offset) {
    const int minutes = value->offset->minutes;
    text += fmt::format("{}{:02}:{:02}", minutes < 0 ? '-' : '+', std::abs(minutes) / 60,
                        std::abs(minutes) % 60);
  }
  return text;
}

Expression TomlTable::expression(std::string_view key) {
  impl_->known.emplace(key);
  const toml::node* node = impl_->table->get(key);
  if (node != nullptr && node->is_number()) return Expression(fmt::format("{}", number(key)));
  const std::string text = get<std::string>(key, "\"formula\"");
  try {
    return Expression(text);
  } catch (const ExpressionError& error) {
    fail(key, fmt::format("key '{}' in {}: {}", key, title_, error.what()));
  }
}

std::vector<Expression> TomlTable::expressions(std::string_view key) {
  std::vector<Expression> formulas;
  for (const std::string& text : strings(key)) {
    try {
      formulas.emplace_back(text);
    } catch (const ExpressionError& error) {
      fail(key, fmt::format("key '{}' in {}: {}", key, title_, error.what()));
    }
  }
  return formulas;
}

std::size_t TomlTable::choice(std::string_view key, const std::vector<std::string>& choices) {
  const std::string value = string(key);
  const auto found = std::find(choices.begin(), choices.end(), value);
  if (found == choices.end()) {
    const std::string near = closest(value, choices);
    fail(key, fmt::format("key '{}' in {} is '{}'; {}it must be one of {}", key, title_, value,
                          near.empty() ? "" : fmt::format("did you mean '{}'? ", near),
                          fmt::join(choices, ", ")));
  }
  return static_cast<std::size_t>(found - choices.begin());
}

std::size_t TomlTable::choice_or(std::string_view key, const std::vector<std::string>& choices,
                                 std::size_t fallback) {
  return has(key) ? choice(key, choices) : fallback;
}

TomlTable TomlTable::table(std::string_view key) {
  impl_->known.emplace(key);
  const toml::node* node = impl_->table->get(key);
  if (node == nullptr) fail(key, fmt::format("table [{}] is missing in {}; add it", key, title_));
  if (!node->is_table()) {
    fail(key, fmt::format("'{}' in {} must be a table; write [{}]", key, title_, key));
  }
  auto impl = std::make_shared<Impl>();
  impl->source = impl_->source;
  impl->table = node->as_table();
  return TomlTable(std::move(impl), fmt::format("[{}]", key));
}

std::vector<TomlTable> TomlTable::tables(std::string_view key) {
  impl_->known.emplace(key);
  const toml::node* node = impl_->table->get(key);
  std::vector<TomlTable> rows;
  if (node == nullptr) return rows;
  if (!node->is_array() || !std::all_of(node->as_array()->begin(), node->as_array()->end(),
                                        [](const toml::node& row) { return row.is_table(); })) {
    fail(key, fmt::format("'{}' in {} must be a list of tables; write [[{}]]", key, title_, key));
  }
  for (const toml::node& row : *node->as_array()) {
    auto impl = std::make_shared<Impl>();
    impl->source = impl_->source;
    impl->table = row.as_table();
    rows.push_back(
        TomlTable(std::move(impl), fmt::format("[[{}]] number {}", key, rows.size() + 1)));
  }
  return rows;
}

std::vector<std::string> TomlTable::keys() const {
  std::vector<std::string> names;
  for (const auto& [key, node] : *impl_->table) names.emplace_back(key.str());
  return names;
}

void TomlTable::finish() const {
  for (const std::string& key : keys()) {
    if (impl_->known.contains(key)) continue;
    const std::vector<std::string> known(impl_->known.begin(), impl_->known.end());
    const std::string near = closest(key, known);
    fail(key, fmt::format("unknown key '{}' in {}; {}", key, title_,
                          near.empty() ? fmt::format("known keys: {}", fmt::join(known, ", "))
                                       : fmt::format("did you mean '{}'?", near)));
  }
}

}  // namespace warpgrade
