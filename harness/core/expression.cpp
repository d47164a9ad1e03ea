#include "harness/core/expression.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <optional>

namespace warpgrade {

namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool starts_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool continues_name(char c) {
  return starts_name(c) || is_digit(c) || c == '.';
}

struct Relation {
  std::string_view sign;
  double (*apply)(double, double);
};

/// Longer operators first: `<=` begins with `<`.
constexpr std::array kRelations = {
    Relation{.sign = "<=", .apply = [](double x, double y) { return x <= y ? 1.0 : 0.0; }},
    Relation{.sign = ">=", .apply = [](double x, double y) { return x >= y ? 1.0 : 0.0; }},
    Relation{.sign = "==", .apply = [](double x, double y) { return x == y ? 1.0 : 0.0; }},
    Relation{.sign = "!=", .apply = [](double x, double y) { return x != y ? 1.0 : 0.0; }},
    Relation{.sign = "<", .apply = [](double x, double y) { return x < y ? 1.0 : 0.0; }},
    Relation{.sign = ">", .apply = [](double x, double y) { return x > y ? 1.0 : 0.0; }},
};

struct Function {
  std::string_view name;
  std::size_t arity;
  double (*apply)(double, double);
};

constexpr std::array kFunctions = {
    Function{.name = "ceil", .arity = 1, .apply = [](double x, double) { return std::ceil(x); }},
    Function{.name = "floor", .arity = 1, .apply = [](double x, double) { return std::floor(x); }},
    Function{.name = "log2", .arity = 1, .apply = [](double x, double) { return std::log2(x); }},
    Function{.name = "sqrt", .arity = 1, .apply = [](double x, double) { return std::sqrt(x); }},
    Function{
        .name = "min", .arity = 2, .apply = [](double x, double y) { return std::fmin(x, y); }},
    Function{
        .name = "max", .arity = 2, .apply = [](double x, double y) { return std::fmax(x, y); }},
    Function{.name = "ceil_div",
             .arity = 2,
             .apply = [](double x, double y) { return std::ceil(x / y); }},
};

double divide(double x, double y) {
  return x / y;
}

}  // namespace

/// A number, a name, or an operation on one or two nodes.
struct Expression::Node {
  double number = 0;
  std::string name;
  double (*apply)(double, double) = nullptr;
  bool divides = false;
  /// `and`, `or`: the left side's value that decides the result (short-circuit evaluation), so that
  /// `m > 0 and n / m > 2` is safe.
  std::optional<bool> settled_by;
  std::shared_ptr<const Node> left;
  std::shared_ptr<const Node> right;

  [[nodiscard]] double evaluate(const Lookup& value_of) const {
    if (!name.empty()) return value_of(name);
    if (left == nullptr) return number;
    const double x = left->evaluate(value_of);
    if (settled_by.has_value()) {
      const bool settled = (x != 0) == *settled_by;
      return (settled ? *settled_by : right->evaluate(value_of) != 0) ? 1 : 0;
    }
    const double y = right != nullptr ? right->evaluate(value_of) : 0;
    if (divides && y == 0) throw ExpressionError("division by zero");
    return apply(x, y);
  }
};

namespace {

using NodePointer = std::shared_ptr<const Expression::Node>;

NodePointer operation(double (*apply)(double, double), NodePointer left, NodePointer right,
                      bool divides = false) {
  auto node = std::make_shared<Expression::Node>();
  node->apply = apply;
  node->divides = divides;
  node->left = std::move(left);
  node->right = std::move(right);
  return node;
}

NodePointer connective(bool settled_by, NodePointer left, NodePointer right) {
  auto node = std::make_shared<Expression::Node>();
  node->settled_by = settled_by;
  node->left = std::move(left);
  node->right = std::move(right);
  return node;
}

/// Recursive descent: either := both ('or' both)*, both := relation ('and' relation)*,
/// relation := 'not' relation | sum (sign sum)?, sum := product (('+'|'-') product)*,
/// product := unary (('*'|'/') unary)*.
class Parser {
 public:
  Parser(std::string_view text, std::vector<std::string>& names) : text_(text), names_(names) {}

  NodePointer parse() {
    NodePointer root = either();
    if (peek() != '\0') fail("an operator or the end");
    return root;
  }

