#include "grader/build/inspection/host_assembly.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <filesystem>

#include "grader/core/comments.h"
#include "grader/core/text.h"
#include "harness/core/identifier.h"

namespace warpgrade {
namespace {

// As spelled by nvcc's front end, whatever the spelling in the source.
constexpr std::string_view kAsm = "__asm__";
constexpr std::string_view kSection = "__section__(";

/// The text between the quotes after `at`, or nothing.
std::string_view string_behind(std::string_view line, std::size_t at) {
  const std::size_t open = line.find('"', at);
  const std::size_t close = open == line.npos ? line.npos : line.find('"', open + 1);
  return close == line.npos ? std::string_view() : line.substr(open + 1, close - open - 1);
}

/// A name that the assembler can only read as a name. With a newline in it, the rest would be
/// assembly.
bool is_plain_name(std::string_view name) {
  return std::all_of(name.begin(), name.end(), [](char c) {
    return is_in_name(c) || c == '.' || c == '$' || c == '-' || c == '@';
  });
}

/// Reads the code line by line and tracks the location.
class Reader {
 public:
  Reader(std::string_view own_prefix, bool trusts_markers)
      : own_prefix_(own_prefix), trusts_markers_(trusts_markers) {}

  std::string read(std::string_view code) {
    while (!code.empty()) {
      const std::size_t end = std::min(code.find('\n'), code.size());
      const std::string_view line = code.substr(0, end);
      code.remove_prefix(std::min(end + 1, code.size()));
      if (line.starts_with('#')) {
        read_directive(line);
        continue;
      }
      if (is_cut_out_) {
        continue;
      }
      if (is_own() || !trusts_markers_) {
        if (std::string found = find(line); !found.empty()) {
          return found;
        }
      }
      const std::size_t last = line.find_last_not_of(" \t");
      if (last != line.npos) {
        last_ = line[last];
      }
      ++number_;
    }
    return {};
  }

 private:
  void read_directive(std::string_view line) {
    if (line == "#if 0") {
      is_cut_out_ = true;
    } else if (line == "#endif") {
      is_cut_out_ = false;
    } else if (line.starts_with("# ") || line.starts_with("#line ")) {
      const std::string_view rest = line.substr(line.find(' ') + 1);
      std::from_chars(rest.data(), rest.data() + rest.size(), number_);
      if (const std::string_view name = string_behind(line, 0); !name.empty()) {
        file_ = name;
      }
    }
  }

  [[nodiscard]] bool is_own() const {
    return !file_.starts_with('/') || (!own_prefix_.empty() && file_.starts_with(own_prefix_));
  }

  [[nodiscard]] std::string find(std::string_view line) const {
    for (std::size_t at = line.find(kAsm); at != line.npos; at = line.find(kAsm, at + 1)) {
      if ((at > 0 && is_in_name(line[at - 1])) || is_in_string(line, at)) {
        continue;
      }
      if (is_statement(line, at)) {
        return "inline assembly" + place();
      }
      if (!is_plain_name(string_behind(line, at))) {
        return "a name with assembly in it" + place();
      }
    }
    for (std::size_t at = line.find(kSection); at != line.npos; at = line.find(kSection, at + 1)) {
      if (!is_in_string(line, at) && !is_plain_name(string_behind(line, at))) {
        return "a section with assembly in its name" + place();
      }
    }
    return {};
  }

  /// A statement begins where another one ends; an assembler label follows the declarator. Every
  /// branch has braces in this code.
  [[nodiscard]] bool is_statement(std::string_view line, std::size_t at) const {
    const std::size_t before = line.find_last_not_of(" \t", at == 0 ? 0 : at - 1);
    const bool is_first = at == 0 || before == line.npos || before >= at;
    const char last = is_first ? last_ : line[before];
    const std::string_view behind = line.substr(at + kAsm.size());
    const std::size_t next = std::min(behind.find_first_not_of(" \t"), behind.size());
    return std::string_view("{};:").find(last) != std::string_view::npos ||
           !behind.substr(next).starts_with('(');
  }

  static bool is_in_string(std::string_view line, std::size_t at) {
    bool inside = false;
    for (std::size_t i = 0; i < at; ++i) {
      if (line[i] == '\\') {
        ++i;
      } else if (line[i] == '"' && !(i > 0 && line[i - 1] == '\'')) {
        inside = !inside;
      }
    }
    return inside;
  }

  [[nodiscard]] std::string place() const {
    if (!is_own()) {
      return {};
    }
    const std::string_view name =
        file_.starts_with(own_prefix_) ? file_.substr(own_prefix_.size()) : file_;
    return fmt::format(" at {}:{}", printable(std::string(name)), number_);
  }

  std::string_view own_prefix_;
  bool trusts_markers_;
  std::string_view file_;
  std::size_t number_ = 0;
  char last_ = ';';
  bool is_cut_out_ = false;
};

}  // namespace

std::string host_assembly(std::string_view host_code, std::string_view own_prefix,
                          bool trusts_markers) {
  return Reader(own_prefix, trusts_markers).read(host_code);
}

bool writes_line_markers(std::string_view source) {
  // A directive may be continued on the next line.
  const std::string code = replace_all(without_comments(std::string(source)), "\\\n", "");
  for (std::string_view line : split_lines(code)) {
    const auto skip_spaces = [&line] {
      line.remove_prefix(std::min(line.find_first_not_of(" \t\v\f\r"), line.size()));
    };
    skip_spaces();
    if (line.starts_with('#') || line.starts_with("%:")) {
      line.remove_prefix(line[0] == '#' ? 1 : 2);
      skip_spaces();
      if (line.starts_with("line") || (!line.empty() && line[0] >= '0' && line[0] <= '9')) {
        return true;
      }
    }
  }
  return false;
}

}  // namespace warpgrade
