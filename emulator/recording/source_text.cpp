#include "emulator/recording/source_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cstddef>
#include <limits>

#include "emulator/findings/function_name.h"

namespace warpsim::recording {
namespace {

constexpr std::uint32_t kLinesAfter = 12;
constexpr std::size_t kMostNamed = 4;
constexpr std::int64_t kMostValue = 1 << 20;

bool starts_name(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_';
}

bool is_in_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

bool is_name(std::string_view text) {
  return !text.empty() && starts_name(text.front());
}

/// Bytes of types; 0: not known.
std::uint64_t size_of(std::string_view type) {
  struct Size {
    std::string_view type;
    std::uint64_t bytes;
  };
  static constexpr std::array kSizes = {
      Size{"char", 1},    Size{"bool", 1},     Size{"uint8_t", 1},  Size{"int8_t", 1},
      Size{"short", 2},   Size{"half", 2},     Size{"__half", 2},   Size{"__nv_bfloat16", 2},
      Size{"int", 4},     Size{"unsigned", 4}, Size{"float", 4},    Size{"uint32_t", 4},
      Size{"int32_t", 4}, Size{"uint", 4},     Size{"half2", 4},    Size{"double", 8},
      Size{"float2", 8},  Size{"int2", 8},     Size{"uint64_t", 8}, Size{"int64_t", 8},
      Size{"size_t", 8},  Size{"float4", 16},  Size{"int4", 16},    Size{"double2", 16},
  };
  const auto* const found = std::ranges::find(kSizes, type, &Size::type);
  return found == kSizes.end() ? 0 : found->bytes;
}

/// The position after a comment or a literal that begins at `at`; `at` if there is none.
std::size_t after_comment_or_literal(std::string_view text, std::size_t at) {
  const std::string_view rest = text.substr(at);
  if (rest.starts_with("//")) return std::min(text.find('\n', at), text.size());
  if (rest.starts_with("/*")) {
    const std::size_t end = text.find("*/", at + 2);
    return end == text.npos ? text.size() : end + 2;
  }
  if (rest.front() != '"' && rest.front() != '\'') return at;
  for (std::size_t i = at + 1; i < text.size() && text[i] != '\n'; ++i) {
    if (text[i] == '\\')
      ++i;
    else if (text[i] == rest.front())
      return i + 1;
  }
  return std::min(text.find('\n', at), text.size());
}

/// A whole number of C++, with its suffix.
std::optional<std::int64_t> number(std::string_view text) {
  const bool hexadecimal = text.starts_with("0x");
  if (hexadecimal) text.remove_prefix(2);
  while (!text.empty() && std::string_view("uUlL").find(text.back()) != std::string_view::npos)
    text.remove_suffix(1);
  std::int64_t value = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), value, hexadecimal ? 16 : 10);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

SourceText::SourceText(std::string_view text) {
  std::uint32_t line = 1;
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    std::size_t end = after_comment_or_literal(text, at);
    if (end == at && starts_name(c)) {
      while (end < text.size() && is_in_name(text[end])) ++end;
    } else if (end == at && std::isdigit(static_cast<unsigned char>(c)) != 0) {
      while (end < text.size() && (is_in_name(text[end]) || text[end] == '.')) ++end;
    } else if (end == at) {
      const std::string_view two = text.substr(at, 2);
      end = at + (two == "->" || two == "<<" || two == ">>" || two == "==" || two == "<=" ||
                          two == ">=" || two == "!=" || two == "&&" || two == "||"
                      ? 2
                      : 1);
    } else {
      line += static_cast<std::uint32_t>(std::ranges::count(text.substr(at, end - at), '\n'));
      at = end;
      continue;
    }
    if (c == '\n') {
      tokens_.push_back({"\n", line});  // ends a #define
      ++line;
    } else if (std::isspace(static_cast<unsigned char>(c)) == 0) {
      tokens_.push_back({std::string(text.substr(at, end - at)), line});
    }
    at = end;
  }
  add_constants();
  std::erase_if(tokens_, [](const Token& token) { return token.text == "\n"; });
  add_functions();
}

