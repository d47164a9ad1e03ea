#include "grader/judge/rubric/concept_check.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <optional>
#include <string_view>

#include "grader/core/numbers.h"
#include "grader/record/counters/formula.h"

namespace warpgrade {
namespace {

/// A human-readable count: 250,000, or 4.03 if it is not an integer.
std::string number(double value) {
  if (value >= 1000 || value == std::floor(value)) {
    return grouped(std::round(value));
  }
  return fmt::format("{:.3g}", value);
}

/// Whether a text names things that are counted, "{} [atomic|atomics]", of which there is no part.
bool counts_things(std::string_view text) {
  return text.find("{} [") != std::string_view::npos;
}

/// "{} [atomic|atomics]" with the number and the matching singular or plural.
std::string filled(std::string_view text, const std::string& shown, bool one) {
  std::string result;
  while (!text.empty()) {
    const std::size_t close = text.find(']');
    const std::size_t bar = text.find('|');
    if (text.starts_with("{}")) {
      result += shown;
      text.remove_prefix(2);
    } else if (text.front() == '[' && bar < close && close != std::string_view::npos) {
      result += one ? text.substr(1, bar - 1) : text.substr(bar + 1, close - bar - 1);
      text.remove_prefix(close + 1);
    } else {
      result += text.front();
      text.remove_prefix(1);
    }
  }
  return result;
}

std::string capitalised(std::string text) {
  if (!text.empty()) {
    text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  }
  return text;
}

std::string filled(std::string_view text, double value) {
  const std::string shown = number(value);
  return filled(text, shown, shown == "1");
}

/// "Each bin gets 2 global atomics per block; 1 is enough."
std::string in_words(const ConceptCheck& check, double measured, double expected) {
  const std::string says = check.says.empty() ? fmt::format("{{}} {}", check.unit) : check.says;
  const bool part = counts_things(says) && measured > 0 && measured < 1;
  std::string words =
      capitalised(part ? filled(says, "fewer than 1", true) : filled(says, measured));
  if (measured > check.at_most * expected) {
    const double enough = std::min(1.0, check.at_most) * expected;
    words += "; " + filled(check.enough.empty() ? "{} [is|are] enough" : check.enough, enough);
  } else if (measured < check.at_least * expected) {
    const double least = check.at_least * expected;
    // Of things that are counted, a limit below 1 asks for any at all.
    words += "; at least " +
             filled("{} [is|are] asked for", counts_things(says) ? std::max(1.0, least) : least);
  }
  return words;
}

/// "; accepted: up to 7,800,000" where the limit is another number than the one of in_words().
std::string limit_in_words(const ConceptCheck& check, double measured, double expected) {
  if (measured <= check.at_most * expected || check.at_most <= 1) return {};
  return fmt::format("; accepted: up to {}", number(check.at_most * expected));
}

/// The measured formula over the work that led to an output; nothing if that was not tracked. 0 if
/// the formula then divides by zero, because no such work was found.
std::optional<double> measure_reaching(const ConceptCheck& check, const Dims& dims,
                                       const EmulatorReport& report) {
  if (!report.reaching) {
    return std::nullopt;
  }
  try {
    return evaluate_formula(check.measured, dims, [&](const CounterName& counter) {
      return counter_value(counter, report, *report.reaching);
    });
  } catch (const ExpressionError&) {
    return 0.0;
  }
}

}  // namespace

Item score_concept(const Evidence& evidence, const ConceptCheck& check) {
  Item item{.id = "concept/" + check.id,
            .category = Category::concept_check,
            .title = check.title,
            .points = 0,
            .max_points = check.points,
            .status = ItemStatus::failed,
            .message = {},
            .hint = {},
            .pitfall = {}};
  const CaseOutcome* outcome = evidence.find_case(check.on);
  if (outcome == nullptr) {
    item.message = "Not counted: nothing was run.";
    return item;
  }
  if (outcome->report.verdict == CaseVerdict::error) {
    item.status = ItemStatus::error;
    item.message = fmt::format(
        "Case \"{}\" could not be run because of an internal error; you lose no points.", check.on);
    return item;
  }
  if (outcome->report.verdict == CaseVerdict::not_assessed) {
    item.status = ItemStatus::not_assessed;
    item.message = fmt::format("Case \"{}\" could not be assessed.", check.on);
    return item;
  }
  if (outcome->report.verdict != CaseVerdict::passed) {
    item.message = fmt::format("Counted only if case \"{}\" passes.", check.on);
    return item;
  }
  if (!evidence.emulated || !outcome->emulator) {
    item.status = ItemStatus::not_assessed;
    item.message = "Counters come from the emulator, which did not run; use --device emulator.";
    return item;
  }
  const Dims& dims = outcome->spec->data.dims;
  const double expected =
      evaluate_formula(check.expected, dims, [](const CounterName&) { return 0.0; });
  double measured = 0;
  try {
    measured = evaluate_formula(check.measured, dims, [&](const CounterName& counter) {
      return counter_of_all_work(counter, *outcome->emulator);
    });
  } catch (const ExpressionError&) {
    item.message = "The kernels made no such access, so there is nothing to count.";
    item.hint = check.hint;
    item.pitfall = check.pitfall;
    return item;
  }
  item.numbers = ConceptNumbers{.check = check, .measured = measured, .expected = expected};
  item.message = in_words(check, measured, expected);
  if (const auto it = evidence.references.find(check.on); it != evidence.references.end()) {
    const auto counter = [&](const CounterName& name) {
      const auto found = it->second.counters.find(std::string(name.name));
      return found == it->second.counters.end() ? 0.0 : found->second;
    };
    try {
      item.numbers->reference = evaluate_formula(check.measured, dims, counter);
      if (number(*item.numbers->reference) != number(measured)) {
        item.message += fmt::format(" (the reference: {}{})", number(*item.numbers->reference),
                                    limit_in_words(check, measured, expected));
      }
    } catch (const ExpressionError&) {
      // A reference without such accesses has no number to show.
    }
  }
  item.message += ".";
  // Work that leads to no output counts towards the upper limit, but not towards the lower one.
  const double least = check.at_least * expected;
  const double useful = measure_reaching(check, dims, *outcome->emulator).value_or(measured);
  if (useful < least && measured >= least) {
    item.message += fmt::format(
        " But only {} of that contributes to an output; the rest does not count.", number(useful));
  }
  if (std::min(measured, useful) >= least && measured <= check.at_most * expected) {
    item.status = ItemStatus::passed;
    item.points = item.max_points;
  } else {
    item.hint = check.hint;
    item.pitfall = check.pitfall;
  }
  return item;
}

}  // namespace warpgrade
