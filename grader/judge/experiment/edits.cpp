#include "grader/judge/experiment/edits.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "emulator/changes/call_edit.h"
#include "grader/judge/experiment/call_words.h"
#include "grader/judge/experiment/edit_words.h"
#include "grader/judge/experiment/slip_search.h"
#include "grader/judge/experiment/source_slip.h"
#include "harness/lab/axes.h"

namespace warpgrade {
namespace {

/// The page about what an edit undoes; empty: none, or one of several.
std::string pitfall_of(const TriedEdit& edit, const std::optional<warpsim::CallEdit>& call,
                       const Lab& lab, const std::vector<SourceFile>& sources) {
  // 0 where another operation needs its own neutral element, or the other way round.
  if (edit.kind == "start value") return "P52";
  if (!call) return "";
  using To = warpsim::CallValue::Kind;
  if (call->to.kind == To::exchanged_with_y) return "P5";
  const auto both = exchanged_arguments(*call, sources);
  return both && are_axes_of_one_array(lab, both->first, both->second) ? "P5" : "";
}

/// Edits of compiled code and of calls that make the smallest failing case right, in the files of
/// the submission.
/// @returns nothing if nothing can be learned from doing its work again
std::optional<std::vector<Slip>> first_slips(SlipSearch& search, const CaseOutcome& smallest,
                                             const Lab& lab,
                                             const std::vector<SourceFile>& sources) {
  std::set<std::string> files;
  for (const SourceFile& source : sources) {
    files.insert(std::filesystem::path(source.name).filename().string());
  }
  std::vector<Slip> slips;
  const std::optional<TriedEdits> tried = search.run(smallest, "");
  if (!tried || tried->unedited_is_right) return std::nullopt;
  for (std::size_t i = 0; i < tried->edits.size(); ++i) {
    const TriedEdit& edit = tried->edits[i];
    if (!tried->right[i] || !files.contains(edit.file)) continue;
    const std::optional<warpsim::CallEdit> call = warpsim::parse_call_edit(edit.text);
    if (!call && is_of_compiled_loop(edit, sources)) continue;
    EditWords words = call ? words_of_call(*call, sources) : words_of(edit, sources);
    slips.push_back(
        {.trial = edit.text,
         .text = edit.text,
         .file = edit.file,
         .line = edit.line,
         .also = call && call->part.kind == warpsim::CallPart::Kind::call && call->to.line != 0
                     ? std::vector{call->to.line}
                     : std::vector<std::uint32_t>(),
         .kind = std::move(words.kind),
         .fix = std::move(words.fix),
         .pitfall = pitfall_of(edit, call, lab, sources),
         .of_call = call.has_value(),
         .is_weak = call && is_weak(*call, sources)});
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

std::optional<warpsim::CallEdit> call_of_slip(const Explanation& explanation) {
  if (!is_slip(explanation)) return std::nullopt;
  return warpsim::parse_call_edit(
      std::string_view(explanation.variant).substr(std::string_view(kSlipVariant).size()));
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
                                     const std::filesystem::path& scratch, bool beside_formula) {
  if (!has_emulator(session.installation()) || session.lab().program) return std::nullopt;
  const SlipCases cases = slip_cases(ran);
  if (!can_explain(cases)) return std::nullopt;
  SlipSearch search(session, build, scratch / "edits");
  auto first = first_slips(search, *cases.failing.front(), session.lab(), sources);
  if (!first) return std::nullopt;
  search.try_on_others(cases, *first, lines_of);
  std::vector<Slip> slips = whole_slips(*first);
  if (slips.empty() || !beside_formula) {
    const std::vector<Slip> of_source =
        source_slips(session, build, cases, sources, scratch / "copies",
                     slips.empty() ? SourceSlips::all : SourceSlips::that_name_mistakes);
    first->insert(first->end(), of_source.begin(), of_source.end());
    const std::vector<Slip> whole = whole_slips(of_source);
    if (!whole.empty()) slips = whole;
  }
  if (slips.empty() && !beside_formula) slips = slips_beside_another(*first, cases.lost);
  return explanation_by(slips, cases, session.lab().hints, ran, beside_formula);
}

std::optional<Explanation> find_structural_slip(LabSession& session, const BuildResult& build,
                                                const std::vector<CaseOutcome>& ran,
                                                const std::vector<SourceFile>& sources,
                                                const std::filesystem::path& scratch) {
  if (!has_emulator(session.installation()) || session.lab().program) return std::nullopt;
  const SlipCases cases = slip_cases(ran);
  if (!can_explain(cases)) return std::nullopt;
  const std::vector<Slip> slips = chosen_slips(session, build, cases, sources, scratch / "choices");
  std::optional<Explanation> found =
      explanation_by(whole_slips(slips), cases, session.lab().hints, ran);
  if (found) found->of_structure = true;
  return found;
}

}  // namespace warpgrade
