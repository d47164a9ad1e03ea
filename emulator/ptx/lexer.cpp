#include "emulator/ptx/lexer.h"

#include <fmt/format.h>

#include <array>

#include "emulator/ptx/limits.h"

namespace warpsim::ptx {
namespace {

enum CharClass : std::uint8_t {
  kIdentifierStart = 1,
  kIdentifierPart = 2,
  kDigit = 4,
  kBlank = 8,
  kPunctuation = 16,
};

constexpr std::array<std::uint8_t, 256> make_classes() {
  std::array<std::uint8_t, 256> classes{};
  const auto add = [&](std::string_view characters, int bits) {
    for (const char c : characters) {
      auto& entry = classes[static_cast<unsigned char>(c)];
      entry = static_cast<std::uint8_t>(entry | bits);
    }
  };
  add("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_$", kIdentifierStart | kIdentifierPart);
  add("%", kIdentifierStart);
  add("0123456789", kDigit | kIdentifierPart);
  add(" \t\r\n\f\v", kBlank);
  add(",;:{}()[]|!+-=<>@*~&^?/", kPunctuation);
  return classes;
}

constexpr auto kClasses = make_classes();

bool is(char c, std::uint8_t char_class) {
  return (kClasses[static_cast<unsigned char>(c)] & char_class) != 0;
}

constexpr std::size_t kMaxShown = 40;

}  // namespace

void fail(const Token& token, std::string message) {
  throw SyntaxError{.offset = token.offset, .message = std::move(message)};
}

std::string describe(const Token& token) {
  switch (token.kind) {
    case Token::Kind::end:
      return "the end of the text";
    case Token::Kind::punctuation:
      return fmt::format("'{}'", token.punctuation);
    case Token::Kind::string:
      return "a string";
    default:
      break;
  }
  const std::string_view dot = token.is(Token::Kind::dotted) ? "." : "";
  if (token.text.size() <= kMaxShown) return fmt::format("'{}{}'", dot, token.text);
  return fmt::format("'{}{}...'", dot, token.text.substr(0, kMaxShown));
}

Lexer::Lexer(std::string_view text)
    : begin_(text.data()), end_(text.data() + text.size()), at_(text.data()) {
  scan();
}

Token Lexer::next() {
  const Token token = current_;
  scan();
  return token;
}

bool Lexer::accept(char c) {
  if (!current_.is(c)) return false;
  scan();
  return true;
}

bool Lexer::accept_dotted(std::string_view word) {
  if (!current_.is_dotted(word)) return false;
  scan();
  return true;
}

void Lexer::expect(char c, std::string_view context) {
  if (current_.is(c)) {
    scan();
    return;
  }
  fail_expected(fmt::format("'{}'{}{}", c, context.empty() ? "" : " ", context));
}

Token Lexer::expect(Token::Kind kind, std::string_view what) {
  if (!current_.is(kind)) fail_expected(what);
  return next();
}

void Lexer::fail_expected(std::string_view what) const {
  fail(current_, fmt::format("expected {}, found {}", what, describe(current_)));
}

void Lexer::skip_blank() {
  while (at_ != end_) {
    if (is(*at_, kBlank)) {
      line_ += *at_ == '\n';
      ++at_;
    } else if (*at_ == '/' && end_ - at_ > 1 && at_[1] == '/') {
      while (at_ != end_ && *at_ != '\n') ++at_;
    } else if (*at_ == '/' && end_ - at_ > 1 && at_[1] == '*') {
      current_.offset = static_cast<std::uint32_t>(at_ - begin_);
      const std::string_view rest(at_, static_cast<std::size_t>(end_ - at_));
      const std::size_t close = rest.find("*/", 2);
      if (close == std::string_view::npos) fail(current_, "this comment is never closed");
      for (const char c : rest.substr(0, close)) line_ += c == '\n';
      at_ += close + 2;
    } else {
      return;
    }
  }
}

void Lexer::scan_while(std::uint8_t char_class) {
  while (at_ != end_ && is(*at_, char_class)) ++at_;
}

void Lexer::scan() {
  const char* before = at_;
  skip_blank();
  current_.glued = at_ == before;
  current_.offset = static_cast<std::uint32_t>(at_ - begin_);
  current_.line = line_;
  if (at_ == end_) {
    current_.kind = Token::Kind::end;
    current_.text = {};
    return;
  }
  const char* start = at_;
  const char c = *at_++;
  if (is(c, kIdentifierStart)) {
    current_.kind = Token::Kind::identifier;
    scan_while(kIdentifierPart);
  } else if (is(c, kDigit)) {
    current_.kind = Token::Kind::number;
    scan_number();
  } else if (c == '.' && at_ != end_ && is(*at_, kIdentifierPart)) {
    current_.kind = Token::Kind::dotted;
    ++start;
    scan_while(kIdentifierPart);
    while (end_ - at_ > 2 && at_[0] == ':' && at_[1] == ':' && is(at_[2], kIdentifierPart)) {
      at_ += 2;
      scan_while(kIdentifierPart);
    }
  } else if (c == '"') {
    current_.kind = Token::Kind::string;
    scan_string();
    current_.text = {start + 1, static_cast<std::size_t>(at_ - start) - 2};
    return;
  } else if (is(c, kPunctuation)) {
    current_.kind = Token::Kind::punctuation;
    current_.punctuation = c;
  } else if (c >= ' ' && c <= '~') {
    fail(current_, fmt::format("unexpected character '{}'", c));
  } else {
    fail(current_, fmt::format("unexpected byte 0x{:02x}", static_cast<unsigned char>(c)));
  }
  current_.text = {start, static_cast<std::size_t>(at_ - start)};
  if (current_.text.size() > kMaxNameBytes) {
    fail(current_, fmt::format("this name has {} characters; the limit is {}", current_.text.size(),
                               kMaxNameBytes));
  }
}

/// Takes everything that could belong to a number; parse_number checks its value.
void Lexer::scan_number() {
  const char* start = at_ - 1;
  scan_while(kDigit);
  const bool whole_decimal = *start != '0' || at_ == start + 1;
  if (whole_decimal && at_ != end_ && *at_ == '.') ++at_;
  scan_while(kIdentifierPart);
  const bool exponent = (at_[-1] == 'e' || at_[-1] == 'E') && at_ != end_ &&
                        (*at_ == '+' || *at_ == '-') &&
                        !(at_ - start > 1 && (start[1] == 'x' || start[1] == 'X'));
  if (exponent) {
    ++at_;
    scan_while(kDigit);
  }
}

void Lexer::scan_string() {
  while (at_ != end_ && *at_ != '"' && *at_ != '\n') {
    if (*at_ == '\\' && end_ - at_ > 1) ++at_;  // an escaped quote does not end it
    ++at_;
  }
  if (at_ == end_ || *at_ != '"') fail(current_, "this string is never closed");
  ++at_;
}

void Lexer::skip_section(const Token& opening) {
  // `current_` was scanned already: restart directly after the brace.
  at_ = begin_ + opening.offset + 1;
  line_ = opening.line;
  while (at_ != end_ && *at_ != '}') {
    if (*at_ == '/') {
      const char* before = at_;
      skip_blank();
      if (at_ == before) ++at_;
    } else {
      line_ += *at_ == '\n';
      ++at_;
    }
  }
  if (at_ == end_) fail(opening, "this '{' is never closed");
  ++at_;
  scan();
}

}  // namespace warpsim::ptx
