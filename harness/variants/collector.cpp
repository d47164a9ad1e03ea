#include "harness/variants/collector.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "harness/variants/senseless.h"

namespace warpgrade {
namespace {

using NodeKind = SyntaxNode::Kind;

/// A quoted expression grows to the whole one around it up to so many characters.
constexpr std::size_t kLongQuote = 44;
/// The array around an index, and a loop's limit, up to these.
constexpr std::size_t kLongestQuote = 72;

const std::set<std::string> kWhole = {
    "size_t",   "int64_t",      "uint64_t", "int32_t",       "uint32_t", "int16_t",
    "uint16_t", "int8_t",       "uint8_t",  "ptrdiff_t",     "int",      "unsigned",
    "long",     "unsigned int", "char",     "unsigned long", "long long"};

}  // namespace

std::string class_of_type(std::string type) {
  while (type.ends_with('&')) type.pop_back();
  if (kWhole.contains(type)) return "whole";
  if (type == "double" || type == "float" || type == "Float16" || type == "BFloat16") return "real";
  return type == "auto" ? "" : type;
}

std::vector<GoldenChange> ChangeCollector::run() {
  for (const SyntaxFunction& function : functions_) {
    if (function.name == "WARPGRADE_ACCEPTS") continue;
    variables_.clear();
    for (const auto& parameter : function.parameters) {
      variables_.push_back({parameter.name, {.name = class_of_type(parameter.type)}});
    }
    constants_.clear();
    statement(function.body, false);
    exchange_of_constants();
  }
  exchange_of_arguments();
  return std::move(changes_);
}

std::string ChangeCollector::raw(const Node& node) const {
  return text_of(tokens_, node.begin, node.end);
}

const ChangeCollector::Variable* ChangeCollector::find(const std::string& name) const {
  const auto found = std::find_if(variables_.rbegin(), variables_.rend(),
                                  [&](const Variable& v) { return v.name == name; });
  return found == variables_.rend() ? nullptr : &*found;
}

ChangeCollector::Class ChangeCollector::class_of(const Node& node) const {
  switch (node.kind) {
    case NodeKind::number: {
      const std::string text = raw(node);
      const bool is_hex = text.starts_with("0x");
      const bool is_real =
          text.find('.') != text.npos || text.find(is_hex ? 'p' : 'e') != text.npos;
      return {.name = is_real ? "real" : "whole"};
    }
    case NodeKind::name: {
      const std::string text = raw(node);
      if (text == "true" || text == "false") return {.name = "bool"};
      if (text == "INFINITY") return {.name = "real"};
      const Variable* variable = find(text);
      return variable == nullptr ? Class() : variable->kind;
    }
    case NodeKind::cast:
      return class_of_cast(node);
    case NodeKind::call:
      return class_of_call(node);
    case NodeKind::subscript: {
      const std::string array = class_of(node.children.front()).name;
      if (array.starts_with("input ")) return {.name = class_of_type(array.substr(6))};
      if (array.ends_with('*')) return {.name = class_of_type(array.substr(0, array.size() - 1))};
      if (array == "vector<double>" || raw(node.children.front()).ends_with(".want") ||
          raw(node.children.front()).ends_with(".condition")) {
        return {.name = "real"};
      }
      return array == "integers" ? Class{.name = "whole"} : Class();
    }
    case NodeKind::binary: {
      if (binding_of(op_of(node)) <= 7 && binding_of(op_of(node)) != 3 &&
          binding_of(op_of(node)) != 4 && binding_of(op_of(node)) != 5) {
        return {.name = "bool"};
      }
      const Class left = class_of(node.children[0]);
      const Class right = class_of(node.children[1]);
      if (left.name == "real" || right.name == "real") return {.name = "real"};
      return {.name = left.name.empty() ? right.name : left.name};
    }
    case NodeKind::unary:
      return op_of(node) == "!" ? Class{.name = "bool"}
             : op_of(node) == "-" || op_of(node) == "+"
                 ? Class{.name = class_of(node.children.front()).name}
                 : Class();
    case NodeKind::paren:
      return class_of(node.children.front());
    case NodeKind::ternary:
      return {.name = class_of(node.children[1]).name};
    default:
      return {};
  }
}

ChangeCollector::Class ChangeCollector::class_of_cast(const Node& node) const {
  std::string type;
  const bool is_braces = tokens_[node.begin].text != "static_cast";
  for (std::size_t i = node.begin + (is_braces ? 0 : 2);
       i < node.end && !tokens_[i].is(">") && !tokens_[i].is("{") && !tokens_[i].is("("); ++i) {
    if (!tokens_[i].is("std") && !tokens_[i].is("::")) type += tokens_[i].text;
  }
  const bool is_extent = node.children.size() == 1 && class_of(node.children.front()).is_extent;
  return {.name = class_of_type(type), .is_extent = is_extent};
}

ChangeCollector::Class ChangeCollector::class_of_call(const Node& node) const {
  const Node& called = node.children.front();
  if (called.kind == NodeKind::member) {
    const std::string member(tokens_[called.op].text);
    if (member == "size") return {.name = "whole"};
    if (member == "dim") return {.name = "whole", .is_extent = true};
    if (member == "integers") return {.name = "integers"};
    if (member == "floats") return {.name = "floats"};
    if (member == "input") {
      return {.name = "input " + text_of(tokens_, called.op + 2, called.end - 1)
                                     .substr(tokens_[called.op + 2].is("std") ? 5 : 0)};
    }
    return {};
  }
  const std::string name = raw(called);
  if (name.starts_with("std::max") || name.starts_with("std::min")) {
    return node.children.size() > 1 ? Class{.name = class_of(node.children[1]).name} : Class();
  }
  if (name.starts_with("std::exp") || name.starts_with("std::abs") ||
      name.starts_with("std::sqrt") || name.starts_with("std::numeric_limits<double>") ||
      name.starts_with("std::pow") || name.starts_with("std::log")) {
    return {.name = "real"};
  }
  const auto own = std::find_if(functions_.begin(), functions_.end(),
                                [&](const SyntaxFunction& f) { return f.name == name; });
  return own == functions_.end() ? Class() : Class{.name = class_of_type(own->type)};
}

void ChangeCollector::declare(const Statement& statement) {
  for (const auto& declared : statement.declared) {
    if (statement.is_constant) constants_[declared.name];
  }
  for (const auto& declared : statement.declared) {
    Class kind{.name = class_of_type(declared.type)};
    if (declared.value >= 0) {
      const Class of_value =
          class_of(statement.expressions[static_cast<std::size_t>(declared.value)]);
      if (kind.name.empty()) kind.name = of_value.name;
      kind.is_extent = of_value.is_extent;
    }
    variables_.push_back({declared.name, kind});
  }
}

bool ChangeCollector::is_effect(const Node& node) const {
  return node.kind == NodeKind::assign || node.kind == NodeKind::postfix ||
         (node.kind == NodeKind::unary && (op_of(node) == "++" || op_of(node) == "--"));
}

const SyntaxNode& ChangeCollector::quoted(const Node& node, bool& is_whole) const {
  std::size_t at = path_.size();
  while (at > 0 && path_[at - 1].node != &node) --at;
  if (at == 0) return node;
  const Node* best = &node;
  std::size_t place = at - 1;
  for (std::size_t i = place; i-- > 0;) {
    const Node& outer = *path_[i].node;
    const bool is_part = best->kind == NodeKind::name || best->kind == NodeKind::number ||
                         (outer.kind == NodeKind::subscript && &outer.children[1] == best);
    const std::size_t most = is_part ? kLongestQuote : kLongQuote;
    if (outer.kind == NodeKind::lambda || shown(tokens_, outer).size() > most) break;
    best = &outer;
    place = i;
  }
  is_whole = place == 0;
  return *best;
}

void ChangeCollector::replace(const Node& node, const SyntaxEdits& edits, ChangeRank rank,
                              std::string pitfall) {
  bool is_whole = false;
  const Node& quote = quoted(node, is_whole);
  std::string before = shown(tokens_, quote);
  std::string after = shown(tokens_, quote, edits);
  if (before == after) return;
  const Node& all = path_.empty() ? node : *path_.front().node;
  const std::string named = declared_.empty() ? "" : declared_ + " = ";
  if (is_senseless(named + shown(tokens_, all, edits)) &&
      !is_senseless(named + shown(tokens_, all))) {
    return;
  }
  if (is_whole && !declared_.empty()) {
    before = named + before;
    after = named + after;
  }
  GoldenChange change{.line = line_,
                      .says = fmt::format("with `{}` in place of `{}`", after, before),
                      .pitfall = std::move(pitfall),
                      .rank = static_cast<int>(rank)};
  const auto whole = edits.find(&node);
  change.replaced = {{&node, whole != edits.end() ? whole->second : edited(tokens_, node, edits)}};
  add(std::move(change));
}

void ChangeCollector::add(GoldenChange change) {
  std::string key;
  for (const auto& [node, text] : change.replaced) key += fmt::format("{} {};", node->begin, text);
  if (change.left_out == nullptr && !key.empty() && !known_.insert(key).second) return;
  changes_.push_back(std::move(change));
}

}  // namespace warpgrade
