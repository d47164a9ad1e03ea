#include "grader/core/comments.h"

#include "grader/core/source_names.h"

namespace warpgrade {

std::string without_comments(std::string_view source) {
  enum class In { code, line_comment, block_comment, literal };
  In in = In::code;
  char quote = 0;
  std::string out;
  out.reserve(source.size());
  for (std::size_t i = 0; i < source.size(); ++i) {
    const char c = source[i];
    const std::string_view two = source.substr(i, 2);
    switch (in) {
      case In::code:
        if (two == "//" || two == "/*") {
          in = two == "//" ? In::line_comment : In::block_comment;
          out += "  ";
          ++i;
          continue;
        }
        if (c == '"' || c == '\'') {
          in = In::literal;
          quote = c;
        }
        out += c;
        break;
      case In::literal:
        out += c;
        if (c == '\\' && i + 1 < source.size()) {
          out += source[++i];
        } else if (c == quote || c == '\n') {
          in = In::code;
        }
        break;
      case In::line_comment:
        in = c == '\n' ? In::code : in;
        out += c == '\n' ? '\n' : ' ';
        break;
      case In::block_comment:
        if (two == "*/") {
          in = In::code;
          out += "  ";
          ++i;
          continue;
        }
        out += c == '\n' ? '\n' : ' ';
        break;
    }
  }
  return out;
}

std::string without_python_comments(std::string_view source) {
  std::string out;
  out.reserve(source.size());
  std::string_view quotes;  // of the literal
  bool in_comment = false;
  for (std::size_t i = 0; i < source.size(); ++i) {
    const char c = source[i];
    if (in_comment) {
      in_comment = c != '\n';
      out += in_comment ? ' ' : c;
    } else if (quotes.empty()) {
      in_comment = c == '#';
      out += in_comment ? ' ' : c;
      if (c != '"' && c != '\'') continue;
      const bool is_long = source.substr(i, 3) == std::string(3, c);
      quotes = source.substr(i, is_long ? 3 : 1);
      out += quotes.substr(1);
      i += quotes.size() - 1;
    } else if (c == '\\' && i + 1 < source.size()) {
      out += c;
      out += source[++i];
    } else if (source.substr(i, quotes.size()) == quotes) {
      out += quotes;
      i += quotes.size() - 1;
      quotes = {};
    } else {
      out += c;
      if (c == '\n' && quotes.size() == 1) quotes = {};
    }
  }
  return out;
}

std::string code_of(std::string_view name, std::string_view source) {
  return is_python(name) ? without_python_comments(source) : without_comments(source);
}

}  // namespace warpgrade
