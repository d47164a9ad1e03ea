#include "grader/build/inspection/includes.h"

#include <algorithm>
#include <filesystem>

#include "grader/core/source_names.h"
#include "grader/core/text.h"

namespace warpgrade {
namespace {

/// Scans a source by translation phases 2 and 3, as far as directives need it: splices lines, skips
/// comments and literals, tracks whether the line already has a token.
class Scanner {
 public:
  explicit Scanner(std::string_view source) : rest_(source) {}

  std::vector<IncludeDirective> run() {
    while (!at_end()) {
      if (skip_comment() || skip_literal()) {
        continue;
      }
      const char c = rest_.front();
      if (c == '\n') {
        line_start_ = true;
        advance();
      } else if (line_start_ && (c == '#' || rest_.starts_with("%:"))) {
        advance(c == '#' ? 1 : 2);
        directive();
      } else {
        line_start_ = line_start_ && is_space(c);
        advance();
      }
    }
    return std::move(found_);
  }

 private:
  static bool is_space(char c) {
    return c == ' ' || c == '\t' || c == '\v' || c == '\f' || c == '\r';
  }

  bool at_end() {
    // A backslash before a newline joins the lines, anywhere.
    while (rest_.starts_with("\\\n") || rest_.starts_with("\\\r\n")) {
      rest_.remove_prefix(rest_[1] == '\n' ? 2 : 3);
      ++line_;
    }
    return rest_.empty();
  }

  void advance(std::size_t count = 1) {
    for (; count > 0 && !rest_.empty(); --count) {
      line_ += rest_.front() == '\n' ? 1 : 0;
      rest_.remove_prefix(1);
    }
  }

  bool skip_comment() {
    if (rest_.starts_with("//")) {
      while (!at_end() && rest_.front() != '\n') {
        advance();
      }
      return true;
    }
    if (rest_.starts_with("/*")) {
      const std::size_t end = rest_.find("*/", 2);
      advance(end == std::string_view::npos ? rest_.size() : end + 2);
      return true;
    }
    return false;
  }

  bool skip_literal() {
    if (rest_.starts_with("R\"")) {
      const std::size_t open = rest_.find('(');
      if (open != std::string_view::npos && open <= 18) {  // a delimiter has at most 16 letters
        const std::string close = ")" + std::string(rest_.substr(2, open - 2)) + "\"";
        const std::size_t end = rest_.find(close, open);
        advance(end == std::string_view::npos ? rest_.size() : end + close.size());
        line_start_ = false;
        return true;
      }
    }
    const char quote = rest_.front();
    if (quote != '"' && quote != '\'') {
      return false;
    }
    line_start_ = false;
    advance();
    while (!at_end() && rest_.front() != quote && rest_.front() != '\n') {
      advance(rest_.front() == '\\' ? 2 : 1);
    }
    if (!rest_.empty() && rest_.front() == quote) {
      advance();
    }
    return true;
  }

  void skip_space() {
    while (!at_end() && (is_space(rest_.front()) || rest_.starts_with("/*"))) {
      if (!skip_comment()) {
        advance();
      }
    }
  }

  /// Called after the '#'. Leaves the rest of the line to run().
  void directive() {
    line_start_ = false;
    skip_space();
    std::string word;
    while (!at_end() && ((rest_.front() >= 'a' && rest_.front() <= 'z') || rest_.front() == '_')) {
      word += rest_.front();
      advance();
    }
    if (word != "include" && word != "include_next" && word != "import") {
      return;
    }
    skip_space();
    if (rest_.empty() || (rest_.front() != '"' && rest_.front() != '<')) {
      return;
    }
    const bool quoted = rest_.front() == '"';
    IncludeDirective include{.path = {}, .quoted = quoted, .line = line_};
    advance();
    while (!at_end() && rest_.front() != (quoted ? '"' : '>') && rest_.front() != '\n') {
      include.path += rest_.front();
      advance();
    }
    if (!rest_.empty() && rest_.front() != '\n') {
      advance();
    }
    found_.push_back(std::move(include));
  }

  std::string_view rest_;
  std::uint32_t line_ = 1;
  bool line_start_ = true;
  std::vector<IncludeDirective> found_;
};

}  // namespace

std::vector<IncludeDirective> find_includes(std::string_view source) {
  return Scanner(source).run();
}

std::set<std::string> include_folders(const std::vector<SourceFile>& files) {
  namespace fs = std::filesystem;
  std::set<std::string> names;
  for (const SourceFile& file : files) names.insert(file.name);
  std::set<std::string> folders;
  for (const SourceFile& file : files) {
    for (const IncludeDirective& include : find_includes(file.text)) {
      const std::string path =
          fs::path(replace_all(include.path, "\\", "/")).lexically_normal().generic_string();
      const fs::path beside = fs::path(file.name).parent_path() / path;
      if (path.starts_with("../") ||
          (include.quoted && names.contains(beside.lexically_normal().generic_string()))) {
        continue;
      }
      for (const std::string& name : names) {
        if (name == path) folders.insert(".");
        if (name.ends_with("/" + path)) {
          folders.insert(name.substr(0, name.size() - path.size() - 1));
        }
      }
    }
  }
  return folders;
}

std::set<std::string> included_programs(const std::vector<SourceFile>& files) {
  namespace fs = std::filesystem;
  std::set<std::string> programs;
  for (const SourceFile& file : files) {
    if (is_program(file.name)) programs.insert(file.name);
  }
  std::set<std::string> included;
  for (const SourceFile& file : files) {
    for (const IncludeDirective& include : find_includes(file.text)) {
      const std::string path =
          fs::path(replace_all(include.path, "\\", "/")).lexically_normal().generic_string();
      const std::string beside =
          (fs::path(file.name).parent_path() / path).lexically_normal().generic_string();
      for (const std::string& name : programs) {
        const bool is_meant = include.quoted && programs.contains(beside)
                                  ? name == beside
                                  : name == path || name.ends_with("/" + path);
        if (is_meant && name != file.name) included.insert(name);
      }
    }
  }
  // In a circle, each would be left to another.
  return included.size() < programs.size() ? included : std::set<std::string>();
}

}  // namespace warpgrade
