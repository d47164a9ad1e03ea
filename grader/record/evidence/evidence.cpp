#include "grader/record/evidence/evidence.h"

#include <algorithm>
#include <string_view>
#include <tuple>

#include "grader/core/text.h"

namespace warpgrade {

namespace {

/// A barrier of the block or an atomic that a race lacks also orders the lanes of one warp:
/// __syncwarp() would be the wrong advice beside it.
void defer_to_races(std::vector<ReportedFinding>& findings) {
  using warpsim::FindingKind;
  const auto has_line = [](const ReportedFinding& f, std::uint32_t line) {
    return line != 0 && (f.line == line || f.other_line == line);
  };
  for (ReportedFinding& lanes : findings) {
    if (!lanes.is(FindingKind::warp_synchronous)) continue;
    const auto race = std::find_if(findings.begin(), findings.end(), [&](const auto& f) {
      const bool is_race = f.is(FindingKind::race_shared) || f.is(FindingKind::race_global);
      return is_race && f.is_error() && f.kernel == lanes.kernel && f.file == lanes.file &&
             (has_line(f, lanes.line) || has_line(f, lanes.other_line));
    });
    if (race == findings.end()) continue;
    constexpr std::string_view kLacks = " with no __syncwarp() in between";
    if (const std::size_t at = lanes.message.find(kLacks); at != std::string::npos) {
      lanes.message.replace(at, kLacks.size(), " in no fixed order");
    }
    lanes.pitfall = race->pitfall;
    lanes.want = race->want;
    lanes.next = "The race at line " + std::to_string(race->line) +
                 " is the same mistake: what orders the threads of a block orders the lanes of a "
                 "warp, too.";
  }
}

}  // namespace

const CaseOutcome* Evidence::find_case(const std::string& name) const {
  const auto it = std::find_if(cases.begin(), cases.end(),
                               [&](const CaseOutcome& c) { return c.report.name == name; });
  return it == cases.end() ? nullptr : &*it;
}

bool has_nothing_to_do(const CaseOutcome& outcome) {
  if (outcome.spec == nullptr) {
    return false;
  }
  const auto& settings = outcome.spec->data.settings;
  const Dims& dims = outcome.spec->data.dims;
  return std::any_of(dims.begin(), dims.end(), [&](const auto& dim) {
    return dim.second == 0 &&
           std::find(settings.begin(), settings.end(), dim.first) == settings.end();
  });
}

std::vector<ReportedFinding> fold_findings(const std::vector<CaseOutcome>& cases) {
  std::vector<ReportedFinding> folded;
  for (const CaseOutcome& outcome : cases) {
    if (!outcome.emulator) {
      continue;
    }
    const bool cut_short = outcome.report.verdict == CaseVerdict::not_assessed;
    for (const ReportedFinding& finding : outcome.emulator->findings) {
      if (cut_short && !finding.is_lack_of_emulator()) {
        continue;  // a consequence of a kernel that did not run, not of the program
      }
      // Without a line, such as for a failed launch, the advice distinguishes mistakes; messages
      // contain numbers.
      const auto key = [](const ReportedFinding& f) {
        const std::string_view advice = f.line == 0 ? std::string_view(f.next) : std::string_view();
        return std::tuple(std::string_view(f.kind), std::string_view(f.severity),
                          std::string_view(f.kernel), std::string_view(f.file), f.line, advice);
      };
      auto it = std::find_if(folded.begin(), folded.end(),
                             [&](const ReportedFinding& f) { return key(f) == key(finding); });
      if (it == folded.end()) {
        it = folded.insert(folded.end(), finding);
      } else {
        it->count += finding.count;
      }
      if (it->cases.empty() || it->cases.back() != outcome.report.name) {
        it->cases.push_back(outcome.report.name);
      }
    }
  }
  defer_to_races(folded);
  return folded;
}

std::string titles(const std::vector<const warpsim::FindingInfo*>& kinds) {
  std::vector<std::string> words;
  words.reserve(kinds.size());
  for (const warpsim::FindingInfo* kind : kinds) {
    words.emplace_back(kind->title);
  }
  return join_and(words);
}

}  // namespace warpgrade
