#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "harness/variants/changes.h"
#include "harness/variants/flow.h"
#include "harness/variants/shown.h"
#include "harness/variants/syntax.h"

namespace warpgrade {

/// In which order changes are tried, and which is named of those that compute the same: slips that
/// students make, and whose names say most, come first.
enum class ChangeRank : std::int8_t {
  exchanged = 10,
  extent = 15,
  other_operator = 20,
  operand = 25,
  other_variable = 30,
  by_one_more = 35,
  function = 40,
  order = 45,
  left_out = 50,
  condition = 55,
  number = 60,
  kept = 65,
  rounded = 70,
  result = 75,
  far_variable = 80,
  by_two_more = 85,
};

/// Collects the changes of golden functions: changes.cpp has those of statements,
/// expression_changes.cpp those of expressions.
class ChangeCollector {
 public:
  ChangeCollector(const SourceTokens& tokens, const std::vector<SyntaxFunction>& functions)
      : tokens_(tokens), functions_(functions), flow_(tokens, functions) {}

  std::vector<GoldenChange> run();

 private:
  using Node = SyntaxNode;
  using Statement = SyntaxStatement;
  using NodeKind = SyntaxNode::Kind;

  /// What a variable is: those of one class can stand for each other.
  struct Class {
    std::string name;  // "whole", "real", "bool", "input float", ...; empty: unknown
    bool is_extent = false;  // of an array: call.dim("n")

    [[nodiscard]] bool is_number() const { return name == "whole" || name == "real"; }
  };

  struct Variable {
    std::string name;
    Class kind;
    std::string last = {};  // that it has in its loop, "n - 1"
  };
  /// One expression on the path to the current one.
  struct Step {
    const Node* node = nullptr;
    bool is_value = false;  // something else can be computed in its place
  };
  /// Where a constant is used.
  struct Use {
    const Node* value = nullptr;  // the expression that can be replaced
    const Node* name = nullptr;
    std::uint32_t line = 0;
  };

  [[nodiscard]] std::string_view op_of(const Node& node) const { return tokens_[node.op].text; }
  [[nodiscard]] std::string raw(const Node& node) const;
  [[nodiscard]] const Variable* find(const std::string& name) const;
  [[nodiscard]] Class class_of(const Node& node) const;
  [[nodiscard]] Class class_of_cast(const Node& node) const;
  [[nodiscard]] Class class_of_call(const Node& node) const;
  void declare(const Statement& statement);
  void statement(const Statement& made, bool in_loop);
  void loop(const Statement& made);
  void block(const Statement& made, bool in_loop);
  /// An expression statement.
  void effect(const Statement& made);
  void values(const Statement& made);
  void in_statement(const Statement& made, const Node& node, bool is_value = true);
  /// Whether it is computed for what it changes.
  [[nodiscard]] bool is_effect(const Node& node) const;
  void assignment(const Statement& made, const Node& node);
  void result(const Node& node, std::string text, std::string says, std::string pitfall = "");
  /// Each second element.
  void stride(const Node& step);
  void condition(const Statement& made);
  void jump(const Statement& made);
  /// Two statements of which the second one comes first.
  void order(const Statement& first, const Statement& second);
  /// A variable of a loop's body that is not set to its start value again.
  void start(const Statement& made);
  /// A sum with fewer bits.
  void accumulator(const Statement& made, const Node& node);
  void visit(const Node& node, bool is_value);
  void visit_call(const Node& node);
  void alternatives(const Node& node);
  void index(const Node& node);
  void by_one(const Node& node, const Class& kind);
  void operators(const Node& node);
  void replace_operator(const Node& node, const char* other);
  /// Another operator may bind less or more: its operands stay together.
  void replace_text(const Node& node, const std::string& left, std::string_view op,
                    const std::string& right, ChangeRank rank);
  void numbers(const Node& node);
  void functions(const Node& node);
  void other_extents(const Node& call);
  /// The quoted names of all extents.
  [[nodiscard]] std::set<std::string> dims() const;
  void other_variables(const Node& node);
  void add_names(const Node& node, std::map<std::string, std::vector<const Node*>>& names) const;
  /// Two variables in all their places within an expression.
  void exchange_in(const Node& node);
  /// Two constants exchanged wherever they are used.
  void exchange_of_constants();
  /// Two arguments exchanged in all of the function: extents, or inputs of one type.
  void exchange_of_arguments();
  /// The expression to quote: what is changed, and what is around it as long as it is short.
  [[nodiscard]] const Node& quoted(const Node& node, bool& is_whole) const;
  /// @param node   a value, at the end of the path or in it
  /// @param edits  of it, or of parts of it
  void replace(const Node& node, const SyntaxEdits& edits, ChangeRank rank,
               std::string pitfall = "");
  void add(GoldenChange change);

  const SourceTokens& tokens_;
  const std::vector<SyntaxFunction>& functions_;
  const OutputFlow flow_;
  std::vector<Variable> variables_;
  std::vector<Step> path_;
  std::uint32_t line_ = 0;
  std::string declared_;  // the variable whose value is visited
  std::set<std::string> known_;
  std::map<std::string, std::vector<Use>> constants_;  // of the current function
  std::vector<GoldenChange> changes_;
};

/// The class of a variable with this type: "whole", "real", or the type.
[[nodiscard]] std::string class_of_type(std::string type);

}  // namespace warpgrade
