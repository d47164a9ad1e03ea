#include "harness/variants/flow.h"

#include <algorithm>
#include <functional>

namespace warpgrade {
namespace {

using Node = SyntaxNode;
using Statement = SyntaxStatement;

void add_names(const SourceTokens& tokens, const Node& node, std::set<std::string>& names) {
  if (node.kind == Node::Kind::name) names.insert(text_of(tokens, node.begin, node.end));
  if (node.kind == Node::Kind::member) names.insert(std::string(tokens[node.op].text));
  for (std::size_t i = 0; i < node.children.size(); ++i) {
    // Of `a[i] = b[i] = 0` the inner left side is not read by the outer one.
    const bool is_written = node.kind == Node::Kind::assign && i == 0;
    if (!is_written) add_names(tokens, node.children[i], names);
  }
}

}  // namespace

std::set<std::string> names_in(const SourceTokens& tokens, const SyntaxNode& node) {
  std::set<std::string> names;
  add_names(tokens, node, names);
  return names;
}

std::string written_by(const SourceTokens& tokens, const SyntaxNode& left) {
  switch (left.kind) {
    case Node::Kind::name:
      return text_of(tokens, left.begin, left.end);
    case Node::Kind::member:
      return std::string(tokens[left.op].text);
    case Node::Kind::subscript:
    case Node::Kind::unary:
    case Node::Kind::postfix:
    case Node::Kind::paren:
      return written_by(tokens, left.children.front());
    default:
      return {};
  }
}

OutputFlow::OutputFlow(const SourceTokens& tokens, const std::vector<SyntaxFunction>& functions)
    : tokens_(tokens) {
  for (std::size_t i = 4; i + 1 < tokens.size(); ++i) {
    // auto bins = call.integers(
    if (tokens[i].is("integers") && tokens[i - 1].is(".") && tokens[i - 3].is("=")) {
      outputs_.insert(std::string(tokens[i - 4].text));
    }
  }
  for (std::size_t before = 0, now = 1; before != now;) {
    before = variables_.size() + statements_.size();
    for (const SyntaxFunction& function : functions) follow(function.body);
    now = variables_.size() + statements_.size();
  }
}

void OutputFlow::add(const SyntaxNode& node) {
  variables_.merge(names_in(tokens_, node));
}

bool OutputFlow::follow_expression(const SyntaxNode& node) {
  const bool writes =
      node.kind == Node::Kind::assign || node.kind == Node::Kind::postfix ||
      (node.kind == Node::Kind::unary && (tokens_[node.op].is("++") || tokens_[node.op].is("--")));
  if (writes) {
    const std::string written = written_by(tokens_, node.children.front());
    if (!is_output(written) && !variables_.contains(written)) {
      // `a = b = 0`: the inner one may be an output.
      return node.children.size() > 1 && node.children[1].kind == Node::Kind::assign &&
             follow_expression(node.children[1]);
    }
    add(node);
    // Its index, too.
    for (const Node* left = &node.children.front();; left = &left->children.front()) {
      if (left->kind == Node::Kind::subscript) add(left->children[1]);
      if (left->kind == Node::Kind::subscript || left->kind == Node::Kind::member) {
        if (left->children.front().kind == Node::Kind::name) add(left->children.front());
      }
      if (left->children.empty()) break;
    }
    return true;
  }
  if (node.kind != Node::Kind::call) return false;
  const Node& called = node.children.front();
  if (called.kind == Node::Kind::member &&
      !variables_.contains(written_by(tokens_, called.children.front()))) {
    return false;
  }
  add(node);
  return true;
}

bool OutputFlow::follow_bodies(const SyntaxNode& node) {
  bool found = false;
  for (const Statement& body : node.body) found = follow(body) || found;
  for (const Node& child : node.children) found = follow_bodies(child) || found;
  return found;
}

bool OutputFlow::follow(const SyntaxStatement& statement) {
  using Kind = Statement::Kind;
  bool concerns = false;
  for (const Statement& child : statement.children) concerns = follow(child) || concerns;
  for (const Node& node : statement.expressions) concerns = follow_bodies(node) || concerns;
  switch (statement.kind) {
    case Kind::block:
      break;
    case Kind::expression:
      concerns = follow_expression(statement.expressions.front()) || concerns;
      if (concerns) add(statement.expressions.front());
      break;
    case Kind::declaration:
      for (const auto& declared : statement.declared) {
        if (!variables_.contains(declared.name)) continue;
        concerns = true;
        if (declared.value >= 0) {
          add(statement.expressions[static_cast<std::size_t>(declared.value)]);
        }
      }
      break;
    case Kind::jump:
      concerns = true;
      break;
    case Kind::result:
      concerns = true;
      for (const Node& node : statement.expressions) add(node);
      break;
    case Kind::condition:
    case Kind::loop:
    case Kind::range_loop:
    case Kind::choice:
      for (const Node& node : statement.expressions) {
        if (concerns) add(node);
      }
      break;
    case Kind::other:
      break;
  }
  if (concerns) statements_.insert(&statement);
  return concerns;
}

}  // namespace warpgrade
