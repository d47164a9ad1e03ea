#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace warpsim {

struct Finding;

/// A place in a source file. File names are relative to the directory that the command was started
/// in, as editors expect.
struct SourcePosition {
  std::string file;  // empty if unknown
  std::uint32_t line = 0;  // 0 if unknown
  std::uint32_t column = 0;  // from 1; 0 if unknown
};

/// One problem of a program, for editors: a finding, a compiler's message, or a case that fails.
struct Diagnostic {
  SourcePosition at;
  std::string severity;  // "error", "warning", "note"
  std::string message;  // one line
  std::string rule;  // kind of finding; "compiler"; "wrong-result" and so on for a case
  std::string title;  // of the rule, for people
  std::string pitfall;  // "P23", or empty
  std::optional<SourcePosition> other;  // of a race, where it is another line
  std::vector<std::pair<std::string, std::string>> details;  // "who", "got", ...
  std::vector<std::string> cases;  // in which it was seen

  /// "src/vecadd.cu:12:5: error: message [oob-global-write, P1]"; without what is unknown.
  [[nodiscard]] std::string line() const;
};

/// A finding; a file below the current directory is given relative to it.
[[nodiscard]] Diagnostic diagnostic_of(const Finding& finding);

/// How diagnostics are printed: lines for people and editors, or for other programs.
enum class DiagnosticFormat : std::uint8_t { text, json, sarif, github };
constexpr auto names_of(DiagnosticFormat) {
  return std::array<std::string_view, 4>{"text", "json", "sarif", "github"};
}

/// SARIF 2.1.0: one run of a tool, a rule for each kind, both sides of a race as locations.
[[nodiscard]] std::string to_sarif(std::span<const Diagnostic> diagnostics, std::string_view tool,
                                   std::string_view version);

/// Annotations of GitHub's workflows, one `::error file=...::message` per line.
[[nodiscard]] std::string to_github(std::span<const Diagnostic> diagnostics);

}  // namespace warpsim
