#include "harness/variants/syntax.h"

#include <algorithm>
#include <array>
#include <set>
#include <stdexcept>
#include <utility>

namespace warpgrade {
namespace {

using Node = SyntaxNode;
using Statement = SyntaxStatement;

/// What this reader does not understand.
struct NotUnderstood : std::invalid_argument {
  NotUnderstood() : std::invalid_argument("the expression is not understood") {}
};

const std::set<std::string_view> kCasts = {"static_cast", "const_cast", "reinterpret_cast",
                                           "dynamic_cast"};
const std::set<std::string_view> kAssigning = {
    "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="};
const std::set<std::string_view> kNoTypes = {
    "return", "else",  "case", "goto",     "delete",   "new",    "throw",  "using", "typedef",
    "break",  "do",    "if",   "continue", "template", "while",  "switch", "for",   "sizeof",
    "true",   "false", "this", "default",  "operator", "struct", "enum",   "class", "namespace"};
const std::set<std::string_view> kBuiltin = {"unsigned", "signed", "long",  "short",
                                             "int",      "char",   "double"};

class Reader {
 public:
  explicit Reader(const SourceTokens& tokens) : tokens_(tokens) {}

  std::vector<SyntaxFunction> functions() {
    std::vector<SyntaxFunction> found;
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      if (!is(i, "{")) continue;
      const std::size_t open = parameters_before(i);
      if (open == tokens_.size()) continue;  // of a namespace or a class: goes on inside
      SyntaxFunction function;
      function.name = std::string(tokens_[open - 1].text);
      function.parameters = parameters(open);
      function.type = type_before(open - 1);
      std::size_t at = i;
      if (!is_constexpr(open)) {
        function.body = statement(at, closing(tokens_, i) + 1);
        found.push_back(std::move(function));
      }
      i = closing(tokens_, i);
    }
    return found;
  }

  Node whole() {
    std::size_t at = 0;
    Node node = assigning(at, tokens_.size());
    if (at != tokens_.size()) throw NotUnderstood();
    return node;
  }

 private:
  [[nodiscard]] bool is(std::size_t i, std::string_view text) const {
    return i < tokens_.size() && tokens_[i].is(text);
  }
  [[nodiscard]] bool is_word(std::size_t i) const {
    return i < tokens_.size() && tokens_[i].kind == SourceToken::Kind::name;
  }

  /// The parenthesis of the parameters of the function whose body begins here; the number of tokens
  /// if it is something else's.
  [[nodiscard]] std::size_t parameters_before(std::size_t brace) const {
    std::size_t i = brace;
    while (i > 0 && (is(i - 1, "const") || is(i - 1, "noexcept") || is(i - 1, "override"))) --i;
    if (i == 0 || !is(i - 1, ")")) return tokens_.size();
    int depth = 0;
    for (std::size_t k = i; k-- > 0;) {
      depth += is(k, ")") ? 1 : is(k, "(") ? -1 : 0;
      if (depth == 0) return k > 0 && is_word(k - 1) ? k : tokens_.size();
    }
    return tokens_.size();
  }

  /// Whether the function with these parameters is constexpr: it cannot ask which variant it is.
  [[nodiscard]] bool is_constexpr(std::size_t open) const {
    for (std::size_t i = open; i-- > 0;) {
      if (is(i, ";") || is(i, "}") || is(i, "{")) return false;
      if (is(i, "constexpr") || is(i, "consteval")) return true;
    }
    return false;
  }

  /// The type of the function whose name this is.
  [[nodiscard]] std::string type_before(std::size_t name) const {
    std::size_t begin = name;
    const auto ends = [&](std::size_t i) {
      return is(i, ";") || is(i, "}") || is(i, "{") || is(i, ":") || is(i, "]") || is(i, ")");
    };
    while (begin > 0 && !ends(begin - 1)) --begin;
    return type_at(begin, name);
  }

