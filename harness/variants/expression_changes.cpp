#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "harness/variants/collector.h"

namespace warpgrade {
namespace {

/// Variables that are tried in place of another one.
constexpr std::size_t kMostOthers = 8;

}  // namespace

void ChangeCollector::visit(const Node& node, bool is_value) {
  path_.push_back({&node, is_value});
  if (is_value) alternatives(node);
  if (node.kind == NodeKind::name) other_variables(node);
  const auto values_of_children = [&](bool value) {
    for (const Node& child : node.children) visit(child, value);
  };
  switch (node.kind) {
    case NodeKind::binary:
    case NodeKind::cast:
    case NodeKind::braces:
      values_of_children(true);
      break;
    case NodeKind::paren:
      values_of_children(is_value);
      break;
    case NodeKind::assign:
      visit(node.children[0], false);
      visit(node.children[1], !is_effect(node.children[1]));
      break;
    case NodeKind::ternary:
      visit(node.children[0], true);
      visit(node.children[1], is_value);
      visit(node.children[2], is_value);
      break;
    case NodeKind::unary:
      values_of_children(op_of(node) == "-" || op_of(node) == "+" || op_of(node) == "!" ||
                         op_of(node) == "~");
      break;
    case NodeKind::subscript:
      visit(node.children[0], false);
      visit(node.children[1], true);
      break;
    case NodeKind::call:
      visit_call(node);
      break;
    case NodeKind::member:
    case NodeKind::postfix:
      values_of_children(false);
      break;
    default:
      break;
  }
  for (const Statement& body : node.body) {
    const std::vector<Step> path = std::move(path_);
    const std::uint32_t line = line_;
    statement(body, false);
    path_ = path;
    line_ = line;
  }
  path_.pop_back();
}

void ChangeCollector::visit_call(const Node& node) {
  const Node& called = node.children.front();
  if (called.kind != NodeKind::name) visit(called, false);
  for (std::size_t i = 1; i < node.children.size(); ++i) {
    const Node& argument = node.children[i];
    // A whole array is passed as it is.
    const bool is_plain = argument.kind == NodeKind::name || argument.kind == NodeKind::member ||
                          argument.kind == NodeKind::braces;
    visit(argument, !is_plain || class_of(argument).is_number());
  }
}

void ChangeCollector::alternatives(const Node& node) {
  switch (node.kind) {
    case NodeKind::binary:
      operators(node);
      break;
    case NodeKind::number:
      numbers(node);
      break;
    case NodeKind::call:
      functions(node);
      break;
    case NodeKind::ternary:
      replace(node, {{&node, raw(node.children[1])}}, ChangeRank::operand);
      replace(node, {{&node, raw(node.children[2])}}, ChangeRank::operand);
      replace(node,
              {{&node, raw(node.children[0]) + " ? " + raw(node.children[2]) + " : " +
                           raw(node.children[1])}},
              ChangeRank::operand);
      break;
    case NodeKind::unary:
      if (op_of(node) == "-" || op_of(node) == "!") {
        replace(node, {{&node, raw(node.children.front())}}, ChangeRank::operand);
      }
      break;
    default:
      break;
  }
  const Node* parent = path_.size() > 1 ? path_[path_.size() - 2].node : nullptr;
  const bool is_index =
      parent != nullptr && parent->kind == NodeKind::subscript && &parent->children[1] == &node;
  if (is_index) index(node);
  if (is_index || parent == nullptr || parent->kind == NodeKind::assign) exchange_in(node);
}

void ChangeCollector::index(const Node& node) {
  if (node.kind == NodeKind::number) return;
  by_one(node, class_of(node));
}

void ChangeCollector::by_one(const Node& node, const Class& kind) {
  if (kind.name == "real" || kind.name == "bool") return;
  const std::string text = node.kind == NodeKind::ternary ? "(" + raw(node) + ")" : raw(node);
  for (const char* sign : {"+", "-"}) {
    replace(node, {{&node, fmt::format("{} {} 1", text, sign)}}, ChangeRank::by_one_more);
    replace(node, {{&node, fmt::format("{} {} 2", text, sign)}}, ChangeRank::by_two_more);
  }
}

void ChangeCollector::operators(const Node& node) {
  const std::string_view op = op_of(node);
  const std::string left = raw(node.children[0]);
  const std::string right = raw(node.children[1]);
  static const std::map<std::string_view, std::vector<const char*>> kOthers = {
      {"+", {"-", "*"}},  {"-", {"+"}},       {"*", {"+", "/"}},  {"/", {"*", "%"}},
      {"%", {"/"}},       {"<", {"<=", ">"}}, {"<=", {"<", ">"}}, {">", {">=", "<"}},
      {">=", {">", "<"}}, {"==", {"!="}},     {"!=", {"=="}},     {"&&", {"||"}},
      {"||", {"&&"}},     {"&", {"|"}},       {"|", {"&"}},       {"^", {"|", "&"}},
      {"<<", {">>"}},     {">>", {"<<"}}};
  const auto others = kOthers.find(op);
  if (others == kOthers.end()) return;
  for (const char* other : others->second) {
    if (other == std::string_view("%") && class_of(node).name == "real") continue;
    replace_operator(node, other);
  }
  const int binding = binding_of(op);
  const bool compares = binding == 6 || binding == 7;
  if (!compares) {
    replace(node, {{&node, left}}, ChangeRank::operand);
    replace(node, {{&node, right}}, ChangeRank::operand);
  }
  if (op == "-" || op == "/" || op == "%" || op == "<<" || op == ">>") {
    replace_text(node, right, op, left, ChangeRank::operand);
  }
  if (compares) {
    const Node& limit = node.children[1];
    if (limit.kind != NodeKind::number && class_of(node.children[0]).name != "real") {
      path_.push_back({&limit, true});
      by_one(limit, class_of(limit));
      path_.pop_back();
    }
  }
}

void ChangeCollector::replace_operator(const Node& node, const char* other) {
  replace_text(node, raw(node.children[0]), other, raw(node.children[1]),
               ChangeRank::other_operator);
}

void ChangeCollector::replace_text(const Node& node, const std::string& left, std::string_view op,
                                   const std::string& right, ChangeRank rank) {
  const auto whole = [&](const std::string& text, const Node& operand) {
    const bool simple = operand.kind != NodeKind::binary && operand.kind != NodeKind::ternary;
    return simple ? text : "(" + text + ")";
  };
  const bool turned = left == raw(node.children[1]) && right == raw(node.children[0]);
  const Node& first = node.children[turned ? 1 : 0];
  const Node& second = node.children[turned ? 0 : 1];
  replace(node, {{&node, fmt::format("{} {} {}", whole(left, first), op, whole(right, second))}},
          rank);
}

void ChangeCollector::numbers(const Node& node) {
  const std::string text = raw(node);
  std::vector<std::string> others;
  if (class_of(node).name == "whole") {
    long long value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) return;
    for (const long long other : {value + 1, value - 1, 2 * value, value / 2, 0LL, 1LL}) {
      if (other >= 0 && other != value) others.push_back(std::to_string(other));
    }
  } else {
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    if (end != text.c_str() + text.size()) return;
    for (const double other : {2 * value, value / 2, 1.0, 0.0, -value}) {
      if (other == value) continue;
      std::string number = fmt::format("{}", other);
      if (number.find_first_of(".e") == number.npos) number += ".0";
      others.push_back(number);
    }
  }
  for (const std::string& other : others) replace(node, {{&node, other}}, ChangeRank::number);
}

