#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// What the text of a source file says that line tables do not: the extents of its shared arrays,
// and which lines name an array. It is read as words, without a compiler; what is not certain is
// left out.

namespace warpsim::recording {

class SourceText {
 public:
  explicit SourceText(std::string_view text);

  /// The extents of an array in shared memory, outermost first.
  /// @param kernel  its demangled name, for the values of template parameters
  /// @param bytes  of the array; the extents fit to it
  /// @returns nothing where no declaration has constant extents, or two differ of which none or
  /// both are in the kernel itself
  [[nodiscard]] std::vector<std::uint32_t> shared_extents(std::string_view array,
                                                          std::string_view kernel,
                                                          std::uint64_t bytes) const;

  /// Compilers move a load before the condition that stands before it, and give it that one's line.
  /// Where `line` accesses nothing by its text, these are the lines of the same statement and those
  /// after it in the same function that name the array, one of each statement, at most four.
  /// @returns nothing where the line may itself access memory
  [[nodiscard]] std::vector<std::uint32_t> lines_naming(std::string_view array,
                                                        std::uint32_t line) const;

 private:
  struct Token {
    std::string text;
    std::uint32_t line = 0;
  };
  struct Function {
    std::uint32_t first = 0, last = 0;  // lines of its body
    std::string name;
  };
  using Values = std::map<std::string, std::int64_t, std::less<>>;

  [[nodiscard]] const std::string& at(std::size_t token) const;
  void add_constants();
  void add_functions();
  void define(const std::string& name, std::optional<std::int64_t> value);
  [[nodiscard]] Values template_values(std::string_view kernel) const;
  [[nodiscard]] std::optional<std::int64_t> value(std::size_t& token, int level,
                                                  const Values& known) const;
  [[nodiscard]] std::optional<std::int64_t> primary(std::size_t& token, const Values& known) const;
  [[nodiscard]] std::vector<std::uint32_t> extents_at(std::size_t token, const Values& known,
                                                      std::uint64_t bytes,
                                                      std::string_view type) const;

  std::vector<Token> tokens_;
  Values constants_;  // only those with one value
  std::vector<std::string> ambiguous_;
  std::vector<Function> functions_;
};

/// What a finding adds whose line does not name the array: "Line 12, which the compiler gives for
/// this access, does not name `in`; lines 14 and 18 do."
[[nodiscard]] std::string naming_note(std::string_view array, std::uint32_t line,
                                      const std::vector<std::uint32_t>& lines);
/// The array that a finding's message names, in backquotes; empty if it names none.
[[nodiscard]] std::string_view array_in(std::string_view message);

}  // namespace warpsim::recording