  std::vector<Statement::Declared> parameters(std::size_t open) {
    std::vector<Statement::Declared> found;
    const std::size_t close = closing(tokens_, open);
    for (std::size_t i = open + 1; i < close;) {
      std::size_t end = i;
      for (int depth = 0; end < close && (depth > 0 || !is(end, ",")); ++end) {
        depth += is(end, "<") || is(end, "(") ? 1 : is(end, ">") || is(end, ")") ? -1 : 0;
      }
      std::size_t at = i;
      const std::string type = type_at(at, end);
      if (!type.empty() && at + 1 == end && is_word(at)) {
        found.push_back({.name = std::string(tokens_[at].text), .type = type});
      }
      i = end + 1;
    }
    return found;
  }

  /// After the arguments of a template, which begin here; `end` if these are none.
  [[nodiscard]] std::size_t after_arguments(std::size_t open, std::size_t end) const {
    int depth = 0;
    for (std::size_t i = open; i < end; ++i) {
      if (is(i, "<")) {
        ++depth;
      } else if (is(i, ">") || is(i, ">>")) {
        depth -= is(i, ">>") ? 2 : 1;
        if (depth <= 0) return i + 1;
      } else if (!is_word(i) && !is(i, "::") && !is(i, ",") && !is(i, "*") && !is(i, "&") &&
                 tokens_[i].kind != SourceToken::Kind::number) {
        return end;
      }
    }
    return end;
  }

  /// A type without const and std::; moves `at` past it. Empty if there is none.
  std::string type_at(std::size_t& at, std::size_t end) const {
    std::size_t i = at;
    std::string type;
    const auto skip_const = [&] {
      while (is(i, "const") || is(i, "constexpr") || is(i, "static") || is(i, "volatile")) ++i;
    };
    skip_const();
    if (!is_word(i) || kNoTypes.contains(tokens_[i].text)) return {};
    if (kBuiltin.contains(tokens_[i].text)) {
      for (; i < end && is_word(i) && kBuiltin.contains(tokens_[i].text); ++i) {
        type += (type.empty() ? "" : " ") + std::string(tokens_[i].text);
      }
    } else {
      for (bool more = true; more && i < end && is_word(i);) {
        if (!(is(i, "std") || is(i, "warpgrade"))) type += tokens_[i].text;
        ++i;
        if (is(i, "<")) {
          const std::size_t after = after_arguments(i, end);
          if (after == end) return {};
          type += text_of(tokens_, i, after);
          i = after;
        }
        more = is(i, "::");
        if (more) ++i;
        if (more && type.size() > 0) type += "::";
      }
    }
    skip_const();
    for (; is(i, "*") || is(i, "&") || is(i, "&&") || is(i, "const"); ++i) {
      if (!is(i, "const")) type += tokens_[i].text;
    }
    at = i;
    return type;
  }

  Statement statement(std::size_t& at, std::size_t end) {
    const std::size_t begin = at;
    Statement made;
    try {
      made = understood(at, end);
    } catch (const NotUnderstood&) {
      made = Statement();
      at = after_other(begin, end);
    }
    made.begin = begin;
    made.end = at;
    return made;
  }

  /// After a statement that is not understood: its semicolon, or its block.
  [[nodiscard]] std::size_t after_other(std::size_t at, std::size_t end) const {
    for (std::size_t i = at; i < end; ++i) {
      if (is(i, ";")) return i + 1;
      if (is(i, "(") || is(i, "[")) i = closing(tokens_, i);
      if (!is(i, "{")) continue;
      i = closing(tokens_, i);
      if (!is(i + 1, ";") && !is(i + 1, ",") && !is(i + 1, ")") && !is(i + 1, "else")) {
        return std::min(i + 1, end);
      }
    }
    return end;
  }