 private:
  static constexpr int kDeepest = 100;  // a formula in a file must not overflow the stack

  [[noreturn]] void fail(std::string_view expected) const {
    throw ExpressionError(
        fmt::format("formula '{}', column {}: expected {}", text_, at_ + 1, expected));
  }

  char peek() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }

  bool take(char c) {
    if (peek() != c) return false;
    ++at_;
    return true;
  }

  bool take_word(std::string_view word) {
    peek();
    const bool here =
        text_.substr(at_).starts_with(word) &&
        (at_ + word.size() == text_.size() || !continues_name(text_[at_ + word.size()]));
    if (here) at_ += word.size();
    return here;
  }

  NodePointer either() {
    if (++depth_ > kDeepest) fail("fewer nested parentheses");
    NodePointer left = both();
    while (take_word("or")) left = connective(true, left, both());
    --depth_;
    return left;
  }

  NodePointer both() {
    NodePointer left = relation();
    while (take_word("and")) left = connective(false, left, relation());
    return left;
  }

  NodePointer relation() {
    bool negative = false;
    while (take_word("not")) negative = !negative;
    NodePointer left = sum();
    peek();
    for (const Relation& relation : kRelations) {
      if (!text_.substr(at_).starts_with(relation.sign)) continue;
      at_ += relation.sign.size();
      left = operation(relation.apply, left, sum());
      break;
    }
    if (!negative) return left;
    return operation([](double x, double) { return x == 0 ? 1.0 : 0.0; }, left, nullptr);
  }

  NodePointer sum() {
    NodePointer left = product();
    for (;;) {
      if (take('+')) {
        left = operation([](double x, double y) { return x + y; }, left, product());
      } else if (take('-')) {
        left = operation([](double x, double y) { return x - y; }, left, product());
      } else {
        return left;
      }
    }
  }

  NodePointer product() {
    NodePointer left = unary();
    for (;;) {
      if (take('*')) {
        left = operation([](double x, double y) { return x * y; }, left, unary());
      } else if (take('/')) {
        left = operation(divide, left, unary(), true);
      } else {
        return left;
      }
    }
  }

  NodePointer unary() {
    bool negative = false;
    while (take('-')) negative = !negative;
    NodePointer value = primary();
    if (!negative) return value;
    return operation([](double x, double) { return -x; }, value, nullptr);
  }

  NodePointer primary() {
    if (take('(')) {
      NodePointer inside = either();
      if (!take(')')) fail("')'");
      return inside;
    }
    const char c = peek();
    if (is_digit(c) || c == '.') return number();
    if (starts_name(c)) return name_or_call();
    fail("a number, a name or '('");
  }

  NodePointer number() {
    auto node = std::make_shared<Expression::Node>();
    const char* begin = text_.data() + at_;
    const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), node->number);
    if (error != std::errc{}) fail("a number");
    at_ += static_cast<std::size_t>(end - begin);
    return node;
  }

  NodePointer name_or_call() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && continues_name(text_[at_])) ++at_;
    const std::string name(text_.substr(begin, at_ - begin));
    if (peek() == '(') return call(name, begin);
    if (std::find(names_.begin(), names_.end(), name) == names_.end()) names_.push_back(name);
    auto node = std::make_shared<Expression::Node>();
    node->name = name;
    return node;
  }

  NodePointer call(const std::string& name, std::size_t begin) {
    const auto* function = std::find_if(kFunctions.begin(), kFunctions.end(),
                                        [&](const Function& f) { return f.name == name; });
    if (function == kFunctions.end()) {
      at_ = begin;
      fail("one of ceil, floor, log2, sqrt, min, max, ceil_div in front of '('");
    }
    take('(');
    NodePointer first = either();
    NodePointer second;
    if (function->arity == 2) {
      if (!take(',')) fail("',' and a second argument");
      second = either();
    }
    if (!take(')')) fail("')'");
    return operation(function->apply, first, second, function->name == "ceil_div");
  }

  std::string_view text_;
  std::vector<std::string>& names_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

Expression::Expression(std::string_view text) : text_(text) {
  root_ = Parser(text_, names_).parse();
}

double Expression::evaluate(const Lookup& value_of) const {
  return root_->evaluate(value_of);
}

}  // namespace warpgrade
