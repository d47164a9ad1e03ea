#pragma once

#include <map>
#include <string>
#include <vector>

#include "harness/case/case_data.h"
#include "harness/golden/golden_library.h"
#include "harness/lab/cheap_answer.h"
#include "harness/lab/lab.h"

namespace warpgrade {

/// How a case receives one cheap answer.
struct CheapTry {
  CheapAnswer answer = CheapAnswer::zeros;
  std::string input;  // that was copied or changed; may be empty
  enum class Result : std::uint8_t { fails, passes, is_right } result = Result::fails;

  /// "reversed-input of `a`"
  [[nodiscard]] std::string name() const;
};

/// Judges all cheap answers that are possible for a case, without compiling or running anything. An
/// answer that equals the expected one, up to a rounding of its type, is right: the sum of one
/// element is that element, and a sum does not depend on the order. One that a predicate accepts is
/// right, too.
/// @param golden  for the answers to changed inputs; those of programs are not changed, nor are
///                inputs with structure: sparse matrices, ramps of integers, given data
[[nodiscard]] std::vector<CheapTry> try_cheap_answers(const CaseData& data,
                                                      const GoldenLibrary& golden);

/// What a lab's cases say to cheap answers, by case.
struct CheapCount {
  std::size_t fail = 0;
  std::size_t pass = 0;  // without a waiver
  std::size_t right = 0;
  std::size_t half = 0;  // in half precision that passes
  std::size_t waived = 0;
  std::vector<std::string> problems;  // of the lab, one sentence each
};

/// Passing answers without a waiver, waivers of answers that do not pass, and answers that are
/// right in cases worth half of the points for correctness or more. Half precision has to fail only
/// in cases worth a third of the points: the bound of a long sum of floats is as wide as a rounding
/// to half precision.
[[nodiscard]] CheapCount count_cheap_answers(
    const Lab& lab, const std::map<std::string, std::vector<CheapTry>>& tries);

}  // namespace warpgrade