  Statement understood(std::size_t& at, std::size_t end) {
    using Kind = Statement::Kind;
    Statement made;
    if (is(at, "{")) {
      const std::size_t close = closing(tokens_, at);
      made.kind = Kind::block;
      for (++at; at < close;) made.children.push_back(statement(at, close));
      at = close + 1;
      return made;
    }
    if (is(at, "if")) return condition(at, end);
    if (is(at, "for")) return for_loop(at, end);
    if (is(at, "while")) {
      made.kind = Kind::loop;
      ++at;
      made.expressions.push_back(parenthesized(at));
      made.children.push_back(statement(at, end));
      return made;
    }
    if (is(at, "do")) {
      made.kind = Kind::loop;
      ++at;
      made.children.push_back(statement(at, end));
      if (!is(at, "while")) throw NotUnderstood();
      ++at;
      made.expressions.push_back(parenthesized(at));
      expect(at, ";");
      return made;
    }
    if (is(at, "switch")) {
      made.kind = Kind::choice;
      ++at;
      made.expressions.push_back(parenthesized(at));
      made.children.push_back(statement(at, end));
      return made;
    }
    if (is(at, "case") || is(at, "default")) {
      while (at < end && !is(at, ":")) ++at;
      expect(at, ":");
      return made;
    }
    if (is(at, "break") || is(at, "continue")) {
      made.kind = Kind::jump;
      ++at;
      expect(at, ";");
      return made;
    }
    if (is(at, "return")) {
      made.kind = Kind::result;
      ++at;
      if (!is(at, ";")) made.expressions.push_back(is(at, "{") ? braces(at) : assigning(at, end));
      expect(at, ";");
      return made;
    }
    if (is(at, ";")) {
      ++at;
      return made;
    }
    if (declares(at, end)) {
      made = declaration(at, end);
    } else {
      made.kind = Kind::expression;
      made.expressions.push_back(assigning(at, end));
    }
    expect(at, ";");
    return made;
  }

  void expect(std::size_t& at, std::string_view text) const {
    if (!is(at, text)) throw NotUnderstood();
    ++at;
  }

  Node parenthesized(std::size_t& at) {
    if (!is(at, "(")) throw NotUnderstood();
    const std::size_t close = closing(tokens_, at);
    ++at;
    Node node = assigning(at, close);
    if (at != close) throw NotUnderstood();
    ++at;
    return node;
  }

  Statement condition(std::size_t& at, std::size_t end) {
    Statement made;
    made.kind = Statement::Kind::condition;
    ++at;
    made.expressions.push_back(parenthesized(at));
    made.children.push_back(statement(at, end));
    if (is(at, "else")) {
      ++at;
      made.children.push_back(statement(at, end));
    }
    return made;
  }

  Statement for_loop(std::size_t& at, std::size_t end) {
    Statement made;
    ++at;
    if (!is(at, "(")) throw NotUnderstood();
    const std::size_t close = closing(tokens_, at);
    ++at;
    std::size_t after_type = at;
    const std::string type = type_at(after_type, close);
    if (!type.empty() && is_word(after_type) && is(after_type + 1, ":")) {
      made.kind = Statement::Kind::range_loop;
      made.declared.push_back({.name = std::string(tokens_[after_type].text), .type = type});
      at = after_type + 2;
      made.expressions.push_back(is(at, "{") ? braces(at) : assigning(at, close));
      if (at != close) throw NotUnderstood();
    } else {
      made.kind = Statement::Kind::loop;
      made.children.push_back(statement(at, close));
      if (!is(at, ";")) made.expressions.push_back(assigning(at, close));
      expect(at, ";");
      if (at != close) {
        made.step = made.expressions.size();
        made.expressions.push_back(assigning(at, close));
        while (is(at, ",")) made.expressions.push_back(assigning(++at, close));
      }
      if (at != close) throw NotUnderstood();
    }
    at = close + 1;
    made.children.push_back(statement(at, end));
    return made;
  }

  [[nodiscard]] bool declares(std::size_t at, std::size_t end) const {
    const std::string type = type_at(at, end);
    return !type.empty() && is_word(at) &&
           (is(at + 1, "=") || is(at + 1, "{") || is(at + 1, "(") || is(at + 1, ";") ||
            is(at + 1, ","));
  }

  Statement declaration(std::size_t& at, std::size_t end) {
    Statement made;
    made.kind = Statement::Kind::declaration;
    for (std::size_t i = at; is_word(i); ++i) {
      made.is_constant = made.is_constant || is(i, "constexpr") || is(i, "static");
    }
    const std::string type = type_at(at, end);
    while (true) {
      if (!is_word(at)) throw NotUnderstood();
      Statement::Declared one{.name = std::string(tokens_[at].text), .type = type};
      ++at;
      if (is(at, "=")) {
        ++at;
        one.value = static_cast<int>(made.expressions.size());
        made.expressions.push_back(is(at, "{") ? braces(at) : assigning(at, end));
      } else if (is(at, "(") || is(at, "{")) {
        at = closing(tokens_, at) + 1;  // of a constructor: as it is
      }
      made.declared.push_back(std::move(one));
      if (!is(at, ",")) return made;
      ++at;
    }
  }

