#include "grader/judge/diagnose/claim_elements.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <regex>
#include <set>

#include "grader/judge/diagnose/claim_reader.h"
#include "grader/record/evidence/failed_case.h"

namespace warpgrade {
namespace {

/// Whether a claim is true of one case, as far as its report tells.
using IsTrue = std::function<bool(const Claim&, const CaseReport&)>;

/// Whether something is true of all wrong elements that the report lists.
template <class Is>
bool all_listed(const CaseReport& r, Is is) {
  return std::ranges::all_of(r.first_mismatches,
                             [&](const MismatchedElement& m) { return is(m.index); });
}

std::uint64_t first_wrong(const CaseReport& r) {
  return r.first_mismatches.empty() ? 0 : r.first_mismatches.front().index;
}

/// Elements per row where the output is a matrix; 0 if it is none.
std::uint64_t columns_of(const CaseReport& r) {
  return r.wrong_map && !r.wrong_map->folded ? r.wrong_map->columns : 0;
}

/// The number of the row, column, element or group that an element is in; nothing to check if the
/// report does not tell the matrix's rows.
bool is_in(const CaseReport& r, const std::string& noun, std::uint64_t group,
           const std::function<bool(std::uint64_t)>& meant) {
  const std::uint64_t columns = columns_of(r);
  if ((noun == "row" || noun == "column") && columns == 0) return true;
  return all_listed(r, [&](std::uint64_t i) {
    return meant(noun == "row"      ? i / columns
                 : noun == "column" ? i % columns
                 : noun == "group"  ? i / std::max<std::uint64_t>(group, 1)
                                    : i);
  });
}

std::set<std::uint64_t> numbers_in(const std::string& list) {
  static const std::regex kNumber(R"((\d+))");
  std::set<std::uint64_t> numbers;
  for (const Claim& claim : claims_in(list, kNumber)) numbers.insert(claim.number(0));
  return numbers;
}

struct Form {
  std::regex pattern;
  IsTrue is_true;
};

// The sentences of harness/tolerance/pattern.cpp and telling.cpp.
const std::vector<Form>& forms() {
  static const std::vector<Form> kForms = {
      {std::regex(R"((\d[\d,]*) of (\d[\d,]*) elements(?:,| are| have))"),
       [](const Claim& c, const CaseReport& r) {
         return r.wrong_elements == c.number(0) && r.elements == c.number(1);
       }},
      {std::regex(R"(All (\d+) elements (?:are|have|were))"),
       [](const Claim& c, const CaseReport& r) {
         return r.elements == c.number(0) && r.wrong_elements == r.elements;
       }},
      {std::regex(R"(Only the first (\d+) of (\d+) elements arrive)"),
       [](const Claim& c, const CaseReport& r) {
         return first_wrong(r) == c.number(0) && r.elements == c.number(1);
       }},
      {std::regex(R"(Only the first (\d+) elements are correct)"),
       [](const Claim& c, const CaseReport& r) {
         return first_wrong(r) == c.number(0) && r.elements - r.wrong_elements == c.number(0);
       }},
      {std::regex(R"(The first (\d+) elements [^;]*; all from index (\d+) on are correct)"),
       [](const Claim& c, const CaseReport& r) {
         return r.wrong_elements == c.number(0) && first_wrong(r) == 0 &&
                all_listed(r, [&](std::uint64_t i) { return i < c.number(1); });
       }},
      {std::regex(R"(Only every (\d+)(?:st|nd|rd|th) element is correct, from index (\d+) on)"),
       [](const Claim& c, const CaseReport& r) {
         return c.number(0) > 0 && all_listed(r, [&](std::uint64_t i) {
                  return i % c.number(0) != c.number(1) % c.number(0);
                });
       }},
      {std::regex(R"(In every group of (\d+) elements[^,]*, position (\d+) is)"),
       [](const Claim& c, const CaseReport& r) {
         return c.number(0) > 0 &&
                all_listed(r, [&](std::uint64_t i) { return i % c.number(0) == c.number(1); });
       }},
      {std::regex(R"(In every group of (\d+) elements[^,]*, positions (\d+) to (\d+) are)"),
       [](const Claim& c, const CaseReport& r) {
         return c.number(0) > 0 && all_listed(r, [&](std::uint64_t i) {
                  return i % c.number(0) >= c.number(1) && i % c.number(0) <= c.number(2);
                });
       }},
      {std::regex(R"([Ee]very (\d+)(?:st|nd|rd|th) (row|column|element|group), from \w+ (\d+) on)"),
       [](const Claim& c, const CaseReport& r) {
         return is_in(r, c.parts[1], 0, [&](std::uint64_t number) {
           return number >= c.number(2) && (number - c.number(2)) % c.number(0) == 0;
         });
       }},
      {std::regex(R"(the (first|last)(?: (\d+))? of each (\d+) (row|column)s (?:is|are) wrong)"),
       [](const Claim& c, const CaseReport& r) {
         const std::uint64_t period = std::max<std::uint64_t>(c.number(2), 1);
         const std::uint64_t count = c.parts[1].empty() ? 1 : c.number(1);
         return is_in(r, c.parts[3], 0, [&](std::uint64_t number) {
           const std::uint64_t place = number % period;
           return c.parts[0] == "first" ? place < count : place + count >= period;
         });
       }},
      {std::regex(R"((row|column)s (\d+) to (\d+) of each (\d+) are wrong)"),
       [](const Claim& c, const CaseReport& r) {
         const std::uint64_t period = std::max<std::uint64_t>(c.number(3), 1);
         return is_in(r, c.parts[0], 0, [&](std::uint64_t number) {
           return number % period >= c.number(1) && number % period <= c.number(2);
         });
       }},
      {std::regex(
           R"((row|column|element|group)s (\d+) to (\d+) of (\d+)(?: with (\d+) elements)?)"),
       [](const Claim& c, const CaseReport& r) {
         return is_in(r, c.parts[0], c.number(4), [&](std::uint64_t number) {
           return number >= c.number(1) && number <= c.number(2);
         });
       }},
      {std::regex(
           R"((row|column|element|group)s? ((?:\d+, )*(?:\d+ and )?\d+) of (\d+)(?: with (\d+) elements)? )"
           R"((?:has|have|is|are|each))"),
       [](const Claim& c, const CaseReport& r) {
         const std::set<std::uint64_t> meant = numbers_in(c.parts[1]);
         return is_in(r, c.parts[0], c.number(3),
                      [&](std::uint64_t number) { return meant.contains(number); });
       }},
  };
  return kForms;
}

/// The case that a sentence names before a claim; null if it names none, and then any may be meant.
const CaseOutcome* case_before(const std::string& headline, std::size_t at,
                               const Evidence& evidence) {
  static const std::regex kCase(R"re([Cc]ase "([^"]+)")re");
  const std::vector<Claim> named = claims_in(headline.substr(0, at), kCase);
  return named.empty() ? nullptr : evidence.find_case(named.back().parts[0]);
}

/// "Correct if n is a multiple of 32, wrong otherwise": of all cases that ran and are not empty.
void check_sizes(const std::string& headline, const Evidence& evidence,
                 std::vector<std::string>& untrue) {
  static const std::regex kMultiple(R"(Correct if (\w+) is a multiple of (\d+), wrong otherwise)");
  for (const Claim& claim : claims_in(headline, kMultiple)) {
    for (const CaseOutcome& c : evidence.cases) {
      const auto extent = c.report.shape.find(claim.parts[0]);
      const bool ran =
          c.report.verdict == CaseVerdict::passed || c.report.verdict == CaseVerdict::wrong;
      if (extent == c.report.shape.end() || !ran) continue;
      const bool right = c.report.verdict == CaseVerdict::passed;
      const bool multiple = extent->second % static_cast<std::int64_t>(claim.number(1)) == 0;
      if (right != multiple) {
        untrue.push_back(fmt::format("\"{}\": case \"{}\" is {}.", claim.text, c.report.name,
                                     right ? "correct" : "wrong"));
      }
    }
  }
}

}  // namespace

std::vector<std::string> untrue_claims_about_elements(const std::string& headline,
                                                      const Evidence& evidence) {
  std::vector<std::string> untrue;
  for (const Form& form : forms()) {
    for (const Claim& claim : claims_in(headline, form.pattern)) {
      const CaseOutcome* named = case_before(headline, headline.find(claim.text), evidence);
      const bool is_true = std::ranges::any_of(evidence.cases, [&](const CaseOutcome& c) {
        return (named == nullptr || named == &c) && c.report.wrong_elements > 0 &&
               form.is_true(claim, c.report);
      });
      if (!is_true) {
        untrue.push_back(fmt::format("\"{}\": {}.", claim.text,
                                     named != nullptr ? "not in that case" : "in no failing case"));
      }
    }
  }
  check_sizes(headline, evidence, untrue);
  return untrue;
}

}  // namespace warpgrade
