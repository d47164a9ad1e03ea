#include "emulator/debug/expression.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>

namespace warpsim::debug {
namespace {

using Kind = Type::Kind;

/// A number during a computation.
struct Number {
  bool is_real = false;
  bool is_unsigned = false;
  std::int64_t whole = 0;
  double real = 0;

  [[nodiscard]] double as_real() const {
    if (is_real) return real;
    return is_unsigned ? static_cast<double>(static_cast<std::uint64_t>(whole))
                       : static_cast<double>(whole);
  }
  [[nodiscard]] bool as_bool() const { return is_real ? real != 0 : whole != 0; }
};

/// An operator between two operands; a higher level binds closer.
struct Operator {
  std::string_view token;
  int level;
  std::string_view not_before = {};  // characters that make it the beginning of another
};
/// By level; longer ones first where one begins another.
constexpr Operator kOperators[] = {
    {"||", 0},      {"&&", 1},     {"|", 2, "|"},
    {"^", 3},       {"&", 4, "&"}, {"==", 5},
    {"!=", 5},      {"<=", 6},     {">=", 6},
    {"<<", 7},      {">>", 7},     {"<", 6, "<="},
    {">", 6, ">="}, {"+", 8, "+"}, {"-", 8, "->"},
    {"*", 9},       {"/", 9},      {"%", 9, "abcdefghijklmnopqrstuvwxyz"},
};
bool is_name_start(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '%' || c == '$';
}

bool is_name_part(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$';
}

class Evaluation {
 public:
  Evaluation(Types& types, const Thread& thread, const Lookup& names, std::string_view text)
      : types_(types), thread_(thread), names_(names), text_(text) {}

  /// Brackets in brackets use the stack.
  static constexpr std::size_t kMostCharacters = 1000;

  Value run() {
    if (text_.size() > kMostCharacters) {
      fail(fmt::format("an expression has at most {} characters", kMostCharacters));
    }
    const Value value = conditional();
    skip_blank();
    if (at_ != text_.size()) fail(fmt::format("'{}' was not expected", text_.substr(at_)));
    return value;
  }

  double real_of(const Value& value) { return number_of(value).as_real(); }

 private:
  [[noreturn]] static void fail(const std::string& message) { throw ExpressionError(message); }

  void skip_blank() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  bool accept(std::string_view token) {
    skip_blank();
    if (!text_.substr(at_).starts_with(token)) return false;
    at_ += token.size();
    return true;
  }
  /// An operator that is not the beginning of a longer one.
  bool accept_operator(std::string_view token, std::string_view not_before) {
    skip_blank();
    const std::string_view rest = text_.substr(at_);
    if (!rest.starts_with(token)) return false;
    if (rest.size() > token.size() && not_before.find(rest[token.size()]) != not_before.npos) {
      return false;
    }
    at_ += token.size();
    return true;
  }
  void expect(std::string_view token) {
    if (accept(token)) return;
    fail(fmt::format(
        "expected '{}' {}", token,
        at_ == text_.size() ? "at the end" : fmt::format("before '{}'", text_.substr(at_))));
  }

  // -- numbers --------------------------------------------------------------------------------
  Number number_of(const Value& value) {
    const Bytes bytes = read(thread_, value);
    if (!bytes.problem.empty()) fail(bytes.problem);
    if (!bytes.initialized) fail("the value is uninitialized");
    const Type& type = *value.type;
    Number number;
    std::uint64_t bits = 0;
    if (type.kind == Kind::array) {  // it decays to a pointer
      number.whole = static_cast<std::int64_t>(generic_address(value));
      return number;
    }
    if (!type.is_number() && type.kind != Kind::pointer && type.kind != Kind::bits) {
      fail(fmt::format("a {} is not a number", type.name));
    }
    std::memcpy(&bits, bytes.data.data(), std::min<std::size_t>(bytes.data.size(), 8));
    if (type.kind == Kind::real) {
      number.is_real = true;
      if (type.size == 4) {
        float real = 0;
        std::memcpy(&real, bytes.data.data(), sizeof real);
        number.real = real;
      } else {
        std::memcpy(&number.real, bytes.data.data(), sizeof number.real);
      }
      return number;
    }
    number.is_unsigned = type.kind == Kind::natural || type.kind == Kind::pointer ||
                         type.kind == Kind::bits || type.kind == Kind::boolean;
    number.whole = static_cast<std::int64_t>(bits);
    if (!number.is_unsigned && type.size < 8 && type.size > 0) {
      const auto shift = static_cast<int>(64 - 8 * type.size);
      number.whole = static_cast<std::int64_t>(bits << shift) >> shift;
    }
    return number;
  }