  Node assigning(std::size_t& at, std::size_t end) {
    const std::size_t begin = at;
    Node left = choosing(at, end);
    if (at >= end || !kAssigning.contains(tokens_[at].text)) return left;
    Node node;
    node.kind = Node::Kind::assign;
    node.begin = begin;
    node.op = at;
    ++at;
    node.children.push_back(std::move(left));
    node.children.push_back(assigning(at, end));
    node.end = at;
    return node;
  }

  Node choosing(std::size_t& at, std::size_t end) {
    const std::size_t begin = at;
    Node first = operating(at, end, 1);
    if (at >= end || !is(at, "?")) return first;
    Node node;
    node.kind = Node::Kind::ternary;
    node.begin = begin;
    node.op = at;
    ++at;
    node.children.push_back(std::move(first));
    node.children.push_back(assigning(at, end));
    expect(at, ":");
    node.children.push_back(assigning(at, end));
    node.end = at;
    return node;
  }

  Node operating(std::size_t& at, std::size_t end, int least) {
    const std::size_t begin = at;
    Node left = prefixed(at, end);
    while (at < end) {
      const int binding = binding_of(tokens_[at].text);
      if (binding < least || binding == 0) return left;
      Node node;
      node.kind = Node::Kind::binary;
      node.begin = begin;
      node.op = at;
      ++at;
      node.children.push_back(std::move(left));
      node.children.push_back(operating(at, end, binding + 1));
      node.end = at;
      left = std::move(node);
    }
    return left;
  }

  Node prefixed(std::size_t& at, std::size_t end) {
    if (at >= end) throw NotUnderstood();
    const std::string_view text = tokens_[at].text;
    constexpr std::array<std::string_view, 8> kPrefixes = {"-", "+", "!",  "~",
                                                           "&", "*", "++", "--"};
    if (std::find(kPrefixes.begin(), kPrefixes.end(), text) == kPrefixes.end()) {
      return suffixed(at, end);
    }
    Node node;
    node.kind = Node::Kind::unary;
    node.begin = at;
    node.op = at;
    ++at;
    node.children.push_back(prefixed(at, end));
    node.end = at;
    return node;
  }

  Node suffixed(std::size_t& at, std::size_t end) {
    Node node = primary(at, end);
    const std::size_t begin = node.begin;
    while (at < end) {
      Node outer;
      outer.begin = begin;
      outer.op = at;
      if (is(at, "(")) {
        outer.kind = Node::Kind::call;
        outer.children.push_back(std::move(node));
        arguments(at, outer);
      } else if (is(at, "[")) {
        outer.kind = Node::Kind::subscript;
        const std::size_t close = closing(tokens_, at);
        ++at;
        outer.children.push_back(std::move(node));
        outer.children.push_back(assigning(at, close));
        if (at != close) throw NotUnderstood();
        ++at;
      } else if (is(at, ".") || is(at, "->")) {
        outer.kind = Node::Kind::member;
        outer.children.push_back(std::move(node));
        outer.op = ++at;
        if (!is_word(at)) throw NotUnderstood();
        ++at;
        if (is(at, "<")) {
          const std::size_t after = after_arguments(at, end);
          if (after < end && is(after, "(")) at = after;
        }
      } else if (is(at, "++") || is(at, "--")) {
        outer.kind = Node::Kind::postfix;
        outer.children.push_back(std::move(node));
        ++at;
      } else {
        return node;
      }
      outer.end = at;
      node = std::move(outer);
    }
    return node;
  }

  /// The arguments of a call, or the elements in braces, which begin here.
  void arguments(std::size_t& at, Node& node) {
    const std::size_t close = closing(tokens_, at);
    ++at;
    while (at < close) {
      if (is(at, ".") && is_word(at + 1) && is(at + 2, "=")) at += 3;  // .name = value
      node.children.push_back(is(at, "{") ? braces(at) : assigning(at, close));
      if (at != close) expect(at, ",");
    }
    at = close + 1;
  }

