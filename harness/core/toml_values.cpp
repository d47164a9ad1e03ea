#include "harness/core/toml_values.h"

#include <fmt/format.h>

#include "harness/core/lab_error.h"

#define TOML_ENABLE_FORMATTERS 0
#include <toml++/toml.h>

namespace warpgrade {
namespace {

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

std::vector<std::string> toml_values(const std::filesystem::path& file,
                                     const std::set<std::string, std::less<>>& left_out) {
  if (!std::filesystem::is_regular_file(file)) {
    throw LabError(fmt::format("{}: no such file", file.string()));
  }
  try {
    const toml::table document = toml::parse_file(file.string());
    Walk walk(left_out);
    walk.add("", document);
    return std::move(walk.values);
  } catch (const toml::parse_error& error) {
    throw LabError(
        fmt::format("{}:{}: {}", file.string(), error.source().begin.line, error.description()));
  }
}

}  // namespace warpgrade
