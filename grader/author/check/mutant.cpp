#include "grader/author/check/mutant.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include "grader/core/text.h"
#include "harness/lab/lab.h"

namespace warpgrade {
namespace {

struct VerdictName {
  std::string_view name;
  MutantVerdict verdict;
};
constexpr std::array kVerdicts = {
    VerdictName{"fails-build", MutantVerdict::fails_build},
    VerdictName{"fails-correctness", MutantVerdict::fails_correctness},
    VerdictName{"fails-safety", MutantVerdict::fails_safety},
    VerdictName{"fails-concept", MutantVerdict::fails_concept},
    VerdictName{"fails-performance", MutantVerdict::fails_performance},
    VerdictName{"crashes", MutantVerdict::crashes},
    VerdictName{"times-out", MutantVerdict::times_out}};

bool short_of(const Grade& grade, Category category) {
  return std::any_of(grade.items.begin(), grade.items.end(), [&](const Item& item) {
    return item.category == category && item.status != ItemStatus::passed;
  });
}

bool has_verdict(const Grade& grade, CaseVerdict verdict) {
  return std::any_of(grade.cases.begin(), grade.cases.end(),
                     [&](const CaseReport& c) { return c.verdict == verdict; });
}

bool verdict_holds(MutantVerdict verdict, const Grade& grade) {
  switch (verdict) {
    case MutantVerdict::fails_build:
      return short_of(grade, Category::build);
    case MutantVerdict::fails_correctness:
      return short_of(grade, Category::correctness);
    case MutantVerdict::fails_safety:
      return short_of(grade, Category::safety);
    case MutantVerdict::fails_concept:
      return short_of(grade, Category::concept_check);
    case MutantVerdict::fails_performance:
      return short_of(grade, Category::performance);
    case MutantVerdict::crashes:
      return has_verdict(grade, CaseVerdict::crashed);
    case MutantVerdict::times_out:
      break;
  }
  return has_verdict(grade, CaseVerdict::never_ends);
}

bool item_failed(const Grade& grade, const std::string& id) {
  return std::any_of(grade.items.begin(), grade.items.end(), [&](const Item& item) {
    return item.id == id && item.status != ItemStatus::passed;
  });
}

bool caught(const MutantClaim& claim, const Grade& grade) {
  if (claim.caught_by == "case") {
    return item_failed(grade, "correctness/" + claim.caught_name);
  }
  if (claim.caught_by == "concept") {
    return item_failed(grade, "concept/" + claim.caught_name);
  }
  if (claim.caught_by == "finding") {
    return std::any_of(grade.findings.begin(), grade.findings.end(),
                       [&](const ReportedFinding& f) { return f.kind == claim.caught_name; });
  }
  return item_failed(grade, claim.caught_by);  // build, performance
}

std::string_view name_of(MutantVerdict verdict) {
  const auto it = std::find_if(kVerdicts.begin(), kVerdicts.end(),
                               [&](const VerdictName& v) { return v.verdict == verdict; });
  return it->name;
}

}  // namespace

std::map<std::string, std::string> read_header(const std::string& text) {
  std::map<std::string, std::string> header;
  for (const std::string_view line : split_lines(text)) {
    const std::size_t mark = line.starts_with("// ") ? 3 : line.starts_with("# ") ? 2 : 0;
    if (mark == 0) {
      break;
    }
    if (const std::size_t colon = line.find(": "); colon != std::string_view::npos) {
      header.emplace(line.substr(mark, colon - mark), line.substr(colon + 2));
    }
  }
  return header;
}

MutantClaim make_claim(const ClaimWords& words, const std::string& file) {
  MutantClaim claim;
  const auto it = std::find_if(kVerdicts.begin(), kVerdicts.end(),
                               [&](const VerdictName& v) { return v.name == words.verdict; });
  if (it == kVerdicts.end()) {
    std::vector<std::string> names;
    for (const VerdictName& v : kVerdicts) {
      names.emplace_back(v.name);
    }
    throw LabError(fmt::format("{}: '{}' is not a verdict; the verdicts are {}", file,
                               words.verdict, join_and(names)));
  }
  claim.verdict = it->verdict;
  claim.pitfall = words.pitfall == "none" ? "" : words.pitfall;
  claim.pitfall_with_clang = words.pitfall_with_clang;
  const std::string& by = words.caught_by;
  const std::size_t space = by.find(' ');
  claim.caught_by = by.substr(0, space);
  if (space != std::string::npos) {
    claim.caught_name = replace_all(by.substr(space + 1), "\"", "");
  }
  static constexpr std::array kWays = {"case", "finding", "concept", "performance", "build"};
  if (std::find(kWays.begin(), kWays.end(), claim.caught_by) == kWays.end()) {
    throw LabError(
        fmt::format("{}: caught-by '{}' must start with case, finding, concept, "
                    "performance or build",
                    file, by));
  }
  return claim;
}

MutantClaim read_claim(const std::string& text, const std::string& file) {
  const std::map<std::string, std::string> header = read_header(text);
  const auto value = [&](const char* key) -> const std::string& {
    const auto it = header.find(key);
    if (it == header.end()) {
      throw LabError(fmt::format("{}: its first lines lack '// {}: ...'; see docs/adding-a-lab.md",
                                 file, key));
    }
    return it->second;
  };
  const auto clang = header.find("pitfall with clang");
  return make_claim({.verdict = value("verdict"),
                     .pitfall = value("pitfall"),
                     .pitfall_with_clang = clang == header.end() ? "" : clang->second,
                     .caught_by = value("caught-by")},
                    file);
}

std::vector<std::string> broken_claims(const MutantClaim& claim, const Grade& grade,
                                       CompilerKind compiler) {
  std::vector<std::string> broken;
  if (grade.status == GradeStatus::error) {
    broken.push_back("it could not be graded: " + grade.summary);
    return broken;
  }
  if (!verdict_holds(claim.verdict, grade)) {
    broken.push_back(fmt::format("it does not get the verdict {}", name_of(claim.verdict)));
  }
  if (!caught(claim, grade)) {
    broken.push_back(fmt::format("{}{} does not detect it", claim.caught_by,
                                 claim.caught_name.empty() ? "" : " " + claim.caught_name));
  }
  if (!claim.pitfall_with(compiler).empty() && grade.pitfall != claim.pitfall_with(compiler)) {
    broken.push_back(fmt::format(
        "its headline does not name pitfall {}, but{}: {}", claim.pitfall_with(compiler),
        grade.pitfall.empty() ? "" : " (" + grade.pitfall + ")", grade.summary));
  }
  return broken;
}

}  // namespace warpgrade
