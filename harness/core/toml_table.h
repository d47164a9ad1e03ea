#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "harness/core/expression.h"

namespace warpgrade {

/// A table of a TOML file, read key by key. Every error is a LabError of the form
/// `labs/x/lab.toml:12: what is wrong; what to do`; finish() reports unknown keys.
class TomlTable {
 public:
  /// @param root  messages name `file` relative to it
  static TomlTable parse(const std::filesystem::path& file, const std::filesystem::path& root);

  [[nodiscard]] bool has(std::string_view key) const;
  [[nodiscard]] std::string string(std::string_view key);
  [[nodiscard]] std::string string_or(std::string_view key, std::string_view fallback);
  [[nodiscard]] double number(std::string_view key);
  [[nodiscard]] double number_or(std::string_view key, double fallback);
  [[nodiscard]] std::int64_t integer(std::string_view key);
  [[nodiscard]] std::int64_t integer_or(std::string_view key, std::int64_t fallback);
  [[nodiscard]] bool boolean_or(std::string_view key, bool fallback);
  [[nodiscard]] std::vector<std::string> strings_or_none(std::string_view key);
  [[nodiscard]] std::vector<std::string> strings(std::string_view key);
  [[nodiscard]] std::vector<double> numbers(std::string_view key);
  /// Whether the key is there and a table.
  [[nodiscard]] bool is_table(std::string_view key) const;
  /// A TOML date-time, or a string, as text: "2026-11-20T23:59:00+01:00". The caller checks whether
  /// it is valid.
  [[nodiscard]] std::string date_time(std::string_view key);
  /// A number, or a formula in a string.
  [[nodiscard]] Expression expression(std::string_view key);
  /// Like expression(), for each element.
  [[nodiscard]] std::vector<Expression> expressions(std::string_view key);
  /// One of `choices`; the index in it.
  [[nodiscard]] std::size_t choice(std::string_view key, const std::vector<std::string>& choices);
  /// The value's index in `choices`, or `fallback` if the key is absent.
  [[nodiscard]] std::size_t choice_or(std::string_view key, const std::vector<std::string>& choices,
                                      std::size_t fallback);
  [[nodiscard]] TomlTable table(std::string_view key);
  /// The elements of an array of tables, none if absent.
  [[nodiscard]] std::vector<TomlTable> tables(std::string_view key);
  /// The keys of a table with arbitrary names as keys.
  [[nodiscard]] std::vector<std::string> keys() const;
  /// Every value as "path.to.key = value", in the order of the keys; comments, line breaks and the
  /// spelling of numbers and strings make no difference.
  /// @param left_out  keys, at any depth, whose values do not matter
  [[nodiscard]] std::vector<std::string> values(
      const std::set<std::string, std::less<>>& left_out) const;

  /// The table's name in messages: `[[case]] "tail"`.
  void set_title(std::string title) { title_ = std::move(title); }
  /// @throws LabError  at the key's line, or the table's if it is absent
  [[noreturn]] void fail(std::string_view key, const std::string& what) const;
  /// @throws LabError  if there is an unknown key
  void finish() const;

 private:
  struct Source;
  struct Impl;
  explicit TomlTable(std::shared_ptr<Impl> impl, std::string title);

  template <class T>
  T get(std::string_view key, std::string_view example);

  std::shared_ptr<Impl> impl_;
  std::string title_;
};

}  // namespace warpgrade