void ChangeCollector::functions(const Node& node) {
  const Node& called = node.children.front();
  const std::size_t count = node.children.size() - 1;
  if (called.kind == NodeKind::member) {
    if (tokens_[called.op].is("dim") && count == 1) other_extents(node);
    return;
  }
  if (called.kind != NodeKind::name) return;
  const std::string name = raw(called);
  if (name == "std::move" || name == "std::sort") return;
  for (const auto& [one, other] :
       {std::pair("max", "min"), std::pair("min", "max"), std::pair("exp", "exp2")}) {
    const std::string from = std::string("std::") + one;
    const bool is_it = name == from || name.starts_with(from + "<");
    if (!is_it) continue;
    replace(node,
            {{&node, std::string("std::") + other + name.substr(from.size()) +
                         text_of(tokens_, called.end, node.end)}},
            ChangeRank::other_operator);
  }
  const bool is_number = class_of(node).is_number();
  if (!is_number) return;
  if (count <= 2) {
    for (std::size_t i = 1; i <= count; ++i) {
      replace(node, {{&node, raw(node.children[i])}}, ChangeRank::operand);
    }
  }
  if (count == 1 && class_of(node).name == "real" && !name.ends_with("abs") &&
      !name.ends_with("sqrt")) {
    replace(node, {{&node, fmt::format("{}(-({}))", name, raw(node.children[1]))}},
            ChangeRank::function);
  }
}

