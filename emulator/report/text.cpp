#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "emulator/report/report.h"

namespace warpsim {
namespace {

std::string plural(std::ptrdiff_t count, std::string_view word) {
  return fmt::format("{} {}{}", count, word, count == 1 ? "" : "s");
}

std::string summary_line(std::span<const Finding> findings) {
  std::string parts;
  for (const auto& [severity, word] : {std::pair{Severity::error, "error"},
                                       {Severity::warning, "warning"},
                                       {Severity::note, "note"}}) {
    const auto count = std::ranges::count(findings, severity, &Finding::severity);
    if (count == 0) continue;
    if (!parts.empty()) parts += ", ";
    parts += plural(count, word);
  }
  return fmt::format("warpsim: {}\n", parts.empty() ? "no findings" : parts);
}

}  // namespace

std::string render_findings(std::span<const Finding> findings) {
  std::string text;
  for (const Finding& finding : findings) {
    text += render(finding);
    text += '\n';
  }
  return text + summary_line(findings);
}

}  // namespace warpsim