  Value value_of(const Number& number) {
    Value value;
    if (number.is_real) {
      value.type = types_.named("double");
      value.bytes.resize(8);
      std::memcpy(value.bytes.data(), &number.real, 8);
      return value;
    }
    const bool wide = number.is_unsigned ? static_cast<std::uint64_t>(number.whole) > 0xffffffffu
                                         : number.whole != static_cast<std::int32_t>(number.whole);
    value.type = types_.named(number.is_unsigned ? wide ? "unsigned long" : "unsigned int"
                              : wide             ? "long"
                                                 : "int");
    value.bytes.resize(value.type->size);
    std::memcpy(value.bytes.data(), &number.whole, value.type->size);
    return value;
  }

  Value truth(bool holds) {
    Value value;
    value.type = types_.named("bool");
    value.bytes = {std::byte{holds}};
    return value;
  }

  // -- grammar --------------------------------------------------------------------------------
  Value conditional() {
    Value value = binary(0);
    if (!accept("?")) return value;
    const bool holds = number_of(value).as_bool();
    Value yes = conditional();
    expect(":");
    Value no = conditional();
    return holds ? yes : no;
  }

  static constexpr int kUnary = 10;

  Value binary(int level) {
    if (level == kUnary) return unary();
    Value left = binary(level + 1);
    for (;;) {
      const Operator* found = nullptr;
      for (const Operator& op : kOperators) {
        if (op.level != level || !accept_operator(op.token, op.not_before)) continue;
        found = &op;
        break;
      }
      if (found == nullptr) return left;
      const Value right = binary(level + 1);
      left = apply(found->token, left, right);
    }
  }

  [[nodiscard]] static bool is_address(const Value& value) {
    return value.type->kind == Kind::pointer || value.type->kind == Kind::array;
  }

  Value apply(std::string_view op, const Value& left, const Value& right) {
    if (op == "&&") return truth(number_of(left).as_bool() && number_of(right).as_bool());
    if (op == "||") return truth(number_of(left).as_bool() || number_of(right).as_bool());
    if ((op == "+" || op == "-") && is_address(left) && right.type->is_number()) {
      const std::int64_t by = number_of(right).whole;
      return address_of(element(left, op == "+" ? by : -by));
    }
    const Number a = number_of(left), b = number_of(right);
    if (op == "==") return truth(compare(a, b) == 0);
    if (op == "!=") return truth(compare(a, b) != 0);
    if (op == "<") return truth(compare(a, b) == -1);
    if (op == "<=") return truth(compare(a, b) == -1 || compare(a, b) == 0);
    if (op == ">") return truth(compare(a, b) == 1);
    if (op == ">=") return truth(compare(a, b) == 1 || compare(a, b) == 0);
    return value_of(a.is_real || b.is_real ? real(op, a.as_real(), b.as_real()) : whole(op, a, b));
  }

  /// -1, 0, 1; 2 with a NaN.
  static int compare(const Number& a, const Number& b) {
    if (a.is_real || b.is_real) {
      const double x = a.as_real(), y = b.as_real();
      return x < y ? -1 : x > y ? 1 : x == y ? 0 : 2;
    }
    if (a.is_unsigned != b.is_unsigned && (a.whole < 0 || b.whole < 0)) {
      // As a person reads it, and not as C converts it: -1 < 1u.
      return !a.is_unsigned && a.whole < 0   ? -1
             : !b.is_unsigned && b.whole < 0 ? 1
             : a.is_unsigned                 ? 1
                                             : -1;
    }
    return a.whole < b.whole ? -1 : a.whole > b.whole ? 1 : 0;
  }

  static Number real(std::string_view op, double a, double b) {
    Number result{.is_real = true, .is_unsigned = false, .whole = 0, .real = 0};
    if (op == "+") {
      result.real = a + b;
    } else if (op == "-") {
      result.real = a - b;
    } else if (op == "*") {
      result.real = a * b;
    } else if (op == "/") {
      result.real = a / b;
    } else {
      fail(fmt::format("'{}' needs whole numbers", op));
    }
    return result;
  }

