#pragma once

#include <set>
#include <string>
#include <vector>

#include "harness/variants/syntax.h"

namespace warpgrade {

/// The names in an expression, those of members included.
[[nodiscard]] std::set<std::string> names_in(const SourceTokens& tokens, const SyntaxNode& node);

/// What an assignment writes: the name of the variable, or of the member: "want" of `out.want[i]`.
[[nodiscard]] std::string written_by(const SourceTokens& tokens, const SyntaxNode& left);

/// The variables that flow into an output, and the statements that make them. The others concern
/// the error bounds.
class OutputFlow {
 public:
  OutputFlow(const SourceTokens& tokens, const std::vector<SyntaxFunction>& functions);

  [[nodiscard]] bool concerns(const SyntaxStatement& statement) const {
    return statements_.contains(&statement);
  }
  [[nodiscard]] bool concerns(const std::string& variable) const {
    return variables_.contains(variable);
  }
  /// Whether it is an output itself, by written_by().
  [[nodiscard]] bool is_output(const std::string& written) const {
    return written == "want" || outputs_.contains(written);
  }

 private:
  bool follow(const SyntaxStatement& statement);
  bool follow_expression(const SyntaxNode& node);
  bool follow_bodies(const SyntaxNode& node);
  void add(const SyntaxNode& node);

  const SourceTokens& tokens_;
  std::set<std::string> outputs_;
  std::set<std::string> variables_;
  std::set<const SyntaxStatement*> statements_;
};

}  // namespace warpgrade
