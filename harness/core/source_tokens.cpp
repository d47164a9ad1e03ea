#include "harness/core/source_tokens.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace warpgrade {
namespace {

using Kind = SourceToken::Kind;

constexpr auto kLongSigns = std::to_array<std::string_view>(
    {"<<=", ">>=", "<<<", ">>>", "->*", "...", "<<", ">>", "<=", ">=", "==", "!=", "&&",
     "||",  "+=",  "-=",  "*=",  "/=",  "%=",  "&=", "|=", "^=", "++", "--", "->", "::"});

bool begins_name(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_';
}

bool is_decimal(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

class Lexer {
 public:
  explicit Lexer(std::string_view source) : source_(source) {}

  std::vector<SourceToken> run() {
    while (skip_between()) take();
    return std::move(tokens_);
  }

 private:
  [[nodiscard]] bool at(std::string_view word) const {
    return source_.substr(at_).starts_with(word);
  }

  void advance(std::size_t count) {
    for (; count > 0 && at_ < source_.size(); --count, ++at_) {
      if (source_[at_] != '\n') continue;
      ++line_;
      line_is_empty_ = true;
    }
  }

  /// To the next token. @returns whether there is one
  bool skip_between() {
    while (at_ < source_.size()) {
      if (std::isspace(static_cast<unsigned char>(source_[at_])) != 0) {
        advance(1);
      } else if (at("//") || (at("#") && line_is_empty_)) {
        skip_line();
      } else if (at("/*")) {
        const std::size_t end = source_.find("*/", at_ + 2);
        advance(end == source_.npos ? source_.size() - at_ : end + 2 - at_);
      } else {
        return true;
      }
    }
    return false;
  }

  /// With those that continue it.
  void skip_line() {
    while (at_ < source_.size() && source_[at_] != '\n') advance(at("\\\n") ? 2 : 1);
  }

  void take() {
    const char c = source_[at_];
    if (begins_name(c)) {
      add(Kind::name, length_while([](char x) { return begins_name(x) || is_decimal(x); }));
    } else if (is_decimal(c) ||
               (c == '.' && at_ + 1 < source_.size() && is_decimal(source_[at_ + 1]))) {
      add(Kind::number, number_length());
    } else if (c == '"' || c == '\'') {
      add(c == '"' ? Kind::text : Kind::character, quoted_length(c));
    } else {
      const auto sign = std::ranges::find_if(kLongSigns, [&](auto text) { return at(text); });
      add(Kind::sign, sign == kLongSigns.end() ? 1 : sign->size());
    }
  }

  template <class Test>
  [[nodiscard]] std::size_t length_while(Test test) const {
    const auto rest = source_.substr(at_);
    return static_cast<std::size_t>(std::ranges::find_if_not(rest, test) - rest.begin());
  }

  /// 1e-3f, 0x1fu, 0x1p-24, 1'000.
  [[nodiscard]] std::size_t number_length() const {
    const std::string_view rest = source_.substr(at_);
    std::size_t i = 0;
    for (; i < rest.size(); ++i) {
      const char c = rest[i];
      const std::string_view letters = rest.starts_with("0x") ? "pP" : "eE";
      const bool signs_exponent =
          (c == '+' || c == '-') && i > 0 && letters.find(rest[i - 1]) != letters.npos;
      if (!begins_name(c) && !is_decimal(c) && c != '.' && c != '\'' && !signs_exponent) break;
    }
    return i;
  }

  [[nodiscard]] std::size_t quoted_length(char quote) const {
    std::size_t i = at_ + 1;
    while (i < source_.size() && source_[i] != quote && source_[i] != '\n') {
      i += source_[i] == '\\' ? 2 : 1;
    }
    return std::min(i + 1, source_.size()) - at_;
  }

  void add(Kind kind, std::size_t length) {
    tokens_.push_back({kind, source_.substr(at_, length), at_, line_});
    line_is_empty_ = false;
    advance(length);
  }

  std::string_view source_;
  std::size_t at_ = 0;
  std::uint32_t line_ = 1;
  bool line_is_empty_ = true;
  std::vector<SourceToken> tokens_;
};

}  // namespace

std::vector<SourceToken> tokens_of(std::string_view source) {
  return Lexer(source).run();
}

std::size_t closing(const std::vector<SourceToken>& tokens, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < tokens.size(); ++i) {
    const std::string_view text = tokens[i].text;
    if (text == "(" || text == "[" || text == "{") ++depth;
    if (text == ")" || text == "]" || text == "}") --depth;
    if (depth == 0) return i;
  }
  return tokens.size();
}

}  // namespace warpgrade
