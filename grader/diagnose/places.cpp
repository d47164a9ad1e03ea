#include "grader/diagnose/places.h"

#include <algorithm>
#include <charconv>
#include <set>
#include <system_error>

namespace warpgrade {
namespace {

/// Whether the cases have arrays of different sizes: otherwise a property may be chance.
bool differ_in_size(const std::vector<FirstUnwritten>& cases) {
  std::set<std::uint64_t> sizes;
  for (const FirstUnwritten& one : cases) sizes.insert(one.elements);
  return sizes.size() > 1;
}

}  // namespace

/// The number after a word: 10 of "byte offset 40 (element 10 of 4 bytes)".
std::optional<std::int64_t> number_after(const std::string& text, std::string_view word) {
  const std::size_t at = text.find(word);
  if (at == std::string::npos) return std::nullopt;
  const char* begin = text.data() + at + word.size();
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(begin, text.data() + text.size(), number);
  return error == std::errc() ? std::optional(number) : std::nullopt;
}

std::vector<FirstUnwritten> first_unwritten(const Clues& clues, const ReportedFinding& finding) {
  std::vector<FirstUnwritten> found;
  for (const CaseOutcome& c : clues.evidence().cases) {
    if (!c.emulator) continue;
    for (const ReportedFinding& own : c.emulator->findings) {
      if (own.kind != finding.kind || own.file != finding.file || own.line != finding.line)
        continue;
      const auto element = number_after(own.got, "(element ");
      const auto width = number_after(own.message, "");
      if (!element || !width || *element < 0 || *width <= 0) return {};
      const auto bytes = number_after(own.message, " (").value_or(0);
      found.push_back({.element = static_cast<std::uint64_t>(*element),
                       .elements = static_cast<std::uint64_t>(bytes / *width),
                       .width = static_cast<std::uint64_t>(*width)});
    }
  }
  return found;
}

bool written_by_elements(const std::vector<FirstUnwritten>& cases) {
  return differ_in_size(cases) &&
         std::all_of(cases.begin(), cases.end(), [](const FirstUnwritten& one) {
           return one.width > 1 && one.elements >= 2 * one.width &&
                  one.element == one.elements / one.width;
         });
}

std::uint64_t same_first_unwritten(const std::vector<FirstUnwritten>& cases) {
  constexpr std::uint64_t kWarp = 32;
  if (!differ_in_size(cases)) return 0;
  const std::uint64_t first = cases.front().element;
  const bool same = std::all_of(cases.begin(), cases.end(), [&](const FirstUnwritten& one) {
    return one.element == first && one.elements > first;
  });
  return same && first > 0 && first % kWarp == 0 ? first : 0;
}

}  // namespace warpgrade
