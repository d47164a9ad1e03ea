#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cctype>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "emulator/findings/finding_kinds.h"
#include "grader/cli/commands.h"
#include "grader/core/error.h"
#include "grader/core/files.h"
#include "grader/core/installation.h"
#include "grader/core/text.h"
#include "grader/show/report/machine_page.h"
#include "grader/show/report/pitfall_pages.h"
#include "grader/show/report/terminal_markdown.h"
#include "harness/core/closest.h"

namespace warpgrade {
namespace {

using PitfallPages = std::vector<std::pair<std::string, PitfallPage>>;

ExitCode list_pages(const PitfallPages& pages) {
  for (const auto& [id, page] : pages) {
    fmt::print("{:<4} {}\n", id, page.title);
  }
  fmt::print(
      "\n`warpgrade explain P43` shows a page, `warpgrade explain oob-copy` explains a finding, "
      "and\n"
      "`warpgrade explain sector` a word.\n");
  return ExitCode::passed;
}

/// "P43" for p43 and 43.
std::string as_id(const std::string& name) {
  std::string id;
  for (const char c : name) {
    id += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  }
  const bool digits = !id.empty() && std::all_of(id.begin(), id.end(), [](unsigned char c) {
    return std::isdigit(c) != 0;
  });
  return digits ? "P" + id : id;
}

/// What a finding of this kind costs.
std::string_view cost_of(const warpsim::FindingInfo& kind) {
  switch (kind.effect) {
    case warpsim::FindingEffect::unsafe:
      return "It costs points for safety.";
    case warpsim::FindingEffect::half:
      return "It costs points for safety, half as many as an error.";
    case warpsim::FindingEffect::advice:
      return "It costs no points.";
    case warpsim::FindingEffect::not_assessed:
      break;
  }
  return "It reports a feature missing in the emulator, and costs no points.";
}

[[noreturn]] void unknown(const std::string& name, const PitfallPages& pages) {
  std::vector<std::string> known;
  for (const auto& [id, page] : pages) known.push_back(id);
  for (const warpsim::FindingInfo& kind : warpsim::finding_kinds()) known.emplace_back(kind.slug);
  // For a number that is too large, suggest the last page; for a word, the kind with a similar
  // spelling.
  std::string near = closest(name, known);
  if (near.empty()) near = closest(as_id(name), known);
  throw UsageError(fmt::format(
      "there is no page '{}'{}; `warpgrade explain` lists all{}", printable(name),
      near.empty() ? "" : fmt::format(", did you mean '{}'?", near),
      pages.empty() ? "" : fmt::format(", {} to {}", pages.front().first, pages.back().first)));
}

ExitCode explain(const std::string& name) {
  const Installation installation = find_installation();
  const PitfallPages pages = all_pitfalls(installation.pitfalls());
  if (name.empty()) {
    return list_pages(pages);
  }
  std::string id = as_id(name);
  if (const warpsim::FindingInfo* kind = warpsim::find_finding_kind(name)) {
    fmt::print("{}: {}. {}\n", kind->slug, kind->title, cost_of(*kind));
    if (kind->pitfall.empty()) {
      return ExitCode::passed;
    }
    fmt::print("\n");
    id = kind->pitfall;
  }
  const auto page = std::find_if(pages.begin(), pages.end(),
                                 [&](const auto& known) { return known.first == id; });
  if (page == pages.end()) {
    const std::string section = machine_section(read_file(installation.machine_page()), name);
    if (section.empty()) unknown(name, pages);
    fmt::print("{}", terminal_of_markdown(section, style_of_stdout()));
    return ExitCode::passed;
  }
  fmt::print("{}", terminal_of_markdown(page->second.markdown, style_of_stdout()));
  return ExitCode::passed;
}

}  // namespace

void add_explain_command(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("explain", "Explain a pitfall, a finding or a word");
  const auto name = std::make_shared<std::string>();
  command->add_option("name", *name,
                      "P43, a finding's kind, or a word of machine.md (default: list all pages)");
  command->callback([&action, name] { action = [name] { return explain(*name); }; });
}

}  // namespace warpgrade