const std::string& SourceText::at(std::size_t token) const {
  static const std::string kNone;
  return token < tokens_.size() ? tokens_[token].text : kNone;
}

void SourceText::define(const std::string& name, std::optional<std::int64_t> value) {
  const auto known = constants_.find(name);
  if (!value || (known != constants_.end() && known->second != *value)) {
    ambiguous_.push_back(name);
    constants_.erase(name);
  } else if (std::ranges::find(ambiguous_, name) == ambiguous_.end()) {
    constants_[name] = *value;
  }
}

/// Those of #define, const and constexpr.
void SourceText::add_constants() {
  const std::vector<Token> all = tokens_;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const bool macro = all[i].text == "#" && i + 2 < all.size() && all[i + 1].text == "define";
    if (!macro && all[i].text != "constexpr" && all[i].text != "const") continue;
    std::size_t end = i;
    while (end < all.size() && all[end].text != (macro ? "\n" : ";") && all[end].text != "{" &&
           (macro || all[end].text != ")"))
      ++end;
    // What stands in the declaration is read as tokens of a text of its own.
    tokens_.assign(all.begin() + static_cast<std::ptrdiff_t>(i),
                   all.begin() + static_cast<std::ptrdiff_t>(end));
    std::erase_if(tokens_, [](const Token& token) { return token.text == "\n"; });
    if (macro) {
      std::size_t from = 3;
      const auto made = at(3) == "(" && at(4) == at(2) ? std::nullopt : value(from, 0, {});
      define(at(2), from == tokens_.size() ? made : std::nullopt);
      i = end;
      tokens_ = all;
      continue;
    }
    for (std::size_t equals = 1; equals < tokens_.size(); ++equals) {
      if (at(equals) != "=" || !is_name(at(equals - 1))) continue;
      std::size_t from = equals + 1;
      const auto made = value(from, 0, {});
      define(at(equals - 1), from == tokens_.size() || at(from) == "," ? made : std::nullopt);
    }
    tokens_ = all;
  }
}

void SourceText::add_functions() {
  struct Open {
    std::uint32_t line = 0;
    std::string function;  // its name; empty: no function's body
  };
  std::vector<Open> open;
  for (std::size_t i = 0; i < tokens_.size(); ++i) {
    if (at(i) == "{") {
      std::string function;
      if (i > 0 && at(i - 1) == ")") {
        std::size_t back = i - 1;
        for (int depth = 1; depth > 0 && back > 0;) {
          --back;
          depth += at(back) == ")" ? 1 : at(back) == "(" ? -1 : 0;
        }
        const std::string& before = at(back - 1);
        if (is_name(before) && before != "if" && before != "for" && before != "while" &&
            before != "switch" && before != "constexpr")
          function = before;
      }
      open.push_back({tokens_[i].line, function});
    } else if (at(i) == "}" && !open.empty()) {
      const Open one = open.back();
      open.pop_back();
      const bool inside =
          std::ranges::any_of(open, [](const Open& outer) { return !outer.function.empty(); });
      if (!one.function.empty() && !inside)
        functions_.push_back({one.line, tokens_[i].line, one.function});
    }
  }
}