  Node braces(std::size_t& at) {
    Node node;
    node.kind = Node::Kind::braces;
    node.begin = at;
    node.op = at;
    arguments(at, node);
    node.end = at;
    return node;
  }

  Node lambda(std::size_t& at) {
    Node node;
    node.kind = Node::Kind::lambda;
    node.begin = at;
    node.op = at;
    at = closing(tokens_, at) + 1;
    if (is(at, "(")) at = closing(tokens_, at) + 1;
    while (at < tokens_.size() && !is(at, "{")) ++at;
    if (at == tokens_.size()) throw NotUnderstood();
    node.body.push_back(statement(at, closing(tokens_, at) + 1));
    node.end = at;
    return node;
  }

  Node primary(std::size_t& at, std::size_t end) {
    using Kind = Node::Kind;
    if (at >= end) throw NotUnderstood();
    const SourceToken& token = tokens_[at];
    Node node;
    node.begin = at;
    node.op = at;
    if (token.kind == SourceToken::Kind::number) {
      node.kind = Kind::number;
      node.end = ++at;
      return node;
    }
    if (token.kind == SourceToken::Kind::text || token.kind == SourceToken::Kind::character) {
      node.end = ++at;
      return node;
    }
    if (is(at, "[")) return lambda(at);
    if (is(at, "(")) {
      node.kind = Kind::paren;
      node.children.push_back(parenthesized(at));
      node.end = at;
      return node;
    }
    if (kCasts.contains(token.text)) {
      const std::size_t after = is(at + 1, "<") ? after_arguments(at + 1, end) : end;
      if (after == end) throw NotUnderstood();
      node.kind = Kind::cast;
      at = after;
      node.children.push_back(parenthesized(at));
      node.end = at;
      return node;
    }
    if (is(at + 1, "(") && (kBuiltin.contains(token.text) || token.is("float"))) {
      node.kind = Kind::cast;  // double(x)
      ++at;
      node.children.push_back(parenthesized(at));
      node.end = at;
      return node;
    }
    constexpr std::array<std::string_view, 3> kValues = {"true", "false", "this"};
    const bool is_value = std::find(kValues.begin(), kValues.end(), token.text) != kValues.end();
    if (!is_word(at) || (kNoTypes.contains(token.text) && !is_value)) throw NotUnderstood();
    node.kind = Kind::name;
    for (++at; at < end; ++at) {
      if (is(at, "<")) {
        const std::size_t after = after_arguments(at, end);
        if (after == end || !(is(after, "(") || is(after, "::") || is(after, "{"))) break;
        at = after;
      }
      if (!is(at, "::") || !is_word(at + 1)) break;
      ++at;
    }
    node.end = at;
    if (!is(at, "{")) return node;
    node.kind = Kind::cast;
    arguments(at, node);
    node.end = at;
    return node;
  }

  const SourceTokens& tokens_;
};

}  // namespace

int binding_of(std::string_view op) {
  constexpr std::array<std::string_view, 18> kOperators = {
      "||", "&&", "|",  "^",  "&", "==", "!=", "<", ">",
      "<=", ">=", "<<", ">>", "+", "-",  "*",  "/", "%"};
  constexpr std::array<int, 18> kBindings = {1, 2, 3, 4, 5, 6, 6,  7,  7,
                                             7, 7, 8, 8, 9, 9, 10, 10, 10};
  const auto* const found = std::find(kOperators.begin(), kOperators.end(), op);
  return found == kOperators.end()
             ? 0
             : kBindings.at(static_cast<std::size_t>(found - kOperators.begin()));
}

std::vector<SyntaxFunction> functions_of(const SourceTokens& tokens) {
  return Reader(tokens).functions();
}

SyntaxNode expression_of(const SourceTokens& tokens) {
  return Reader(tokens).whole();
}

std::string text_of(const SourceTokens& tokens, std::size_t begin, std::size_t end) {
  std::string text;
  for (std::size_t i = begin; i < std::min(end, tokens.size()); ++i) {
    if (i > begin && tokens[i].begin > tokens[i - 1].end()) text += ' ';
    text += tokens[i].text;
  }
  return text;
}

}  // namespace warpgrade
