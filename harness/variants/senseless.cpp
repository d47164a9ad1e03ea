#include "harness/variants/senseless.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <stdexcept>
#include <string_view>

#include "harness/variants/syntax.h"

namespace warpgrade {
namespace {

using Node = SyntaxNode;

class SenseReader {
 public:
  explicit SenseReader(const SourceTokens& tokens) : tokens_(tokens) {}

  [[nodiscard]] bool is_senseless(const Node& node) const {
    const bool itself = (node.kind == Node::Kind::binary && binary(node)) ||
                        (node.kind == Node::Kind::assign && assignment(node)) ||
                        (node.kind == Node::Kind::call && call(node));
    return itself || std::any_of(node.children.begin(), node.children.end(),
                                 [&](const Node& child) { return is_senseless(child); });
  }

 private:
  [[nodiscard]] static const Node& inside(const Node& node) {
    return node.kind == Node::Kind::paren && node.children.size() == 1
               ? inside(node.children.front())
               : node;
  }

  [[nodiscard]] std::string text(const Node& node) const {
    const Node& part = inside(node);
    return text_of(tokens_, part.begin, part.end);
  }

  [[nodiscard]] bool is_zero(const Node& node) const {
    const Node& part = inside(node);
    return part.kind == Node::Kind::number && std::strtod(text(part).c_str(), nullptr) == 0;
  }

  [[nodiscard]] bool binary(const Node& node) const {
    // Of equal operands, + gives twice the operand, and * its square.
    static constexpr std::array<std::string_view, 14> kOfDifferent = {
        "-", "/", "%", "<", "<=", ">", ">=", "==", "!=", "&&", "||", "&", "|", "^"};
    const std::string_view op = tokens_[node.op].text;
    const Node& left = node.children[0];
    const Node& right = node.children[1];
    const bool divides = op == "/" || op == "%";
    if (divides && is_zero(right)) return true;
    if (op == "*" && (is_zero(left) || is_zero(right))) return true;
    const bool needs_two = std::ranges::find(kOfDifferent, op) != kOfDifferent.end();
    return needs_two && text(left) == text(right);
  }

  [[nodiscard]] bool assignment(const Node& node) const {
    const std::string_view op = tokens_[node.op].text;
    const Node& right = node.children[1];
    if ((op == "/=" || op == "%=" || op == "*=") && is_zero(right)) return true;
    return (op == "=" || op == "-=" || op == "/=") && text(node.children[0]) == text(right);
  }

  /// max(a, a)
  [[nodiscard]] bool call(const Node& node) const {
    if (node.children.size() != 3) return false;
    const std::string name = text(node.children[0]);
    return (name == "max" || name == "min") && text(node.children[1]) == text(node.children[2]);
  }

  const SourceTokens& tokens_;
};

}  // namespace

bool is_senseless(const std::string& expression) {
  try {
    const SourceTokens tokens = tokens_of(expression);
    return SenseReader(tokens).is_senseless(expression_of(tokens));
  } catch (const std::invalid_argument&) {
    return false;
  }
}

}  // namespace warpgrade
