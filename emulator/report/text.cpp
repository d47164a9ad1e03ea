#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "emulator/changes/changes.h"
#include "emulator/findings/plural.h"
#include "emulator/report/report.h"

namespace warpsim {
namespace {

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

std::string render_changes(const Changes* changes) {
  std::string text;
  if (changes == nullptr) return text;
  for (const ChangeNote& note : changes->notes()) {
    if (!note.problem.empty()) {
      text += fmt::format("warpsim: change {}: not applicable: {}\n", note.change, note.problem);
    } else if (note.places == 0) {
      text += fmt::format("warpsim: change {}: not applicable: there is nothing to change\n",
                          note.change);
    } else {
      text += fmt::format("warpsim: change {}: made in {}{}\n", note.change,
                          plural(static_cast<std::ptrdiff_t>(note.places), "place"),
                          note.outside_branch ? ", outside the branch or loop of the line" : "");
    }
  }
  return text;
}

std::string render_findings(std::span<const Finding> findings, std::uint64_t dropped_launches) {
  std::string text;
  for (const Finding& finding : findings) {
    text += render(finding);
    text += '\n';
  }
  if (dropped_launches != 0) {
    text += fmt::format("warpsim: not checked: {} {} after the kernel that was stopped\n",
                        dropped_launches, dropped_launches == 1 ? "launch" : "launches");
  }
  return text + summary_line(findings);
}

}  // namespace warpsim
