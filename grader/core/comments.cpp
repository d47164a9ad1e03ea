#include "grader/core/comments.h"

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

}  // namespace warpgrade
