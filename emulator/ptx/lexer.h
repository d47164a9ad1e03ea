#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace warpsim::ptx {

struct Token {
  enum class Kind : std::uint8_t {
    end,  // of the text
    identifier,  // foo, %r1, $L__BB0_1, _
    dotted,  // .reg, .global, .L2::128B: `text` is without the first dot
    number,  // 7, 0x1f, 0f3f800000, 1.5
    string,  // "...": `text` is without the quotes
    punctuation,  // one character: `punctuation`
  };
  Kind kind = Kind::end;
  char punctuation = 0;
  bool glued = false;  // nothing (no space, no comment) before it
  std::uint32_t offset = 0;  // of the first character in the text
  std::uint32_t line = 0;  // 1-based
  std::string_view text;

  [[nodiscard]] bool is(Kind k) const { return kind == k; }
  [[nodiscard]] bool is(char c) const { return kind == Kind::punctuation && punctuation == c; }
  [[nodiscard]] bool is_dotted(std::string_view word) const {
    return kind == Kind::dotted && text == word;
  }
};

/// Thrown inside the parser and caught by parse(), which turns the offset into line and column.
struct SyntaxError {
  std::uint32_t offset = 0;
  std::string message;
};

/// Throws a SyntaxError at `token`.
[[noreturn]] void fail(const Token& token, std::string message);

/// A token's name in a message: "'foo'" or "the end of the text".
[[nodiscard]] std::string describe(const Token& token);

/// Splits a PTX text into tokens, one ahead. Comments and white space are skipped.
class Lexer {
 public:
  /// @param text  must outlive the lexer and all tokens; below 4 GiB
  explicit Lexer(std::string_view text);

  /// The current token, which next() returns.
  [[nodiscard]] const Token& peek() const { return current_; }
  /// Returns the current token and advances.
  Token next();

  [[nodiscard]] bool at(char c) const { return current_.is(c); }
  [[nodiscard]] bool at(Token::Kind kind) const { return current_.is(kind); }
  /// Advances and returns true if the current token is that character or dotted word.
  bool accept(char c);
  bool accept_dotted(std::string_view word);
  /// Advances, or fails with "expected ';' after operand, found 'x'".
  /// @param context  "after operand"; may be empty
  void expect(char c, std::string_view context = {});
  Token expect(Token::Kind kind, std::string_view what);
  /// Fails with "expected `what`, found ...".
  [[noreturn]] void fail_expected(std::string_view what) const;

  /// Skips past the '}' that closes the '{' just read, without tokenizing the contents (debug
  /// sections have megabytes).
  void skip_section(const Token& opening);

 private:
  void skip_blank();
  void scan();
  void scan_number();
  void scan_string();
  void scan_while(std::uint8_t char_class);

  const char* begin_;
  const char* end_;
  const char* at_;
  std::uint32_t line_ = 1;
  Token current_;
};

}  // namespace warpsim::ptx
