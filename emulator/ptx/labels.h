#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "emulator/ptx/lexer.h"

namespace warpsim::ptx {

/// Branch labels of one function. A label belongs to the scope of its braces and may be used
/// before it appears, so uses are matched when a scope closes: first those of inner scopes with
/// the inner labels, the rest with the labels further out.
class LabelScopes {
 public:
  /// A use of a label: `slot` and `position` mean something to the owner only.
  struct Use {
    Token label;
    std::uint32_t slot = 0;
    std::uint32_t position = 0;
  };
  struct Resolved {
    Use use;
    std::uint32_t target = 0;
  };

  void open();
  /// Ends the innermost scope and appends the uses that found their label to `resolved`.
  /// @throws SyntaxError  when the outermost scope ends and a use found no label
  void close(std::vector<Resolved>& resolved);

  /// @throws SyntaxError  when the innermost scope has the label already
  void declare(const Token& label, std::uint32_t target);
  void use(const Use& use) { uses_.push_back(use); }

 private:
  struct Scope {
    std::size_t first_use = 0;
    std::unordered_map<std::string_view, std::uint32_t> targets;
  };
  std::vector<Scope> scopes_;
  std::vector<Use> uses_;  // not resolved yet, those of inner scopes last
};

}  // namespace warpsim::ptx
