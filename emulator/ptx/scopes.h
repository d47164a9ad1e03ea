#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace warpsim::ptx {

/// The meaning of names at the parser's position in a function body: registers, variables, and the
/// labels of branch tables and call prototypes. Braces nest scopes; an inner name hides an outer
/// one. Branch labels, which may be used before they appear, are in LabelScopes.
class Scopes {
 public:
  struct Symbol {
    enum class Kind : std::uint8_t { reg, variable, list };
    Kind kind = Kind::reg;
    std::uint8_t width = 1;  // reg: consecutive registers of a vector register
    std::uint32_t index = 0;  // of the (first) register, or of the variable
    std::string_view key = {};  // list: the key of its entry in the Function
  };

  void open();
  void close();
  /// Unique number of the innermost scope.
  [[nodiscard]] std::uint32_t id() const { return open_.back().id; }
  [[nodiscard]] std::size_t depth() const { return open_.size(); }

  /// @returns false if the innermost scope already has the name
  [[nodiscard]] bool declare(std::string_view name, const Symbol& symbol);
  /// Declares prefix0 ... prefix(count-1); the symbol's index is that of the first.
  [[nodiscard]] bool declare_range(std::string_view prefix, std::uint32_t count,
                                   const Symbol& symbol);

  [[nodiscard]] std::optional<Symbol> find(std::string_view name) const;

 private:
  struct Declaration {
    std::string_view name;
    Symbol symbol;
    std::uint32_t count = 0;  // 0: a single name, otherwise a range
    std::uint32_t scope = 0;
    std::uint32_t hidden = 0;  // declaration + 1 that this one hides, 0 if there is none
  };
  struct Open {
    std::uint32_t id = 0;
    std::size_t declarations = 0;  // their number when it was opened
  };
  // From a name to the innermost declaration + 1 of it; 0 if there is none at present.
  using Index = std::unordered_map<std::string_view, std::uint32_t>;

  bool add(Index& index, const Declaration& declaration);
  [[nodiscard]] const Declaration* find_in_ranges(std::string_view name,
                                                  std::uint32_t& number) const;

  std::vector<Declaration> declarations_;
  std::vector<Open> open_;
  Index names_;
  Index ranges_;
  std::uint32_t next_id_ = 0;
  bool prefix_ends_in_digit_ = false;  // seen any; otherwise names split in one place only
};

}  // namespace warpsim::ptx