void ChangeCollector::other_extents(const Node& call) {
  for (const std::string& other : dims()) {
    const std::string own(tokens_[call.children[1].begin].text);
    if (other == own || declared_.empty()) continue;
    GoldenChange change{
        .line = line_,
        .says = fmt::format("with `{}` in place of `{}`, wherever it is used",
                            other.substr(1, other.size() - 2), own.substr(1, own.size() - 2)),
        .pitfall = "P5",
        .rank = static_cast<int>(ChangeRank::extent)};
    change.replaced = {{&call, raw(call.children.front()) + "(" + other + ")"}};
    add(std::move(change));
  }
}

std::set<std::string> ChangeCollector::dims() const {
  std::set<std::string> found;
  for (std::size_t i = 2; i + 1 < tokens_.size(); ++i) {
    if (tokens_[i].kind == SourceToken::Kind::text && tokens_[i - 1].is("(") &&
        tokens_[i - 2].is("dim")) {
      found.insert(std::string(tokens_[i].text));
    }
  }
  return found;
}

void ChangeCollector::other_variables(const Node& node) {
  const std::string name = raw(node);
  const Variable* own = find(name);
  if (own == nullptr || own->kind.name.empty() || own->kind.name == "floats") return;
  const auto value =
      std::find_if(path_.rbegin(), path_.rend(), [](const Step& step) { return step.is_value; });
  if (value == path_.rend()) return;
  if (const auto uses = constants_.find(name); uses != constants_.end()) {
    uses->second.push_back({.value = value->node, .name = &node, .line = line_});
  }
  const bool in_index = std::any_of(path_.begin(), path_.end(), [](const Step& step) {
    return step.node->kind == NodeKind::subscript;
  });
  if (in_index && !own->last.empty()) {
    replace(*value->node, {{&node, fmt::format("({} - {})", own->last, name)}}, ChangeRank::order);
  }
  std::vector<const Variable*> others;
  for (auto v = variables_.rbegin(); v != variables_.rend(); ++v) {
    if (v->name == name || v->kind.name != own->kind.name || find(v->name) != &*v) continue;
    if (flow_.concerns(v->name)) others.push_back(&*v);
  }
  std::stable_sort(others.begin(), others.end(), [&](const Variable* a, const Variable* b) {
    const auto far = [&](const Variable* v) { return v->kind.is_extent != own->kind.is_extent; };
    return far(a) < far(b);
  });
  if (others.size() > kMostOthers) others.resize(kMostOthers);
  for (const Variable* other : others) {
    const bool alike = other->kind.is_extent == own->kind.is_extent;
    replace(*value->node, {{&node, other->name}},
            alike ? ChangeRank::other_variable : ChangeRank::far_variable,
            alike && in_index && own->kind.is_extent ? "P5" : "");
  }
}

