#include "grader/build/inspection/ir_assembly.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <unordered_map>

#include "grader/core/text.h"

namespace warpgrade {
namespace {

constexpr int kDeepest = 100;  // scopes in each other

/// The text behind `key` up to the next comma or parenthesis: "12" for "line: " in
/// "!DILocation(line: 12, scope: !7)".
std::string_view field(std::string_view node, std::string_view key) {
  const std::size_t at = node.find(key);
  if (at == node.npos) return {};
  const std::string_view rest = node.substr(at + key.size());
  return rest.substr(0, rest.find_first_of(",)"));
}

/// Without strings, in which a submission may have written anything. A quote in a string is escaped
/// as \22.
std::string without_strings(std::string_view node) {
  std::string text;
  bool inside = false;
  for (const char c : node) {
    if (c == '"') {
      inside = !inside;
    } else if (!inside) {
      text += c;
    }
  }
  return text;
}

/// What stands between quotes behind `key`.
std::string_view quoted(std::string_view node, std::string_view key) {
  const std::size_t at = node.find(key);
  if (at == node.npos) return {};
  const std::string_view rest = node.substr(at + key.size());
  return rest.substr(0, rest.find('"'));
}

/// Whether a line of a function calls assembly. Strings of the submission's cannot stand there
/// unescaped but in quoted names, which no honest program has.
bool calls_assembly(std::string_view line) {
  static constexpr std::array<std::string_view, 5> kCalls = {
      " asm \"", " asm sideeffect ", " asm alignstack ", " asm inteldialect ", " asm unwind "};
  return std::any_of(kCalls.begin(), kCalls.end(),
                     [&](std::string_view call) { return line.find(call) != line.npos; });
}

class IrReader {
 public:
  IrReader(std::string_view own_prefix, bool trusts_markers)
      : own_prefix_(own_prefix), trusts_markers_(trusts_markers) {}

  std::string read(std::string_view code) {
    const std::vector<std::string_view> lines = split_lines(code);
    std::vector<std::string_view> calls;
    for (const std::string_view line : lines) {
      if (line.starts_with("module asm ")) {
        return "inline assembly outside of functions";
      }
      if (line.starts_with(' ') && calls_assembly(line)) calls.push_back(line);
    }
    if (calls.empty()) return {};
    for (const std::string_view line : lines) {
      const std::size_t equals = line.starts_with('!') ? line.find(" = ") : line.npos;
      if (equals != line.npos) nodes_.emplace(line.substr(0, equals), line.substr(equals + 3));
    }
    for (const std::string_view line : calls) {
      if (std::string found = at_place(line); !found.empty()) return found;
    }
    return {};
  }

 private:
  [[nodiscard]] std::string_view node(std::string_view name) const {
    const auto it = nodes_.find(name);
    return it == nodes_.end() ? std::string_view() : it->second;
  }

  /// The file of a scope, or of what it lies in.
  [[nodiscard]] std::string_view file_of(std::string scope) const {
    for (int depth = 0; depth < kDeepest && !scope.empty(); ++depth) {
      const std::string text = without_strings(node(scope));
      if (const std::string_view file = field(text, "file: "); !file.empty()) {
        return quoted(node(file), "filename: \"");
      }
      scope = field(text, "scope: ");
    }
    return {};
  }

  [[nodiscard]] std::string at_place(std::string_view call) const {
    // After the strings of the assembly.
    const std::string_view location = node(field(call.substr(call.rfind('"') + 1), "!dbg "));
    std::string_view file = file_of(std::string(field(location, "scope: ")));
    if (file.starts_with("./")) file.remove_prefix(2);
    const bool is_under = !own_prefix_.empty() && file.starts_with(own_prefix_);
    const bool is_own = file.empty() || !file.starts_with('/') || is_under;
    if (!is_own) return trusts_markers_ ? "" : "inline assembly";
    if (is_under) file.remove_prefix(own_prefix_.size());
    const std::string_view number = field(location, "line: ");
    return file.empty() || number.empty()
               ? "inline assembly"
               : fmt::format("inline assembly at {}:{}", printable(file), number);
  }

  std::string_view own_prefix_;
  bool trusts_markers_;
  std::unordered_map<std::string_view, std::string_view> nodes_;  // by "!12"
};

}  // namespace

std::string ir_assembly(std::string_view code, std::string_view own_prefix, bool trusts_markers) {
  return IrReader(own_prefix, trusts_markers).read(code);
}

}  // namespace warpgrade
