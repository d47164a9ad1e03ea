#include "harness/variants/changes.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <utility>

#include "harness/variants/collector.h"

namespace warpgrade {

void ChangeCollector::statement(const Statement& made, bool in_loop) {
  using Kind = Statement::Kind;
  const std::size_t known = variables_.size();
  const bool loops = made.kind == Kind::loop || made.kind == Kind::range_loop;
  if (flow_.concerns(made)) {
    switch (made.kind) {
      case Kind::block:
        block(made, in_loop);
        variables_.resize(known);
        return;
      case Kind::expression:
        effect(made);
        break;
      case Kind::declaration:
        values(made);
        declare(made);
        return;  // it stays known
      case Kind::condition:
        in_statement(made, made.expressions.front());
        condition(made);
        if (in_loop) jump(made);
        break;
      case Kind::loop:
        loop(made);
        variables_.resize(known);
        return;
      case Kind::range_loop:
        in_statement(made, made.expressions.front());
        variables_.push_back(
            {made.declared.front().name, {.name = class_of_type(made.declared.front().type)}});
        break;
      case Kind::choice:
      case Kind::result:
        for (const Node& node : made.expressions) in_statement(made, node);
        break;
      case Kind::jump:
      case Kind::other:
        break;
    }
  } else if (made.kind == Kind::declaration) {
    declare(made);
    return;
  } else {
    return;
  }
  for (const Statement& child : made.children) {
    statement(child, loops || (in_loop && made.kind != Kind::choice));
  }
  variables_.resize(known);
}

void ChangeCollector::loop(const Statement& made) {
  std::size_t child = 0;
  if (made.children.size() == 2) statement(made.children[child++], false);
  // for (i = 0; i < n; ...): in reverse order it is n - 1 - i.
  const bool counts = child == 1 && !made.expressions.empty() && made.step != 0;
  if (counts && !variables_.empty()) {
    const Node& test = made.expressions.front();
    Variable& variable = variables_.back();
    const bool is_it = test.kind == NodeKind::binary && op_of(test) == "<" &&
                       raw(test.children[0]) == variable.name;
    if (is_it) variable.last = raw(test.children[1]) + " - 1";
  }
  for (std::size_t i = 0; i < made.expressions.size(); ++i) {
    in_statement(made, made.expressions[i]);
    if (made.step != 0 && i >= made.step) stride(made.expressions[i]);
  }
  statement(made.children.back(), true);
}

void ChangeCollector::block(const Statement& made, bool in_loop) {
  for (std::size_t i = 0; i < made.children.size(); ++i) {
    statement(made.children[i], in_loop);
    if (i + 1 < made.children.size()) order(made.children[i], made.children[i + 1]);
    if (in_loop) start(made.children[i]);
  }
}

void ChangeCollector::effect(const Statement& made) {
  const Node& node = made.expressions.front();
  if (node.kind == NodeKind::assign) assignment(made, node);
  in_statement(made, node);
  add({.line = tokens_[made.begin].line,
       .says = fmt::format("without `{}`", shown(tokens_, node)),
       .rank = static_cast<int>(ChangeRank::left_out),
       .left_out = &made});
  accumulator(made, node);
}

void ChangeCollector::values(const Statement& made) {
  if (made.is_constant) return;
  for (const auto& declared : made.declared) {
    if (declared.value < 0) continue;
    const Node& node = made.expressions[static_cast<std::size_t>(declared.value)];
    declared_ = declared.name;
    // What a reference is bound to must stay.
    in_statement(made, node, !declared.type.ends_with('&'));
    declared_.clear();
  }
}

void ChangeCollector::in_statement(const Statement& made, const Node& node, bool is_value) {
  line_ = tokens_[made.begin].line;
  path_.clear();
  visit(node, is_value && node.kind != NodeKind::braces && !is_effect(node));
}

void ChangeCollector::assignment(const Statement& made, const Node& node) {
  line_ = tokens_[made.begin].line;
  path_ = {{&node, false}};
  const std::string left = raw(node.children[0]);
  const std::string right = raw(node.children[1]);
  const std::string_view op = op_of(node);
  std::vector<std::string> others;
  if (op == "+=") others = {"=", "-=", "*="};
  if (op == "-=") others = {"+=", "="};
  if (op == "*=") others = {"=", "+="};
  if (op == "&=") others = {"|=", "="};
  if (op == "|=") others = {"&=", "="};
  if (op == "^=") others = {"|=", "="};
  const bool is_output = flow_.is_output(written_by(tokens_, node.children[0]));
  if (op == "=" && is_output) others = {"+="};
  for (const std::string& other : others) {
    replace(node, {{&node, left + " " + other + " " + right}}, ChangeRank::other_operator);
  }
  if (op != "=" || !is_output || made.kind != Statement::Kind::expression) return;
  const Node& value = node.children[1];
  if (value.kind == NodeKind::number || value.kind == NodeKind::assign) return;
  result(value, "-(" + right + ")", "with the opposite sign");
  result(value, "wg_magnitude(" + right + ")", "with absolute values in place of negative ones");
  result(value, "wg_not_negative(" + right + ")", "with 0 in place of negative values");
  if (written_by(tokens_, node.children[0]) == "want") {
    result(value, "wg_whole(" + right + ")", "if each result lost its fraction", "P56");
  }
}

void ChangeCollector::result(const Node& node, std::string text, std::string says,
                             std::string pitfall) {
  GoldenChange change{.line = line_,
                      .says = std::move(says),
                      .pitfall = std::move(pitfall),
                      .rank = static_cast<int>(ChangeRank::result)};
  change.replaced = {{&node, std::move(text)}};
  add(std::move(change));
}

void ChangeCollector::stride(const Node& step) {
  if (step.kind != NodeKind::unary || op_of(step) != "++") return;
  const std::string name = raw(step.children.front());
  path_ = {{&step, false}};
  replace(step, {{&step, name + " += 2"}}, ChangeRank::number);
}

void ChangeCollector::condition(const Statement& made) {
  const Node& node = made.expressions.front();
  const std::string text = shown(tokens_, node);
  const auto is = [&](const char* value, const std::string& says) {
    GoldenChange change{
        .line = line_, .says = says, .rank = static_cast<int>(ChangeRank::condition)};
    change.replaced = {{&node, value}};
    add(std::move(change));
  };
  is("false", fmt::format("if `{}` never held", text));
  is("true", fmt::format("if `{}` always held", text));
  GoldenChange change{.line = line_,
                      .says = fmt::format("with the test `{}` reversed", text),
                      .rank = static_cast<int>(ChangeRank::condition)};
  change.replaced = {{&node, "!(" + raw(node) + ")"}};
  add(std::move(change));
}

void ChangeCollector::jump(const Statement& made) {
  const Statement* then = &made.children.front();
  if (then->kind == Statement::Kind::block && then->children.size() == 1) {
    then = &then->children.front();
  }
  if (then->kind != Statement::Kind::jump || !tokens_[then->begin].is("continue")) return;
  add({.line = tokens_[then->begin].line,
       .says = fmt::format("if the loop ended at `{}`, `break` in place of `continue`",
                           shown(tokens_, made.expressions.front())),
       .rank = static_cast<int>(ChangeRank::condition),
       .ends_loop = then});
}

void ChangeCollector::order(const Statement& first, const Statement& second) {
  using Kind = Statement::Kind;
  if (!flow_.concerns(first) || !flow_.concerns(second)) return;
  const auto effect_of = [](const Statement& s) { return s.kind == Kind::expression; };
  const auto value_of = [](const Statement& s) {
    return s.kind == Kind::declaration && s.declared.size() == 1 && s.expressions.size() == 1 &&
           !s.is_constant && !s.declared.front().type.ends_with('&');
  };
  const Node* a = first.expressions.empty() ? nullptr : &first.expressions.front();
  const Node* b = second.expressions.empty() ? nullptr : &second.expressions.front();
  if (a == nullptr || b == nullptr) return;
  const auto reads = [&](const Node& reader, const Node& writer) {
    if (writer.children.empty()) return false;
    return names_in(tokens_, reader).contains(written_by(tokens_, writer.children.front()));
  };
  GoldenChange change{.line = tokens_[second.begin].line,
                      .rank = static_cast<int>(ChangeRank::order)};
  if (effect_of(first) && effect_of(second)) {
    if (!reads(*a, *b) && !reads(*b, *a)) return;
    change.late = &first;
    change.says = fmt::format("with `{}` before `{}`", shown(tokens_, *b), shown(tokens_, *a));
  } else if (effect_of(first) && value_of(second)) {
    if (!reads(*b, *a)) return;
    change.late = &first;
    change.says = fmt::format("with `{} = {}` before `{}`", second.declared.front().name,
                              shown(tokens_, *b), shown(tokens_, *a));
  } else if (value_of(first) && effect_of(second)) {
    if (!reads(*a, *b)) return;
    change.left_out = &second;
    change.replaced = {{a, raw(*b) + ", " + raw(*a)}};
    change.says = fmt::format("with `{}` before `{} = {}`", shown(tokens_, *b),
                              first.declared.front().name, shown(tokens_, *a));
  } else {
    return;
  }
  add(std::move(change));
}

void ChangeCollector::start(const Statement& made) {
  if (made.kind != Statement::Kind::declaration || made.declared.size() != 1 ||
      made.expressions.size() != 1 || made.is_constant || !flow_.concerns(made) ||
      tokens_[made.begin].is("const")) {
    return;
  }
  const auto& declared = made.declared.front();
  const Variable* variable = find(declared.name);
  if (variable == nullptr || !variable->kind.is_number() || declared.type.ends_with('&')) return;
  GoldenChange change{
      .line = tokens_[made.begin].line,
      .says = fmt::format("if `{} = {}` were done only once, before the loop around it",
                          declared.name, shown(tokens_, made.expressions.front())),
      .rank = static_cast<int>(ChangeRank::kept)};
  change.variable = declared.name;
  change.kept = &made;
  add(std::move(change));
}

void ChangeCollector::accumulator(const Statement& made, const Node& node) {
  const bool updates = (node.kind == NodeKind::assign && op_of(node) != "=") ||
                       (node.kind == NodeKind::unary && op_of(node) == "++");
  if (!updates || node.children.front().kind != NodeKind::name) return;
  const std::string name = raw(node.children.front());
  const Variable* variable = find(name);
  if (variable == nullptr || !variable->kind.is_number()) return;
  const auto rounded = [&](const char* type, const std::string& says, const char* pitfall) {
    GoldenChange change{.line = line_,
                        .says = says,
                        .pitfall = pitfall,
                        .rank = static_cast<int>(ChangeRank::rounded)};
    change.rounded = {&made};
    change.variable = name;
    change.rounded_to = type;
    add(std::move(change));
  };
  if (variable->kind.name == "real") {
    rounded("int", fmt::format("if `{}` were a whole number", name), "P56");
    rounded("half", fmt::format("if `{}` had 11 bits, as in half precision", name), "P56");
  } else {
    rounded("unsigned char", fmt::format("if `{}` had 8 bits", name), "P16");
    rounded("unsigned short", fmt::format("if `{}` had 16 bits", name), "P16");
    rounded("int", fmt::format("if `{}` had 32 bits", name), "P16");
  }
}

std::vector<GoldenChange> changes_of(const SourceTokens& tokens,
                                     const std::vector<SyntaxFunction>& functions,
                                     std::size_t most) {
  std::vector<GoldenChange> all = ChangeCollector(tokens, functions).run();
  if (all.size() <= most) return all;
  std::vector<int> ranks;
  for (const GoldenChange& change : all) ranks.push_back(change.rank);
  std::nth_element(ranks.begin(), ranks.begin() + static_cast<std::ptrdiff_t>(most), ranks.end());
  const int first_left_out = ranks[most];
  std::size_t room = most - static_cast<std::size_t>(std::count_if(
                                all.begin(), all.end(),
                                [&](const GoldenChange& c) { return c.rank < first_left_out; }));
  std::erase_if(all, [&](const GoldenChange& change) {
    if (change.rank < first_left_out) return false;
    if (change.rank > first_left_out || room == 0) return true;
    --room;
    return false;
  });
  return all;
}

}  // namespace warpgrade
