#include "grader/judge/experiment/edits.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "grader/judge/experiment/call_words.h"
#include "grader/judge/experiment/edit_words.h"
#include "grader/judge/experiment/slip_search.h"
#include "grader/judge/experiment/source_slip.h"

namespace warpgrade {
namespace {

/// Edits of compiled code and of calls that make the smallest failing case right, in the files of
/// the submission.
std::vector<Slip> first_slips(SlipSearch& search, const CaseOutcome& smallest,
                              const std::vector<SourceFile>& sources) {
  std::set<std::string> files;
  for (const SourceFile& source : sources) {
    files.insert(std::filesystem::path(source.name).filename().string());
  }
  std::vector<Slip> slips;
  const std::optional<TriedEdits> tried = search.run(smallest, "");
  if (!tried || tried->unedited_is_right) return slips;
  for (std::size_t i = 0; i < tried->edits.size(); ++i) {
    const TriedEdit& edit = tried->edits[i];
    if (!tried->right[i] || !files.contains(edit.file)) continue;
    const bool of_call = is_of_call(edit);
    EditWords words = of_call ? words_of_call(edit, sources) : words_of(edit, sources);
    slips.push_back({.trial = edit.text,
                     .text = edit.text,
                     .file = edit.file,
                     .line = edit.line,
                     .twin = other_line(edit),
                     .kind = std::move(words.kind),
                     .fix = std::move(words.fix),
                     // 0 where another operation needs its own neutral element, or the other way
                     // round.
                     .pitfall = edit.kind == "start value" ? "P52" : "",
                     .of_call = of_call,
                     .is_weak = of_call && is_weak(edit, sources)});
    slips.back().note(smallest, true);
  }
  return slips;
}

std::string lines_of(const std::vector<Slip>& slips) {
  std::string list;
  for (const Slip& slip : slips) list += slip.trial + "\n";
  return list;
}

}  // namespace

bool is_slip(const Explanation& explanation) {
  return explanation.variant.starts_with(kSlipVariant);
}

Explanation with_slip(std::optional<Explanation> explanation, Explanation slip) {
  if (!explanation || !(explanation->of_lab || explanation->of_inputs)) return slip;
  explanation->message += " " + slip.message;
  explanation->slip_cases = slip.slip_cases;
  if (explanation->pitfall.empty()) explanation->pitfall = slip.pitfall;
  return *std::move(explanation);
}

std::optional<Explanation> find_slip(LabSession& session, const BuildResult& build,
                                     const std::vector<CaseOutcome>& ran,
                                     const std::vector<SourceFile>& sources,
                                     const std::filesystem::path& scratch) {
  if (!has_emulator(session.installation()) || session.lab().program) return std::nullopt;
  const SlipCases cases = slip_cases(ran);
  if (!can_explain(cases)) return std::nullopt;
  SlipSearch search(session, build, scratch / "edits");
  std::vector<Slip> slips = first_slips(search, *cases.failing.front(), sources);
  search.try_on_others(cases, slips, lines_of);
  slips = whole_slips(slips);
  if (slips.empty()) slips = source_slips(session, build, cases, sources, scratch / "copies");
  return explanation_by(slips, cases, session.lab().hints, ran);
}

}  // namespace warpgrade
