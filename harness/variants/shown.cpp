#include "harness/variants/shown.h"

#include <functional>
#include <stdexcept>

namespace warpgrade {
namespace {

using Node = SyntaxNode;

constexpr int kStrongest = 100;

/// How strongly an expression is bound together, as binding_of().
int binding_of_node(const SourceTokens& tokens, const Node& node) {
  switch (node.kind) {
    case Node::Kind::binary:
      return binding_of(tokens[node.op].text);
    case Node::Kind::unary:
      return kStrongest - 1;
    case Node::Kind::ternary:
    case Node::Kind::assign:
      return 0;
    default:
      return kStrongest;
  }
}

/// What an operand in this place must bind at least, or parentheses are around it.
int needed(const SourceTokens& tokens, const Node& parent, std::size_t child) {
  switch (parent.kind) {
    case Node::Kind::binary:
      return binding_of(tokens[parent.op].text) + (child == 1 ? 1 : 0);
    case Node::Kind::unary:
      return kStrongest - 1;
    case Node::Kind::subscript:
    case Node::Kind::member:
    case Node::Kind::call:
      return child == 0 ? kStrongest : 0;
    case Node::Kind::postfix:
      return kStrongest;
    case Node::Kind::ternary:
      return child == 0 ? 1 : 0;
    default:
      return 0;
  }
}

/// With the children in place of their tokens.
std::string joined(const SourceTokens& tokens, const Node& node,
                   const std::function<std::string(std::size_t)>& child_text) {
  std::string text;
  std::size_t at = node.begin;
  const auto space = [&](std::size_t i) {
    if (i > node.begin && tokens[i].begin > tokens[i - 1].end()) text += ' ';
  };
  for (std::size_t c = 0; c < node.children.size(); ++c) {
    const Node& child = node.children[c];
    for (; at < child.begin; ++at) {
      space(at);
      text += tokens[at].text;
    }
    space(at);
    text += child_text(c);
    at = child.end;
  }
  for (; at < node.end; ++at) {
    space(at);
    text += tokens[at].text;
  }
  return text;
}

struct Text {
  std::string text;
  int binding = kStrongest;
};

Text shown_with(const SourceTokens& tokens, const Node& node, const SyntaxEdits& edits);

/// Of a text that is an expression by itself.
Text shown_text(const std::string& text) {
  try {
    const SourceTokens own = tokens_of(text);
    return shown_with(own, expression_of(own), {});
  } catch (const std::invalid_argument&) {
    return {text, 0};
  }
}

std::string child_shown(const SourceTokens& tokens, const Node& node, std::size_t child,
                        const SyntaxEdits& edits) {
  const Text part = shown_with(tokens, node.children[child], edits);
  return part.binding < needed(tokens, node, child) ? "(" + part.text + ")" : part.text;
}

std::string without_std(std::string text) {
  for (std::size_t at = text.find("std::"); at != text.npos; at = text.find("std::", at)) {
    text.erase(at, 5);
  }
  // numeric_limits<double>::infinity
  if (const std::size_t limits = text.find("numeric_limits"); limits != text.npos) {
    return text.substr(text.rfind(':') + 1);
  }
  if (const std::size_t open = text.find('<'); open != text.npos) text.erase(open);
  return text;
}

Text shown_with(const SourceTokens& tokens, const Node& node, const SyntaxEdits& edits) {
  if (const auto edit = edits.find(&node); edit != edits.end()) return shown_text(edit->second);
  switch (node.kind) {
    case Node::Kind::cast:
    case Node::Kind::paren:
      if (node.children.size() == 1) return shown_with(tokens, node.children.front(), edits);
      break;
    case Node::Kind::name:
      return {without_std(text_of(tokens, node.begin, node.end))};
    case Node::Kind::member:
      if (tokens[node.op].is("want")) return shown_with(tokens, node.children.front(), edits);
      break;
    case Node::Kind::call: {
      const Node& called = node.children.front();
      const bool gets = called.kind == Node::Kind::member && node.children.size() == 2 &&
                        node.children[1].kind == Node::Kind::literal &&
                        tokens[node.children[1].begin].kind == SourceToken::Kind::text;
      if (gets) {
        const std::string_view quoted = tokens[node.children[1].begin].text;
        return {std::string(quoted.substr(1, quoted.size() - 2))};
      }
      break;
    }
    default:
      break;
  }
  return {joined(tokens, node,
                 [&](std::size_t child) { return child_shown(tokens, node, child, edits); }),
          binding_of_node(tokens, node)};
}

}  // namespace

std::string shown(const SourceTokens& tokens, const SyntaxNode& node, const SyntaxEdits& edits) {
  return shown_with(tokens, node, edits).text;
}

std::string edited(const SourceTokens& tokens, const SyntaxNode& node, const SyntaxEdits& edits) {
  const auto edit = edits.find(&node);
  if (edit != edits.end()) return "(" + edit->second + ")";
  return joined(tokens, node, [&](std::size_t child) {
    const Node& part = node.children[child];
    // A name that replaces a name may be called, or have members.
    const auto of_child = edits.find(&part);
    if (of_child != edits.end() && part.kind == Node::Kind::name) return of_child->second;
    return edited(tokens, part, edits);
  });
}

}  // namespace warpgrade