  static Number whole(std::string_view op, const Number& a, const Number& b) {
    Number result{
        .is_real = false, .is_unsigned = a.is_unsigned && b.is_unsigned, .whole = 0, .real = 0};
    const auto x = static_cast<std::uint64_t>(a.whole), y = static_cast<std::uint64_t>(b.whole);
    std::uint64_t bits = 0;
    if (op == "/" || op == "%") {
      if (y == 0) fail("a division by zero");
      const bool natural = a.is_unsigned || b.is_unsigned;
      if (natural || b.whole == -1) {
        bits = natural ? (op == "/" ? x / y : x % y) : (op == "/" ? 0 - x : 0);
      } else {
        bits = static_cast<std::uint64_t>(op == "/" ? a.whole / b.whole : a.whole % b.whole);
      }
    } else if (op == "<<" || op == ">>") {
      bits = y >= 64 ? 0 : op == "<<" ? x << y : x >> y;
    } else {
      bits = op == "+"   ? x + y
             : op == "-" ? x - y
             : op == "*" ? x * y
             : op == "&" ? x & y
             : op == "|" ? x | y
                         : x ^ y;
      // A difference below zero is shown as such.
      if (op == "-" && x < y) result.is_unsigned = false;
    }
    result.whole = static_cast<std::int64_t>(bits);
    return result;
  }

  Value unary() {
    skip_blank();
    if (accept_operator("!", "=")) return truth(!number_of(unary()).as_bool());
    if (accept("~")) {
      Number number = number_of(unary());
      number.whole = ~number.whole;
      return value_of(number);
    }
    if (accept("-")) {
      Number number = number_of(unary());
      number.is_unsigned = false;
      number.whole = static_cast<std::int64_t>(0 - static_cast<std::uint64_t>(number.whole));
      number.real = -number.real;
      return value_of(number);
    }
    if (accept_operator("*", "*")) return element(unary(), 0);
    if (accept_operator("&", "&")) return address_of(unary());
    if (const Type* type = cast()) return converted(unary(), type);
    return postfix(primary());
  }

  /// "(float*)": nothing is read when the brackets hold no known type.
  const Type* cast() {
    const std::size_t start = at_;
    if (!accept("(")) return nullptr;
    const std::size_t close = text_.find(')', at_);
    if (close != text_.npos) {
      std::string_view name = text_.substr(at_, close - at_);
      const bool letters =
          std::ranges::all_of(name, [](char c) { return is_name_part(c) || c == ' ' || c == '*'; });
      if (letters && !name.empty()) {
        const Type* type = types_.named(name);
        const Type* base = type;
        while (base->kind == Kind::pointer) base = base->target;
        if (base->kind != Kind::structure) {
          at_ = close + 1;
          return type;
        }
      }
    }
    at_ = start;
    return nullptr;
  }

  Value converted(const Value& from, const Type* type) {
    if (type->kind == Kind::pointer) {
      const Number number = number_of(from);
      Value pointer;
      pointer.type = type;
      pointer.bytes.resize(8);
      std::memcpy(pointer.bytes.data(), &number.whole, 8);
      return pointer;
    }
    const Number number = number_of(from);
    Value value;
    value.type = type;
    value.bytes.resize(type->size);
    if (type->kind == Kind::real) {
      const double real = number.as_real();
      const auto narrow = static_cast<float>(real);
      if (type->size == 4) {
        std::memcpy(value.bytes.data(), &narrow, 4);
      } else {
        std::memcpy(value.bytes.data(), &real, 8);
      }
      return value;
    }
    std::int64_t whole = number.is_real ? static_cast<std::int64_t>(number.real) : number.whole;
    if (type->kind == Kind::boolean) whole = number.as_bool() ? 1 : 0;
    std::memcpy(value.bytes.data(), &whole, std::min<std::size_t>(type->size, 8));
    return value;
  }

  Value element(const Value& base, std::int64_t index) {
    if (base.type->kind == Kind::array) {
      const bool inside = index >= 0 && static_cast<std::uint64_t>(index) < base.type->count;
      if (!inside) {
        Value outside;
        outside.type = base.type->target;
        outside.problem =
            fmt::format("index {} is outside of 0 to {}", index, base.type->count - 1);
        return outside;
      }
      return element_of(base, static_cast<std::uint64_t>(index));
    }
    if (base.type->kind != Kind::pointer)
      fail(fmt::format("a {} has no elements", base.type->name));
    if (base.type->target->size == 0)
      fail(fmt::format("the size of {} is not known", base.type->target->name));
    return target_of(thread_, base, index);
  }

  Value address_of(const Value& value) {
    if (!value.problem.empty()) fail(value.problem);
    if (!value.in_memory) fail("the value is in a register and has no address");
    Value pointer;
    pointer.type = types_.pointer_to(value.type);
    const std::uint64_t address = generic_address(value);
    pointer.bytes.resize(8);
    std::memcpy(pointer.bytes.data(), &address, 8);
    return pointer;
  }