/// The template parameters of a kernel that are numbers in its name: "void tiles<32, float>(...)".
SourceText::Values SourceText::template_values(std::string_view kernel) const {
  Values values;
  const std::size_t open = kernel.find('<');
  if (open == kernel.npos || open > kernel.find('(')) return values;
  const std::string_view name = bare_name(kernel);
  const std::size_t close = kernel.find('>', open);
  std::vector<std::optional<std::int64_t>> arguments;
  for (std::size_t from = open + 1; close != kernel.npos && from < close;) {
    const std::size_t end = std::min(kernel.find(',', from), close);
    std::string_view one = kernel.substr(from, end - from);
    if (const std::size_t cast = one.rfind(')'); cast != one.npos) one.remove_prefix(cast + 1);
    while (one.starts_with(' ')) one.remove_prefix(1);
    arguments.push_back(number(one));
    from = end + 1;
  }
  for (std::size_t i = 0; i < tokens_.size(); ++i) {
    if (at(i) != "template" || at(i + 1) != "<") continue;
    std::vector<std::string> parameters;
    std::size_t token = i + 2;
    for (; !at(token).empty() && at(token) != ">"; ++token) {
      if (at(token + 1) == "," || at(token + 1) == ">") parameters.push_back(at(token));
    }
    while (!at(token).empty() && at(token) != "(" && at(token) != "{" && at(token) != ";") ++token;
    if (at(token) != "(" || at(token - 1) != name || parameters.size() != arguments.size())
      continue;
    for (std::size_t p = 0; p < parameters.size(); ++p) {
      if (arguments[p]) values[parameters[p]] = *arguments[p];
    }
  }
  return values;
}

std::optional<std::int64_t> SourceText::primary(std::size_t& token, const Values& known) const {
  const std::string& text = at(token);
  if (text == "(") {
    ++token;
    const auto inner = value(token, 0, known);
    if (at(token) != ")") return std::nullopt;
    ++token;
    return inner;
  }
  ++token;
  if (!is_name(text)) return number(text);
  const auto by_template = known.find(text);
  if (by_template != known.end()) return by_template->second;
  const auto constant = constants_.find(text);
  return constant == constants_.end() ? std::nullopt : std::optional(constant->second);
}

/// An expression of + - and, at level 1, * / and %. `token` is after it then.
std::optional<std::int64_t> SourceText::value(std::size_t& token, int level,
                                              const Values& known) const {
  const auto operand = [&] { return level == 0 ? value(token, 1, known) : primary(token, known); };
  std::optional<std::int64_t> left = operand();
  while (left) {
    const std::string& sign = at(token);
    if (level == 0 ? sign != "+" && sign != "-" : sign != "*" && sign != "/" && sign != "%") break;
    ++token;
    const auto right = operand();
    if (!right || *left > kMostValue || *right > kMostValue || *left < 0 || *right < 0 ||
        (*right == 0 && (sign == "/" || sign == "%")))
      return std::nullopt;
    left = sign == "+"   ? *left + *right
           : sign == "-" ? *left - *right
           : sign == "*" ? *left * *right
           : sign == "/" ? *left / *right
                         : *left % *right;
  }
  return left;
}

/// Those of the array whose first "[" is at `token`.
std::vector<std::uint32_t> SourceText::extents_at(std::size_t token, const Values& known,
                                                  std::uint64_t bytes,
                                                  std::string_view type) const {
  std::vector<std::uint32_t> extents;
  std::uint64_t product = 1;
  while (at(token) == "[") {
    const auto extent = value(++token, 0, known);
    if (!extent || at(token) != "]" || *extent <= 0 || *extent > kMostValue) return {};
    ++token;
    extents.push_back(static_cast<std::uint32_t>(*extent));
    product *= extents.back();
    if (product > bytes) return {};
  }
  const std::uint64_t size = size_of(type);
  const std::uint64_t fits = bytes / product;
  const bool whole = bytes % product == 0 && (size == 0 ? fits <= 16 && (fits & (fits - 1)) == 0
                                                        : fits == size || type == "unsigned");
  return whole ? extents : std::vector<std::uint32_t>();
}