void ChangeCollector::add_names(const Node& node,
                                std::map<std::string, std::vector<const Node*>>& names) const {
  if (node.kind == NodeKind::name) {
    const Variable* variable = find(raw(node));
    if (variable != nullptr && variable->kind.is_number()) names[raw(node)].push_back(&node);
  }
  for (const Node& child : node.children) add_names(child, names);
}

void ChangeCollector::exchange_in(const Node& node) {
  std::map<std::string, std::vector<const Node*>> names;
  add_names(node, names);
  for (auto a = names.begin(); a != names.end(); ++a) {
    for (auto b = std::next(a); b != names.end(); ++b) {
      const Variable* first = find(a->first);
      const Variable* second = find(b->first);
      if (first->kind.name != second->kind.name) continue;
      SyntaxEdits edits;
      for (const Node* place : a->second) edits.emplace(place, b->first);
      for (const Node* place : b->second) edits.emplace(place, a->first);
      replace(node, edits, ChangeRank::exchanged,
              first->kind.name == "whole" && path_.size() > 1 ? "P5" : "");
    }
  }
}

void ChangeCollector::exchange_of_constants() {
  for (auto a = constants_.begin(); a != constants_.end(); ++a) {
    for (auto b = std::next(a); b != constants_.end(); ++b) {
      if (a->second.empty() || b->second.empty()) continue;
      GoldenChange change{.line = a->second.front().line,
                          .says = fmt::format("with `{}` and `{}` exchanged, wherever they are "
                                              "used",
                                              a->first, b->first),
                          .rank = static_cast<int>(ChangeRank::exchanged)};
      std::set<const Node*> places;
      for (const auto& [uses, other] :
           {std::pair(&a->second, &b->first), std::pair(&b->second, &a->first)}) {
        for (const Use& use : *uses) {
          places.insert(use.value);
          change.replaced.emplace_back(
              use.value,
              use.value == use.name ? *other : edited(tokens_, *use.value, {{use.name, *other}}));
        }
      }
      // Both in one place would be two texts for it.
      if (places.size() == change.replaced.size()) add(std::move(change));
    }
  }
}

void ChangeCollector::exchange_of_arguments() {
  struct Argument {
    const Node* node;
    std::string name, kind;
    std::uint32_t line;
  };
  std::vector<Argument> arguments;
  const auto collect = [&](const auto& self, const Node& node, std::uint32_t line) -> void {
    if (node.kind == NodeKind::call && node.children.size() == 2 &&
        node.children[1].kind == NodeKind::literal) {
      const Class kind = class_of(node);
      if (kind.is_extent || kind.name.starts_with("input ")) {
        arguments.push_back(
            {&node, shown(tokens_, node), kind.is_extent ? "extent" : kind.name, line});
      }
    }
    for (const Node& child : node.children) self(self, child, line);
  };
  for (const SyntaxFunction& function : functions_) {
    if (function.name != "WARPGRADE_GOLDEN") continue;
    for (const Statement& made : function.body.children) {
      if (made.kind != Statement::Kind::declaration || !flow_.concerns(made)) continue;
      for (const Node& node : made.expressions) {
        collect(collect, node, tokens_[made.begin].line);
      }
    }
  }
  for (std::size_t a = 0; a < arguments.size(); ++a) {
    for (std::size_t b = a + 1; b < arguments.size(); ++b) {
      const Argument& one = arguments[a];
      const Argument& other = arguments[b];
      if (one.kind != other.kind || one.name == other.name) continue;
      GoldenChange change{
          .line = one.line,
          .says = fmt::format("with `{}` and `{}` exchanged, wherever they are used", one.name,
                              other.name),
          .pitfall = one.kind == "extent" ? "P5" : "",
          .rank = static_cast<int>(ChangeRank::exchanged)};
      change.replaced = {{one.node, raw(*other.node)}, {other.node, raw(*one.node)}};
      add(std::move(change));
    }
  }
}

}  // namespace warpgrade