  Value member(const Value& whole) {
    const std::string_view name = identifier();
    if (name.empty()) fail("expected the name of a member");
    for (const Type::Member& member : whole.type->members) {
      if (member.name == name) return member_of(whole, member);
    }
    fail(fmt::format("{} has no member {} that is known", whole.type->name, name));
  }

  Value postfix(Value value) {
    for (;;) {
      if (accept("[")) {
        const Number index = number_of(conditional());
        expect("]");
        if (index.is_real) fail("an index has to be a whole number");
        value = element(value, index.whole);
      } else if (accept("->")) {
        value = member(element(value, 0));
      } else if (accept_operator(".", "0123456789")) {
        value = member(value);
      } else {
        return value;
      }
    }
  }

  std::string_view identifier() {
    skip_blank();
    const std::size_t start = at_;
    if (at_ < text_.size() && is_name_start(text_[at_])) {
      ++at_;
      while (at_ < text_.size() &&
             (is_name_part(text_[at_]) || text_.substr(at_).starts_with("::"))) {
        at_ += text_[at_] == ':' ? 2 : 1;
      }
    }
    return text_.substr(start, at_ - start);
  }

  Value literal() {
    std::size_t end = at_;
    const bool hex = text_.substr(at_).starts_with("0x") || text_.substr(at_).starts_with("0X");
    const auto belongs = [&](char c) {
      if (hex) return std::isxdigit(static_cast<unsigned char>(c)) != 0;
      const bool sign = (c == '+' || c == '-') && (text_[end - 1] == 'e' || text_[end - 1] == 'E');
      return std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '.' || c == 'e' || c == 'E' ||
             sign;
    };
    if (hex) end += 2;
    const std::size_t digits = end;
    while (end < text_.size() && (end == at_ || belongs(text_[end]))) ++end;
    const std::string_view number = text_.substr(at_, end - at_);
    Number result;
    const char* const last = text_.data() + end;
    if (!hex && number.find_first_of(".eE") != number.npos) {
      result.is_real = true;
      const auto parsed = std::from_chars(number.data(), last, result.real);
      if (parsed.ec != std::errc{} || parsed.ptr != last)
        fail(fmt::format("'{}' is not a number", number));
    } else {
      std::uint64_t whole = 0;
      const auto parsed = std::from_chars(text_.data() + digits, last, whole, hex ? 16 : 10);
      if (parsed.ec != std::errc{} || parsed.ptr != last)
        fail(fmt::format("'{}' is not a number", number));
      result.whole = static_cast<std::int64_t>(whole);
    }
    at_ = end;
    while (at_ < text_.size() &&
           std::string_view("uUlLfF").find(text_[at_]) != std::string_view::npos) {
      if (text_[at_] == 'u' || text_[at_] == 'U') result.is_unsigned = true;
      ++at_;
    }
    return value_of(result);
  }

  Value primary() {
    skip_blank();
    if (at_ == text_.size()) fail("the expression ends too early");
    if (accept("(")) {
      const Value value = conditional();
      expect(")");
      return value;
    }
    const char c = text_[at_];
    if (std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '.') return literal();
    const std::string_view name = identifier();
    if (name.empty()) fail(fmt::format("'{}' was not expected", text_.substr(at_)));
    if (name == "true" || name == "false") return truth(name == "true");
    if (const auto value = names_(name)) return *value;
    fail(fmt::format("no variable {} is known here", name));
  }

  Types& types_;
  const Thread& thread_;
  const Lookup& names_;
  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

Value evaluate(Types& types, const Thread& thread, const Lookup& names, std::string_view text) {
  return Evaluation(types, thread, names, text).run();
}

double number_of(Types& types, const Thread& thread, const Value& value) {
  const Lookup nothing;
  return Evaluation(types, thread, nothing, {}).real_of(value);
}

bool is_true(const Thread& thread, const Value& value) {
  const Bytes bytes = read(thread, value);
  if (!bytes.problem.empty()) throw ExpressionError(bytes.problem);
  if (!bytes.initialized) throw ExpressionError("the value is uninitialized");
  if (value.type->kind == Type::Kind::real) {
    double real = 0;
    float narrow = 0;
    if (value.type->size == 4) {
      std::memcpy(&narrow, bytes.data.data(), 4);
      real = static_cast<double>(narrow);
    } else {
      std::memcpy(&real, bytes.data.data(), 8);
    }
    return real != 0;
  }
  return std::ranges::any_of(bytes.data, [](std::byte b) { return b != std::byte{0}; });
}

}  // namespace warpsim::debug
