#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "harness/data/categories.h"
#include "harness/lab/checks.h"
#include "harness/lab/read_function.h"

namespace warpgrade {

namespace {

constexpr std::size_t kShortestReason = 12;  // characters: shorter ones give none

bool covers(const Lab& lab, const std::string& category) {
  return std::any_of(lab.cases.begin(), lab.cases.end(), [&](const Case& spec) {
    const auto& claimed = spec.data.categories;
    return std::find(claimed.begin(), claimed.end(), category) != claimed.end();
  });
}

void check_reason(const TomlTable& row, const std::string& reason, std::string_view why,
                  std::string_view example) {
  if (reason.size() >= kShortestReason) return;
  row.fail("reason",
           fmt::format("'{}' does not say why {}; write reason = \"{}\"", reason, why, example));
}

}  // namespace

void read_waivers(TomlTable& document, Lab& lab) {
  std::vector<std::string> mandatory;
  for (const EdgeCategory& category : categories()) {
    if (category.mandatory) mandatory.emplace_back(category.name);
  }
  for (TomlTable& row : document.tables("waive")) {
    Waiver waiver{.category = row.string("category"), .reason = row.string("reason")};
    row.set_title(fmt::format("[[waive]] \"{}\"", waiver.category));
    check_known(row, "category", waiver.category, mandatory, "mandatory category");
    if (covers(lab, waiver.category)) {
      row.fail("category", fmt::format("a case has category '{}', so that there is nothing to "
                                       "waive; remove this [[waive]]",
                                       waiver.category));
    }
    check_reason(row, waiver.reason, "there is no such case", "The image is always 512 x 512.");
    for (const Waiver& other : lab.waivers) {
      if (other.category == waiver.category) {
        row.fail("category",
                 fmt::format("category '{}' is waived twice; remove one", waiver.category));
      }
    }
    row.finish();
    lab.waivers.push_back(std::move(waiver));
  }
}

void read_answer_waivers(TomlTable& document, Lab& lab) {
  std::vector<std::string> cases;
  for (const Case& spec : lab.cases) cases.push_back(spec.name);
  for (TomlTable& row : document.tables("waive_answer")) {
    const std::string answer = row.string("answer");
    check_known(row, "answer", answer, names<CheapAnswer>(), "cheap answer");
    AnswerWaiver waiver{.answer = from_slug<CheapAnswer>(answer).value(),
                        .on = row.string("case"),
                        .reason = row.string("reason")};
    row.set_title(fmt::format("[[waive_answer]] \"{}\" of \"{}\"", answer, waiver.on));
    check_known(row, "case", waiver.on, cases, "case");
    check_reason(row, waiver.reason, "this answer may pass",
                 "Half of the 65536 values estimate their sum as well.");
    for (const AnswerWaiver& other : lab.answer_waivers) {
      if (other.answer == waiver.answer && other.on == waiver.on) {
        row.fail("answer", fmt::format("answer '{}' of case \"{}\" is waived twice; remove one",
                                       answer, waiver.on));
      }
    }
    row.finish();
    lab.answer_waivers.push_back(std::move(waiver));
  }
}

void read_stub(TomlTable& document, Lab& lab) {
  if (!document.has("stub")) return;
  const std::string stub = document.string("stub");
  check_known(document, "stub", stub, {"complete", "incomplete"}, "kind of stub");
  if (stub == "complete") return;
  lab.stub_reason = document.string("stub_reason");
  if (lab.stub_reason.empty()) {
    document.fail(
        "stub_reason",
        "'stub_reason' is empty; say why the stub does not build as it is given out, in a "
        "sentence that the handout has, too");
  }
}

}  // namespace warpgrade
