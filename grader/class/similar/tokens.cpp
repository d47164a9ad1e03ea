#include "grader/class/similar/tokens.h"

#include <algorithm>
#include <array>
#include <string>

namespace warpgrade {
namespace {

/// FNV-1a, 64 bits.
std::uint64_t hash_of(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text) {
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  }
  return hash;
}

bool starts_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// Names not chosen by the student.
bool is_given(std::string_view name) {
  static constexpr std::array kWords = {
      "alignas",   "auto",     "bool",     "break",    "case",     "char",     "class",    "const",
      "constexpr", "continue", "default",  "delete",   "do",       "double",   "else",     "enum",
      "false",     "float",    "for",      "goto",     "if",       "inline",   "int",      "long",
      "namespace", "new",      "nullptr",  "operator", "private",  "public",   "return",   "short",
      "signed",    "sizeof",   "static",   "struct",   "switch",   "template", "this",     "true",
      "typedef",   "typename", "union",    "unsigned", "using",    "void",     "volatile", "while",
      "threadIdx", "blockIdx", "blockDim", "gridDim",  "warpSize", "dim3",     "float4",   "int4",
      "size_t",    "min",      "max",      "define",   "undef",    "ifdef",    "ifndef",   "endif",
      "pragma",    "unroll"};
  return std::find(kWords.begin(), kWords.end(), name) != kWords.end() ||
         name.starts_with("cuda") || name.starts_with("atomic") || name.starts_with("__");
}

class Tokenizer {
 public:
  explicit Tokenizer(std::string_view source) : rest_(source) {}

  std::vector<Token> run() {
    while (!rest_.empty()) {
      step();
    }
    return std::move(tokens_);
  }

 private:
  void skip(std::size_t count) {
    count = std::min(count, rest_.size());
    line_ += static_cast<std::uint32_t>(
        std::count(rest_.begin(), rest_.begin() + static_cast<std::ptrdiff_t>(count), '\n'));
    rest_.remove_prefix(count);
  }

  /// Skips up to and including `end`, or everything that is left.
  void skip_past(std::string_view end, std::size_t from) {
    const std::size_t at = rest_.find(end, from);
    skip(at == std::string_view::npos ? rest_.size() : at + end.size());
  }

  void add(std::string_view text) { tokens_.push_back({hash_of(text), line_}); }

  void step() {
    const char c = rest_.front();
    if (c == ' ' || (c >= '\t' && c <= '\r')) {
      skip(1);
    } else if (rest_.starts_with("//")) {
      skip(std::min(rest_.find('\n'), rest_.size()));
    } else if (rest_.starts_with("/*")) {
      skip_past("*/", 2);
    } else if (c == '#' && is_include()) {
      skip(std::min(rest_.find('\n'), rest_.size()));
    } else if (c == '"' || c == '\'') {
      quoted(c);
    } else if (is_digit(c)) {
      add("0");
      skip(length_while([](char d) { return is_digit(d) || starts_name(d) || d == '.'; }));
    } else if (starts_name(c)) {
      const std::size_t length = length_while([](char d) { return is_digit(d) || starts_name(d); });
      const std::string_view name = rest_.substr(0, length);
      add(is_given(name) ? name : "x");
      skip(length);
    } else {
      add(rest_.substr(0, 1));
      skip(1);
    }
  }

  template <class Predicate>
  [[nodiscard]] std::size_t length_while(Predicate predicate) const {
    return static_cast<std::size_t>(std::find_if_not(rest_.begin(), rest_.end(), predicate) -
                                    rest_.begin());
  }

  [[nodiscard]] bool is_include() const {
    const std::size_t word = rest_.find_first_not_of(" \t", 1);
    return word != std::string_view::npos && rest_.substr(word).starts_with("include");
  }

  void quoted(char quote) {
    add("\"");
    std::size_t end = 1;
    while (end < rest_.size() && rest_[end] != quote && rest_[end] != '\n') {
      end += rest_[end] == '\\' ? 2 : 1;
    }
    skip(end + 1);
  }

  std::string_view rest_;
  std::uint32_t line_ = 1;
  std::vector<Token> tokens_;
};

}  // namespace

std::vector<Token> normalised_tokens(std::string_view source) {
  return Tokenizer(source).run();
}

}  // namespace warpgrade