std::vector<std::uint32_t> SourceText::shared_extents(std::string_view array,
                                                      std::string_view kernel,
                                                      std::uint64_t bytes) const {
  const Values known = template_values(kernel);
  const auto is_in_kernel = [&](std::uint32_t line) {
    return std::ranges::any_of(functions_, [&](const Function& one) {
      return one.first <= line && line <= one.last && one.name == bare_name(kernel);
    });
  };
  std::vector<std::uint32_t> found;
  bool own = false;  // of the kernel itself, and not of a function that it may call
  bool differ = false;
  for (std::size_t i = 0; i < tokens_.size(); ++i) {
    if (at(i) != "__shared__") continue;
    std::string_view type;
    for (std::size_t token = i + 1; !at(token).empty() && at(token) != ";"; ++token) {
      if (at(token) != array || at(token + 1) != "[") {
        if (type.empty() && is_name(at(token)) && at(token) != "const" && at(token) != "volatile")
          type = at(token);
        continue;
      }
      const auto extents = extents_at(token + 1, known, bytes, type);
      const bool here = is_in_kernel(tokens_[token].line);
      if (extents.empty() || (own && !here)) continue;
      differ = own == here && (differ || (!found.empty() && found != extents));
      found = extents;
      own = here;
    }
  }
  return differ ? std::vector<std::uint32_t>() : found;
}

std::vector<std::uint32_t> SourceText::lines_naming(std::string_view array,
                                                    std::uint32_t line) const {
  const auto function = std::ranges::find_if(
      functions_, [&](const Function& one) { return one.first <= line && line <= one.last; });
  if (array.empty() || function == functions_.end()) return {};
  const auto begin = std::ranges::lower_bound(tokens_, line, {}, &Token::line);
  static constexpr std::array<std::string_view, 9> kHarmless = {
      "if", "for", "while", "switch", "return", "min", "max", "fminf", "fmaxf"};
  const auto first = static_cast<std::size_t>(begin - tokens_.begin());
  std::size_t token = first;
  for (; token < tokens_.size() && tokens_[token].line == line; ++token) {
    const std::string& text = at(token);
    const std::string& before = token > 0 ? at(token - 1) : text;
    const bool dereferences = text == "*" && !is_name(before) && before != ")" && before != "]" &&
                              std::isdigit(static_cast<unsigned char>(before.front())) == 0;
    const bool calls = is_name(text) && at(token + 1) == "(" &&
                       std::ranges::find(kHarmless, text) == kHarmless.end();
    if (text == array || text == "[" || text == "->" || dereferences || calls) return {};
  }
  std::vector<std::uint32_t> lines;
  bool named = false;  // in this statement
  const auto add = [&](const Token& one) {
    if (one.text == ";" || one.text == "{" || one.text == "}") named = false;
    if (one.text != array || named) return;
    named = true;
    lines.push_back(one.line);
  };
  // Back to where the statement begins.
  std::size_t from = first;
  while (from > 0 && at(from - 1) != ";" && at(from - 1) != "{" && at(from - 1) != "}") --from;
  for (std::size_t i = from; i < first; ++i) add(tokens_[i]);
  const std::uint32_t last = std::min(line + kLinesAfter, function->last);
  for (; token < tokens_.size() && tokens_[token].line <= last; ++token) add(tokens_[token]);
  if (lines.size() > kMostNamed) lines.resize(kMostNamed);
  return lines;
}

std::string naming_note(std::string_view array, std::uint32_t line,
                        const std::vector<std::uint32_t>& lines) {
  const std::vector<std::uint32_t> others(lines.begin(), lines.end() - 1);
  return fmt::format(
      "Line {}, which the compiler gives for this access, does not name `{}`; line{}{} {}.", line,
      array, others.empty() ? " " : fmt::format("s {} and ", fmt::join(others, ", ")), lines.back(),
      others.empty() ? "does" : "do");
}

std::string_view array_in(std::string_view message) {
  const std::size_t open = message.find('`');
  if (open == message.npos) return {};
  const std::size_t close = message.find('`', open + 1);
  if (close == message.npos) return {};
  const std::string_view name = message.substr(open + 1, close - open - 1);
  return is_name(name) && std::ranges::all_of(name, is_in_name) ? name : std::string_view();
}

}  // namespace warpsim::recording
