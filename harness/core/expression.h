#pragma once

#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace warpgrade {

struct ExpressionError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A formula of a lab: shapes, error model terms, concept checks, conditions.
///
/// Numbers, names, `+ - * / ( )`, comparisons (`< <= > >= == !=`), `and`, `or`, `not` (1 is true,
/// 0 is false) and the functions `ceil(x)`, `floor(x)`, `log2(x)`, `sqrt(x)`,
/// `min(x, y)`, `max(x, y)`, `ceil_div(x, y)`. All in double; `/` is the true quotient. Names are
/// letters, digits, `_` and `.`.
class Expression {
 public:
  struct Node;

  /// @throws ExpressionError  says what was expected at which column
  explicit Expression(std::string_view text);

  /// Returns a name's value, or throws ExpressionError for an unknown one.
  using Lookup = std::function<double(std::string_view name)>;
  /// @throws ExpressionError  on division by zero or from `value_of`
  [[nodiscard]] double evaluate(const Lookup& value_of) const;

  /// Every name used, once, in order of first use.
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string text_;
  std::shared_ptr<const Node> root_;
  std::vector<std::string> names_;
};

}  // namespace warpgrade
