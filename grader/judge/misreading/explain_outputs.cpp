#include "grader/judge/misreading/explain_outputs.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "grader/judge/misreading/explain.h"
#include "grader/judge/misreading/input_variants.h"
#include "grader/judge/misreading/variant.h"
#include "grader/process/forked.h"
#include "grader/record/evidence/evidence.h"
#include "grader/record/evidence/failed_case.h"
#include "grader/record/grade/json_fields.h"
#include "grader/run/cases/kept_outputs.h"
#include "grader/run/session/lab_code.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

/// Many times what the counts of ExplanationBudget allow: only a formula that never ends takes as
/// long.
constexpr std::chrono::seconds kLongest{20};
/// For other inputs than the lab's, which its formula may not stand.
constexpr std::chrono::seconds kShort{3};
/// For what is asked after the formulas of the lab.
constexpr ExplanationBudget kLess{.total = 1 << 26, .largest_case = 1 << 22};

/// Whether outputs are compared: not those of a program that must refuse the case.
bool has_outputs(const Case& spec) {
  return spec.program.exit_code == 0;
}

/// Whether outputs may hold what no formula gives: from outside of arrays, from uninitialized
/// memory, or by chance.
bool is_unreliable(const CaseOutcome& c) {
  return c.emulator && std::any_of(c.emulator->findings.begin(), c.emulator->findings.end(),
                                   [](const ReportedFinding& f) {
                                     using warpsim::FindingTopic;
                                     return f.is_error() && (f.is_about(FindingTopic::address) ||
                                                             f.is_about(FindingTopic::unwritten) ||
                                                             f.is_about(FindingTopic::race) ||
                                                             f.is_about(FindingTopic::waiting));
                                   });
}

WrongOutputs collect(LabSession& session, const Secret& secret,
                     const std::filesystem::path& scratch, const std::vector<CaseOutcome>& cases,
                     bool hidden) {
  WrongOutputs asked;
  asked.from_hidden = hidden;
  for (const CaseOutcome& c : cases) {
    if (c.report.visible == hidden) continue;
    const auto data = [&] { return session.data(*c.spec, hidden ? secret : Secret{}); };
    const bool right = c.report.verdict == CaseVerdict::passed && !hidden;
    if (right && has_outputs(*c.spec)) asked.right.push_back(data());
    if (!has_failed(c)) continue;
    if (has_nothing_to_do(c) && c.report.verdict != CaseVerdict::wrong) {
      ++asked.aside;  // a launch of no blocks is another mistake
      continue;
    }
    ++asked.failing;
    // Another run of a nondeterministic case gives other outputs: no formula does that.
    const bool same_again = c.report.pattern != "nondeterministic" && !c.fails_as_second_call;
    if (c.report.verdict != CaseVerdict::wrong || !same_again) continue;
    if (auto outputs = kept_outputs(data(), scratch)) {
      asked.wrong.push_back(
          {.data = data(),
           .outputs = std::make_shared<const std::map<std::string, Array>>(*std::move(outputs)),
           .unreliable = is_unreliable(c)});
    } else if (fs::exists(kept_outputs_folder(scratch, session.lab(), *c.spec))) {
      ++asked.unknown;
    }
  }
  return asked;
}

std::optional<Explanation> explanation_in(std::string_view line) {
  std::optional<Explanation> explanation;
  read_json<record::Trust::whole>(nlohmann::ordered_json::parse(line), explanation);
  return explanation;
}

std::string line_of(const std::optional<Explanation>& explanation) {
  return JsonWriter::json(explanation).dump() + "\n";
}

}  // namespace

std::optional<Explanation> found_apart(const std::function<std::optional<Explanation>()>& search,
                                       std::chrono::seconds longest) {
  const Forked forked =
      run_forked([&](const Tell& tell) { tell(line_of(search())); }, {.time = longest});
  return forked.returned ? explanation_in(forked.told) : std::nullopt;
}

FoundApart both_found_apart(const std::function<std::optional<Explanation>()>& first,
                            const std::function<bool(const std::optional<Explanation>&)>& needed,
                            const std::function<std::optional<Explanation>()>& second,
                            std::chrono::seconds longest) {
  const Forked forked = run_forked(
      [&](const Tell& tell) {
        const std::optional<Explanation> found = first();
        tell(line_of(found));
        if (needed(found)) tell(line_of(second()));
      },
      {.time = longest});
  FoundApart both;
  // Of a line that was cut off there is no end.
  const std::size_t end = forked.told.find('\n');
  if (end == forked.told.npos) return both;
  both.first = explanation_in(std::string_view(forked.told).substr(0, end));
  const std::string_view rest = std::string_view(forked.told).substr(end + 1);
  both.second_ended = rest.ends_with('\n');
  if (both.second_ended) both.second = explanation_in(rest);
  return both;
}

LabFormulas::LabFormulas(const LabSession& session)
    : build_(golden_build(session.installation(), session.lab())),
      library_(build_.file, run_lab_code) {}

WrongOutputs wrong_outputs(LabSession& session, const Secret& secret,
                           const std::filesystem::path& scratch,
                           const std::vector<CaseOutcome>& cases) {
  const bool visible_fails = std::any_of(cases.begin(), cases.end(), [](const CaseOutcome& c) {
    return c.report.visible && has_failed(c);
  });
  if (std::none_of(cases.begin(), cases.end(), has_failed)) return {};
  return collect(session, secret, scratch, cases, !visible_fails);
}

std::optional<Explanation> explain_outputs(LabSession& session, const Secret& secret,
                                           const std::filesystem::path& scratch,
                                           const std::vector<CaseOutcome>& cases) {
  const WrongOutputs asked = wrong_outputs(session, secret, scratch, cases);
  if (asked.wrong.empty()) return std::nullopt;
  const LabFormulas formulas(session);
  const std::vector<Variant> of_lab = lab_variants(formulas.list());
  std::vector<Variant> variants = of_lab;
  const std::vector<Variant>& general = general_variants();
  variants.insert(variants.end(), general.begin(), general.end());
  const auto is_of_lab = [](const std::optional<Explanation>& e) { return e && e->of_lab; };
  KeptResults kept;  // in the copies of this process
  const auto where_wrong = [&](const std::vector<Variant>& some) {
    return [&] { return explain_where_wrong(asked, some, kLess, kept); };
  };
  const FoundApart by_lab = both_found_apart([&] { return explain(asked, variants, {}, kept); },
                                             [&](const auto& first) { return !is_of_lab(first); },
                                             where_wrong(variants), kLongest);
  if (is_of_lab(by_lab.first)) return by_lab.first;
  std::optional<Explanation> part = by_lab.second;
  if (!by_lab.second_ended) part = found_apart(where_wrong(of_lab), kShort);
  // In a process of its own: the right formula may not stand other inputs.
  const std::vector<Variant> of_inputs = input_variants(session.lab(), formulas.list().unchanged());
  const FoundApart by_inputs = both_found_apart(
      [&] { return explain(asked, of_inputs, kLess, kept); },
      [&](const auto& first) { return !first && !part; }, where_wrong(of_inputs), kShort);
  if (by_inputs.first) return by_inputs.first;
  if (!part) {
    part = by_inputs.second_ended ? by_inputs.second : found_apart(where_wrong(of_inputs), kShort);
  }
  return part ? part : by_lab.first;
}

}  // namespace warpgrade
